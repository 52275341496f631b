"""The only door to Git objects, refs and messages; dulwich is imported nowhere else."""
