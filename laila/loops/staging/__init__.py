"""Loops whose rounds are done in stages, a block of them at a time, or keep memory for the next ones."""
