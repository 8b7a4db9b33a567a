"""Programs of many statements: what `apl_programs.programs` does not make.

Functions that call those defined before, operators of the user's, recursion, several results at once, a
default left argument, guards, assignment by index to names of the program, prints in between.
"""

from random import Random

from aplc.compiler import to_tail
from aplc.inputs import as_input
from aplc.tail.errors import AplcError, MachineError
from aplc.tail.source import Source
from aplc.targets.interp import Interpreted
from tests.campaign.judging import ENDLESS, time_limit
from tests.support.apl_programs.goals import Known, KnownFunction, Scope
from tests.support.apl_programs.programs import Generator
from tests.support.apl_programs.trees import Node, Program, Shape, array, body, function, used

MOST = 60
WRONG = 0.1
"""So many programs stay as they are, right or wrong."""
ROUNDS = 40


class Longer(Generator):
    """Productions of statements, besides those of expressions."""

    def program(self) -> Program:
        scope = Scope()
        statements: list[Node] = []
        count = self.random.choice((4, 8, 8, 15, 15, 30, MOST))
        makers = (
            *[self.some_assignment] * 6,
            *[self.definition] * 2,
            self.recursive,
            self.tail_recursive,
            self.several,
            self.operator,
            self.default_left,
            self.guarded,
            self.by_index,
            self.by_index,
            self.modified,
            self.printed,
        )
        while len(statements) < count - 1:
            made = self.random.choice(makers)(scope)
            statements += made
        base, shape = self.some_kind(scope)
        statements.append(self.array(base, shape, self.random.randint(2, 9), scope))
        tree = body(statements)
        return Program(tree, used(self.inputs, tree))

    def some_kind(self, scope: Scope) -> tuple[str, Shape]:
        if scope.names and self.chance(0.5):
            known = self.random.choice(scope.names[-8:])
            return known.base, known.shape
        return self.base(), self.shape()

    def some_assignment(self, scope: Scope) -> list[Node]:
        return [self.assignment(self.random.randint(1, 6), scope)]

    def definition(self, scope: Scope) -> list[Node]:
        """A function, which may call those defined before it."""
        return [self.function_definition(self.random.randint(2, 7), scope)]

    def printed(self, scope: Scope) -> list[Node]:
        base, shape = self.some_kind(scope)
        return [array("⎕←%", self.array(base, shape, 3, scope))]

    # --- functions ---

    def bind(self, name: str, value: Node, base: str, shape: Shape, scope: Scope) -> Node:
        scope.names.append(Known(name, base, shape))
        self.hints.append(scope.names[-1])
        return array(f"{name}←%", value)

    def recursive(self, scope: Scope) -> list[Node]:
        """A function that calls itself a few times, and something of it."""
        f, v, base = self.fresh("rec"), self.fresh("v"), self.pick("int", "double")
        shape = self.shape(2)
        inner = Scope([Known("⍺", base, shape)], [], scope.on_host, quiet=True)
        start = self.array(base, shape, 2, inner)
        step = self.array(
            base, shape, 3, Scope([*inner.names, Known("r", base, shape)], [], True, quiet=True)
        )
        definition = function(f"{f}←{{⍵≤0:% ⋄ r←⍺∇⍵-1 ⋄ %}}", start, step)
        call = array(
            f"«% {f} %", self.array(base, shape, 2, scope), self.counted(self.pick(0, 1, 2, 3), scope)
        )
        return [definition, self.bind(v, call, base, shape, scope)]

    def tail_recursive(self, scope: Scope) -> list[Node]:
        """A loop by tail calls."""
        f, v, base = self.fresh("loop"), self.fresh("v"), self.pick("int", "double", "bool")
        shape = self.shape(2)
        inner = Scope([Known("⍺", base, shape), Known("⍵", "int", ())], [], scope.on_host, quiet=True)
        step = self.array(base, shape, 4, inner)
        definition = function(f"{f}←{{⍵≤0:⍺ ⋄ (%)∇⍵-1}}", step)
        call = array(
            f"«% {f} %", self.array(base, shape, 2, scope), self.counted(self.pick(0, 1, 2, 5), scope)
        )
        return [definition, self.bind(v, call, base, shape, scope)]

    def several(self, scope: Scope) -> list[Node]:
        """Several values at once: of a function, or exchanged."""
        kinds = [self.some_kind(scope) for _ in range(self.pick(2, 2, 3))]
        names = [self.fresh("v") for _ in kinds]
        values = [self.array(*kind, 3, scope) for kind in kinds]
        holes = " ".join(["(%)"] * len(values))
        target = f"({' '.join(names)})←"
        if self.chance(0.5):
            right = (self.base(), self.shape(1))
            inner = Scope(
                [*scope.names, Known("⍵", *right)], list(scope.functions), scope.on_host, quiet=True
            )
            values = [self.array(*kind, 3, inner) for kind in kinds]
            statement = array(f"{target}{{{holes}}}%", *values, self.array(*right, 2, scope))
        else:
            statement = array(f"{target}{holes}", *values)
        for name, kind in zip(names, kinds, strict=True):
            scope.names.append(Known(name, *kind))
            self.hints.append(scope.names[-1])
        return [statement]

    def operator(self, scope: Scope) -> list[Node]:
        """An operator of the user's, applied to a function."""
        op, v = self.fresh("op"), self.fresh("v")
        base, shape = self.pick("int", "double"), self.shape(2)
        form = self.pick("{⍺⍺ ⍺⍺ ⍵}", "{⍺⍺ ⍵⍵ ⍵}", "{(⍺⍺ ⍵)+⍵}", "{⍵ ⍺⍺ ⍵}", "{z←⍺⍺ ⍵ ⋄ z×2}")
        f = self.dfn(base, shape, 3, scope, (base, shape), (base, shape) if "⍵ ⍺⍺" in form else None)
        g = self.dfn(base, shape, 2, scope, (base, shape)) if "⍵⍵" in form else None
        value = self.array(base, shape, 2, scope)
        applied = array(f"(% {op} %)%", f, g, value) if g else array(f"(% {op})%", f, value)
        return [function(f"{op}←{form}"), self.bind(v, applied, base, shape, scope)]

    def default_left(self, scope: Scope) -> list[Node]:
        """A function with a left argument that may be left out."""
        f = self.fresh("f")
        left, right = (self.base(), self.pick((), self.shape(1))), (self.base(), self.shape(2))
        result = (self.base(), self.pick((), right[1], self.shape(2)))
        default = self.array(*left, 1, Scope())
        inner = Scope(
            [Known("⍺", *left), Known("⍵", *right)], list(scope.functions), scope.on_host, quiet=True
        )
        definition = function(f"{f}←{{⍺←% ⋄ %}}", default, self.array(*result, 4, inner))
        scope.functions.append(KnownFunction(f, left if self.chance(0.5) else None, right, result))
        return [definition]

    def guarded(self, scope: Scope) -> list[Node]:
        """A function of several cases."""
        f = self.fresh("f")
        right, result = (self.base(), self.shape(2)), (self.base(), self.shape(2))
        inner = Scope([*scope.names, Known("⍵", *right)], list(scope.functions), scope.on_host, quiet=True)
        tests = [self.array("bool", (), 2, inner) for _ in range(self.pick(1, 1, 2))]
        values = [self.array(*result, 3, inner) for _ in range(len(tests) + 1)]
        parts = [part for pair in zip(tests, values, strict=False) for part in pair]
        pattern = f"{f}←{{" + "%:% ⋄ " * len(tests) + "%}"
        scope.functions.append(KnownFunction(f, None, right, result))
        return [function(pattern, *parts, values[-1])]

    # --- names that change ---

    def by_index(self, scope: Scope) -> list[Node]:
        """An assignment by index to a name of the program."""
        fitting = [k for k in scope.names if k.shape and k.base != "char"]
        if not fitting:
            return []
        known = self.random.choice(fitting)
        return [self.change(known.name, known.base, known.shape, 3, scope)]

    def modified(self, scope: Scope) -> list[Node]:
        """A name that is given another value, computed from its own, or of another shape."""
        if not scope.names:
            return []
        known = self.random.choice(scope.names)
        if known.base in ("int", "double") and self.chance(0.4):
            symbol = self.pick("+", "-", "×", "⌈")
            return [array(f"{known.name}{symbol}←%", self.scalar_or(known.base, (), 2, scope))]
        base, shape = self.pick((known.base, known.shape), (self.base(), self.shape()))
        value = self.array(base, shape, 4, scope)
        scope.names = [k for k in scope.names if k.name != known.name]
        return [self.bind(known.name, value, base, shape, scope)]


def long_program(random: Random) -> Program:
    """A program of up to 60 statements. Most run to their end: a statement that is wrong is left out,
    and what needs it.
    """
    program = Longer(random).program()
    if random.random() < WRONG:
        return program
    for _ in range(ROUNDS):
        lines = lines_at_fault(program)
        kept = [s for k, s in enumerate(program.tree.children, start=1) if k not in lines]
        if not lines or not kept:
            break
        tree = body(kept)
        program = Program(tree, used(program.inputs, tree))
    return program


def lines_at_fault(program: Program) -> set[int]:
    """The lines where a program ends in an error, when it is compiled or when it runs."""
    given = {name: as_input(value) for name, value in program.inputs.items()}
    types = {name: each.type for name, each in given.items()}
    try:
        term = to_tail([Source("text", program.text)], types, value_of_assignment=True).term
        with time_limit(ENDLESS, MachineError("it has no end")):
            Interpreted(term).run([each.value for each in given.values()], lambda *printed: None)
    except AplcError as error:
        spans = [d.trail[-1] if d.trail else d.span for d in error.diagnostics]
        return {span.line for span in spans if span is not None}
    except Exception:  # which is for the comparison to tell
        return set()
    return set()
