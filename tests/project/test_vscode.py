"""The extension for Visual Studio Code knows the language as the lexer does, and has what it names."""

import json
import re
from typing import Any

from aplc import __version__
from aplc.apl_front.syntax.glyphs import DYADIC_OPERATORS, FUNCTIONS, MONADIC_OPERATORS
from aplc.apl_front.syntax.listings import CONTROL_WORDS
from tests.support.paths import ROOT
from tests.support.tracked import tracked_files

FOLDER = ROOT / "docs" / "editors" / "vscode"


def read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def patterns() -> dict[str, str]:
    """The patterns of the grammar that have one, by their scopes."""
    repository = read("syntaxes/apl.tmLanguage.json")["repository"]
    every = [each for rule in repository.values() for each in (rule, *rule.get("patterns", ()))]
    return {each["name"]: each["match"] for each in every if "name" in each and "match" in each}


def test_what_the_manifest_names_is_there() -> None:
    manifest = read("package.json")
    gives = manifest["contributes"]
    files = [manifest["main"], *[each["path"] for each in gives["grammars"]]]
    files += [each["configuration"] for each in gives["languages"]]
    assert all((FOLDER / file).is_file() for file in files)
    assert manifest["version"] == __version__
    code = (FOLDER / manifest["main"]).read_text(encoding="utf-8")
    assert all(f'"{each["command"]}"' in code for each in gives["commands"])
    asked = set(re.findall(r'setting\("(\w+)"\)', code))
    assert {f"aplc.{name}" for name in asked} == set(gives["configuration"]["properties"])


def test_nothing_of_npm_is_tracked() -> None:
    names = {path.name for path in tracked_files()} | {path.parent.name for path in tracked_files()}
    assert not names & {"node_modules", "package-lock.json"}


def test_the_grammar_knows_every_control_word() -> None:
    listed = re.search(r":\(\?:([a-z|]+)\)", patterns()["keyword.control.apl"])
    assert listed is not None
    assert sorted(listed[1].split("|")) == sorted(CONTROL_WORDS)


def test_the_grammar_knows_every_symbol() -> None:
    functions, operators = patterns()["support.function.apl"], patterns()["keyword.operator.apl"]
    only_operators = MONADIC_OPERATORS | DYADIC_OPERATORS
    assert not [each for each in only_operators if not re.fullmatch(operators, each)]
    assert not [
        each for each in FUNCTIONS if not re.fullmatch(functions, each) and each not in only_operators
    ]


def test_the_grammar_cuts_numbers_and_names_as_the_lexer() -> None:
    number = patterns()["constant.numeric.apl"]
    assert all(re.fullmatch(number, each) for each in ("12", "¯1.5", ".5", "1E¯3", "2J¯1", "1.5e3j.5"))
    comment = patterns()["storage.type.annotation.apl"]
    assert re.fullmatch(comment, "⍝: <double>n → double")


def test_patterns_with_classes_of_unicode_say_so() -> None:
    """Without the flag they are other patterns, and no word is one."""
    word = read("language-configuration.json")["wordPattern"]
    assert word["flags"] == "u"
    assert "(?i:" not in (FOLDER / "language-configuration.json").read_text(encoding="utf-8")
