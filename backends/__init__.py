"""From Laila to the machine: C, OpenMP and OpenCL text, compilers, the cache, running."""
