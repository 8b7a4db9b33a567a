"""The typed array intermediate language: types, terms, checker, interpreter, optimiser."""
