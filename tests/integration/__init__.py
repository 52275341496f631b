"""Real pushes, by real Git, against repositories on which the guard is installed."""
