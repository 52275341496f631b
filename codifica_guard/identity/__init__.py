"""The only door to cryptography: keys, signatures, payloads, tokens, attribution."""
