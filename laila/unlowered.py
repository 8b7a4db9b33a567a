"""What only the interpreter has so far: found before lowering, and refused by name and position."""

from __future__ import annotations

from collections.abc import Iterator

from tail import prims as p
from tail.errors import UNSUPPORTED, Diagnostic, Unsupported
from tail.prims import Prim
from tail.source import Span
from tail.syntax import (
    Call,
    Exp,
    If,
    Item,
    Let,
    Lit,
    Op,
    PrimFn,
    Product,
    Rec,
    Term,
    Var,
    Vec,
    body_of,
    is_loop,
    walk,
)
from tail.types import Func, Tuple, Type, rank_of

NOT_LOWERED: dict[Prim, str] = {
    p.FACTD: "monadic !", p.BINOMD: "dyadic !", p.CIRCD: "dyadic ○",
    p.ANDI32: "⎕INT32AND", p.ORI32: "⎕INT32OR", p.XORI32: "⎕INT32XOR", p.SHLI32: "⎕INT32SHL",
    p.SHRI32: "⎕INT32SHR", p.NOTI32: "⎕INT32NOT", p.NATURAL: "⍣",
    p.SCAN: "a scan", p.REDUCE_N: "an n-wise reduction", p.REDUCE_N1: "an n-wise reduction",
    p.CELLS: "a function applied to cells", p.ZIP_CELLS: "a function applied to cells",
    p.REPLICATE: "replicate", p.COMPRESS: "replicate", p.EXPAND: "expand", p.ROTATES: "rotation by an array",
    p.INDEX: "indexing with arrays", p.UPDATE: "assignment by index", p.COPY: "assignment by index",
    p.MODIFY: "assignment by index",
    p.WHERE: "monadic ⍸", p.INTERVAL: "dyadic ⍸", p.GRADE_UP: "⍋", p.GRADE_DOWN: "⍒", p.UNIQUE: "∪",
    p.MEMBER: "∊", p.FIND: "⍷", p.DECODE: "⊥", p.ENCODE: "⊤", p.MAT_INV: "⌹", p.MAT_DIV: "⌹",
    p.FORMAT: "⍕", p.FORMAT_BY: "⍕", p.ROLL: "?", p.UNIFORM: "?", p.DEAL: "?", p.SET_SEED: "⎕RL",
    p.NOW: "⎕NOW", p.TIMESTAMP: "⎕TS", p.BENCH: "⎕BENCH", p.READ_FILE: "⎕ReadFile",
    p.READ_INTS: "⎕ReadIntVecFile", p.READ_DOUBLES: "⎕ReadDoubleVecFile", p.NPY_INT: "⎕NPY",
    p.NPY_DOUBLE: "⎕NPY", p.NPY_BOOL: "⎕NPY", p.NPY_CHAR: "⎕NPY", p.SINGLE: "an array of one element",
    p.OF_LENGTH: "assignment to several names", p.NO_RESULT: "a function without a result",
    p.MATERIALISE: "monadic ⌷", p.PRINT_WITH: "⎕PP",
}  # fmt: skip
"""Primitives that only the interpreter has, as a user knows them."""

MAX_CAUSES = 20


def refuse_unlowered(term: Term) -> None:
    """`Unsupported` with every place of a program that cannot be lowered yet, up to twenty."""
    causes: dict[tuple[str, Span | None], Diagnostic] = {}
    for what, span in _unlowered(term):
        causes.setdefault((what, span), _cause(what, span))
    if causes:
        ordered = sorted(causes.values(), key=lambda d: d.span.start if d.span else 0)
        raise Unsupported(ordered[:MAX_CAUSES])


def refused(what: str, span: Span | None) -> Unsupported:
    """The error for what lowering itself finds that it cannot do."""
    return Unsupported(_cause(what, span))


def _cause(what: str, span: Span | None) -> Diagnostic:
    message = f"{what} is not compiled to C yet: run the program with --target interp"
    return Diagnostic(UNSUPPORTED, message, span)


def _unlowered(term: Term) -> Iterator[tuple[str, Span | None]]:
    for node in walk(term):
        what = _reason(node)
        if what:
            yield what, node.span
        for arg in node.args if isinstance(node, Op) else ():
            if isinstance(arg, PrimFn) and arg.prim in NOT_LOWERED:
                yield NOT_LOWERED[arg.prim], arg.span or node.span
    result = body_of(term).ty
    if isinstance(result, Tuple) and any(isinstance(t, Tuple) for t in result.items):
        yield "a nested result", body_of(term).span


def _reason(node: Exp) -> str:
    """As what a user knows a node that cannot be lowered; empty for any other."""
    match node:
        case If():
            return "a guard"
        case Rec():
            return "a loop" if is_loop(node) else "a recursion"
        case Call():
            return "a recursion"
        case Item():
            return "a nested array"
        case Op(prim=prim, args=args):
            if prim is p.PRINT and isinstance(args[0], Product):
                return "printing a nested array"
            if prim is p.INDEX_OF and _rank(args[0].ty) > 1:
                return "⍳ with a matrix on the left"
            return NOT_LOWERED.get(prim, "")
        case Lit() | Var() | Vec() | Let() | Product():
            return ""


def _rank(ty: Type) -> int:
    assert not isinstance(ty, Func | Tuple)
    return rank_of(ty).const
