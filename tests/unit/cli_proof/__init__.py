"""`log --proof`: what it says, and that what it prints holds in a shell without the guard."""
