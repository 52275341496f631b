"""From the bytes of the trust files to one checked `Policy`."""
