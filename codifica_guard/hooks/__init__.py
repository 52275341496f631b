"""Environment and standard input in, exit code out."""
