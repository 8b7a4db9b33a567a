"""Bits of numbers: words in the place of arrays and of loops over bits."""
