"""C compilers, the cache of what they made, and running it: loading, arguments, interrupts, limits."""
