"""TAIL terms under construction: bindings, types, facts of a text, axes."""
