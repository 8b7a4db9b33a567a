"""The tree stays clean: short modules, nothing of one machine, a README that opens with its commands."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("tail", "apl_front", "laila", "backends", "aplc")
MAX_LINES = 500
OPENING_LINES = 30
COMMANDS = (
    "pip install -e '.[opencl]' && aplc apl_samples/signal.apl",
    "pip install -e '.[dev]' && pytest",
)
# The brackets keep the patterns from matching this file.
FOREIGN = {
    "a path of one machine": re.compile(rb"/(w[o]rk|h[o]me|r[o]ot)/"),
    "a package host": re.compile(rb"p[y]pi\.org|p[y]thonhosted\.org|-i[n]dex-url|--f[i]nd-links", re.I),
}


def repository_files() -> list[Path]:
    """Every file that is tracked, or is neither tracked nor ignored."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("NOT CHECKED: no git, or not a git checkout, so the files of the repository are unknown")
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    ).stdout
    return [path for name in listing.split("\0") if name and (path := ROOT / name).is_file()]


def test_modules_are_of_readable_size() -> None:
    too_long = [
        f"{path.relative_to(ROOT)}: {lines} lines, at most {MAX_LINES}"
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MAX_LINES
    ]
    assert not too_long, "\n".join(too_long)


def test_no_file_names_a_machine_or_a_package_host() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {what}: {line.decode(errors='replace').strip()}"
        for path in repository_files()
        for number, line in enumerate(path.read_bytes().splitlines(), start=1)
        for what, pattern in FOREIGN.items()
        if pattern.search(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("command", COMMANDS)
def test_readme_opens_with(command: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    opening = [line.strip() for line in readme.splitlines()[:OPENING_LINES]]
    assert command in opening, f"not a line of its own in the first {OPENING_LINES} of README.md: {command}"
