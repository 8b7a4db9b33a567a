"""A loop takes in the scan whose values it reads one element behind.

    SCAN + a[i] = f(i)                                     FUSED { SCAN ⌊ m = i = 0 ? 0 : s
    FUSED { SCAN ⌊ m = i = 0 ? 0 : a[i-1]          →               SCAN + s = f(i)
            t = REDUCE ⌈ (a[i] - m) }                              t = REDUCE ⌈ (s - m) }

Where a part stands before the scan, the running value of that is still the one of the element before. So what
reads `a[i-1]` comes first, then the scan, and then what reads `a[i]`. If nothing else reads `a`, it is not
written. This is Kadane's greatest sum of neighbours, by sums and the least sum before each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import buffers_read, mentioned
from aplc.laila.ir.program import Alloc, Free, Fused, Part, Program, Reduce, Scan, Statement
from aplc.laila.ir.scalar import BlockExp, Buffer, Exp, Fold, PureCall, Read, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, rebuilt, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import weigh


def with_shifted_scans(program: Program, make: ExprBuilder) -> Program:
    """The program with scans in the loops that read their values one element behind."""
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    block = [with_bodies(s, lambda body: _block(body, make)) for s in statements]
    scans = {s.buffer: k for k, s in enumerate(block) if isinstance(s, Scan) and s.running is None}
    for k, statement in enumerate(block if scans else ()):
        if not isinstance(statement, Fused):
            continue
        for buffer in buffers_read(*own_expressions(statement)):
            at = scans.pop(buffer, None)
            if at is not None and at < k and _is_free(block[at], block[at + 1 : k]):
                joined = _joined(block[at], statement, buffer, make)
                if joined is not None:
                    return _block(_without(block, at, k, joined), make)
    return tuple(block)


def _is_free(scan: Statement, between: Sequence[Statement]) -> bool:
    """Whether a scan may stand behind some statements: memory that begins or ends, of others."""
    touched = set(mentioned(scan))
    return all(isinstance(s, Alloc | Free) and s.buffer not in touched for s in between)


def _joined(scan: Statement, loop: Fused, buffer: Buffer, make: ExprBuilder) -> Fused | None:
    """The loop with the scan among its parts, if it reads what that writes at its index, or one before it."""
    assert isinstance(scan, Scan)
    if len(loop.space.indices) != 1 or not loop.space.is_same_as(scan.space) or loop.in_place:
        return None
    ((index,), (own,)) = (loop.space.indices, scan.space.indices)
    if scan.position is not own or scan.start is not None or contains(Fold | BlockExp | PureCall, scan.body):
        return None
    written = {part.buffer for part in loop.parts if not isinstance(part, Reduce)}
    if weigh(scan.body).may_fail or written & {buffer, *buffers_read(scan.body)}:
        return None
    here, before = make.read(buffer, index), make.read(buffer, make.sub(index, make.one))
    early: list[Part] = []
    late: list[Part] = []
    for part in loop.parts:
        exps = _expressions(part)
        read = {n for n in nodes(*exps) if isinstance(n, Read) and n.buffer is buffer}
        is_behind, is_here = before in read, here in read
        if contains(BlockExp, *exps) or read - {here, before} or (is_behind and (is_here or late)):
            return None
        (late if late or is_here else early).append(part)
    if not any(before in nodes(*_expressions(part)) for part in early):
        return None
    running = Var(make.fresh("s"), scan.body.ty)
    change = Substitute(make, {here: running, before: running})
    body = Substitute(make, {own: index})(scan.body)
    own_part = replace(scan, space=loop.space, position=index, body=body, running=running)
    changed = rebuilt(replace(loop, parts=(*early, *late)), change)
    assert isinstance(changed, Fused)
    parts = (*changed.parts[: len(early)], own_part, *changed.parts[len(early) :])
    return replace(changed, parts=parts)


def _expressions(part: Part) -> tuple[Exp, ...]:
    """What a part computes at a point."""
    return (part.body,) if isinstance(part, Reduce) else own_expressions(part)


def _without(block: list[Statement], at: int, k: int, joined: Fused) -> list[Statement]:
    """The statements with a loop that has taken in a scan, which it writes only for others."""
    scan = block[at]
    assert isinstance(scan, Scan)
    rest = [*block[:at], *block[at + 1 : k], joined, *block[k + 1 :]]
    users = [s for s in rest if scan.buffer in mentioned(s) and s is not joined]
    is_ours = {type(s) for s in users} == {Alloc, Free} and not scan.buffer.asked
    if not is_ours:
        return rest
    parts = tuple(
        [
            replace(q, is_written=False) if isinstance(q, Scan) and q.buffer is scan.buffer else q
            for q in joined.parts
        ]
    )
    alone = replace(joined, parts=parts)
    return [alone if s is joined else s for s in rest if s not in users]
