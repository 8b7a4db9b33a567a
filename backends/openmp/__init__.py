"""Programs of loops in threads as C with OpenMP."""
