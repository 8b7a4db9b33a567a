"""Statements that are emitted twice, guarded by a test: for numbers, lengths, extents and descriptors that
are what they nearly always are, and for all others. `multiversioning` is what these have in common.
"""
