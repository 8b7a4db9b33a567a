"""Kernels as OpenCL C, and running them with PyOpenCL."""
