"""A C compiler that is none, crashes, or never ends is what the machine lacks, and no bug of ours."""

import os
import shlex
import stat
from pathlib import Path

import pytest

from aplc.backends.native import cache, libraries, toolchain
from aplc.backends.native.toolchain import find_compiler
from tests.support.commands import Cli, Outcome, write
from tests.support.machine import needs_c

pytestmark = needs_c


@pytest.fixture(autouse=True)
def fresh(surroundings: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of the test's own, and nothing known of compilers."""
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("CC", raising=False)
    toolchain._find.cache_clear()
    cache._remembered.clear()


def real() -> str:
    """The command of a compiler that is one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("CC", raising=False)
        return shlex.join(find_compiler().command)


def fake(monkeypatch: pytest.MonkeyPatch, commands: str) -> None:
    """A compiler that runs a line of shell; `$out` is what it is to write."""
    script, commands = Path("cc"), commands.replace("REAL", real())
    script.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo gcc 99 && exit 0\n'
        f'for each; do [ "$last" = -o ] && out=$each; last=$each; done\n{commands}\n'
    )
    script.chmod(stat.S_IRWXU)
    monkeypatch.setenv("CC", str(script.resolve()))


@pytest.mark.parametrize("command", ["cat", "true", "echo", "sort"])
def test_other_programs(cli: Cli, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("CC", command)
    outcome = cli(write("p.apl", "+/⍳10"))
    assert outcome.status == 3
    assert outcome.err.count("\n") == 1 and command in outcome.err and "C compiler" in outcome.err


@pytest.mark.parametrize(
    ("commands", "words"),
    [
        ("exit 1", "does not compile the shortest of C (it says nothing)"),
        ("echo f.c: no licence >&2; exit 2", "does not compile the shortest of C (f.c: no licence)"),
        ("kill -SEGV $$", "ended by segmentation fault): this machine lacks a compiler that does not crash"),
        ("kill -ABRT $$", "a compiler that does not crash"),
        ("echo 'f.c:1: internal compiler error: in f' >&2; exit 4", "a compiler that does not crash"),
        ('mkdir "$out"', "writes no shared object"),
        (': > "$out"', "cannot be loaded"),
        ('echo int > "$out"', "cannot be loaded"),
        ('ln -s nowhere "$out"', "writes no shared object"),
        ('mkfifo "$out"', "writes no shared object"),
        ('echo "int f;" > "$out.c"; REAL -shared -o "$out" "$out.c"', "has no function aplc_run"),
    ],
)
@pytest.mark.parametrize("kept", [True, False])
def test_compilers_that_fail(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, commands: str, words: str, kept: bool
) -> None:
    fake(monkeypatch, commands)
    outcome = cli(write("p.apl", "+/⍳10"), *([] if kept else ["--no-cache"]))
    assert (outcome.status, outcome.out) == (3, "")
    assert words in outcome.err
    assert not list(Path("cache").rglob("work-*"))


def test_what_it_made_once_is_not_loaded_for_ever(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept and cannot be loaded is compiled anew."""
    fake(monkeypatch, 'echo int > "$out"')
    program = write("p.apl", "+/⍳10")
    assert cli(program).status == 3
    text = Path("cc").read_text().replace('echo int > "$out"', f'exec {real()} "$@"')
    status = os.stat("cc")
    Path("cc").write_text(text + "#" * (status.st_size - len(text)))
    os.utime("cc", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert cli(program) == Outcome(0, "55\n", "")
    assert cli(program) == Outcome(0, "55\n", "")


@pytest.mark.parametrize("commands", ["sleep 600", "sleep 600 & sleep 600", "exec yes"])
def test_a_compiler_that_never_ends(cli: Cli, monkeypatch: pytest.MonkeyPatch, commands: str) -> None:
    fake(monkeypatch, commands)
    monkeypatch.setenv("APLC_COMPILER_SECONDS", "0.3")
    outcome = cli(write("p.apl", "+/⍳10"))
    assert outcome.status == 3
    assert (
        "has not ended within 0.3 s; APLC_COMPILER_SECONDS says how long a compiler may take" in outcome.err
    )
    assert not list(Path("cache").rglob("work-*"))


def test_a_compiler_that_never_tells_its_version(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch, "")
    Path("cc").write_text("#!/bin/sh\nsleep 600\n")
    monkeypatch.setenv("APLC_COMPILER_SECONDS", "0.3")
    outcome = cli(write("p.apl", "+/⍳10"))
    assert outcome.status == 3 and "does not answer --version" in outcome.err


@pytest.mark.parametrize("seconds", ["", "0", "-1", "nan", "inf", "1e400", "soon"])
def test_limits_that_are_none(monkeypatch: pytest.MonkeyPatch, seconds: str) -> None:
    monkeypatch.setenv("APLC_COMPILER_SECONDS", seconds)
    assert toolchain._patience() == toolchain.SECONDS


def test_where_no_program_may_be_loaded(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither from memory nor from temporary files, as where these are mounted `noexec`."""

    def refused(path: str, flags: int) -> int:
        raise OSError(f"{path}: failed to map segment from shared object")

    monkeypatch.setattr(libraries, "dlopen", refused)
    outcome = cli(write("p.apl", "+/⍳10"))
    assert outcome.status == 3
    assert "failed to map segment" in outcome.err and "TMPDIR" in outcome.err
    assert cli("p.apl", "--target", "interp") == Outcome(0, "55\n", "")


def test_a_cache_that_cannot_be_trusted_is_told_of_once(cli: Cli, caplog: pytest.LogCaptureFixture) -> None:
    cache._say_once.cache_clear()
    program = write("p.apl", "+/⍳10")
    assert cli(program).status == 0
    Path("cache").chmod(0o777)
    for _ in range(2):
        assert cli(program).out == "55\n"
    assert [record.getMessage().count("another user") for record in caplog.records] == [1]
    cache._say_once.cache_clear()
