"""A clone at work: what is checked out, whose hand it is in, and the judge before the server's."""
