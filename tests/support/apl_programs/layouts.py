"""How the elements of an input lie in memory."""

from random import Random

import numpy as np

from tests.support.apl_programs.trees import Value


def laid_out(value: Value, random: Random) -> Value:
    """An equal array, most often the same: of which the elements come backwards, or with others between them,
    from the other end of each byte, at no address for their size, or one in memory for all if they are equal.
    """
    form = random.choice(("", "", "", "", "backwards", "between", "bytes", "shifted", "once"))
    if form == "backwards":
        return _written(np.empty(value.shape, value.dtype)[(slice(None, None, -1),) * value.ndim], value)
    if form == "between":
        wider = tuple([random.choice((1, 2, 3)) for _ in value.shape])
        room = np.zeros([n * k for n, k in zip(value.shape, wider, strict=True)], value.dtype)
        return _written(room[tuple([slice(None, None, k) for k in wider])], value)
    if form == "bytes" and value.dtype.itemsize > 1:
        return value.astype(value.dtype.newbyteorder(">"))
    if form == "shifted":
        room = np.zeros(value.nbytes + 1, np.uint8)[1:].view(value.dtype)
        return _written(room.reshape(value.shape), value)
    if form == "once" and value.size and bool(np.all(value == value.flat[0])):
        return np.broadcast_to(value.flat[0], value.shape)
    return value


def _written(room: Value, value: Value) -> Value:
    room[...] = value
    return room
