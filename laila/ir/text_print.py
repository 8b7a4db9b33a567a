"""The text of a Laila program, for reading: what `aplc emit laila` prints.

    param v : double[v_n]
    result : double = REDUCE addd over k < v_n { … }
      where t = v[k]

Expressions that are used more than once are named below the statement that uses them.
"""

from __future__ import annotations

from collections import Counter

from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Assign,
    Empty,
    Filter,
    ForEach,
    Free,
    FunctionCall,
    Fused,
    HostCall,
    HostCheck,
    HostLet,
    If,
    Map,
    Move,
    Output,
    Part,
    Program,
    Reduce,
    Ref,
    RuntimeCall,
    ScalarRef,
    Scan,
    Space,
    Statement,
    Store,
    Swap,
    TupleRef,
    Variable,
    While,
)
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    PureCall,
    Read,
    Select,
    Site,
    Step,
    Sum,
    Var,
    nodes,
    operands,
)
from aplc.laila.ir.statements import own_expressions, statements_of
from aplc.tail import prims as p
from aplc.tail.prims import Prim

_INFIX = {p.ADDD: "+", p.SUBD: "-", p.MULD: "*", p.MULI: "*", p.ANDB: "and", p.ORB: "or"}
_INFIX |= {
    p.LTI: "<",
    p.LTD: "<",
    p.LTEI: "<=",
    p.LTED: "<=",
    p.GTI: ">",
    p.GTD: ">",
    p.GTEI: ">=",
    p.GTED: ">=",
}
_INFIX |= {p.EQI: "=", p.EQD: "=", p.EQC: "=", p.EQB: "=", p.NEQI: "≠", p.NEQD: "≠", p.NEQC: "≠", p.NEQB: "≠"}


def print_program(program: Program) -> str:
    """The program, a statement a line."""
    lines: list[str] = []
    for parameter in program.parameters:
        extents = "".join([f"[{n.name}]" for n in parameter.extents])
        stored = (
            ""
            if parameter.buffer.storage.startswith(str(parameter.ty))
            else f" as {parameter.buffer.storage}"
        )
        lines.append(f"param {parameter.name} : {parameter.ty}{extents}{stored}")
    for function in program.functions:
        printer = _Printer(())
        taken = ", ".join([printer.reference(r) for r in function.parameters])
        given = ", ".join([printer.reference(r) for r in function.results])
        lines += [f"function {function.name}({taken}) {{", *_block(function.statements, 1)]
        lines += [f"    give {given}", "}"]
    return "\n".join([*lines, *_block(program.statements, 0)])


def print_expression(exp: Exp) -> str:
    """The text of one expression."""
    return _Printer(()).text(exp)


def _block(statements: tuple[Statement, ...], level: int) -> list[str]:
    """The lines of a sequence of statements."""
    lines: list[str] = []
    indent = "    " * level
    for statement in statements:
        printer = _Printer(own_expressions(statement))
        lines.append(indent + printer.statement(statement))
        lines += [f"{indent}    where {name} = {text}" for name, text in printer.named()]
        match statement:
            case If(then=then, other=other):
                lines += _block(then, level + 1)
                lines += [f"{indent}}} else {{", *_block(other, level + 1)] if other else []
                lines.append(indent + "}")
            case While(body=body) | ForEach(body=body):
                lines += [*_block(body, level + 1), indent + "}"]
            case _:
                pass
    return lines


_NAMED = Call | Select | Read | PureCall | Check | Fold | BlockExp
"""What gets a name where it is shared."""


class _Printer:
    def __init__(self, roots: tuple[Exp, ...]) -> None:
        uses = Counter(id(o) for n in nodes(*roots) for o in operands(n))
        self.names: dict[int, str] = {}
        self.shared: list[Exp] = []
        for node in nodes(*roots):
            if uses[id(node)] > 1 and isinstance(node, _NAMED):
                self.names[id(node)] = f"t{len(self.shared) + 1}"
                self.shared.append(node)

    def named(self) -> list[tuple[str, str]]:
        """The shared expressions with their names, users before what they use."""
        return [(self.names[id(e)], self.bare(e)) for e in reversed(self.shared)]

    def statement(self, statement: Statement) -> str:
        match statement:
            case HostLet(var=var, value=value):
                return f"{var.name} : {var.ty} = {self.bare(value)}"
            case Alloc(buffer=buffer, size=size, into=into, is_there=is_there):
                place = "" if into is None else f" {'of' if is_there else 'in'} {into.name}"
                return f"alloc {buffer.name} : {buffer.ty}[{self.text(size)}]{place}"
            case Variable(var=var, value=value):
                return f"var {var.name} : {var.ty} = {self.bare(value)}"
            case Assign(var=var, value=value):
                return f"{var.name} := {self.bare(value)}"
            case Empty(buffer=buffer):
                return f"empty {buffer.name} : {buffer.ty}"
            case Free(buffer=buffer):
                return f"free {buffer.name}"
            case Move(target=target, source=source):
                return f"take {target.name} from {source.name}"
            case Swap(first=first, second=second):
                return f"swap {first.name} {second.name}"
            case Map(buffer=buffer, space=space, position=position, body=body, guard=guard):
                name = "UPDATE" if statement.ordered else "MAP"
                place = f"{buffer.name}[{self.text(position)}]"
                where = "" if guard is None else f" where {self.text(guard)}"
                return f"{name} {place} over {self.space(space)} {{ {self.text(body)}{where} }}"
            case Scan(buffer=buffer, space=space, position=position, combine=combine, body=body):
                place = f"{buffer.name}[{self.text(position)}]"
                if not statement.is_written and statement.running is not None:
                    place = statement.running.name
                return f"SCAN {combine.name} {place} over {self.space(space)} {{ {self.text(body)} }}"
            case Filter(buffer=buffer, count=count, space=space, keep=keep, body=body):
                kept = f"{self.text(body)} where {self.text(keep)}"
                return f"FILTER {buffer.name}, {count.name} over {self.space(space)} {{ {kept} }}"
            case Fused(space=space, parts=parts):
                return "\n".join([f"FUSED over {self.space(space)} {{", *[self.part(q) for q in parts], "}"])
            case Store(buffer=buffer, position=position, value=value):
                return f"put {buffer.name}[{self.text(position)}] = {self.text(value)}"
            case HostCheck(ok=ok, site=site):
                return f"check {self.text(ok)}{_place(site)}"
            case If(cond=cond):
                return f"if {self.text(cond)} {{"
            case While(cond=cond):
                return f"while {self.text(cond)} {{"
            case ForEach(space=space, is_share=is_share):
                return f"for {'each share of ' if is_share else ''}{self.space(space)} {{"
            case Output(value=value, is_result=is_result):
                return f"{'result' if is_result else 'print'} {self.reference(value)}"
            case RuntimeCall(function=name, arguments=arguments, written=written):
                given = [a.name if isinstance(a, Buffer) else self.text(a) for a in arguments]
                return f"run {name}({', '.join([*given, *[f'&{v.name}' for v in written]])})"
            case HostCall(prim=prim, arguments=references, result=result):
                given = [self.reference(r) for r in references]
                return f"ask {self.reference(result)} = {prim.name}({', '.join(given)})"
            case FunctionCall(function=name, arguments=references, results=results):
                given = [self.reference(r) for r in references]
                taken = ", ".join([self.reference(r) for r in results])
                return f"call {taken} = {name}({', '.join(given)})"

    def part(self, part: Part) -> str:
        if isinstance(part, Reduce):
            value = f"REDUCE {self.combine(part.fold.combine)} {self.text(part.body)}"
            return f"    {part.var.name} : {part.var.ty} = {value}"
        return "    " + self.statement(part)

    def space(self, space: Space) -> str:
        pairs = zip(space.indices, space.extents, strict=True)
        return ", ".join([f"{i.name} < {self.text(n)}" for i, n in pairs])

    def reference(self, value: Ref) -> str:
        match value:
            case TupleRef(items=items):
                return f"({', '.join([self.reference(i) for i in items])})"
            case ArrayRef(buffer=buffer, shape=shape, start=start):
                extents = "".join([f"[{self.text(n)}]" for n in shape])
                return f"{buffer.name}{extents}" + ("" if start is None else f" from {self.text(start)}")
            case ScalarRef(value=exp):
                return self.text(exp)

    def text(self, exp: Exp) -> str:
        return self.names.get(id(exp)) or self.bare(exp)

    def bare(self, exp: Exp) -> str:
        """The expression itself, even if it has a name."""
        match exp:
            case Const(value=value):
                return str(value).lower()
            case Var(name=name):
                return name
            case Call(op=op, args=args) if op in _INFIX and len(args) == 2:
                return f"({self.text(args[0])} {_INFIX[op]} {self.text(args[1])})"
            case Call(op=op, args=args):
                return f"{op.name}({', '.join([self.text(a) for a in args])})"
            case Sum(const=const, terms=terms):
                parts = [self.text(a) if k == 1 else f"{k}*{self.text(a)}" for a, k in terms]
                return "(" + " + ".join(parts + ([str(const)] if const else [])).replace("+ -", "- ") + ")"
            case Read(buffer=buffer, index=index):
                text = self.text(index)
                is_enclosed = text.startswith("(") and isinstance(index, Call | Sum | Select)
                return f"{buffer.name}[{text[1:-1] if is_enclosed else text}]"
            case PureCall(function=name, memory=memory, args=args):
                given = [*[b.name for b in memory], *[self.text(a) for a in args]]
                return f"{name}({', '.join(given)})"
            case Select(cond=cond, then=then, other=other):
                return f"({self.text(cond)} ? {self.text(then)} : {self.text(other)})"
            case Check(ok=ok, value=value, site=site):
                return f"{self.text(value)} provided {self.text(ok)}{_place(site)}"
            case Fold(combine=combine, var=var, extent=extent, body=body):
                over = f"over {var.name} < {self.text(extent)} {{ {self.text(body)} }}"
                return f"REDUCE {self.combine(combine)} {over}"
            case BlockExp(value=value):
                inner = [line.strip() for line in _block(statements_of(exp), 0)]
                return f"do {{ {'; '.join(inner)} }} {self.text(value)}"

    def combine(self, combine: Prim | Step) -> str:
        if isinstance(combine, Prim):
            return combine.name
        names = f"{combine.element.name}, {combine.accumulator.name}"
        return f"from the right ({names} => {self.text(combine.body)})"


def _place(site: Site) -> str:
    return (
        f" [{site.fault.kind} at {site.span.line}:{site.span.column}]"
        if site.span
        else f" [{site.fault.kind}]"
    )
