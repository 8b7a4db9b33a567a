"""C as it is generated: around it a main, inside it a structure, beside it tools that watch it."""
