"""How well the print on a board tells which way up it is; never imported at run time."""
