"""What is put into a repository, and taken out again."""
