"""Products of matrices in panels and register tiles."""
