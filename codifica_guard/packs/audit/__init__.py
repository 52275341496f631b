"""Rules that an audit holds a server's own records against; no push is judged by them."""
