"""Which local names of a definition are needed at each point of its code.

The analysis goes backwards, as in every text on compilers: behind the end only the result is needed; a plain
assignment of a whole statement ends the need for its names, and every other mention makes one. Names that
functions inside braces mention are always needed, since such a function looks them up when it is called, and
so are all names where a text is executed. What a loop carries, and what a condition gives on, are the names
that are needed: no others.
"""

from __future__ import annotations

from collections.abc import Iterator

from aplc.apl_front.reading.arrows import assigned_names, rows_inside, target_names
from aplc.apl_front.syntax.ast import (
    RETURN,
    Arrow,
    Block,
    Both,
    Code,
    Condition,
    Dfn,
    Either,
    For,
    If,
    IsCase,
    Item,
    Jump,
    Keep,
    Loop,
    Node,
    Statement,
    Test,
)
from aplc.apl_front.syntax.mentioned import names_in, names_in_texts

Names = frozenset[str]
NONE: Names = frozenset()


class Liveness:
    """The needs of one definition."""

    def __init__(self, definition: Dfn) -> None:
        assert definition.header is not None
        self.inner: Names = NONE
        """Names that functions inside braces mention."""
        self.targets: dict[str, Names] = {}
        """What is needed where a jump to a label comes to."""
        self._behind: dict[int, Names] = {}
        self._effects: dict[int, tuple[Names, Names]] = {}
        self._assigned: dict[int, Names] = {}
        self.given = NONE.union(*map(self.assigned, definition.code))
        """Names that the code itself assigns."""
        self.inner = frozenset(_inside_braces(definition))
        if "⍎" in definition.span.text:  # a text may mention every name
            self.inner = self.given | _all_names(definition)
        self._assigned.clear()
        self.targets[RETURN] = self.inner | {name.name for name in definition.header.results}
        self._before(definition.code, self.targets[RETURN])

    def behind(self, node: Node) -> Names:
        """What is needed where the node comes to its end."""
        return self._behind[id(node)]

    def assigned(self, node: Node) -> Names:
        """Names that a node may assign; those that functions inside braces mention among them."""
        found = self._assigned.get(id(node))
        if found is None:
            found = self.inner
            match node:
                case Statement(items=items):
                    found |= {name.name for name in assigned_names(items)}
                case Keep(name=name, statement=statement):
                    found |= self.assigned(statement) | {name}
                case If(condition=condition, then=then, otherwise=otherwise):
                    parts: list[Node] = [*_statements(condition), *then, *otherwise]
                    found = found.union(*map(self.assigned, parts))
                case Block(body=body) | Loop(body=body):
                    found = found.union(*map(self.assigned, body))
                case For(target=target, body=body):
                    found = found.union(*map(self.assigned, body), [n.name for n in target_names(target)])
                case Jump():
                    pass
            self._assigned[id(node)] = found
        return found

    def _before(self, code: Code, after: Names) -> Names:
        """What is needed before some code."""
        for node in reversed(code):
            self._behind[id(node)] = after
            match node:
                case Statement():
                    given, used = self._effect(node)
                    after = (after - given) | used
                case Keep(name=name, statement=statement):
                    given, used = self._effect(statement)
                    after = ((after - {name}) - given) | used
                case Jump(label=label):
                    after = self.targets[label]
                case If(condition=condition, then=then, otherwise=otherwise):
                    after = self._before(then, after) | self._before(otherwise, after)
                    after |= self._asked(condition)
                case Block(label=label, body=body):
                    self.targets[label] = after
                    after = self._before(body, after)
                case Loop(label=label, body=body):
                    after = self._rounds(label, body, NONE, NONE)
                case For(label=label, target=target, elements=elements, body=body):
                    given = frozenset(name.name for name in target_names(target))
                    after = self._rounds(label, body, given - self.inner, after) | self._effect(elements)[1]
        return after

    def _rounds(self, label: str, body: Code, given: Names, after: Names) -> Names:
        """What is needed where a round begins; it gives some names values, and may be the last one."""
        before = self.targets.get(label, NONE) | after
        while True:
            self.targets[label] = before
            more = before | (self._before(body, before) - given)
            if more == before:
                return before
            before = more

    def _asked(self, condition: Condition) -> Names:
        """What a condition needs."""
        used = NONE.union(*[self._effect(statement)[1] for statement in _statements(condition)])
        return used | {condition.kept} if isinstance(condition, IsCase) else used

    def _effect(self, statement: Statement) -> tuple[Names, Names]:
        """The names that a statement gives a value whatever they had, and those that it needs."""
        found = self._effects.get(id(statement))
        if found is None:
            items = statement.items
            given: Names = NONE
            if len(items) > 1 and isinstance(items[1], Arrow):
                given = frozenset(name.name for name in target_names(items[0]))
                items = items[2:]
            used = frozenset(name.name for name in names_in(items))
            found = self._effects[id(statement)] = given - self.inner - used, used
        return found


def _statements(condition: Condition) -> Iterator[Statement]:
    """The statements of a condition."""
    match condition:
        case Test(statement=statement) | IsCase(statement=statement):
            yield statement
        case Both(first=first, second=second) | Either(first=first, second=second):
            yield from _statements(first)
            yield from _statements(second)


def _all_names(definition: Dfn) -> Names:
    """Every name that a definition or its header mentions, and those in its texts."""
    header = definition.header
    assert header is not None
    given = [*header.results, header.left, *header.locals]
    right = target_names(header.right) if header.right is not None else ()
    named = [name.name for name in (*given, *right, *names_in((definition,))) if name is not None]
    return frozenset(named) | names_in_texts(definition)


def _inside_braces(definition: Dfn) -> Iterator[str]:
    for statement in definition.body:
        stack: list[Item] = [*statement.items]
        while stack:
            item = stack.pop()
            if isinstance(item, Dfn):
                yield from [name.name for name in names_in((item,))]
            else:
                stack += [inner for row in rows_inside(item) for inner in row]
