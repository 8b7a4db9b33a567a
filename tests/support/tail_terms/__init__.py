"""Random well-typed terms of TAIL."""
