"""What history and receipts prove: receipts written, read and held against the commits."""
