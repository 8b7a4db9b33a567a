"""`--input` with values of JSON, and that `--format json` is such a value."""

import json

import pytest

from aplc.interchange.json_values import of_json
from tests.support.commands import Cli, Outcome, write
from tests.support.machine import on_each_target

pytestmark = pytest.mark.usefixtures("surroundings")


@on_each_target
def test_values_go_in_and_come_out(cli: Cli, target: str) -> None:
    program = write("p.apl", "≢¨w\n⌽¨w")
    expected = Outcome(0, "2 3\n ba  édc \n", "")
    write("w.json", '["ab", "cdé"]')
    for given in ('w=["ab","cdé"]', "w=w.json"):
        for _ in range(2):  # the second time it is kept
            assert cli(program, "--input", given, "--target", target) == expected


@on_each_target
def test_what_is_printed_can_be_read(cli: Cli, target: str) -> None:
    program = write("p.apl", "w")
    for given in (
        "[1,2]", "[[1,2],[3]]", "[1.5,2]", "[true,false]", '["ab",""]', '[["ab"],["c","d"]]', '"abc"',
        "[[[1],[]],[[2,3]]]",
        '{"type":"char","shape":[2,2],"data":"abcd"}',
        '{"type":"double","shape":[3],"data":["inf","-inf",1.0]}',
        '{"type":"complex","shape":[1],"data":[[1.0,2.0]]}',
        '{"type":"int","shape":[0,3],"data":[]}',
    ):  # fmt: skip
        first = cli(program, "--input", f"w={given}", "--format", "json", "--target", target)
        assert (first.status, first.err) == (0, ""), given
        printed = first.out.strip()
        again = cli(program, "--input", f"w={printed}", "--format", "json", "--target", target)
        assert again.out == first.out
        if given.startswith("{"):
            assert json.loads(printed) == json.loads(given)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1,null]", "DOMAIN ERROR: this holds null at [1]"),
        ("[1,[2]]", "DOMAIN ERROR: this holds a number at [0] and a list at [1]"),
        ('["a",1]', "DOMAIN ERROR: this holds a text at [0] and a number at [1]"),
        ("[100000000000000000000]", "holds integers beyond 64 bits"),
        ('[{"a":1}]', "DOMAIN ERROR: this holds dict at [0]"),
        ("[1", "FILE ERROR: this is no value of JSON: "),
        ("[NaN]", "NaN is no number of JSON"),
        ("[" * 100000, "nested too deeply"),
        ("[" * 70 + "]" * 70, "more than 64 axes"),
        ('{"a":1}', "an object has the keys data, shape, type"),
        ('{"type":"int","shape":[2],"data":[1]}', "1 elements have no shape [2]"),
        ('{"type":"int","shape":[-1],"data":[]}', "a shape is a list of extents"),
        ('{"type":"int","shape":[true],"data":[1]}', "a shape is a list of extents"),
        ('{"type":"int","shape":[1],"data":[1.5]}', "1.5 is no element of type int"),
        ('{"type":"int","shape":[1],"data":[9223372036854775808]}', "is no element of type int"),
        ('{"type":"bool","shape":[1],"data":[1]}', "1 is no element of type bool"),
        ('{"type":"text","shape":[1],"data":[1]}', "there is no array of type text"),
        ('{"type":"nested","shape":[1],"data":[1]}', "an item of what is nested is an object"),
        ('{"type":"int","shape":[1152921504606846976,0],"data":[]}', "more of them along its other axes"),
        ("w.json", "FILE ERROR: there is no file w.json"),
        (".json", "FILE ERROR: there is no file .json"),
    ],
)
def test_what_is_no_input(cli: Cli, text: str, message: str) -> None:
    outcome = cli(write("p.apl", "w"), "--input", f"w={text}")
    assert (outcome.status, outcome.out) == (1, "")
    assert message in outcome.err
    assert "Traceback" not in outcome.err


def test_files_are_text(cli: Cli) -> None:
    with open("w.json", "wb") as file:
        file.write(b"[1,\xff]")
    outcome = cli(write("p.apl", "w"), "--input", "w=w.json")
    assert outcome.status == 1
    assert "is not UTF-8 text" in outcome.err


def test_elements_keep_their_type() -> None:
    assert [str(of_json(text).type) for text in ("[1]", "[1.0]", "[true]", "[true,2]", "3", '["a","b"]')] == [
        *("[int]1", "[double]1", "[bool]1", "[int]1", "[int]0", "[char]1")
    ]
