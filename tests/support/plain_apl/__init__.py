"""What APL means, a second time: definitions in plain Python."""
