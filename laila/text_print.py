"""The text of a Laila program, for reading: what `aplc emit laila` prints.

    param v : double[v_n]
    result : double = REDUCE addd over k < v_n { … }
      where t = v[k]

Expressions that are used more than once are named below the statement that uses them.
"""

from __future__ import annotations

from collections import Counter

from laila.program import (
    Alloc,
    ArrayRef,
    Free,
    HostCheck,
    HostLet,
    Map,
    Output,
    Program,
    Put,
    ScalarRef,
    Statement,
    expressions,
)
from laila.scalar import (
    Call,
    Check,
    Const,
    Exp,
    Fold,
    Read,
    Select,
    Site,
    Step,
    Sum,
    Var,
    nodes,
    operands,
)
from tail import prims as p
from tail.prims import Prim

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
    for statement in program.statements:
        printer = _Printer(expressions(statement))
        lines.append(printer.statement(statement))
        lines += [f"    where {name} = {text}" for name, text in printer.named()]
    return "\n".join(lines)


class _Printer:
    def __init__(self, roots: tuple[Exp, ...]) -> None:
        uses = Counter(id(o) for n in nodes(*roots) for o in operands(n))
        self.names: dict[int, str] = {}
        self.shared: list[Exp] = []
        for node in nodes(*roots):
            if uses[id(node)] > 1 and isinstance(node, Call | Select | Read | Check | Fold):
                self.names[id(node)] = f"t{len(self.shared) + 1}"
                self.shared.append(node)

    def named(self) -> list[tuple[str, str]]:
        """The shared expressions with their names, users before what they use."""
        return [(self.names[id(e)], self.bare(e)) for e in reversed(self.shared)]

    def statement(self, statement: Statement) -> str:
        match statement:
            case HostLet(var=var, value=value):
                return f"{var.name} : {var.ty} = {self.bare(value)}"
            case Alloc(buffer=buffer, size=size):
                return f"alloc {buffer.name} : {buffer.ty}[{self.text(size)}]"
            case Free(buffer=buffer):
                return f"free {buffer.name}"
            case Map(buffer=buffer, space=space, position=position, body=body):
                pairs = zip(space.indices, space.extents, strict=True)
                over = ", ".join([f"{i.name} < {self.text(n)}" for i, n in pairs])
                return f"MAP {buffer.name}[{self.text(position)}] over {over} {{ {self.text(body)} }}"
            case Put(buffer=buffer, position=position, value=value):
                return f"put {buffer.name}[{self.text(position)}] = {self.text(value)}"
            case HostCheck(ok=ok, site=site):
                return f"check {self.text(ok)}{_place(site)}"
            case Output(value=value, is_result=is_result):
                return f"{'result' if is_result else 'print'} {self.reference(value)}"

    def reference(self, value: ArrayRef | ScalarRef) -> str:
        match value:
            case ArrayRef(buffer=buffer, shape=shape):
                return buffer.name + "".join([f"[{self.text(n)}]" for n in shape])
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
            case Select(cond=cond, then=then, other=other):
                return f"({self.text(cond)} ? {self.text(then)} : {self.text(other)})"
            case Check(ok=ok, value=value, site=site):
                return f"{self.text(value)} provided {self.text(ok)}{_place(site)}"
            case Fold(combine=combine, var=var, extent=extent, body=body):
                over = f"over {var.name} < {self.text(extent)} {{ {self.text(body)} }}"
                return f"REDUCE {self.combine(combine)} {over}"

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
