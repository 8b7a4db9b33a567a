"""`aplc play`: the compiler in a browser of the same machine, its stages linked with the text."""
