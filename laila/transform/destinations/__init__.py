"""Functions of the program that append what they give to memory of their callers."""
