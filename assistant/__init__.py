"""Session, store, command line: the only code that sees scorer, vision, disk and network."""
