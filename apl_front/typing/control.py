"""The code of a definition between two `∇`: conditions, loops, blocks and jumps.

Note [Control structures]
    The names of such a definition keep what a condition or a loop gives them. In TAIL that is a value: a
    conditional gives the names that its two ways have assigned and that are needed behind it, as a product; a
    loop is a recursive function whose parameters are the names that a round changes and a round needs, and
    that gives those needed behind it. `Liveness` knows which these are.

    Code is elaborated with what follows it in hand (continuations): a jump is what the block around gives
    there, and so is the end of the code. Where one way of a condition jumps, what stands behind the condition
    goes into the other way, so that `:If c ⋄ :Return ⋄ :EndIf` is the conditional that a guard is, and
    `:Leave` is the end of the recursion. Only where both ways go on, they are joined first; and what leaves a
    joined part by several exits gives beside its names which one it was.

    A name that has a value on one way only, or values of different ranks, has none behind the join. That is
    an error where the name is used, not before. Names outside the definition are carried as everywhere: see
    Note [Outer names] of `effects`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial, reduce

from aplc.apl_front.building.builder import Mark, constant, rank
from aplc.apl_front.functions import table, tuples
from aplc.apl_front.reading.liveness import Liveness
from aplc.apl_front.reading.scope import ArrayValue, Reason, Scope, Unset
from aplc.apl_front.syntax.ast import (
    RETURN,
    Block,
    Both,
    Code,
    Condition,
    Either,
    For,
    If,
    IsCase,
    Jump,
    Keep,
    Loop,
    Name,
    Node,
    Statement,
    Test,
)
from aplc.apl_front.syntax.gotos import comes_to_its_end, jumps
from aplc.apl_front.typing.branches import Unfinished, as_condition
from aplc.apl_front.typing.effects import Changes, Place, assume, blocks_carry, carrying, unchanged_behind
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.apl_front.typing.rounds import loop
from aplc.apl_front.typing.ways import (
    Around,
    Exit,
    Kinds,
    Loses,
    Names,
    Way,
    WayOut,
    kinds_of,
    packed,
    unpacked,
)
from aplc.tail import prims as p
from aplc.tail.errors import compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, conditional, let, literal, op
from aplc.tail.types import Type, join


@dataclass(slots=True)
class Flow:
    """One call of a definition."""

    elab: Elaborating
    scope: Scope
    live: Liveness
    locals: tuple[Place, ...]
    result: Exit
    """The value of the call, where it ends."""
    settled: dict[object, tuple[tuple[Type, ...], Type]] = field(default_factory=dict)
    """The types that loops have come to, by those that they began with."""

    def value(self, code: Code) -> Exp | None:
        """The value of the whole code."""
        return self.code(code, Around({RETURN: self.result}, self.result, is_block=False))

    # --- one after the other ---

    def code(self, code: Code, around: Around) -> Exp | None:
        """Code, and what it gives where it ends."""
        for at, node in enumerate(code):
            match node:
                case Statement():
                    self._statement(node)
                case Keep(name=name, statement=statement):
                    self._keep(name, self.elab.build.bind(self.value_of(statement)), statement.span)
                case Jump(label=label):
                    return around.exits[label]()
                case If():
                    return self._if(node, code[at + 1 :], around)
                case Block(label=label, body=body):
                    return self._block(node, label, body, code[at + 1 :], around)
                case Loop() | For():
                    return loop(self, node, None, code[at + 1 :], around)
        return around.end()

    def _if(self, node: If, rest: Code, around: Around) -> Exp | None:
        condition = self._condition(node.condition)
        known = constant(condition)
        if known is not None:
            return self.code((*(node.then if known else node.otherwise), *rest), around)
        both_go_on = comes_to_its_end(node.then) and comes_to_its_end(node.otherwise)
        then, otherwise = [
            partial(self.code, way if both_go_on or not comes_to_its_end(way) else (*way, *rest))
            for way in (node.then, node.otherwise)
        ]
        if not rest or not both_go_on:
            return self._parted(node, condition, then, otherwise, around, (node, *rest))
        kinds, ways = kinds_of(node, [None]), partial(self.chosen, node, condition, then, otherwise)
        which = self._join(node, ways, kinds, self.needed(node, kinds))
        return self.left(node, which, [None], rest, around)

    def _block(self, node: Block, label: str, body: Code, rest: Code, around: Around) -> Exp | None:
        if all(jump.label != label for jump in jumps(body)):
            return self.code((*body, *rest), around)
        only = body[0] if len(body) == 1 else None
        if isinstance(only, Loop | For):
            return loop(self, only, label, rest, around)
        if not rest:
            exits = {**around.exits, label: around.end}
            return self.code(body, Around(exits, around.end, around.is_block, around.places))
        kinds = kinds_of(node, [None, label])
        which = self._join(node, partial(self.code, body), kinds, self.needed(node, kinds))
        return self.left(node, which, [None, label], rest, around)

    def _statement(self, statement: Statement) -> None:
        """A statement; a value that is not assigned is shown."""
        with self._asking():
            value, assigned = self.elab.statement(statement, self.scope)
            if value is not None and not assigned:
                self.elab.print_unless(self.elab.is_shy(), value, statement.span)

    def value_of(self, statement: Statement) -> Exp:
        """The value of a statement."""
        with self._asking():
            value, _ = self.elab.statement(statement, self.scope)
        if value is None:
            raise compile_error("SYNTAX ERROR", "an array is needed here", statement.span)
        return value

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """A statement inside asks whether its own value is shy."""
        before = self.elab.asked
        try:
            yield
        finally:
            self.elab.asked = before

    # --- names ---

    def assign(self, name: str, value: Exp | Unset, span: Span | None) -> None:
        """A local name gets a value, or loses it."""
        new = value if isinstance(value, Unset) else ArrayValue(value, span)
        self.elab.build.change(self.scope, name, new)

    def _keep(self, name: str, value: Exp, span: Span) -> None:
        """A name that no program can spell."""
        self.scope.names.setdefault(name, Unset())
        self.assign(name, value, span)

    def needed(self, node: Node, kinds: Kinds) -> dict[int, frozenset[str]]:
        """The names that a node may assign, and that are needed where each way out of it leads to."""
        needed: dict[int, frozenset[str]] = {}
        for label, kind in kinds.items():
            there = self.live.behind(node) if label is None else self.live.targets[label]
            needed[kind] = needed.get(kind, frozenset()) | (self.live.assigned(node) & there)
        return needed

    # --- conditions ---

    def _condition(self, condition: Condition) -> Exp:
        build = self.elab.build
        match condition:
            case Test(statement=statement):
                return as_condition(build, self.value_of(statement), "a condition", statement.span)
            case Both(first=first, second=second) | Either(first=first, second=second):
                asked, is_both = self._condition(first), isinstance(condition, Both)
                known = constant(asked)
                if known is None:
                    return self._asked_in_turn(asked, second, is_both=is_both)
                return self._condition(second) if bool(known) is is_both else asked
            case IsCase(kept=name, statement=statement, of_list=of_list):
                selected = self.scope.array(Name(name, statement.span)).exp
                return build.bind(self._is_case(selected, statement, of_list=of_list))

    def _asked_in_turn(self, asked: Exp, second: Condition, *, is_both: bool) -> Exp:
        """Two conditions, of which the second is asked where the first does not decide."""
        span = _span_of(second)
        kept = f"condition {span.start}"
        self.scope.names.setdefault(kept, Unset())

        def more(around: Around) -> Exp | None:
            self._keep(kept, self.elab.build.bind(self._condition(second)), span)
            return around.end()

        def enough(around: Around) -> Exp | None:
            self._keep(kept, literal(not is_both, span), span)
            return around.end()

        ways = (more, enough) if is_both else (enough, more)
        node = If(second, (), (), span)
        assigned = (self.live.assigned(node) - self.live.inner) | {kept}
        self._join(node, partial(self.chosen, node, asked, *ways), {None: 0}, {0: assigned})
        found = self.scope.names[kept]
        assert isinstance(found, ArrayValue)
        return found.exp

    def _is_case(self, selected: Exp, statement: Statement, *, of_list: bool) -> Exp:
        build, span = self.elab.build, statement.span
        value = build.bind(self.value_of(statement))
        if not of_list:
            return tuples.match(build, selected, value, span)
        if tuples.is_tuple(value):
            tests = [tuples.match(build, selected, item, span) for item in tuples.items_of(build, value)]
            return reduce(lambda x, y: op(p.ORB, x, y, span=span), tests)
        if tuples.is_tuple(selected) or rank(selected) > 0:
            return literal(False, span)
        return as_condition(build, table.dyadic(build, "∊", selected, value, span, None), ":CaseList", span)

    # --- two ways ---

    def _parted(
        self, node: Node, condition: Exp, then: Way, otherwise: Way, around: Around, code: Code
    ) -> Exp | None:
        """Two ways to where the code around ends; together they are the given code."""
        ways = partial(self.chosen, node, condition, then, otherwise)
        if around.is_block:
            return ways(around)
        assigned = frozenset[str]().union(*map(self.live.assigned, code))
        everywhere: Kinds = dict.fromkeys((None, *around.exits), 0)
        self._join(node, ways, everywhere, {0: assigned & self.live.targets[RETURN]})
        return around.end()

    def chosen(self, node: Node, condition: Exp, then: Way, otherwise: Way, around: Around) -> Exp | None:
        """What a block gives that has two ways to its end."""
        build, made = self.elab.build, []
        for way in (then, otherwise):
            with unchanged_behind(build), self.blocks_carry(around.places), build.block() as bindings:
                try:
                    value = way(around)
                except Unfinished:
                    value = None
            if value is not None:
                made.append((value, bindings))
        if len(made) < 2:
            return let(made[0][1], made[0][0]) if made else None
        if join(made[0][0].ty, made[1][0].ty) is not None:
            ways = [let(bindings, value) for value, bindings in made]
            return conditional(condition, ways[0], ways[1], node.span)
        wanted = tuples.widen(made[0][0].ty, made[1][0].ty)
        if wanted is None:  # each name goes with what it was on the ways so far, but not with each of these
            what = "code behind which a name is another kind of array on each of several ways"
            raise unsupported(what, node.span, "use a name of its own for each kind of array")
        ways = []
        for value, bindings in made:
            with build.block(bindings):
                ways.append(let(bindings, tuples.coerce(build, value, wanted, ":If", node.span)))
        return conditional(condition, ways[0], ways[1], node.span)

    @contextmanager
    def blocks_carry(self, places: tuple[Place, ...]) -> Iterator[None]:
        """Blocks that are opened inside carry these names of outside, and the names of the definition."""
        effects, depth = self.elab.effects, self.elab.build.depth + 1
        outside = effects.carried.get(depth, {})
        with blocks_carry(effects, self.elab.build, (*places, *self.locals)) as changed:
            yield
        for place in places:
            if changed[place] and place in outside:
                outside[place] = True

    # --- joins ---

    def _join(self, node: Node, ways: Way, kinds: Kinds, needed: Mapping[int, frozenset[str]]) -> WayOut:
        """Code behind which the needed names have the values that its ways give them; the way out of it."""
        build, where = self.elab.build, object()
        lost: dict[str, Reason | None] = {}
        names = Names(self.scope, needed, where)

        def made(places: tuple[Place, ...]) -> WayOut:
            names.choose(lost)
            mark = build.mark()
            while True:
                build.undo(mark)
                seen = names.attempt()
                value = self._tried(node, ways, kinds, names, places)
                if names.is_known:
                    break
                if names.known() == seen:
                    names.keep_known()
            if value is None:
                raise Unfinished
            which, parts = unpacked(build, value, kinds, len(names.names) + len(places))
            names.assume_behind(build, parts, node.span)
            assume(build, places, tuple(parts[len(names.names) :]), node.span)
            return WayOut(which, kinds, sorted(names.taken))

        return self.carrying(node, made, where, lost)

    def _tried(
        self, node: Node, ways: Way, kinds: Kinds, names: Names, places: tuple[Place, ...]
    ) -> Exp | None:
        """What the code of a join gives."""

        def give(kind: int) -> Exp | None:
            values = names.values(self.elab.build, kind, node.span)
            if values is None:
                return None
            return packed(kind, kinds, [*values, *names.of_outside(places, node.span)], node.span)

        exits = {label: partial(give, kind) for label, kind in kinds.items() if label is not None}
        around = Around(exits, partial(give, kinds.get(None, 0)), is_block=True, places=places)
        mark = self.elab.build.mark()
        with unchanged_behind(self.elab.build):
            value = ways(around)
            self._carry_changed(mark, places)
        return value

    def _carry_changed(self, mark: Mark, places: tuple[Place, ...]) -> None:
        """The code of a join carries the names of outside that it has changed, in blocks of its own and in
        the one around it, which is given back with the rest.
        """
        build = self.elab.build
        carried = self.elab.effects.carried[build.depth + 1]
        for owner, name in dict.fromkeys((s, name) for s, _, name, _ in build.changes[mark.changes :]):
            if owner is not self.scope and owner in self.scope.around():
                place = Place(owner, name)
                if place not in places:
                    raise Changes(build.depth + 1, place)
                carried[place] = True

    def carrying(
        self,
        node: Node,
        made: Callable[[tuple[Place, ...]], WayOut],
        where: object,
        lost: dict[str, Reason | None],
    ) -> WayOut:
        """What `made` gives, once it is known which names of outside it carries, and which names have no
        value behind it: those that are lost there.
        """
        build = self.elab.build
        mark = build.mark()
        while True:
            try:
                out = carrying(self.elab.effects, build, self.scope, node, made)
            except Loses as found:
                if found.where is not where:
                    raise
                build.undo(mark)
                lost[found.name] = found.reason
            else:
                for name, reason in lost.items():
                    self.assign(name, Unset(reason), node.span)
                return out

    def left(
        self, node: Node, out: WayOut, to_rest: Sequence[str | None], rest: Code, around: Around
    ) -> Exp | None:
        """What follows a joined part: the rest of the code, or what a jump out of it leads to."""
        labels = {kind: label for label, kind in out.kinds.items()}

        def following(kind: int, around: Around) -> Exp | None:
            label = labels[kind]
            return self.code(rest, around) if label is None or label in to_rest else around.exits[label]()

        def ways(kinds: Sequence[int], around: Around) -> Exp | None:
            if len(kinds) == 1:
                return following(kinds[0], around)
            test = self.elab.build.bind(out.is_kind(kinds[0], node.span))
            then, otherwise = partial(following, kinds[0]), partial(ways, kinds[1:])
            return self._parted(node, test, then, otherwise, around, (node, *rest))

        return ways(out.taken, around)


def _span_of(condition: Condition) -> Span:
    match condition:
        case Test(statement=statement) | IsCase(statement=statement):
            return statement.span
        case Both(first=first) | Either(first=first):
            return _span_of(first)
