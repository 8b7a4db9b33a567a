"""What the samples show of the functions, operators and primitives: for `primitive_table`.

    found()    which sample applies what, and what each symbol elaborates to

All samples are elaborated, and each application of a function is watched: what it adds to the program that is
neither its arguments' nor that of a function inside it is its own.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest import mock

from aplc.apl_front.elaboration.elaborate import elaborate_program
from aplc.apl_front.elaboration.elaborator import Elaborator
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.system_names import SETTINGS
from aplc.apl_front.syntax.glyphs import SCALAR_FUNCTIONS
from aplc.apl_front.syntax.parser import parse
from aplc.deep_stack import on_deep_stack
from aplc.inputs import decode
from aplc.tail import prims as p
from aplc.tail.errors import AplcError
from aplc.tail.optimise.loop_invariants import move_invariants
from aplc.tail.prims import Prim
from aplc.tail.syntax import Exp, If, Item, Op, PrimFn, Rec, Term, children, is_loop, walk
from aplc.tail.types import Tuple, Type
from tests.support.samples import HeaderError, Sample, read_sample, sample_paths

Use = tuple[str, str]
"""A symbol, or an operator with its operands, and `monadic`, `dyadic` or one of these with an axis."""


def is_operator(use: Use) -> bool:
    """Whether a use is one of an operator or a train."""
    return len(use[0]) > 1


CONVERSIONS = frozenset({p.B2I, p.I2D, p.D2I, p.I2B, p.COMPLEX, p.Z2D})
"""What a symbol elaborates to is shown without these: they belong to the arguments."""


Shown = set[str]
"""What applications of one function or operator elaborate to: names of primitives, and `if`, `loop`,
`recursion`, `tuple`."""


@dataclass(slots=True)
class Seen:
    """What one sample applies."""

    uses: dict[Use, Shown] = field(default_factory=dict)
    prims: set[Prim] = field(default_factory=set)


class Recorder:
    """Watches an elaboration: what each application of a function adds to the program of its own."""

    def __init__(self) -> None:
        self.seen = Seen()
        self.inner: list[dict[int, Exp]] = []
        """For each application that is under way, what those inside it have added."""

    def watched(self, apply: Callable[..., Exp]) -> Callable[..., Exp]:
        """`Elaborator.apply` that tells the recorder."""

        def recorded(elab: Elaborator, node: Any, scope: Any, left: Any, right: Exp, span: Any) -> Exp:
            mark = len(elab.build.bindings)
            self.inner.append({})
            try:
                result = apply(elab, node, scope, left, right, span)
            finally:
                known = self.inner.pop()
            arguments = {id(n): n for a in (left, right) if a is not None for n in walk(a)}
            roots = [result, *[b.value for b in elab.build.bindings[mark:]]]
            added = _reachable(roots, arguments)
            if self.inner:
                self.inner[-1].update(added)
            simple = all(a is None or not isinstance(a.ty, Tuple) for a in (left, right))
            plain = elab.build.index_origin == 1 and elab.build.tolerance in (0, SETTINGS["⎕ct"])
            for use in _uses(node, left is not None):
                if simple or is_operator(use):
                    seen = self.seen.uses.setdefault(use, set())
                    own = [n for key, n in added.items() if key not in known]
                    if plain and not use[0].startswith("{"):
                        seen |= set(_names(own, use))
            return result

        return recorded


def _reachable(roots: list[Exp], excluded: dict[int, Exp]) -> dict[int, Exp]:
    """The expressions that the roots consist of, without those excluded."""
    found: dict[int, Exp] = {}
    stack = list(roots)
    while stack:
        node = stack.pop()
        if id(node) not in found and id(node) not in excluded:
            found[id(node)] = node
            stack += children(node)
    return found


def _functions_of(node: Exp, use: Use) -> list[Prim]:
    """The primitives that an expression passes as functions, unless they are operands."""
    if is_operator(use) or not isinstance(node, Op):
        return []
    return [a.prim for a in node.args if isinstance(a, PrimFn)]


def _names(nodes: list[Exp], use: Use) -> Iterator[str]:
    """What the expressions of one application are called on the page."""
    is_scalar = use[0] in SCALAR_FUNCTIONS and use != ("~", "dyadic")
    for node in nodes:
        match node:
            case Op(prim=prim):
                primitives = (prim, *_functions_of(node, use))
                if not CONVERSIONS.isdisjoint(primitives):
                    continue
                for each in primitives:
                    if each.is_scalar or not is_scalar:
                        yield each.name
            case If() if not is_scalar:
                yield "if"
            case Rec():
                yield "loop" if is_loop(node) else "recursion"
            case Item():
                yield "tuple"
            case _:
                pass


def _uses(node: tree.Function, has_left: bool) -> Iterator[Use]:
    """Which rows of the page the application of a function belongs to."""
    valence = "dyadic" if has_left else "monadic"
    match node:
        case tree.Primitive(symbol=symbol, axis=axis):
            yield symbol, valence
            if axis is not None:
                yield symbol, f"{valence} with axis"
        case tree.Derived(operator=operator, left=left, right=right, axis=axis):
            shown = operator_use(operator, left, right)
            yield shown, valence
            if axis is not None:
                yield shown, f"{valence} with axis"
        case tree.UserDerived(right=right, operator=operator):
            if not (isinstance(operator, tree.OperatorName) and operator.name == "⎕bench"):
                yield "{⍺⍺}" if right is None else "{⍺⍺ ⍵⍵}", valence
        case tree.Atop():
            yield "f g", valence
        case tree.Fork(left=left):
            yield "A g h" if isinstance(left, tree.ARRAY_NODES) else "f g h", valence
        case _:
            pass


def operator_use(operator: str, left: tree.Operand, right: tree.Operand | None) -> str:
    """An operator with letters for its operands: A an array, f and g functions."""
    first, second = ["A" if isinstance(o, tree.ARRAY_NODES) else None for o in (left, right)]
    if isinstance(left, tree.Jot):
        return "∘.f"
    if operator == "⍣" and isinstance(right, tree.Primitive) and right.symbol == "≡":
        return "f⍣≡"
    letter = "" if right is None else second or ("f" if first else "g")
    return f"{first or 'f'}{operator}{letter}"


def _prims(term: Term) -> Iterator[Prim]:
    for node in walk(term):
        if isinstance(node, Op):
            yield node.prim
            yield from [a.prim for a in node.args if isinstance(a, PrimFn)]


def watch(program: bytes, inputs: dict[str, Type]) -> Seen | None:
    """What a program applies; None if it is refused."""
    recorder = Recorder()
    with mock.patch.object(Elaborator, "apply", recorder.watched(Elaborator.apply)):
        try:
            term = elaborate_program([parse(decode(program, "sample"))], inputs).term
        except AplcError:
            return None
    recorder.seen.prims = {*_prims(term), *_prims(move_invariants(term))}
    return recorder.seen


@dataclass(slots=True)
class Found:
    """What all samples show: for each use and primitive the samples, the shortest first."""

    uses: dict[Use, Shown] = field(default_factory=dict)
    samples: dict[Use | Prim, str] = field(default_factory=dict)


@cache
def found() -> Found:
    """All samples elaborated, the shortest first, those that expect errors last."""
    result = Found()
    for _, _, name, sample in sorted(_samples(), key=lambda entry: entry[:3]):
        types = {each: given.type for each, given in sample.cases[0].inputs.items()}
        seen = on_deep_stack(partial(watch, sample.data, types), RecursionError(name))
        for use, shown in seen.uses.items() if seen else ():
            result.uses.setdefault(use, set()).update(shown)
            result.samples.setdefault(use, name)
        for prim in seen.prims if seen else ():
            result.samples.setdefault(prim, name)
    return result


def _samples() -> Iterator[tuple[bool, int, str, Sample]]:
    """Each sample that can be read, with whether it expects errors, its length, and its name."""
    for path in sample_paths():
        with suppress(HeaderError):
            sample = read_sample(path)
            yield any(case.errors for case in sample.cases), _length(path), sample.name, sample


def _length(path: Path) -> int:
    """The characters of a program, its comments left out."""
    lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    return sum(len(line) + 1 for line in lines if line.strip() and not line.startswith("⍝"))
