"""The word lists on disk: the German one that is built in, those a club brings, and a second opinion."""
