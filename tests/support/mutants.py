"""What mutation testing changes: one place in a function, in the text of a module.

    sites(module)          the places of a module, each with what would stand there instead
    apply(site)            make a function that is in memory already do what the changed text says
    watch(module, called)  make the functions of a module tell when they are called

A place is inside a function or method; constants of modules, assertions and messages of errors stay. As
functions are changed where they are, by their code, whoever imported them sees the change.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a function of a module: its line, what is changed, its number among all of them."""

    module: str
    function: str
    line: int
    change: str
    number: int

    @property
    def name(self) -> str:
        return f"{self.module}:{self.line} {self.change}"


def sites(name: str) -> list[Site]:
    """All places of a module, in the order of its text."""
    found = []
    for number, (function, place, change, new) in enumerate(_all(_tree(name))):
        before, after = (ast.unparse(_in_line(each)) for each in (place, new))
        told = f"{change}: {_short(before)} → {_short(after)}"
        found.append(Site(name, function, getattr(place, "lineno", 0), told, number))
    return found


def _tree(name: str) -> ast.Module:
    file = importlib.import_module(name).__file__
    assert file is not None
    return ast.parse(Path(file).read_text("utf-8"))


def _all(tree: ast.Module) -> Iterator[tuple[str, ast.AST, str, ast.AST]]:
    """Every place of a module, with its function, the kind of change and what would stand there."""
    for function, node in _functions(tree):
        for place in _places(node):
            for change, new in _changes(place):
                yield function, place, change, new


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:59] + "…"


def _in_line(node: ast.AST) -> ast.AST:
    """A statement without the statements inside it."""
    if isinstance(node, ast.If | ast.While):
        return node.test
    return node


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions and methods with their names; functions inside functions are part of those."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{node.name}.{inner.name}", inner


def _places(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a body but those in assertions, errors, annotations and docstrings."""
    stack: list[ast.AST] = list(reversed(function.body))
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Assert | ast.Raise) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            continue
        yield node
        inner = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.AnnAssign):
            inner = [node.value] if node.value else []
        if isinstance(node, ast.FunctionDef):
            inner = list(node.body)
        if isinstance(node, ast.keyword) and node.arg == "strict":  # of zip: an assertion, too
            inner = []
        if isinstance(node, ast.arg):
            inner = []
        stack.extend(reversed(inner))


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What may stand in the place of a node."""
    match node:
        case ast.Compare(left, [op, *ops], values) if type(op) in COMPARISONS:
            yield "compare", ast.Compare(left, [COMPARISONS[type(op)](), *ops], values)
        case ast.BoolOp(op, values):
            yield "and-or", ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            for k in range(len(values)):
                rest = values[:k] + values[k + 1 :]
                yield "condition dropped", rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
        case ast.UnaryOp(ast.Not(), operand):
            yield "not dropped", operand
        case ast.BinOp(left, op, right) if type(op) in OPERATORS and not _is_text(node):
            yield "operator", ast.BinOp(left, OPERATORS[type(op)](), right)
        case ast.Constant(bool() as value):
            yield "constant", ast.Constant(not value)
        case ast.Constant(int() as value):
            yield "constant", ast.Constant(value + 1)
        case ast.If(test, body, orelse):
            yield "negated", ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.IfExp(test, body, orelse):
            yield "negated", ast.IfExp(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.comprehension(target, iterated, [_, *_], is_async):
            yield "filter dropped", ast.comprehension(target, iterated, [], is_async)
        case ast.match_case(pattern, guard, body) if guard is not None:
            yield "guard dropped", ast.match_case(pattern, None, body)
        case ast.Expr(ast.Call()) | ast.AugAssign():
            yield "statement dropped", ast.Pass()
        case ast.Break():
            yield "loop", ast.Continue()
        case ast.Continue():
            yield "loop", ast.Break()
        case ast.Return(value) if value is not None and not isinstance(value, ast.Constant):
            yield "result dropped", ast.Return(ast.Constant(None))
        case _:
            pass


def _is_text(node: ast.BinOp) -> bool:
    return any(isinstance(side, ast.JoinedStr) for side in (node.left, node.right))


class _Replace(ast.NodeTransformer):
    def __init__(self, place: ast.AST, new: ast.AST) -> None:
        self.place, self.new = place, new

    def visit(self, node: ast.AST) -> Any:
        return ast.copy_location(self.new, node) if node is self.place else super().generic_visit(node)


def _changed(site: Site) -> ast.Module:
    """The tree of a module with the change."""
    tree = _tree(site.module)
    _, place, _, new = next(islice(_all(tree), site.number, None))
    changed: ast.Module = _Replace(place, new).visit(tree)
    return ast.fix_missing_locations(changed)


def apply(site: Site) -> bool:
    """Give a function in memory the code of the changed text; False where that cannot be."""
    return _exchange(importlib.import_module(site.module), _changed(site), site.function)


def watch(name: str, called: set[str]) -> None:
    """Make the functions of a module tell when they are called."""
    module, tree = importlib.import_module(name), _tree(name)
    functions = list(_functions(tree))
    for function, node in functions:
        tell = ast.parse(f"__called__.add({f'{name}.{function}'!r})").body
        node.body[:0] = tell
    vars(module)["__called__"] = called
    ast.fix_missing_locations(tree)
    for function, _ in functions:
        _exchange(module, tree, function)


def _exchange(module: ModuleType, tree: ast.Module, name: str) -> bool:
    """Give a function the code that it has in a tree."""
    code = _code(compile(tree, module.__file__ or "", "exec"), name)
    function = _function(module, name)
    if code is None or function is None or len(code.co_freevars) != len(function.__code__.co_freevars):
        return False
    function.__code__ = code
    return True


def _code(code: CodeType, name: str) -> CodeType | None:
    """The code of a function within that of its module."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_qualname == name:
                return constant
            if name.startswith(f"{constant.co_qualname}."):
                return _code(constant, name)
    return None


def _function(module: ModuleType, name: str) -> FunctionType | None:
    """The function itself, behind whatever decorates it."""
    found: Any = module
    for part in name.split("."):
        found = vars(found).get(part)
    while found is not None and not isinstance(found, FunctionType):
        found = (
            getattr(found, "__wrapped__", None)
            or getattr(found, "fget", None)
            or getattr(found, "__func__", None)
        )
    return found
