"""From TAIL to SOACs, over pull arrays (thesis, section 3.4).

`pull` is the array that is not written yet, `keeping` decides which are. `scopes`, `memory` and `context` are
the state of a lowering, layer by layer: in the terms of `context` `primitives` lowers array primitives,
`control` conditionals and loops, `recursion` other recursions. `terms` goes through a TAIL term. It imports
`aplc.laila.ir` only.
"""
