"""Frozen values, read top to bottom the pipeline: ids, push, commit, document, identity, policy, finding, verdict."""
