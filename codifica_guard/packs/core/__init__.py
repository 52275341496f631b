"""Rules of Git, documents and identity, common to all protocols."""
