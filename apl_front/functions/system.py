"""System names: variables that steer the compiler, constants, clocks, files, and bit functions.

`⎕IO`, `⎕CT`, `⎕PP` and `⎕ML` must be known when compiling; an assignment holds for what is executed after it,
and inside braces for that function alone. The other names are values or functions like any other.
"""

from __future__ import annotations

import re

from aplc.apl_front.building.builder import Builder, base_of, constant, length_of, plain_type, rank
from aplc.apl_front.functions.overloads import pervade
from aplc.apl_front.functions.structure import as_vector, one_integer
from aplc.apl_front.reading.classes import NameClass
from aplc.apl_front.reading.scope import ArrayValue, Scope
from aplc.apl_front.reading.system_names import (
    ALPHABETS,
    ARRAYS,
    FUNCTIONS,
    PERVASIVE,
    SETTINGS,
    SHOWN,
    instead_of,
    system_class,
)
from aplc.apl_front.syntax.ast import Name
from aplc.tail import prims as p
from aplc.tail.errors import CompileError, compile_error, unsupported
from aplc.tail.faults import FaultRaised
from aplc.tail.meaning.random_numbers import DEFAULT_SEED
from aplc.tail.npy import npy_header
from aplc.tail.prims import Prim
from aplc.tail.rules import MOST_TOLERANT
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Lit, Vec, literal, op, vec
from aplc.tail.types import Base, Tuple

FILE_FUNCTIONS: dict[str, Prim] = {
    "⎕readfile": p.READ_FILE,
    "⎕readintvecfile": p.READ_INTS,
    "⎕readdoublevecfile": p.READ_DOUBLES,
}
NPY: dict[Base, Prim] = {
    Base.INT: p.NPY_INT,
    Base.DOUBLE: p.NPY_DOUBLE,
    Base.COMPLEX: p.NPY_COMPLEX,
    Base.BOOL: p.NPY_BOOL,
    Base.CHAR: p.NPY_CHAR,
}


def value_of(build: Builder, name: Name, scope: Scope) -> Exp:
    """A system variable or constant where it is read."""
    span = name.span
    if name.name in SETTINGS:
        return literal(scope.setting(name.name, SETTINGS[name.name]), span)
    if name.name in ALPHABETS:
        return vec(tuple([literal(c, span) for c in ALPHABETS[name.name]]), Base.CHAR, span)
    if name.name == "⎕rl":
        found = scope.find("⎕rl")
        return found.exp if isinstance(found, ArrayValue) else literal(DEFAULT_SEED, span)
    clock = p.TIMESTAMP if name.name == "⎕ts" else p.NOW
    return build.bind(op(clock, literal(0, span), symbol=span.text, span=span))


def assign(build: Builder, target: Name, value: Exp, scope: Scope) -> Exp:
    """`⎕IO←0` and the like."""
    name, span = target.name, target.span
    if name == "⎕rl":
        seed = build.bind(op(p.SET_SEED, one_integer(build, value, "⎕RL", span), span=span))
        scope.outermost().bind("⎕rl", ArrayValue(seed, span))
        return value
    if name in ARRAYS | FUNCTIONS and name not in SETTINGS:
        raise compile_error("SYNTAX ERROR", f"{SHOWN[name]} cannot be assigned to", span)
    if name not in SETTINGS:
        raise unsupported(f"assignment to {span.text}", span, instead_of(name))
    given = None if isinstance(value.ty, Tuple) else constant(value)
    if given is None or isinstance(given, str):
        message = f"{SHOWN[name]} needs one number that is known when compiling, got {plain_type(value)}"
        raise compile_error("DOMAIN ERROR", message, value.span or span)
    allowed = {
        "⎕io": (given in (0, 1), "0 or 1"),
        "⎕ct": (0 <= given <= MOST_TOLERANT, "between 0 and 1E¯9"),
        "⎕pp": (given in range(1, 18), "a whole number from 1 to 17"),
        "⎕ml": (given == 1, "1 here"),
    }[name]
    if not allowed[0]:
        raise compile_error("DOMAIN ERROR", f"{SHOWN[name]} must be {allowed[1]}", value.span or span)
    if scope.is_procedure and build.depth > scope.depth:
        what = f"{SHOWN[name]} with a value that depends on a condition or a loop"
        raise unsupported(what, span, "assign it outside")
    kept = float(given) if name == "⎕ct" else int(given)
    scope.bind(name, ArrayValue(literal(kept, span), span))
    return value


def apply(build: Builder, name: str, left: Exp | None, right: Exp, span: Span) -> Exp:
    """A system function applied that is scalar or reads a file."""
    if name in PERVASIVE:
        given = [plain_type(a) for a in (left, right) if a is not None and isinstance(a.ty, Tuple)]
        if given:
            raise unsupported(f"{SHOWN[name]} of {' and '.join(given)}", span, f"write {SHOWN[name]}¨")
        return pervade(build, PERVASIVE[name], left, right, span)
    if left is not None:
        raise compile_error("SYNTAX ERROR", f"{SHOWN[name]} takes no left argument", span)
    path = path_of(name, right, span)
    if name in FILE_FUNCTIONS:
        return build.bind(op(FILE_FUNCTIONS[name], path, symbol=SHOWN[name], span=span))
    try:
        base, axes = npy_header(_constant_text(build, path, span))
    except FaultRaised as raised:
        error = raised.fault.error("⎕NPY", right.span or span, *raised.values)
        raise CompileError(error.diagnostics) from None
    return build.bind(op(NPY[base], path, literal(axes, span), symbol="⎕NPY", span=span))


def path_of(name: str, given: Exp, span: Span) -> Exp:
    """The argument of a system function as the name of a file: a vector of characters."""
    if isinstance(given.ty, Tuple) or base_of(given) is not Base.CHAR or rank(given) > 1:
        message = f"{SHOWN[name]} needs the name of a file, got {plain_type(given)}"
        raise compile_error("DOMAIN ERROR", message, given.span or span)
    if length_of(given) == 0:
        message = f"{SHOWN[name]} needs the name of a file, got an empty text"
        raise compile_error("DOMAIN ERROR", message, given.span or span)
    return as_vector(given)


def name_classes(build: Builder, left: Exp | None, right: Exp, scope: Scope, span: Span) -> Exp:
    """`⎕NC 'name'`: 0 for a name without value, 2 for an array, 3 for a function, 4 for an operator, ¯1 for
    what is no name. It is known when compiling.
    """
    if left is not None:
        raise compile_error("SYNTAX ERROR", "⎕NC takes no left argument", span)
    if isinstance(right.ty, Tuple) or base_of(right) is not Base.CHAR or rank(right) > 1:
        raise unsupported(f"⎕NC of {plain_type(right)}", right.span or span, "give it one name as text")
    text = vec((right,), Base.CHAR, right.span) if rank(right) == 0 else right
    name = _constant_text(build, text, span, "⎕NC").strip()
    if system_class(name.lower()) is not None:
        found = 2 if name.lower() in ARRAYS else 3
    elif not re.fullmatch(r"(?:[^\W0-9]|[∆⍙])[\w∆⍙]*|⍺⍺?|⍵⍵?", name):
        found = -1
    else:
        classes = {NameClass.ARRAY: 2, NameClass.FUNCTION: 3, NameClass.UNDEFINED: 0, NameClass.POISONED: 0}
        found = classes.get(scope.classify(Name(name, span)), 4)
    return literal(found, span)


def _constant_text(build: Builder, path: Exp, span: Span, function: str = "⎕NPY") -> str:
    """The characters of a text that must be known when compiling."""
    found = build.definition(path)
    if not isinstance(found, Vec) or not all(isinstance(i, Lit) for i in found.items):
        raise unsupported(f"{function} with a name that is not a constant", path.span or span)
    return "".join([str(i.value) for i in found.items if isinstance(i, Lit)])
