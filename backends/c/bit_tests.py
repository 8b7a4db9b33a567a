"""Whether a number is one of several constants, in lanes.

    x == 97 | x == 101 | x == 105 | x == 111 | x == 117
        →   (x == 97 | x == 101) ^ (x == 105) ^ (x == 111) ^ (x == 117)

Of a disjunction gcc 12 makes a test of one bit of a word, which is shifted by the number: fast where it
stands alone, but no loop that has one runs in lanes. One at most of the comparisons holds, so an exclusive
disjunction is the same, and gcc leaves that as it is. It makes one comparison of neighbours, and of two
constants that differ by a power of two: they stay together, and a disjunction of which so few are left
that it makes no test of bits stays what it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.laila.ir.interval import Interval
from aplc.laila.ir.scalar import Call, Const, Exp
from aplc.tail import prims as p

WORD = 64
"""The bits among which gcc looks for one."""

FEWEST = 3
"""It does so for comparisons of so many groups, and for one less where the number is a bit of a word in any
case.
"""


def exclusive(exp: Exp) -> dict[int, Call]:
    """The comparisons of one number with several constants, by these, of which one at most holds, where an
    expression asks whether one does; nothing elsewhere.
    """
    found: dict[int, Call] = {}
    numbers: set[int] = set()
    left = [exp]
    while left:
        match left.pop():
            case Call(op=p.ORB, args=(first, second)):
                left += [second, first]
            case Call(op=p.EQI | p.EQC, args=(Const(value=value), number)) as test:
                numbers.add(id(number))
                found[int(value)] = test
            case Call(op=p.EQI | p.EQC, args=(number, Const(value=value))) as test:
                numbers.add(id(number))
                found[int(value)] = test
            case _:
                return {}
    return found if len(numbers) == 1 and len(found) > 1 else {}


def groups_without_bits(values: Sequence[int], known: Interval | None) -> list[list[int]]:
    """Ascending constants in the groups that are one comparison each, if gcc would make a test of a bit of
    all, for a number of a range, if that is known; nothing elsewhere.
    """
    groups: list[list[int]] = []
    for value in values:
        last = groups[-1] if groups else []
        gap = value - last[-1] if last else 0
        if last and (gap == 1 or (len(last) == 1 and gap & (gap - 1) == 0)):
            last.append(value)
        else:
            groups.append([value])
    is_bit = known is not None and not known.is_empty and known.high - known.low < WORD
    return groups if len(groups) >= (FEWEST - 1 if is_bit else FEWEST) else []
