"""Fusion: which SOACs share a loop.

`dependence` orders the statements of a region, `legality` says which two may share a loop, and why not,
`cluster` and `exclusive` choose among them, `fuse` makes the loops. `streaming` joins a filter and the loop
that takes what it keeps in blocks.
"""
