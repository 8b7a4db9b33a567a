"""What a program does, for those who ask: bytes moved by loops, peak of memory, why loops did not fuse."""
