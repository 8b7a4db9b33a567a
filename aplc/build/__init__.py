"""`aplc build`: functions of a program as a C library, as a Python module, as kernels beside their host."""
