"""Rewrites of TAIL, one family a file; each rule is a small function whose docstring is its equation."""
