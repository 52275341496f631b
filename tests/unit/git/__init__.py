"""The Git door, against real Git."""
