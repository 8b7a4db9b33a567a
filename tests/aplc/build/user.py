"""Uses the module of a wheel where aplc cannot be imported: `python user.py FOLDER NUMPY`."""

import inspect
import sys
import threading


class NoAplc:
    """No part of aplc can be imported."""

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "aplc":
            raise ImportError("aplc is not there")


sys.meta_path.insert(0, NoAplc())
sys.path[:0] = [sys.argv[1]]
sys.path.append(sys.argv[2])

import numpy as np  # noqa: E402
import signals  # noqa: E402


def refused(kind, words, function, *arguments):
    """A call is an error of that kind, which says that."""
    try:
        function(*arguments)
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"{function.__name__} takes {arguments}")


assert signals.mean([1, 2, 3, 4]) == 2.5
assert signals.mean(np.arange(10, dtype=np.float32)[::2]) == 4
assert np.allclose(signals.signal(np.array([1.0, 2.0])), [50 / 1.01, 50 / 2.01])
assert signals.words("to bé").tolist() == ["to", "bé"]
assert signals.words("").tolist() == []
assert signals.sums([[1, 2], [], [3.5]]).tolist() == [3, 0, 3.5]
assert signals.sums([]).tolist() == []
assert [item.tolist() for item in signals.flip([[1, 2], [3]])] == [[3], [2, 1]]
assert signals.depth(5000) == 5000
assert signals.matmul(np.eye(2), np.array([[1, 2], [3, 4]]).T).tolist() == [[1, 3], [2, 4]]
assert signals.roots(1 + 2j).tolist() == [1 + 2j, 1 + 5j]
assert signals.xor(True, np.array([True, False])).tolist() == [False, True]
total, backwards = signals.both([1, 2, 4])
assert total == 7 and backwards.tolist() == [4, 2, 1]
assert signals.table(0).shape == (0,)

refused(signals.AplError, "library.apl:7:19: DOMAIN ERROR: ÷ divides by zero", signals.signal, [1, -0.01])
refused(
    signals.AplError, "⍺ has no element 7, the length is 1 in item 2", signals.each, [[1, 2], [3]], [1, 7]
)
refused(MemoryError, "no memory for an array of 35184372088832 elements", signals.table, 2**45)
refused(ValueError, "mean: right is a vector, and this is a matrix", signals.mean, np.eye(2))
refused(TypeError, "mean: right holds real numbers, and this is str of <U1", signals.mean, "x")
refused(TypeError, "mean: right holds real numbers", signals.mean, [1j])
refused(TypeError, "both: right holds whole numbers", signals.both, [1.5])
refused(ValueError, "does not fit 64 bits", signals.both, np.array([2**63], np.uint64))
refused(TypeError, "xor: left holds truth values", signals.xor, 1, [True])
refused(TypeError, "words: right holds text", signals.words, [1, 2])
refused(TypeError, "masked", signals.mean, np.ma.array([1.0], mask=[True]))
refused(TypeError, "sums: right is a sequence of vectors, not float", signals.sums, 1.5)
refused(ValueError, "sums: right, item 1 is a vector, and this is a scalar", signals.sums, [[1], 2])
refused(TypeError, "positional", signals.mean)
try:
    signals.signal([1, -0.01])
except signals.AplError as error:
    assert error.kind == "DOMAIN ERROR"

assert str(inspect.signature(signals.matmul)).startswith("(left: 'Any', right: 'Any', /)")
assert "Soft-clipped differences of a signal.\n" in inspect.getdoc(signals.signal)
assert "⍝: [double]1 → [double]1" in inspect.getdoc(signals.signal)

found = []
threads = [threading.Thread(target=lambda k=k: found.append((k, signals.mean([k] * 1000)))) for k in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert sorted(found) == [(k, k) for k in range(8)]

for _ in range(100):  # results own their memory
    kept = signals.signal(np.ones(1000))
    items = signals.flip([[1.0, 2.0], [3.0]])
del kept
assert items[1].tolist() == [2, 1]
assert not [name for name in sys.modules if name.split(".")[0] == "aplc"]
