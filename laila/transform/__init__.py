"""From SOACs to SOACs: each module is a pass, or what passes share.

Fusion and the choice of clusters, versions under a test, narrowing, strip-mining, accumulation, reuse of
memory. It imports `aplc.laila.ir` and `aplc.laila.lowering`.
"""
