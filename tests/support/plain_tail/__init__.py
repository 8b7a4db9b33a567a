"""What TAIL's primitives mean, a second time: definitions in plain Python."""
