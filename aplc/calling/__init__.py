"""What stands behind the Python interface: options, arguments, functions, programs, ufuncs."""
