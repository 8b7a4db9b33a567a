"""From SOACs to loop nests: generation, vectorisation, scans, packed products, tails of vectors.

The language of loops itself is `aplc.laila.ir.loops`.
"""
