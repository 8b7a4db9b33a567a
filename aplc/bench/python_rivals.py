"""The rivals that compile Python when they are first called, where they are installed: Numba and JAX."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

from aplc.bench import results
from aplc.bench.arguments import Argument, Items, is_flat, one_by_one
from aplc.bench.results import Refusal
from aplc.bench.rival import Rival

NUMBA, JAX = "numba", "jax"
NOT_WRITTEN = "not what one would write with it"
ABSENT = {NUMBA: "not installed: pip install 'aplc[bench]' brings it", JAX: "not installed: pip install jax"}
COLUMNS = {results.NUMBA: NUMBA, results.NUMBA_PARALLEL: NUMBA, results.JAX: JAX}


@cache
def is_there(module: str) -> bool:
    """Whether a module can be imported; it is not imported for that."""
    return find_spec(module) is not None


def absent() -> dict[str, str]:
    """The columns of what is not installed, and how to get it."""
    return {column: ABSENT[module] for column, module in COLUMNS.items() if not is_there(module)}


def versions() -> dict[str, str]:
    """The versions of what is installed."""
    names = {"Numba": NUMBA, "JAX": JAX}
    return {name: importlib.metadata.version(module) for name, module in names.items() if is_there(module)}


def by_python(function: str, arguments: Sequence[Argument], threads: int) -> Iterator[Rival | Refusal]:
    """The function of that name for Numba, in one thread and in several, and for JAX."""
    if is_there(NUMBA):
        yield from _by_numba(function, arguments, threads)
    if is_there(JAX):
        yield _by_jax(function, arguments)


def _by_numba(function: str, arguments: Sequence[Argument], threads: int) -> Iterator[Rival | Refusal]:
    from aplc.bench import in_numba  # noqa: PLC0415 (an extra)

    for column, shared in ((results.NUMBA, False), (results.NUMBA_PARALLEL, True)):
        kernel = in_numba.kernel(function, threads=shared) if function in in_numba.KERNELS else None
        if kernel is None:
            yield Refusal(column, NOT_WRITTEN)
        else:
            call = _with_threads(kernel, threads) if shared else kernel
            yield Rival(column, _called(call, list(parts(arguments))), compiles=True)


def _called(call: Callable[..., Any], given: Sequence[Any]) -> Callable[[], Any]:
    return lambda: call(*given)


def _with_threads(kernel: Callable[..., Any], threads: int) -> Callable[..., Any]:
    """The kernel in so many threads, as far as Numba has them."""
    import numba  # noqa: PLC0415 (an extra)

    number = min(threads, numba.config.NUMBA_NUM_THREADS)

    def run(*given: Any) -> Any:
        numba.set_num_threads(number)
        return kernel(*given)

    return run


def parts(arguments: Sequence[Argument]) -> Iterator[Any]:
    """Numbers and arrays; two arrays for items."""
    for each in one_by_one(arguments):
        if isinstance(each, Items):
            yield from (each.offsets, each.elements)
        else:
            yield each


def _by_jax(function: str, arguments: Sequence[Argument]) -> Rival | Refusal:
    from aplc.bench import in_jax  # noqa: PLC0415 (not always there)

    if function not in in_jax.FUNCTIONS or not all(map(is_flat, arguments)):
        return Refusal(results.JAX, NOT_WRITTEN)
    return Rival(results.JAX, in_jax.call_of(function, arguments), compiles=True)
