"""APL in Jupyter: the magics `%%apl` and `%apl` of a Python notebook, and a kernel of its own."""
