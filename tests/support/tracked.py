"""The files of the repository."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.paths import ROOT


def tracked_files(root: Path = ROOT) -> list[Path]:
    """Every file and link that git tracks: what else lies in a clone (a virtual environment) is not ours.

    Where git cannot say (an unpacked archive, a clone that git does not trust), the test is skipped.
    """
    if shutil.which("git") is None or not (root / ".git").exists():
        pytest.skip("NOT CHECKED: no git, or not a git checkout, so the files of the repository are unknown")
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached"],
        cwd=root,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if listing.returncode != 0:
        pytest.skip(f"NOT CHECKED: git does not list the files of the repository: {listing.stderr.strip()}")
    paths = [root / name for name in listing.stdout.split("\0") if name]
    return [path for path in paths if path.is_symlink() or path.is_file()]
