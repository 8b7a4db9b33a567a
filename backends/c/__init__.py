"""Programs of loops as C text."""
