"""From TAIL to SOACs, over pull arrays (thesis, section 3.4).

`terms` goes through a TAIL term, `prims` says which module lowers which primitive, `pull` is the array that
is not written yet. It imports `aplc.laila.ir` only.
"""
