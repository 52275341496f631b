"""How fast the guard is: whole processes and real pushes, in pairs, in one run."""
