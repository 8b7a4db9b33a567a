"""`aplc repl`: read a line, type it, run it, print what it shows."""
