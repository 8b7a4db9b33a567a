"""What each primitive means: executable definitions over NumPy arrays, for the table in `tail.prims`."""
