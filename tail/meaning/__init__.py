"""What each primitive means: executable definitions over NumPy arrays, for the table in `aplc.tail.prims`."""
