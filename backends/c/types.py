"""How C spells the types of values and of elements in memory. OpenCL's names for the same types stand in
`aplc.backends.opencl.library`, by those of C.
"""

from __future__ import annotations

from aplc.tail.types import Base

C_TYPES = {
    Base.INT: "int64_t", Base.DOUBLE: "double", Base.COMPLEX: "aplc_complex", Base.BOOL: "bool",
    Base.CHAR: "uint32_t",
}  # fmt: skip
"""C types of values."""

STORAGE_TYPES = {
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "float32": "float",
    "float64": "double",
    "complex128": "aplc_complex",
    "bool": "uint8_t",
}
"""C types of stored elements, by NumPy dtype name. Conditions in memory are bytes, 0 or 1: C's `bool` keeps
gcc from combining them with comparisons in lanes.
"""


def stored(ty: Base) -> str:
    """The C type of a value as it stands in memory, and of what is kept like that."""
    return STORAGE_TYPES[ty.dtype]
