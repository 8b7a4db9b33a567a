"""What docs/security.md promises and no other test holds, and that each of its lines names a test."""

import ast
import copy
import json
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import aplc
from aplc.backends.native.toolchain import find_compiler
from aplc.options import Options
from aplc.tail.errors import CompileError
from aplc.tail.prims import PRIMS
from tests.support.commands import COMMAND, Cli, environment
from tests.support.machine import TARGETS, needs_c, needs_device, needs_threads
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "security.md"
PACKAGES = ("aplc", "apl_front", "backends", "laila", "tail")
ALL_TARGETS = [
    *TARGETS,
    pytest.param("openmp", marks=needs_threads),
    pytest.param("opencl", marks=needs_device),
]

pytestmark = pytest.mark.usefixtures("surroundings")


def modules() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


# --- the page -------------------------------------------------------------------------------------------


def test_each_line_of_the_page_names_its_test() -> None:
    text = PAGE.read_text(encoding="utf-8")
    items = [item for item in re.split(r"\n(?=- |\n)", text) if item.startswith("- ")]
    assert len(items) > 25
    for item in items:
        named = re.findall(r"`tests/([\w/]+\.py)::(\w+)`", item)
        assert named, f"no test is named: {item}"
        for file, test in named:
            tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
            found = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
            assert test in found, f"there is no {file}::{test}"


def test_the_environment_that_is_read_is_on_the_page() -> None:
    page, named = PAGE.read_text(encoding="utf-8"), set[str]()
    for path in modules():
        text = path.read_text(encoding="utf-8")
        if "environ" in text and "bench" not in path.parts:
            named |= set(re.findall(r'environ(?:\.get\(|\.setdefault\(|\[)"(\w+)"', text))
            named |= set(re.findall(r'"(OMP_\w+)"', text))
    assert {"CC", "APLC_CACHE_DIR", "APLC_DEBUG", "OMP_WAIT_POLICY"} <= named
    assert [name for name in sorted(named) if f"`{name}`" not in page] == []


# --- what programs reach --------------------------------------------------------------------------------


def test_what_programs_can_reach() -> None:
    """Whoever adds a primitive that reaches something else outside says so on the page."""
    effects = {prim.name for prim in PRIMS.values() if prim.stateful or prim.draws}
    printing = {"print", "printWith", "bench"}
    on_files = {prim.name for prim in PRIMS.values() if prim.opens}
    assert on_files == {
        "readFile", "readIntVecFile", "readDoubleVecFile", "npyInt", "npyDouble", "npyComplex", "npyBool",
        "npyChar", "readTable", "readFields", "writeFile",
    }  # fmt: skip
    assert effects == printing | {"roll", "uniform", "deal", "setSeed", "now", "timestamp"} | on_files


READING = (
    ("⎕ReadFile '{}'", "⎕ReadFile"),
    ("⎕ReadIntVecFile '{}'", "⎕ReadIntVecFile"),
    ("⎕ReadDoubleVecFile '{}'", "⎕ReadDoubleVecFile"),
    ("⎕NPY '{}'", "⎕NPY"),
    ("f←{{⎕ReadFile ⍵}} ⋄ f '{}'", "⎕ReadFile"),
    ("f←⎕ReadFile ⋄ ≢f '{}'", "⎕ReadFile"),
    ("⎕ReadFile¨'{}'", "⎕ReadFile"),
    ("(≢∘⎕ReadFile)'{}'", "⎕ReadFile"),
    ("⎕NPY{{⍺⍺ ⍵}}'{}'", "⎕NPY"),
    ("{{⍵=0:0 ⋄ (≢⎕ReadFile '{}')+∇⍵-1}}3", "⎕ReadFile"),
    ("⎕ReadFile 3", "⎕ReadFile"),
    ("⎕NGET '{}'", "⎕NGET"),
    ("'text'⎕NPUT '{}' 1", "⎕NPUT"),
    ("⎕CSV '{}' '' 2", "⎕CSV"),
)


@pytest.mark.parametrize("target", ALL_TARGETS)
def test_no_program_reads_files_where_it_may_not(target: str, tmp_path: Path) -> None:
    """The message is the same whether there is such a file, and what stands before is not run."""
    np.save(tmp_path / "there.npy", np.arange(3))
    for text, name in READING:
        told = []
        for path in ("there.npy", "none.npy"):
            with pytest.raises(CompileError) as failure:
                aplc.run("⎕←1 ⋄ " + text.format(path), target=target, files=False)
            (diagnostic,) = failure.value.diagnostics
            told.append(diagnostic.message)
            assert diagnostic.kind == "FILE ERROR" and diagnostic.span is not None
            assert name in diagnostic.span.text or diagnostic.span.text.startswith(("⍺⍺", "f"))
        expected = f"{name} may open no file: the option --no-files (files=False) forbids it"
        assert told == [expected, expected]
    assert aplc.run("f←{⎕ReadFile ⍵} ⋄ 1+1", target=target, files=False) == 2
    assert aplc.run("≢⎕NPY 'there.npy'", target="interp") == 3


@pytest.mark.parametrize("target", ALL_TARGETS)
def test_no_tail_text_reads_files_where_it_may_not(cli: Cli, target: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    for text, column in (('readFile("secret")', 1), ('bench(fn x:[char]1 => readFile(x),1,"secret")', 23)):
        (tmp_path / "p.tail").write_text(text, encoding="utf-8")
        outcome = cli("p.tail", "--no-files", "--target", target)
        assert outcome.status == 1 and "secret" not in outcome.out
        assert f"p.tail:1:{column}: FILE ERROR: readFile may open no file" in outcome.err


def test_every_command_has_the_option(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "p.apl").write_text("1+1\n≢⎕NPY 'none.npy'\n", encoding="utf-8")
    (tmp_path / "p.tail").write_text('readIntVecFile("none")', encoding="utf-8")
    for command in (["run"], ["check"], ["emit", "tail"], ["emit", "c"], ["explain"]):
        for file, place in (("p.apl", "2:2"), ("p.tail", "1:1")):
            outcome = cli(*command, file, "--no-files")
            assert outcome.status == 1 and not outcome.out.strip(), (command, file)
            assert f"{file}:{place}: FILE ERROR: " in outcome.err and "--no-files" in outcome.err
    with pytest.raises(CompileError, match="files=False"):
        aplc.load("p.apl", files=False)
    with pytest.raises(CompileError, match="files=False"):
        aplc.fn("⎕ReadFile", target="interp", files=False)("none")
    assert [d.kind for d in aplc.check("⎕NPY 'none.npy'", files=False).diagnostics] == ["FILE ERROR"]
    unused = aplc.check("f←{⎕NPY 'none.npy'}", files=False)
    assert "forbids" in unused.functions[0].diagnostics[0].message


@needs_c
def test_a_kept_program_is_no_way_round(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("12", encoding="utf-8")
    (tmp_path / "p.apl").write_text("⎕ReadIntVecFile 'secret'", encoding="utf-8")
    for _ in range(2):
        assert cli("p.apl").out == "12\n"
    assert cli("p.apl", "--no-files").status == 1
    assert cli("p.apl").out == "12\n"


def test_inputs_are_the_users_own(cli: Cli, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.arange(4))
    (tmp_path / "p.apl").write_text("+/x", encoding="utf-8")
    assert cli("p.apl", "--input", "x=x.npy", "--no-files", "--target", "interp").out == "6\n"
    assert aplc.run("+/x", x=np.arange(4), target="interp", files=False) == 6


def test_programs_choose_no_options() -> None:
    for name in ("⎕UNSAFE", "⎕FILES", "⎕TARGET", "⎕CC", "⎕ENV", "⎕SH", "⎕CMD", "⎕NPUT", "⎕NDELETE", "⎕NA"):
        for text in (f"{name}←1", f"{name} 'id'"):
            with pytest.raises(aplc.AplcError):
                aplc.run(text, target="interp")


def test_functions_keep_their_options_on_their_way() -> None:
    reads = aplc.fn("⎕ReadFile", target="interp", files=False)
    for twin in (pickle.loads(pickle.dumps(reads)), copy.copy(reads), copy.deepcopy(reads)):
        with pytest.raises(CompileError, match="--no-files"):
            twin("none")
    assert Options().files


@pytest.mark.parametrize("target", TARGETS)
def test_inputs_are_not_changed(target: str) -> None:
    given = np.arange(5)
    assert aplc.run("x[1]←99 ⋄ x←⌽x ⋄ x[2 3]←0 ⋄ +/x", x=given, target=target) == 99 + 1 + 4
    assert given.tolist() == [0, 1, 2, 3, 4]


# --- text as code ---------------------------------------------------------------------------------------

WORDS = '"; system("touch pwned"); //\\ */ #include </etc/passwd> $(touch pwned) `touch pwned` ??/ %s%n {0}'


@needs_c
def test_no_text_of_a_program_is_code(cli: Cli, tmp_path: Path) -> None:
    name = "a$(touch pwned)`touch pwned`;touch pwned;*⋄.apl"
    (tmp_path / name).write_text(f"x←'{WORDS}' ⍝ {WORDS}\nx\n(⍳3)[≢x] ⍝ */ {WORDS}\n", encoding="utf-8")
    outcome = cli(name)
    assert outcome.out == f"{WORDS}\n" and outcome.status == 1
    assert f"{name}:3:1: INDEX ERROR" in outcome.err
    for stage in ("c", "openmp", "opencl"):
        assert "system(" not in cli("emit", stage, name).out
    assert not (tmp_path / "pwned").exists()


@needs_c
def test_no_shell_sees_cc(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p.apl").write_text("1+2", encoding="utf-8")
    real = find_compiler().command[0]
    for cc in (f"{real}; touch pwned;", "$(touch pwned)", f"{real} `touch pwned`", f"{real} | touch pwned"):
        monkeypatch.setenv("CC", cc)
        assert cli("p.apl", "--no-cache").status != 0
    assert not (tmp_path / "pwned").exists()


def test_nothing_is_evaluated() -> None:
    suspicious = re.compile(r"\b(?:eval|exec|compile|__import__|shell|allow_pickle|system|popen)\b")
    for path in modules():
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text if suspicious.search(text) else "")):
            match node:
                case ast.Call(func=ast.Name(id="eval" | "exec" | "compile" | "__import__")):
                    pytest.fail(f"{path}:{node.lineno} evaluates a text")
                case ast.keyword(arg="shell" | "allow_pickle", value=ast.Constant(value=True)):
                    pytest.fail(f"{path}:{node.value.lineno}: {node.arg}")
                case ast.Attribute(value=ast.Name(id="os"), attr="system" | "popen"):
                    pytest.fail(f"{path}:{node.lineno} starts a shell")
                case _:
                    pass


# --- processes ------------------------------------------------------------------------------------------


def test_the_working_directory_is_not_imported(tmp_path: Path) -> None:
    installed = shutil.which("aplc", path=str(Path(sys.executable).parent))
    command = [installed] if installed else [COMMAND[0], "-P", *COMMAND[1:]]
    for name in ("numpy", "aplc", "tail", "json", "pyopencl", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    (tmp_path / "p.apl").write_text("1+2", encoding="utf-8")
    ran = subprocess.run(
        [*command, "p.apl", "--target", "interp"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (0, "3\n"), ran.stderr


def test_no_driver_is_loaded_unasked() -> None:
    program = "import sys, aplc; aplc.run('1+2', target='interp'); sys.exit('pyopencl' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], env=environment(), check=False).returncode == 0


def test_json_has_no_control_characters(cli: Cli, tmp_path: Path) -> None:
    text = "\33[31m\0\7\n\r"
    np.save(tmp_path / "x.npy", np.array(list(text)))
    (tmp_path / "p.apl").write_text("x", encoding="utf-8")
    out = cli("p.apl", "--input", "x=x.npy", "--format", "json", "--target", "interp").out
    assert out.rstrip("\n").isprintable() and json.loads(out)["data"] == text
