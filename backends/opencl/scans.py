"""Kernels whose groups take neighbouring elements run by run: see `aplc.laila.devices.offload_scans`.

Each run in stages, between which all work-items meet: its elements, computed by neighbouring work-items, into
the memory of the group; those of a work-item, which follow one another, combined, and what these come to
scanned in the group; the running values, or the places of what is kept; what is done with them, by
neighbouring work-items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aplc.backends.c.expressions import UNARY
from aplc.backends.c.types import C_TYPES, stored
from aplc.backends.opencl.groups import BARRIER, Groups
from aplc.laila.devices.kernels import Carry, LookBack, Sweep
from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import Call, Site, Var


@dataclass(frozen=True, slots=True)
class Names:
    """The arrays of a carry in the memory of a group."""

    sweep: Sweep
    run: str
    """Its elements, or whether they are kept."""
    sums: str
    """What those of each work-item come to, twice: a scan reads one half and writes the other."""
    places: str = ""
    """Of the elements that are kept, in the run; or, by element, its number among them."""
    held: str = ""
    """The elements of a work-item, each of which may be kept."""


class Sweeps(Groups):
    """The lines of such kernels."""

    label = ""
    """Where a work-item goes on in which a check has failed; empty: it ends."""
    behind = ""
    """The label of the statements that were printed last."""
    has_jumped = False
    """Whether they go there."""
    labels = 0
    """How many there are."""

    def fail(self, head: str, site: Site, values: list[str], items: Sequence[str] = ()) -> None:
        """Tell that a check has failed, and end the work-item, or go on where it can."""
        del site, values, items
        self.has_jumped = True
        self.line(head + " {")
        self.line("    *failed = 1;")
        self.line(f"    goto {self.label};" if self.label else "    return;")
        self.line("}")

    def swept(self, sweep: Sweep, codes: Sequence[l.Code]) -> None:
        """All runs of a range, one after the other. The loops are those of the elements, of what is done with
        all, and of what is done with those that each carry keeps.
        """
        names = [self.memory(sweep, carry) for carry in sweep.carries]
        lane, first = self.declare("lane:"), self.declare("first:")
        start, stop = self.text(sweep.start), self.printer.text(sweep.stop, UNARY)
        self.line(f"const int32_t {lane} = get_local_id(0);")
        if (look_back := sweep.look_back) is not None:
            number = self.next_run(look_back, lane)
            self.line(f"const int64_t {first} = {sweep.run} * {number};")
        else:
            self.head(f"for (int64_t {first} = {start}; {first} < {stop}; {first} += {sweep.run}) {{")
        length = self.declare("length:")
        self.line(f"const int32_t {length} = aplc_min_int({stop} - {first}, {sweep.run});")
        self.compute(sweep, names, codes[0], (lane, first, length))
        for position, (carry, name) in enumerate(zip(sweep.carries, names, strict=True)):
            self.scan_lanes(carry, name, lane)
            if look_back is not None:
                self.look_back(carry, name, look_back, position, (lane, number))
            self.place_kept(name, lane) if carry.is_filter else self.scan_run(carry, name, lane)
        self.line(BARRIER)
        self.use(sweep, names, codes[1:], (lane, first, length))
        if look_back is not None:
            return
        for carry, name in zip(sweep.carries, names, strict=True):
            before = self.spell(carry.before)
            self.line(f"{before} = {self.both(carry, before, f'{name.sums}[{sweep.lanes - 1}]')};")
        self.line(BARRIER)
        self.foot()

    def next_run(self, look_back: LookBack, lane: str) -> str:
        """The number of the run that a group takes: those before it have been begun."""
        number, own = self.declare("next:"), self.declare("number:")
        self.line(f"local int64_t {number};")
        self.line(f"if ({lane} == 0)")
        self.line(f"    {number} = atom_inc({self.spell(look_back.states[0])});")
        self.line(BARRIER)
        self.line(f"const int64_t {own} = {number};")
        return own

    def look_back(
        self, carry: Carry, name: Names, look_back: LookBack, position: int, at: tuple[str, str]
    ) -> None:
        """What is before a run, from what others have told; see Note [Look-back] in `offload_scans`."""
        lane, number = at
        state, total = self.spell(look_back.states[position]), look_back.totals[position]
        lanes, sums = name.sweep.lanes, name.sums
        before, whole, found = self.spell(carry.before), f"{sums}[{lanes - 1}]", f"{sums}[{lanes}]"
        ty = C_TYPES[carry.element.ty]
        block, blocks = self.declare("block:"), self.declare("blocks:")
        own, sum = self.declare("own:"), self.declare("sum:")
        self.line(f"const int64_t {block} = {number} / {lanes};")
        self.line(f"const int64_t {blocks} = (get_num_groups(0) + {lanes - 1}) / {lanes};")
        self.line(f"if ({lane} == 0)")
        self.line(f"    aplc_tell({state}, {number}, {self.as_bits(carry, whole)});")
        self.before_in_block(carry, name, state, at, "")
        self.line(f"{ty} {own} = {self.text(carry.nothing)};")
        self.head(f"if ({lane} == 0) {{")
        self.line(f"{own} = {found};")
        self.line(f"if ({number} % {lanes} == {lanes - 1})")
        told = self.as_bits(carry, self.both(carry, own, whole))
        self.line(f"    aplc_tell({state}, get_num_groups(0) + {block}, {told});")
        self.foot()
        self.line(BARRIER)
        self.before_in_block(carry, name, state, (lane, block), "get_num_groups(0) + ")
        self.head(f"if ({lane} == 0) {{")
        self.line(f"{ty} {sum} = {self.both(carry, found, own)};")
        self.line(f"if ({block} >= {lanes})")
        place = f"get_num_groups(0) + {blocks} + {block} / {lanes}"
        told = self.of_bits(carry, f"aplc_told({state}, {place} - 1)")
        self.line(f"    {sum} = {self.both(carry, told, sum)};")
        self.line(f"{found} = {sum};")
        self.line(f"{sum} = {self.both(carry, sum, whole)};")
        self.line(f"if ({number} % {lanes * lanes} == {lanes * lanes - 1})")
        self.line(f"    aplc_tell({state}, {place}, {self.as_bits(carry, sum)});")
        if total is not None:
            self.line(f"if ({number} == get_num_groups(0) - 1)")
            self.line(f"    {self.spell(total)}[0] = {self.both(carry, before, sum)};")
        self.foot()
        self.line(BARRIER)
        self.line(f"{before} = {self.both(carry, before, found)};")

    def before_in_block(
        self, carry: Carry, name: Names, state: str, at: tuple[str, str], offset: str
    ) -> None:
        """What the neighbours before one come to that are in its block, for the first work-item: each
        work-item asks one, and they are combined four by four.
        """
        lane, number = at
        lanes, sums = name.sweep.lanes, name.sums
        self.open()
        asked, step = self.declare("asked:"), self.declare("distance:")
        mine = f"{sums}[{lanes} + {lane}]"
        self.head("{")
        self.line(f"const int64_t {asked} = {number} / {lanes} * {lanes} + {lane};")
        self.line(f"{mine} = {self.text(carry.nothing)};")
        self.line(f"if ({asked} < {number})")
        self.line(f"    {mine} = {self.of_bits(carry, f'aplc_told({state}, {offset}{asked})')};")
        self.head(f"for (int32_t {step} = 1; {step} < {lanes}; {step} *= 4) {{")
        self.line(BARRIER)
        self.head(f"if (({lane} & (4 * {step} - 1)) == 0) {{")
        for k in ("", "2 * ", "3 * "):
            self.line(f"{mine} = {self.both(carry, mine, f'{sums}[{lanes} + {lane} + {k}{step}]')};")
        self.foot()
        self.foot()
        self.foot()
        self.close()

    def as_bits(self, carry: Carry, value: str) -> str:
        """A value as 64 bits."""
        return value if carry.element.ty.is_exact else f"aplc_bits({value})"

    def of_bits(self, carry: Carry, bits: str) -> str:
        """The value that some bits stand for."""
        return bits if carry.element.ty.is_exact else f"aplc_of_bits({bits})"

    def memory(self, sweep: Sweep, carry: Carry) -> Names:
        """The arrays of a carry."""
        element = stored(carry.element.ty)
        run, sums = self.declare("run:"), self.declare("sums:")
        self.line(f"local {'uint8_t' if carry.is_filter else element} {run}[{sweep.run}];")
        self.line(f"local {element} {sums}[{2 * sweep.lanes}];")
        if not carry.is_filter:
            return Names(sweep, run, sums)
        places = self.declare("places:")
        self.line(f"local uint16_t {places}[{sweep.run}];")
        if carry.held is None:
            return Names(sweep, run, sums, places)
        held = self.declare("held:")
        self.line(f"{C_TYPES[carry.held.ty]} {held}[{sweep.each}];")
        return Names(sweep, run, sums, places, held)

    def both(self, carry: Carry, x: str, y: str) -> str:
        """The combination of two values, by their texts."""
        left, right = [Var(f"{side}:", carry.element.ty) for side in ("left", "right")]
        self.open()
        self.scopes[-1].update({left.name: x, right.name: y})
        text = self.text(Call(carry.combine, (left, right), carry.element.ty))
        self.close()
        return text

    def compute(self, sweep: Sweep, names: Sequence[Names], code: l.Code, at: tuple[str, str, str]) -> None:
        """The elements of a run, in the memory of the group."""
        lane, first, length = at
        turn, k = self.turns(sweep, lane, in_registers=any([name.held for name in names]))
        for carry in sweep.carries:
            nothing = self.text(carry.nothing)
            self.line(f"{C_TYPES[carry.element.ty]} {self.declare(carry.element.name)} = {nothing};")
            if (held := carry.held) is not None:
                self.line(f"{C_TYPES[held.ty]} {self.declare(held.name)} = 0;")
        self.head(f"if ({k} < {length}) {{")
        self.at_index(sweep.index, f"{first} + {k}", code)
        self.foot()
        self.end_of_index()
        for carry, name in zip(sweep.carries, names, strict=True):
            self.line(f"{name.run}[{k}] = {self.spell(carry.element)};")
            if carry.held is not None:
                self.line(f"{name.held}[{turn}] = {self.spell(carry.held)};")
        self.foot()
        self.line(BARRIER)

    def turns(self, sweep: Sweep, lane: str, *, in_registers: bool = False) -> tuple[str, str]:
        """Begin a loop of neighbouring work-items over neighbouring elements of a run: the names of its index
        and of the element's. It is unrolled where what a work-item holds lies in registers.
        """
        self.open()
        k, turn = self.declare("k:"), self.declare("turn:")
        if in_registers:
            self.line("#pragma unroll")
        self.line(f"for (int32_t {turn} = 0; {turn} < {sweep.each}; {turn}++) {{")
        self.level += 1
        self.line(f"const int32_t {k} = {sweep.lanes} * {turn} + {lane};")
        return turn, k

    def each_of(self, sweep: Sweep, lane: str, length: str) -> str:
        """Begin a loop of neighbouring work-items over so many neighbours; the name of its index."""
        self.open()
        k = self.declare("k:")
        self.line(f"for (int32_t {k} = {lane}; {k} < {length}; {k} += {sweep.lanes}) {{")
        self.level += 1
        return k

    def at_index(self, index: Var, place: str, code: l.Code) -> None:
        """Statements for an element; where one fails, the work-item goes behind them."""
        self.line(f"const int64_t {self.declare(index.name)} = {place};")
        self.labels += 1
        self.label, self.has_jumped = f"next{self.labels}", False
        self.statements(code.statements)
        self.behind, self.label = self.label, ""

    def end_of_index(self) -> None:
        """What comes behind statements for an element."""
        if self.has_jumped:
            self.line(f"{self.behind}:;")

    def scan_lanes(self, carry: Carry, name: Names, lane: str) -> None:
        """What the elements of each work-item come to, with those of all before it."""
        run, sums, lanes, each = name.run, name.sums, name.sweep.lanes, name.sweep.each
        ty = C_TYPES[carry.element.ty]
        self.head("{")
        own, k, side, step, sum = [self.declare(f"{x}:") for x in ("own", "k", "side", "distance", "sum")]
        self.line(f"{ty} {own} = {self.text(carry.nothing)};")
        self.line(f"for (int32_t {k} = {each} * {lane}; {k} < {each} * {lane} + {each}; {k}++)")
        self.line(f"    {own} = {self.both(carry, own, f'{run}[{k}]')};")
        self.line(f"{sums}[{lane}] = {own};")
        self.line(f"int32_t {side} = 0;")
        self.head(f"for (int32_t {step} = 1; {step} < {lanes}; {step} *= 2) {{")
        self.line(BARRIER)
        self.line(f"{ty} {sum} = {sums}[{side} + {lane}];")
        self.line(f"if ({lane} >= {step})")
        self.line(f"    {sum} = {self.both(carry, f'{sums}[{side} + {lane} - {step}]', sum)};")
        self.line(f"{side} = {lanes} - {side};")
        self.line(f"{sums}[{side} + {lane}] = {sum};")
        self.foot()
        self.line(BARRIER)
        self.foot()

    def scan_run(self, carry: Carry, name: Names, lane: str) -> None:
        """The running values of the elements of each work-item."""
        before, run, sums = self.spell(carry.before), name.run, name.sums
        each = name.sweep.each
        self.head("{")
        own, k = self.declare("own:"), self.declare("k:")
        self.line(f"{C_TYPES[carry.element.ty]} {own} = {before};")
        self.line(f"if ({lane} > 0)")
        self.line(f"    {own} = {self.both(carry, before, f'{sums}[{lane} - 1]')};")
        self.head(f"for (int32_t {k} = {each} * {lane}; {k} < {each} * {lane} + {each}; {k}++) {{")
        self.line(f"{own} = {self.both(carry, own, f'{run}[{k}]')};")
        self.line(f"{run}[{k}] = {own};")
        self.foot()
        self.foot()

    def place_kept(self, name: Names, lane: str) -> None:
        """The places in the run of the elements that are kept, one after the other."""
        each = name.sweep.each
        self.head("{")
        place, k = self.declare("place:"), self.declare("k:")
        self.line(f"int32_t {place} = {lane} > 0 ? {name.sums}[{lane} - 1] : 0;")
        self.line(f"for (int32_t {k} = {each} * {lane}; {k} < {each} * {lane} + {each}; {k}++)")
        self.line(f"    if ({name.run}[{k}])")
        to = f"{name.places}[{k}] = {place}++" if name.held else f"{name.places}[{place}++] = {k}"
        self.line(f"        {to};")
        self.foot()

    def use(
        self, sweep: Sweep, names: Sequence[Names], codes: Sequence[l.Code], at: tuple[str, str, str]
    ) -> None:
        """What is done with running values, and with the elements that are kept."""
        lane, first, length = at
        everything, *kept = codes
        if sweep.use:
            _, k = self.turns(sweep, lane)
            self.head(f"if ({k} < {length}) {{")
            self.running(sweep, names, k)
            self.at_index(sweep.index, f"{first} + {k}", everything)
            self.end_of_index()
            self.foot()
            self.foot()
        for carry, name, code in zip(sweep.carries, names, kept, strict=True):
            if carry.held is not None:
                self.use_held(carry, name, code, lane)
            elif carry.is_filter:
                k = self.each_of(sweep, lane, f"{name.sums}[{sweep.lanes - 1}]")
                place = f"{name.places}[{k}]"
                self.running(sweep, names, place)
                kept_before = self.spell(carry.before)
                self.line(f"const int64_t {self.declare(carry.running.name)} = {kept_before} + {k};")
                self.at_index(sweep.index, f"{first} + {place}", code)
                self.end_of_index()
                self.foot()

    def use_held(self, carry: Carry, name: Names, code: l.Code, lane: str) -> None:
        """What is done with elements that work-items have held on to, if they are kept."""
        assert carry.held is not None
        turn, k = self.turns(name.sweep, lane, in_registers=True)
        self.head(f"if ({name.run}[{k}]) {{")
        ty, place = C_TYPES[carry.held.ty], f"{self.spell(carry.before)} + {name.places}[{k}]"
        self.line(f"const {ty} {self.declare(carry.held.name)} = {name.held}[{turn}];")
        self.line(f"const int64_t {self.declare(carry.running.name)} = {place};")
        self.statements(code.statements)
        self.foot()
        self.foot()

    def running(self, sweep: Sweep, names: Sequence[Names], place: str) -> None:
        """The running values at a place of the run."""
        for carry, name in zip(sweep.carries, names, strict=True):
            if not carry.is_filter:
                ty = C_TYPES[carry.element.ty]
                self.line(f"const {ty} {self.declare(carry.running.name)} = {name.run}[{place}];")
