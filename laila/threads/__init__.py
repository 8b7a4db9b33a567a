"""From loops to loops in threads: which loops run in parallel, and their reductions."""
