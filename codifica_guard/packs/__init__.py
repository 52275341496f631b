"""Rules by protocol; packs never import one another."""
