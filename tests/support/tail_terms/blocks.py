"""Productions of `tail_terms.terms`: bindings, tuples, conditionals, loops and recursive functions.

Every loop has a counter with a bound, and every recursive function one that decreases, so that all terms come
to an end. In the branch that goes on, a call of the function is one more way to reach a goal; there are few
of them, and none where it would be made too often.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aplc.tail import prims as p
from aplc.tail.syntax import (
    Binding,
    Call,
    Exp,
    Fn,
    Var,
    call,
    conditional,
    item,
    let,
    literal,
    op,
    product,
    rec,
)
from aplc.tail.types import (
    Array,
    Base,
    DataType,
    Single,
    SingleVector,
    Tuple,
    Type,
    Vector,
    array,
    forget_value,
    generalise,
    scalar,
    vector,
)
from tests.support.tail_terms.maker import (
    BASE,
    ONE_IN_SIX,
    ONE_IN_THREE,
    SHAPE,
    Bound,
    Maker,
    Shape,
    parameters,
)

INT, BOOL = Base.INT, Base.BOOL
MAX_ROUNDS = 3
MAX_DEPTH = 2
MAX_REPEATS = 6
"""How often, at a guess, a recursive function may call itself at one place."""

Make = Callable[[], Exp]


@dataclass(frozen=True)
class Goal:
    """An element type and a shape; `sized`: the type of the expression tells the length."""

    base: Base
    shape: Shape
    sized: bool = False

    @property
    def type(self) -> Type:
        return vector(self.base, self.shape[0]) if self.sized else array(self.base, len(self.shape))


@dataclass
class Callee:
    """A recursive function that can be called, and how many more times."""

    name: str
    params: list[Bound]
    goals: list[Goal]
    result: Goal
    left: int
    repeats: int


class Blocks(Maker):
    """See the module's docstring."""

    callees: tuple[Callee, ...] = ()
    repeats = 1
    """How often, at a guess, what is made here is computed."""

    def goal(self, goal: Goal) -> Exp:
        return self.vector(goal.base, goal.shape[0]) if goal.sized else self.array(goal.base, goal.shape)

    def any_goal(self) -> Goal:
        shape = self.draw(SHAPE)
        return Goal(self.draw(BASE), shape, len(shape) == 1 and self.choose((False, True)))

    def function_on(self, params: tuple[tuple[Base, Shape], ...], body: Make) -> Fn:
        return self.repeated(MAX_REPEATS, lambda: super(Blocks, self).function_on(params, body))

    def repeated(self, times: int, make: Callable[[], Any]) -> Any:
        self.repeats *= times
        made = make()
        self.repeats //= times
        return made

    # --- bindings ---

    def let(self, base: Base, shape: Shape) -> Exp:
        return self.block(Goal(base, shape), lambda: self.array(base, shape))

    def vector_let(self, base: Base, shape: Shape) -> Exp:
        return self.block(Goal(base, shape), lambda: self.vector(base, shape[0]))

    def block(self, goal: Goal, body: Make) -> Exp:
        """One or two bindings around a body; the first has the body's own type and shape half of the time."""
        depth = len(self.scope)
        bindings: list[Binding] = []
        for _ in range(self.choose((1, 2))):
            if self.draw(ONE_IN_SIX):
                bindings.append(self.tuple_binding())
            else:
                same = self.choose((True, False))
                shape = goal.shape if same else self.draw(SHAPE)
                bindings.append(self.binding(goal.base if same else self.draw(BASE), shape))
        inner = body()
        del self.scope[depth:]
        return let(bindings, inner)

    def binding(self, base: Base, shape: Shape) -> Binding:
        sized = len(shape) == 1 and self.choose((True, False))
        value = self.vector(base, shape[0]) if sized else self.array(base, shape)
        precise = value.ty
        assert isinstance(precise, Array | Vector | Single | SingleVector)
        choices: tuple[DataType, ...] = (precise, generalise(precise))
        forgotten = forget_value(precise)
        if isinstance(forgotten, Vector):
            choices = (*choices, forgotten)
        stated = self.choose(choices)
        name = self.fresh()
        self.scope.append(Bound(Var(name, ty=stated), shape))
        return Binding(name, stated, value)

    # --- tuples ---

    def tuple_binding(self) -> Binding:
        """A tuple whose components come into scope."""
        goals = [self.any_goal() for _ in range(self.choose((2, 1, 3)))]
        value = self.tuple_of(goals)
        variable = Var(self.fresh(), ty=value.ty)
        self.scope += [Bound(item(variable, k), goal.shape) for k, goal in enumerate(goals, start=1)]
        return Binding(variable.name, value.ty, value)

    def tuple_of(self, goals: list[Goal]) -> Exp:
        """A tuple in one of the ways there are; all its components are computed."""

        def plain() -> Exp:
            return product(tuple([self.goal(goal) for goal in goals]))

        ways: tuple[Make, ...] = (plain, plain)
        if self.fuel > 0:
            ways += (
                lambda: op(p.PRINT, plain()),
                lambda: conditional(self.scalar(BOOL), plain(), plain()),
                lambda: self.loop_of(goals),
            )
        return self.choose(ways)()

    def component(self, base: Base, shape: Shape) -> Exp:
        """A component of a tuple."""
        return self.component_of(Goal(base, shape))

    def component_of(self, goal: Goal) -> Exp:
        others = [self.any_goal() for _ in range(self.choose((1, 0, 2)))]
        at = self.number(0, len(others))
        return item(self.tuple_of([*others[:at], goal, *others[at:]]), at + 1)

    # --- conditionals ---

    def conditional(self, base: Base, shape: Shape) -> Exp:
        return self.conditional_of(Goal(base, shape))

    def vector_conditional(self, base: Base, shape: Shape) -> Exp:
        return self.conditional_of(Goal(base, shape, sized=True))

    def conditional_of(self, goal: Goal) -> Exp:
        return conditional(self.scalar(BOOL), self.goal(goal), self.goal(goal))

    # --- loops ---

    def loop(self, base: Base, shape: Shape) -> Exp:
        return self.loop_for(Goal(base, shape))

    def vector_loop(self, base: Base, shape: Shape) -> Exp:
        return self.loop_for(Goal(base, shape, sized=True))

    def loop_for(self, goal: Goal) -> Exp:
        """A loop with this value, or with a tuple that holds it."""
        if self.draw(ONE_IN_THREE):
            return self.component_of(goal)
        others = [self.any_goal() for _ in range(self.choose((0, 1)))]
        return self.loop_over([goal, *others], lambda: self.goal(goal), goal.type)

    def loop_of(self, goals: list[Goal]) -> Exp:
        """A loop whose state and value are a tuple."""

        def done() -> Exp:
            return product(tuple([self.goal(goal) for goal in goals]))

        return self.loop_over(goals, done, Tuple(tuple([goal.type for goal in goals])))

    def loop_over(self, state: list[Goal], done: Make, ty: Type) -> Exp:
        """`loop f(i = 0, s = …) => if i < n then f(i + 1, …) else done`"""
        inits = [self.goal(goal) for goal in state]
        counter, params = self.counter(), self.variables(state)
        name, depth = self.fresh(), len(self.scope)
        self.scope += [counter, *params]

        def again() -> Exp:
            return call(name, (op(p.ADDI, counter.var, literal(1)), *map(self.goal, state)), ty)

        rounds = self.number(0, MAX_ROUNDS)
        body = self.repeated(MAX_ROUNDS, lambda: self.round(again, done, state[0]))
        more = op(p.LTI, counter.var, self.known(rounds))
        body = conditional(more, body, done()) if self.choose((True, False)) else _swapped(more, body, done())
        del self.scope[depth:]
        return rec(name, parameters([counter, *params]), (literal(0), *inits), body, ty)

    def round(self, again: Make, done: Make, goal: Goal) -> Exp:
        """One round: every way through it ends with the next call, or ends the loop."""
        ways: tuple[Make, ...] = (again,)
        if self.fuel > 0:
            ways += (
                again,
                lambda: self.block(goal, again),
                lambda: conditional(self.scalar(BOOL), again(), done()),
                lambda: conditional(self.scalar(BOOL), done(), self.block(goal, again)),
                lambda: conditional(self.scalar(BOOL), again(), again()),
            )
        return self.choose(ways)()

    def counter(self) -> Bound:
        return Bound(Var(self.fresh(), ty=scalar(INT)), ())

    def variables(self, goals: list[Goal]) -> list[Bound]:
        return [Bound(Var(self.fresh(), ty=goal.type), goal.shape) for goal in goals]

    # --- recursive functions ---

    def recursion(self, base: Base, shape: Shape) -> Exp:
        return self.recursion_for(Goal(base, shape))

    def vector_recursion(self, base: Base, shape: Shape) -> Exp:
        return self.recursion_for(Goal(base, shape, sized=True))

    def recursion_for(self, goal: Goal) -> Exp:
        """`rec f(i = n, s = …) => if 0 < i then … f(i - 1, …) … else …`"""
        goals = [goal, *[self.any_goal() for _ in range(self.choose((0, 1)))]]
        inits = [self.goal(g) for g in goals]
        counter, params = self.counter(), self.variables(goals)
        callee = Callee(self.fresh(), [counter, *params], goals, goal, self.choose((1, 2)), self.repeats)
        outer, depth = self.callees, len(self.scope)
        self.scope += callee.params
        self.callees = (*outer, callee)
        step = self.step(callee)
        self.callees = outer
        body = conditional(op(p.LTI, literal(0), counter.var), step, self.goal(goal))
        del self.scope[depth:]
        first = literal(self.number(0, MAX_DEPTH))
        return rec(callee.name, parameters(callee.params), (first, *inits), body, goal.type)

    def step(self, callee: Callee) -> Exp:
        """What surely calls the function, and may do it again."""
        goal = callee.result
        ways: tuple[Make, ...] = (lambda: self.call(callee), lambda: self.with_value_of(callee))
        if not goal.sized:
            function = self.function((goal.base, goal.base), goal.base)
            ways += (lambda: op(p.ZIP_WITH, function, self.call(callee), self.goal(goal)),)
        return self.choose(ways)()

    def with_value_of(self, callee: Callee) -> Exp:
        depth = len(self.scope)
        value = self.call(callee)
        variable = Var(self.fresh(), ty=value.ty)
        self.scope.append(Bound(variable, callee.result.shape))
        inner = self.goal(callee.result)
        del self.scope[depth:]
        return let([Binding(variable.name, value.ty, value)], inner)

    def call(self, callee: Callee) -> Call:
        callee.left -= 1
        less = op(p.SUBI, callee.params[0].var, literal(1))
        return call(callee.name, (less, *map(self.goal, callee.goals)), callee.result.type)

    def callable(self, goal: Goal) -> list[Callee]:
        """The functions that give what is wanted, and may be called here."""
        return [
            callee
            for callee in self.callees
            if callee.left > 0 and callee.result == goal and self.repeats <= MAX_REPEATS * callee.repeats
        ]

    def called(self, base: Base, shape: Shape) -> Exp:
        return self.call(self.choose(tuple(self.callable(Goal(base, shape)))))

    def vector_called(self, base: Base, shape: Shape) -> Exp:
        return self.call(self.choose(tuple(self.callable(Goal(base, shape, sized=True)))))


def _swapped(more: Exp, body: Exp, done: Exp) -> Exp:
    return conditional(op(p.NOTB, more), done, body)
