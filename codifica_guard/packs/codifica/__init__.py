"""Rules of Codifica 0.1 and 0.2."""
