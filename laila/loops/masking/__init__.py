"""Whole vectors of which some lanes do nothing: passes from loops to loops.

`tail_masking` does so at the end of loops over narrow elements, `ragged_loops` at the end of rows whose
lengths are data, `compress_store` writes what is kept of an array a vector at a time.
"""
