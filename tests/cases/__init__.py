"""The awkward cases, by number: each of them is a test here or beside the part that it is about."""
