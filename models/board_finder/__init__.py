"""How the board finder is trained and measured; never imported at run time."""
