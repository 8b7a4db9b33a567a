"""A test lies in the folder of the package or sub-package that it is about, and imports no other test."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.support.paths import ROOT, TESTS

PACKAGES = ("tail", "apl_front", "laila", "backends", "aplc")
OTHERS = ("programs", "project")


def imported(path: Path) -> Iterator[str]:
    """The full names of what a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def is_named_rightly(folder: Path) -> bool:
    """Whether tests may lie in a folder: a package or sub-package has its name, or it is known here."""
    of_package = folder.parts[:1] and folder.parts[0] in PACKAGES and (ROOT / folder).is_dir()
    return bool(of_package) or folder.as_posix() in OTHERS


def test_tests_lie_where_their_subjects_do() -> None:
    files = sorted(TESTS.rglob("test_*.py"))
    astray = [path for path in files if not is_named_rightly(path.parent.relative_to(TESTS))]
    assert files
    assert not astray, "\n".join(map(str, astray))


def test_only_files_of_tests_hold_tests() -> None:
    """What has another name is not collected."""
    lost = [
        f"{path.relative_to(TESTS)}: {node.name}"
        for path in sorted(TESTS.rglob("*.py"))
        if not path.name.startswith("test_")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    assert not lost, "\n".join(lost)


def test_nothing_is_imported_from_a_test() -> None:
    found = [
        f"{path.relative_to(TESTS)}: {name}"
        for path in sorted(TESTS.rglob("*.py"))
        for name in imported(path)
        if any(part.startswith("test_") for part in name.split("."))
    ]
    assert not found, "\n".join(found)
