"""The only door to YAML and Markdown: state documents, blocks, edits."""
