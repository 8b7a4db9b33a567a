"""What a program says of one of its functions before it is compiled: its arguments, its annotation, the
comment above it, its type.
"""

from __future__ import annotations

from dataclasses import dataclass

from aplc.apl_front.elaboration.elaborate import function_of
from aplc.apl_front.elaboration.elaborator import Elaborator
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.classes import Poisoned
from aplc.apl_front.reading.scope import FunctionValue, claim_of, is_niladic
from aplc.apl_front.syntax.ast import Annotation, Dfn, File
from aplc.apl_front.typing.inference import mentions_left, needs_left
from aplc.apl_front.typing.proofs import elaborated_for, prove
from aplc.apl_front.typing.report import FunctionReport, report_of
from aplc.tail.errors import AplcError
from aplc.tail.rules import DEFAULTS, Rules
from aplc.tail.source import Span
from aplc.tail.types import Array, Base, Rho, Type


@dataclass(frozen=True, slots=True)
class Described:
    """A function, by its text."""

    valences: tuple[int, ...]
    """How many arguments it may have; none where its text does not say."""
    annotation: Annotation | None
    comment: str
    """The comment lines directly above its definition, without their signs."""

    @property
    def claims(self) -> tuple[Type, ...]:
        """The types that the annotation gives the arguments, `⍵`, or `⍺` and `⍵`; none without one."""
        claim = self.annotation
        return () if claim is None else claim.type.params[claim.operands :]


def described(
    files: list[File], name: str | None, *, rules: Rules = DEFAULTS, is_read: bool = False
) -> Described:
    """The function that `elaborate_function` would apply. Raises what is wrong with the program, and if it
    `is_read` the syntax errors inside of the function: its body is elaborated once for that.
    """
    elaborator = Elaborator({}, quiet=True, rules=rules)
    value = _value(elaborator, files, name)
    if is_read:
        _read(elaborator, value)
    where = value.target or value.node.span
    claim = claim_of(value)
    valences = (len(claim.type.params) - claim.operands,) if claim is not None else _valences(value)
    return Described(valences, claim, _comment_above(where))


def type_of_function(files: list[File], name: str | None, *, rules: Rules = DEFAULTS) -> FunctionReport:
    """The type of that function: its annotation, proved or refuted, or the most general one that is found."""
    elaborator = Elaborator({}, quiet=True, rules=rules)
    value = _value(elaborator, files, name)
    elaborator.summaries.begin()
    claim = claim_of(value)
    verdict = None if claim is None else prove(elaborator, value.node, value.scope, claim)
    return report_of(elaborator, name or "", value, verdict)


def _value(elaborator: Elaborator, files: list[File], name: str | None) -> FunctionValue:
    """The function with its scope: what a name stands for that is the last statement."""
    node = function_of(elaborator, files, name)
    if isinstance(node, tree.FunctionName | tree.AssignFunction):
        found = elaborator.top.find(node.name if isinstance(node, tree.FunctionName) else node.target.name)
        if isinstance(found, FunctionValue):
            return found
    statement = files[-1].statements[-1]
    return FunctionValue(node, elaborator.top, statement.span, statement.annotation)


def _read(elaborator: Elaborator, value: FunctionValue) -> None:
    """Raise the syntax error that a definition meets on its way, for arguments that nothing is known of."""
    if not isinstance(value.node, tree.Definition) or is_niladic(value):
        return
    elaborator.summaries.begin()
    count = 2 if needs_left(value.node.dfn) else 1
    arguments: list[Type] = [Array(Base.DOUBLE, Rho.of(f"ρ{k}")) for k in range(count)]
    try:
        elaborated_for(elaborator, value.node, value.scope, [], arguments)
    except Poisoned:
        pass
    except AplcError as error:
        if any(each.kind == "SYNTAX ERROR" for each in error.diagnostics):
            raise


def _valences(value: FunctionValue) -> tuple[int, ...]:
    node = value.node
    if not isinstance(node, tree.Definition):
        return ()
    if is_niladic(value):
        return (0,)
    if needs_left(node.dfn):
        return (2,)
    return (1, 2) if _may_take_left(node.dfn) else (1,)


def _may_take_left(dfn: Dfn) -> bool:
    """Whether a definition that does not need a left argument has a use for one."""
    if dfn.header is not None:
        return dfn.header.left is not None
    return any(mentions_left((*(s.guard or ()), *s.items)) for s in dfn.body)


def _comment_above(where: Span) -> str:
    """The comment lines above a definition but for annotations; what a header for `aplc test` has is none."""
    lines: list[str] = []
    for number in range(where.line - 1, 0, -1):
        line = where.source.line_text(number).strip()
        if not line.startswith("⍝") or line[1:].lstrip().startswith("=="):
            break
        text = line[1:].removeprefix(" ")
        if not text.lstrip().startswith(":"):
            lines.append(text.rstrip())
    return "\n".join(reversed(lines)).strip("\n")
