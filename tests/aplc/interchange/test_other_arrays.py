"""Arrays of any library: DLPack in and out, columns of tables, and what is refused by name."""

import importlib
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.inputs import from_python
from tests.support.alike import same

pytestmark = pytest.mark.usefixtures("surroundings")


class Tensor:
    """What only speaks DLPack, as CuPy's arrays do."""

    def __init__(self, array: Any, device: int = 1) -> None:
        self.array, self.device = np.asarray(array), device

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device, 0


def library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        pytest.skip(f"NOT CHECKED: {name} is not installed")


def refusal(text: str, *args: Any, **inputs: Any) -> str:
    with pytest.raises((TypeError, ValueError)) as raised:
        aplc.fn(text, target="interp")(*args) if args else aplc.run(text, target="interp", **inputs)
    assert isinstance(raised.value, aplc.Error)
    return str(raised.value)


# --- DLPack ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["i1", "u2", "i8", "f4", "f8", "c16", "?"])
def test_memory_is_used_where_it_is(dtype: str) -> None:
    array = np.arange(6).astype(dtype).reshape(2, 3)
    given = from_python(Tensor(array)).value
    assert same(given, array) and np.shares_memory(given, array)
    turned = from_python(Tensor(array.T)).value
    assert turned.flags.c_contiguous and same(turned, np.ascontiguousarray(array.T))
    out = aplc.fn("⌽", target="interp")(Tensor(array))
    assert np.shares_memory(np.from_dlpack(Tensor(out)), out)
    assert out.tolist() == array[:, ::-1].tolist()


def test_what_is_elsewhere_or_gives_nothing_is_refused() -> None:
    message = "is on a CUDA device; a program takes what is in the memory of the host"
    assert message in refusal("-", Tensor([1], 2))
    assert "is on a device;" in refusal("-", Tensor([1], 99))
    assert "does not give its elements to NumPy" in refusal("-", Tensor(["a"]))
    assert aplc.run("+/x", x=Tensor([1, 2]), target="interp") == 3
    assert aplc.run("≢¨x", x=[Tensor([1, 2]), Tensor([1])], target="interp").tolist() == [2, 1]


def test_tensors_of_torch() -> None:
    torch = library("torch")
    x = torch.arange(6.0).reshape(2, 3)
    given = from_python(x).value
    assert given.ctypes.data == x.data_ptr() and given.dtype == np.float32
    result = torch.from_dlpack(aplc.fn("{2×⍵}", target="interp")(x.t()))
    assert result.tolist() == (2 * x.t()).tolist()
    assert "use tensor.detach()" in refusal("-", torch.ones(2, requires_grad=True))
    assert "does not give its elements" in refusal("-", torch.ones(2, dtype=torch.bfloat16))


# --- tables ---------------------------------------------------------------------------------------------


def test_columns_of_a_table_by_name() -> None:
    pandas, arrow = library("pandas"), library("pyarrow")
    columns = {"price": [1.5, 2.5], "count": [3, 4], "a b": [0, 0], "name": ["ab", "cde"]}
    records = np.array([(1.5, 3), (2.5, 4)], [("price", float), ("count", int)])
    for table in (pandas.DataFrame(columns), arrow.table(columns), records):
        assert aplc.run("+/price×count", inputs=table, target="interp") == 14.5
        assert aplc.run("+/price×k ⍝ not the count", inputs=table, k=2, target="interp") == 8.0
        assert aplc.run("+/price", inputs=table, price=[1, 2], target="interp") == 3
        with pytest.raises(aplc.CompileError, match="the program does not use the input k"):
            aplc.run("+/price", inputs=table, k=1, target="interp")
        with pytest.raises(aplc.CompileError, match="total is not defined"):
            aplc.run("total", inputs=table, target="interp")
    assert aplc.run("≢¨name", inputs=pandas.DataFrame(columns), target="interp").tolist() == [2, 3]
    with pytest.raises(TypeError, match="a mapping from names to arrays, or a table, and got Series"):
        aplc.run("price", inputs=pandas.DataFrame(columns)["price"], target="interp")


def test_columns_of_pandas() -> None:
    pandas = library("pandas")
    reverse, series = aplc.fn("⌽", target="interp"), pandas.Series
    values = np.arange(4.0)
    assert np.shares_memory(from_python(series(values, copy=False)).value, values)
    assert reverse(series([1, 2], dtype="Int64")).tolist() == [2, 1]
    assert reverse(series([True, False], dtype="boolean")).tolist() == [False, True]
    assert [*map("".join, reverse(series(["a", "bc"])))] == ["bc", "a"]
    assert [*map("".join, reverse(series(["a", "bc"], dtype="category")))] == ["bc", "a"]
    assert np.array_equal(reverse(series([1.0, None])), [np.nan, 1.0], equal_nan=True)
    assert reverse(pandas.DataFrame({"a": [1, 2], "b": [3, 4]})).tolist() == [[3, 1], [4, 2]]
    holes = [([1, None], "Int64"), (["a", None], None), ([True, None], "boolean")]
    for column in (series(values, dtype=dtype) for values, dtype in holes):
        assert "has missing values (1 of 2); fillna(value)" in refusal("⌽", column)
    assert "holds dates (pandas.Series)" in refusal("⌽", series(pandas.to_datetime(["2020-01-01"])))
    assert "holds a number at [0] and a text at [1]" in refusal("⌽", series([1, "a"]))
