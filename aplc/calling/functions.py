"""An APL function as a Python callable.

A function is compiled for the types of its arguments. What of the compiler that takes is imported when it is
needed: functions of others are called without.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from aplc.backends.native.locks import Lock
from aplc.backends.native.python_calls import Gate, seen
from aplc.backends.native.time_limit import limited
from aplc.calling.arguments import argument, value_of, where_they_are
from aplc.calling.signatures import bound, documentation, signature_of
from aplc.calling.ufuncs import Ufunc
from aplc.compiled import Compiled
from aplc.inputs import Input, memory_of
from aplc.options import Options
from aplc.program_cache import keep, kept, kept_key
from aplc.tail.errors import AplcError, CallError
from aplc.tail.legible import WIDTH, shortened
from aplc.tail.source import Source
from aplc.tail.types import Tuple, Type, base_of, parts_by_name
from aplc.text_cache import Read, function_of, keep_function

if TYPE_CHECKING:
    from aplc.apl_front.elaboration.described import Described
    from aplc.backends.opencl.device import Device

_Signature = tuple[tuple[Type, tuple[str, ...]], ...]
"""The types of arguments, with the dtypes of their elements in memory; none: what they usually are."""


def _usual(ty: Type) -> tuple[str, ...]:
    """The dtypes of the flat arrays of an argument where nothing is said of them."""
    return tuple([np.dtype(base_of(part).dtype).name for _, part in parts_by_name("", ty)])


class _Documentation:
    """The `__doc__` of functions, which is that of the class for the class."""

    def __init__(self, own: str | None) -> None:
        self._own = own

    def __get__(self, function: Function | None, owner: type) -> str | None:
        return self._own if function is None else function._documentation()


class Function:
    """An APL function as a Python callable: `f(right)` or `f(left, right)`.

    It is compiled for the element types and ranks of its arguments at the first call with them, and then
    kept; `f.compile("[double]1")` does that beforehand. `f.type` is its type, `f.types` are those for which
    it is compiled, `f.emit("c", "[double]1")` is its C and `f.explain("[double]1")` tells what is written to
    memory. `f.ufunc` applies it to the elements of arrays that are broadcast.
    """

    __doc__ = _Documentation(__doc__)

    def __init__(
        self,
        sources: list[Source],
        name: str | None,
        options: Options,
        to: str = "numpy",
        python_name: str = "",
        parameters: tuple[str, ...] = (),
        *,
        to_each: bool = False,
    ) -> None:
        self._sources, self._name, self._options, self._to = sources, name, options, to
        self._parameters = parameters
        """What a function of Python calls its arguments, in their order, where it stands for this one."""
        self._to_each = to_each
        """Whether it is applied to the elements of its arguments."""
        self._described: Described | None = None
        """What its text says of it, once that has been asked for; None, too, where something is wrong."""
        self._read: Read | None = None
        """The same in short, where that is known."""
        self._compiled: dict[tuple[Device | None, _Signature], Compiled] = {}
        """By the types of the arguments, and the device on which they are."""
        self._lock = Lock()
        self._gate = Gate()
        self._in_gate: set[_Signature] = set()
        self.__name__ = python_name or name or "function"
        self.__qualname__ = self.__name__

    def __call__(self, *args: Any, **named: Any) -> Any:
        """The result for one or two arguments."""
        if named:
            args = self._in_order(args, named)
        result = self._gate.call(*args)
        if result is not NotImplemented:
            return result
        return limited(self._options.time_limit, lambda: self._called(*args))

    def _in_order(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[Any, ...]:
        """Arguments of which some have the names that a function of Python gives them."""
        if not self._parameters:
            raise CallError(f"an APL function takes its arguments in order, not by name: {', '.join(named)}")
        try:
            return bound(self._parameters, args, named)
        except TypeError as failure:
            raise CallError(f"{self.__name__}: {failure}") from None

    def _called(self, *args: Any) -> Any:
        """The same for arguments of any kind; for their types it is quicker the next time."""
        if len(args) not in (1, 2):
            raise CallError(f"an APL function takes one or two arguments, got {len(args)}")
        given = [
            argument(a, "an argument", self._options, partial(self._claimed, k, len(args)))
            for k, a in enumerate(args)
        ]
        options = where_they_are(self._options, given)
        signature = tuple([(g.type, tuple([part.storage for part in g.flat])) for g in given])
        compiled = self._compiled.get((options.on_device, signature))
        if compiled is None:
            compiled = self._specialise(signature, options)
        elif options.on_device is None and signature not in self._in_gate:  # called before: others will come
            self._open_gate(signature, given, compiled)
        return value_of(compiled, memory_of(given), self._to)

    def _claimed(self, number: int, count: int) -> Type | None:
        """The type that an annotation gives one of so many arguments."""
        try:
            claims = self.described().claims if self.read().is_annotated else ()
        except AplcError:
            return None  # compiling tells
        return claims[number] if len(claims) == count else None

    def _specialise(self, signature: _Signature, options: Options) -> Compiled:
        with self._lock:
            compiled = self._compiled.get((options.on_device, signature))
            if compiled is None:
                names = ("⍵",) if len(signature) == 1 else ("⍺", "⍵")
                types = {name: ty for name, (ty, _) in zip(names, signature, strict=True)}
                storage = {
                    part: dtype
                    for name, (ty, dtypes) in zip(names, signature, strict=True)
                    for (part, _), dtype in zip(parts_by_name(name, ty), dtypes, strict=True)
                }
                compiled = self._program(types, storage, options)
                self._compiled[options.on_device, signature] = compiled
        return compiled

    def _program(self, types: Mapping[str, Type], storage: Mapping[str, str], options: Options) -> Compiled:
        """What was kept of it for these arguments, or what is compiled now."""
        key = kept_key(self._sources, types, storage, options, function=(self._name, self._to_each))
        compiled = kept(key, options)
        if compiled is None:
            from aplc.compiler import compile_function  # noqa: PLC0415 (a function that was kept does without)

            compiled = compile_function(
                self._sources, self._name, types, storage, options, to_each=self._to_each
            )
            keep(key, compiled)
        return compiled

    def _open_gate(self, signature: _Signature, given: list[Input], compiled: Compiled) -> None:
        """From now on arguments like the given ones need not be looked at here."""
        program, is_tuple = compiled.runnable.in_c, isinstance(compiled.type, Tuple)
        with self._lock:
            is_flat = not is_tuple and not any(g.parts for g in given)
            is_plain = program is not None and is_flat and compiled.is_stored_by(program)
            if program is not None and is_plain and signature not in self._in_gate:
                forms = [(seen(base_of(g.type), g.value.dtype), g.value.ndim) for g in given]
                self._gate.add(program, forms, self._options.time_limit)
            self._in_gate.add(signature)

    def named(self, name: str, parameters: tuple[str, ...], module: str | None) -> Function:
        """The function under another name of Python's, with names for its arguments."""
        twin = Function(self._sources, self._name, self._options, self._to, name, parameters)
        twin._described, twin._read = self._described, self._read
        if module is not None:
            twin.__module__ = module
        return twin

    # --- what is known of it ----------------------------------------------------------------------------

    def described(self) -> Described:
        """What its text says of it. Raises `CompileError` or `Unsupported` where that is wrong."""
        if self._described is None:
            self._described = self._describe(is_read=False)
        return self._described

    def _describe(self, *, is_read: bool) -> Described:
        from aplc.compiler import describe  # noqa: PLC0415 (a function that was kept does without)

        return describe(self._sources, self._name, self._options, is_read=is_read)

    def read(self) -> Read:
        """What its text says, in short. Raises what is wrong with it for arguments of every type."""
        if self._read is None:
            self._read = function_of(self._sources, self._name, self._options)
        if self._read is None:
            said = self._described = self._describe(is_read=True)
            self._read = Read(said.valences, said.annotation is not None)
            keep_function(self._sources, self._name, self._options, self._read)
        return self._read

    @property
    def type(self) -> str | None:
        """Its type: that of its annotation, or the most general one that is found; None if there is none."""
        from aplc.calling.units import type_of  # noqa: PLC0415 (few programs ask for it)

        work = partial(type_of, self._sources, self._name, self._options)
        return limited(self._options.time_limit, work)

    @property
    def types(self) -> tuple[str, ...]:
        """The types for which it is compiled, the first ones first."""
        kept = {
            " → ".join([str(ty) for ty, _ in signature] + [str(compiled.type)]): None
            for (_, signature), compiled in [*self._compiled.items()]
        }
        return tuple(kept)

    @property
    def __signature__(self) -> inspect.Signature:
        """Its arguments, as far as its text tells them."""
        return signature_of(self.described(), self._parameters)

    def _documentation(self) -> str | None:
        try:
            return documentation(self.described())
        except AplcError:
            return None

    def compile(self, *types: str) -> Function:
        """The function itself, compiled for arguments of these types: `f.compile("[double]1")`.

        Without types they are those of its annotation. Numbers have 64 bits: an argument of others, of
        float32 say, has code of its own. Raises what compiling raises.
        """

        def compiled() -> None:
            signature = tuple([(ty, _usual(ty)) for ty in self._types_of(types)])
            self._specialise(signature, self._options)

        limited(self._options.time_limit, compiled)
        return self

    def emit(self, stage: str, *types: str) -> str:
        """The text of a stage for arguments of these types, as `aplc emit` prints it.

        It is `f.emit("c", "[double]1")`; stages are ast, tail, tail-opt, laila, c, openmp, opencl. Without
        types they are those of its annotation.
        """
        from aplc.calling.units import emitted  # noqa: PLC0415 (few programs ask for it)

        work = partial(emitted, stage, self._sources, self._name, types, self._options)
        return limited(self._options.time_limit, work)

    def explain(self, *types: str) -> str:
        """Which arrays are fused and which are written to memory, why, and what each loop moves.

        It is for arguments of these types, `f.explain("[double]1")`; without types they are those of its
        annotation.
        """
        from aplc.calling.units import told  # noqa: PLC0415 (few programs ask for it)

        work = partial(told, self._sources, self._name, types, self._options)
        return limited(self._options.time_limit, work)

    def _types_of(self, texts: tuple[str, ...]) -> tuple[Type, ...]:
        from aplc.calling.units import types_of  # noqa: PLC0415 (few programs ask for it)

        return types_of(texts, self._sources, self._name, self._options, "compile('[double]1')")

    @property
    def ufunc(self) -> Ufunc:
        """The function on the elements of its arguments, which are broadcast as NumPy does it."""
        each = Function(self._sources, self._name, self._options, python_name=self.__name__, to_each=True)
        return Ufunc(self, each)

    def __repr__(self) -> str:
        return f"<APL function {self._name or shortened(self._sources[-1].text, WIDTH)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        given = (self._sources, self._name, self._options, self._to, self.__name__, self._parameters)
        return Function, given

    def __copy__(self) -> Function:
        return self  # as functions of Python are their own copies

    def __deepcopy__(self, _: object) -> Function:
        return self
