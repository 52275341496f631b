"""From a push to its verdict."""
