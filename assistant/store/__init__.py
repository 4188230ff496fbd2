"""Games, what happened in them, and their photos, kept so that nothing confirmed is ever lost."""
