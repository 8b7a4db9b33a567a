"""Definitions between two `∇`: their headers, control structures, labels and arrows.

    ∇ r←a f w;x;y          {r}← is not shown, {a} may be left out; (f op) w and (f op g) w are operators
    statements
    ∇

Every structure is reduced to conditions, loops, blocks and jumps to a label around them (`ast.Code`): what
leaves a loop jumps behind the block around it, what goes on with the next round jumps behind the block that
is its body. `gotos` finds the loops and blocks of what is written with labels and `→`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from aplc.apl_front.syntax import gotos
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
    Glyph,
    Header,
    If,
    IsCase,
    Item,
    Jump,
    Keep,
    Loop,
    Name,
    Node,
    Number,
    Paren,
    Statement,
    Test,
    Zilde,
)
from aplc.apl_front.syntax.fields import Fields, Reading, statement_of
from aplc.apl_front.syntax.headers import header_of, is_argument
from aplc.apl_front.syntax.mentioned import names_assigned, names_in
from aplc.tail.source import Span, cover

_ENDS = {
    "if": ("endif", "end"),
    "while": ("endwhile", "until", "end"),
    "repeat": ("endrepeat", "until", "end"),
    "for": ("endfor", "end"),
    "select": ("endselect", "end"),
    "section": ("endsection", "end"),
}
"""The words that end a structure; the first is the one to propose."""
_MIDDLES = {"if": ("elseif", "else"), "select": ("case", "caselist", "else")}
_ALONE = ("repeat", "return", "leave", "continue")
"""Words that stand alone."""
CONTROL_WORDS = {
    word.lower(): word
    for word in (
        *(
            "If",
            "ElseIf",
            "Else",
            "EndIf",
            "AndIf",
            "OrIf",
            "While",
            "EndWhile",
            "Until",
            "Repeat",
            "EndRepeat",
        ),
        *("For", "In", "InEach", "EndFor", "Select", "Case", "CaseList", "EndSelect", "Return", "Leave"),
        *("Continue", "GoTo", "Section", "EndSection", "End"),
    )
}
"""How the words of control structures are written, by their lower case."""


@dataclass(slots=True)
class Listing:
    """The lines of a definition, its header the first of them."""

    lines: list[Fields]
    closing: Span | None
    """The `∇` behind it."""


def split(body: Sequence[Fields]) -> Iterator[Fields | Listing]:
    """Statements outside of definitions, and definitions."""
    listing: Listing | None = None
    for fields in body:
        first = next(iter(fields.parts[0]), None)
        begins = isinstance(first, Name) and first.name == "∇"
        if listing is None and not begins:
            yield fields
        elif listing is None:
            listing = Listing([fields], None)
        elif begins and len(fields.parts[0]) == 1:
            assert first is not None
            listing.closing = first.span
            yield listing
            listing = None
        else:
            listing.lines.append(fields)
    if listing is not None:
        yield listing


def definition(listing: Listing, reading: Reading) -> Statement | None:
    """The assignment of the function to its name; None where the header is none, which is reported."""
    header, *lines = listing.lines
    opening = header.parts[0][0].span
    span = cover(opening, *[s for line in lines if (s := line.span)], *(s for s in (listing.closing,) if s))
    assert span is not None
    made = header_of(header, reading)
    if made is None:
        return None
    if listing.closing is None:
        reading.report("this ∇ is not closed: a line with ∇ alone ends the definition", opening)
    reader = _Reader([_line(fields, reading) for fields in lines], reading)
    code = reader.body()
    reader.require_constant_labels(made)
    dfn = Dfn(tuple(reader.statements), span, None, made, code)
    annotation = reading.annotations.statements.get(opening.start)
    return Statement((made.name, Arrow(opening), dfn), span, None, annotation)


# ---- lines ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Line:
    """A line of a definition: its labels, the control word it begins with, and what follows."""

    labels: list[Name]
    word: str | None
    span: Span | None
    """Of the control word, or of the statement; None for a line with labels alone."""
    fields: Fields


def _line(fields: Fields, reading: Reading) -> _Line:
    labels: list[Name] = []
    while fields.marks and fields.marks[0].text == ":" and len(fields.parts[0]) == 1:
        label = fields.parts[0][0]
        if not isinstance(label, Name):
            break
        labels.append(label)
        fields = Fields(fields.parts[1:], fields.marks[1:])
    if not fields.marks:
        return _Line(labels, None, fields.span, fields)
    mark, first = fields.marks[0], next(iter(fields.parts[1]), None)
    if fields.parts[0] or mark.text != ":" or not isinstance(first, Name):
        separates = "; separates local names in the header, and indices in [ ]"
        colon = "a colon stands behind a label, or before a control word as in :If"
        reading.report(colon if mark.text == ":" else separates, mark)
        return _Line(labels, None, None, Fields([[]], []))
    rest = Fields([fields.parts[1][1:], *fields.parts[2:]], fields.marks[1:])
    return _Line(labels, first.name.lower(), mark.join(first.span), rest)


# ---- structures -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reader:
    """The lines of a definition as code."""

    lines: list[_Line]
    reading: Reading
    statements: list[Statement] = field(default_factory=list)
    """All statements and conditions, in the order of the text."""
    _at: int = 0
    _open: list[str] = field(default_factory=list)
    """The structures around."""
    _loops: list[tuple[str, str]] = field(default_factory=list)
    """The labels behind the loops around, and behind their bodies."""
    _labels: dict[str, gotos.Label] = field(default_factory=dict)
    _counted: list[Item] = field(default_factory=list)
    """What loops over elements assign."""
    _names: int = 0

    def body(self) -> Code:
        """All lines."""
        code = self._code()
        if not any(gotos.is_to_a_line(jump) for jump in gotos.jumps(code)):
            return code
        from aplc.apl_front.syntax.flow_graph import structured  # noqa: PLC0415 (networkx, for arrows only)

        return structured(code, tuple(self._labels.values()), self.reading)

    def require_constant_labels(self, header: Header) -> None:
        """A label names its line only: no argument, result or operand, and nothing that is assigned."""
        places = [each for each in (header.result, header.left, header.right, *header.operands) if each]
        given = [name for name in names_in(places) if name.name in self._labels]
        statements = [name for s in self.statements for name in names_assigned(s.items)]
        for name in given:
            label = self._labels[name.name]
            self.reading.report(f"{name.name} is in the header and cannot be a label, too", label.span)
        for name in (*statements, *names_in(self._counted)):
            if name.name in self._labels:
                self.reading.report(f"{name.name} is a label, which cannot be assigned", name.span)

    def _fresh(self, what: str) -> str:
        """A label or name that no program can spell."""
        self._names += 1
        return f"{what} {self._names}"

    # --- sequences ---

    def _code(self) -> Code:
        """The lines up to one that ends or divides a structure around."""
        nodes: list[Node] = []
        while self._at < len(self.lines):
            line = self.lines[self._at]
            if line.word is not None and any(line.word in _closers(kind) for kind in self._open):
                break
            self._at += 1
            for label in line.labels:
                if self._open:
                    inside = f":{CONTROL_WORDS[self._open[-1]]}"
                    what = f"a label inside of {inside} is not supported yet: only lines outside have one"
                    self.reading.refuse(what, label.span)
                if label.name in self._labels:
                    self.reading.report(f"there are two labels {label.name} in this function", label.span)
                self._labels[label.name] = gotos.Label(label.name, label.span, len(nodes))
            nodes += self._statement(line) if line.word is None else self._structure(line)
        return tuple(nodes)

    def _statement(self, line: _Line) -> Sequence[Node]:
        first = next(iter(line.fields.parts[0]), None)
        if isinstance(first, Glyph) and first.symbol == "→":
            return self._arrow(tuple(line.fields.parts[0]), first.span)
        statement = self._read(line.fields)
        return () if statement is None else (statement,)

    def _read(self, fields: Fields) -> Statement | None:
        statement = statement_of(fields, self.reading)
        if statement is not None:
            self.statements.append(statement)
        return statement

    def _structure(self, line: _Line) -> Sequence[Node]:
        """What a line with a control word begins."""
        assert line.word is not None and line.span is not None
        extra = line.fields.span
        if line.word in _ALONE and extra is not None:
            self.reading.report(f"nothing stands behind {line.span.text}", extra)
        match line.word:
            case "if":
                return self._if(line, "if")
            case "while":
                return self._while(line)
            case "repeat":
                return self._repeat(line)
            case "for":
                return self._for(line)
            case "select":
                return self._select(line)
            case "section":
                self._open.append("section")
                code = self._code()
                self._close(line, "section")
                return code
            case "return":
                return (Jump(RETURN, line.span),)
            case "leave" | "continue":
                if not self._loops:
                    spelled = CONTROL_WORDS[line.word]
                    self.reading.report(f":{spelled} stands inside of a loop only", line.span)
                    return ()
                return (Jump(self._loops[-1][line.word == "continue"], line.span),)
            case "goto":
                return self._arrow((Glyph("→", line.span), *line.fields.parts[0]), line.span)
            case word if word in CONTROL_WORDS:
                self.reading.report(f"there is nothing that :{CONTROL_WORDS[word]} belongs to", line.span)
            case _:
                self.reading.refuse(f"the control word {line.span.text} is not supported yet", line.span)
        return ()

    def _close(self, opening: _Line, kind: str) -> _Line | None:
        """The line that ends the structure, or divides it; what is missing is reported."""
        self._open.pop()
        if self._at < len(self.lines) and self.lines[self._at].word in _closers(kind):
            self._at += 1
            return self.lines[self._at - 1]
        assert opening.span is not None
        self.reading.report(f"this {opening.span.text} has no :{CONTROL_WORDS[_ENDS[kind][0]]}", opening.span)
        return None

    # --- conditions ---

    def _condition(self, line: _Line) -> Condition:
        """The condition of a line, and of the lines with `:AndIf` and `:OrIf` behind it."""
        condition = self._test(line)
        joined: str | None = None
        while self._at < len(self.lines) and self.lines[self._at].word in ("andif", "orif"):
            more = self.lines[self._at]
            self._at += 1
            assert more.span is not None and more.word is not None
            if joined not in (None, more.word):
                self.reading.report(":AndIf and :OrIf are not mixed: write ∧ and ∨", more.span)
            joined = more.word
            test = self._test(more)
            condition = Both(condition, test) if joined == "andif" else Either(condition, test)
        return condition

    def _test(self, line: _Line) -> Condition:
        assert line.span is not None
        statement = None
        if line.fields.marks:
            self.reading.report(
                "a colon stands behind a label, or before a control word", line.fields.marks[0]
            )
        else:
            statement = self._read(line.fields)
        if statement is None:
            if not line.fields.marks:
                self.reading.report(f"no condition behind {line.span.text}", line.span)
            statement = Statement((Number(0, line.span),), line.span)
        return Test(statement)

    # --- structures ---

    def _if(self, line: _Line, kind: str) -> Sequence[Node]:
        assert line.span is not None
        condition = self._condition(line)
        self._open.append(kind)
        then = self._code()
        closing = self._close(line, kind)
        otherwise: Sequence[Node] = ()
        if closing is not None and closing.word == "elseif":
            otherwise = self._if(closing, kind)
        elif closing is not None and closing.word == "else":
            self._open.append(kind)
            otherwise = self._code()
            last = self._close(closing, kind)
            if last is not None and last.word in _MIDDLES["if"]:
                assert last.span is not None
                self.reading.report(f"{last.span.text} behind :Else", last.span)
        return (If(condition, then, tuple(otherwise), line.span),)

    def _looped(self, line: _Line, kind: str) -> tuple[str, Block, _Line | None]:
        """The label behind a loop, its body, and the line that ends it."""
        assert line.span is not None
        leave, following = self._fresh("behind"), self._fresh("next")
        self._loops.append((leave, following))
        self._open.append(kind)
        body = Block(following, self._code(), line.span)
        self._loops.pop()
        return leave, body, self._close(line, kind)

    def _while(self, line: _Line) -> Sequence[Node]:
        assert line.span is not None
        condition = self._condition(line)
        leave, body, closing = self._looped(line, "while")
        out = Jump(leave, line.span)
        round_: Code = (body,)
        if closing is not None and closing.word == "until":
            assert closing.span is not None
            round_ = (body, If(self._condition(closing), (out,), (), closing.span))
        loop = Loop(self._fresh("loop"), (If(condition, round_, (out,), line.span),), line.span)
        return (Block(leave, (loop,), line.span),)

    def _repeat(self, line: _Line) -> Sequence[Node]:
        assert line.span is not None
        leave, body, closing = self._looped(line, "repeat")
        round_: Code = (body,)
        if closing is not None and closing.word == "until":
            assert closing.span is not None
            until = self._condition(closing)
            round_ = (body, If(until, (Jump(leave, closing.span),), (), closing.span))
        return (Block(leave, (Loop(self._fresh("loop"), round_, line.span),), line.span),)

    def _for(self, line: _Line) -> Sequence[Node]:
        assert line.span is not None
        names, behind = line.fields.parts[0], line.fields.parts[1:]
        word = behind[0][0] if behind and behind[0] else None
        is_in = len(behind) == 1 and isinstance(word, Name) and word.name.lower() in ("in", "ineach")
        elements, is_parallel = None, False
        if is_in and names and all(is_argument(item) for item in names):
            assert isinstance(word, Name)
            is_parallel = word.name.lower() == "ineach"
            elements = self._read(Fields([behind[0][1:]], []))
        if elements is None:
            self.reading.report("write :For name :In array", line.span)
            elements = Statement((Zilde(line.span),), line.span)
            names = [Name("∆", line.span)]
        span = names[0].span.join(names[-1].span)
        target = names[0] if len(names) == 1 else Paren(tuple(names), span)
        self._counted.append(target)
        leave, body, _ = self._looped(line, "for")
        loop = For(body.label, target, elements, body.body, line.span, is_parallel)
        return (Block(leave, (loop,), line.span),)

    def _select(self, line: _Line) -> Sequence[Node]:
        assert line.span is not None
        value = self._read(line.fields)
        if value is None:
            self.reading.report("no value behind :Select", line.span)
            value = Statement((Number(0, line.span),), line.span)
        kept = self._fresh("selected")
        self._open.append("select")
        before = self._code()
        if before:
            self.reading.report("a statement between :Select and its first :Case", line.span)
        return (Keep(kept, value), *self._cases(line, kept))

    def _cases(self, opening: _Line, kept: str) -> Sequence[Node]:
        """What follows a `:Select` or one of its cases."""
        line = self._close(opening, "select")
        if line is None or line.word in _ENDS["select"]:
            return ()
        assert line.span is not None
        condition: Condition | None = None
        if line.word != "else":
            value = self._read(line.fields)
            if value is None:
                self.reading.report(f"no value behind {line.span.text}", line.span)
            else:
                condition = IsCase(kept, value, line.word == "caselist")
        self._open.append("select")
        then = self._code()
        otherwise = tuple(self._cases(line, kept))
        return then if condition is None else (If(condition, then, otherwise, line.span),)

    # --- arrows ---

    def _arrow(self, items: Sequence[Item], span: Span) -> Sequence[Node]:
        """`→label`, `→0`, and either with a condition: `→(c)/l`, `→c⍴l`, `→l×⍳c`."""
        whole = span.join(items[-1].span)
        match items[1:]:
            case (Zilde(),):
                return ()
            case (target,):
                condition: Sequence[Item] | None = None
            case (*given, Glyph(symbol="/" | "⍴" | "↑"), target) if given:
                condition = given
            case (target, Glyph(symbol="×"), Glyph(symbol="⍳"), *given) if given:
                condition = given
            case _:
                what = "→ with a computed line is not supported yet: write →label or →condition/label"
                self.reading.refuse(what, whole)
                return ()
        label = self._target(target)
        if label is None:
            what = "→ to what is no label is not supported yet: →0 ends the function"
            self.reading.refuse(what, target.span)
            return ()
        jump = Jump(label, whole)
        if condition is None:
            return (jump,)
        test = self._read(Fields([list(condition)], []))
        assert test is not None
        return (If(Test(test), (jump,), (), whole),)

    def _target(self, item: Item) -> str | None:
        """The label of a jump to a line: behind the definition for 0."""
        match item:
            case Number(value=0):
                return RETURN
            case Name(name=name):
                return gotos.label_of(name)
            case Paren(items=(inner,)):
                return self._target(inner)
            case _:
                return None


def _closers(kind: str) -> tuple[str, ...]:
    return _ENDS[kind] + _MIDDLES.get(kind, ())
