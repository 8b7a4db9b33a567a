"""The cases that a file states in a header of comments: what goes in, and what must come out."""
