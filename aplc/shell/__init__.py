"""What the command line has beside compiling: inputs of all kinds, terminals, watching, completion."""
