"""Tricks that have to fail, one test each."""
