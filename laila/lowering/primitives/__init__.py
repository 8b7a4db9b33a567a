"""The lowering of array primitives: one function a primitive, which `@lowers` enters in the table.

Each takes a `Lowering`, the application and a maker of error sites, and gives the pull array of the result.
Checks that concern shapes become checks of the host; those that concern elements stay with the elements.
"""

from aplc.laila.lowering.primitives import (
    bench,
    cells,
    chance,
    folds,
    host,
    index,
    items,
    maps,
    matrix,
    moving,
    numeric,
    order,
    pieces,
    scans,
    select,
    shape,
    texts,
    uniform,
    windows,
)
from aplc.laila.lowering.table import whole_table

MODULES = (
    bench, cells, chance, folds, host, index, items, maps, matrix, moving, numeric, order, pieces,
    scans, select, shape, texts, uniform, windows,
)  # fmt: skip
"""The modules that enter their functions."""

LOWER = whole_table()
"""The function that lowers each array primitive."""
