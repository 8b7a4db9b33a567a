"""Directories that another user could change are not used, nor are files that are not ours alone."""

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from aplc.backends.native import cache, cache_directory
from aplc.backends.native.cache import cache_note, keep_record, kept_record
from aplc.backends.native.cache_directory import MARK, open_cache
from aplc.backends.native.cache_limits import prune
from aplc.backends.native.private_files import Untrusted, open_private, temporary

ANOTHER = 12345
KEY = "0123456789abcdef" * 4
SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55"
needs_root = pytest.mark.skipif(os.getuid() != 0, reason="NOT CHECKED: only root can give files away")


@pytest.fixture(autouse=True)
def told() -> Iterator[None]:
    """Nothing has been said yet."""
    cache._say_once.cache_clear()
    yield
    cache._say_once.cache_clear()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache directory of the test, made, two levels below one for it."""
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path / "above" / "caches"))
    open_cache().__exit__(None, None, None)
    return tmp_path / "above" / "caches" / "compiled"


def works() -> bool:
    """Whether something is kept, and found again."""
    keep_record(KEY, b"content")
    return kept_record(KEY) == b"content"


# --- who could change it --------------------------------------------------------------------------------


def change(path: Path, how: str) -> None:
    if how == "owner":
        os.chown(path, ANOTHER, -1)
    else:
        path.chmod(int(how, 8))


@pytest.mark.parametrize("how", ["777", "772", "770", pytest.param("owner", marks=needs_root)])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_what_others_could_change_is_not_used(
    place: Path, level: int, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert works()
    suspect = [place, *place.parents][level]
    change(suspect, how)
    assert kept_record(KEY) is None
    assert not works()
    assert (
        cache_note() == f"compiled programs are not kept: {suspect}: another user owns it or can write to it"
    )
    (said,) = caplog.records  # once
    assert said.levelno == logging.WARNING and said.getMessage().startswith(
        f"aplc: {cache_note()}; APLC_CACHE_DIR"
    )


def test_a_sticky_directory_above_is_fine(place: Path) -> None:
    place.parents[1].chmod(0o1777)
    assert works()
    place.chmod(0o1777)
    assert not works()


@needs_root
def test_a_sticky_directory_of_another_user_is_not(place: Path) -> None:
    place.parents[1].chmod(0o1777)
    os.chown(place.parents[1], ANOTHER, -1)
    assert not works()


def test_links_in_the_path_are_followed_to_where_they_lead(place: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(place.parent)
    with open_private(str(tmp_path / "link" / place.name)) as directory:
        assert directory.path == str(place)
    place.parent.chmod(0o777)
    with pytest.raises(Untrusted):
        open_private(str(tmp_path / "link" / place.name))


def test_a_link_that_appears_is_not_followed(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path is exchanged between being looked at and being opened."""
    monkeypatch.setattr("os.path.realpath", lambda path: path)
    (tmp_path / "link").symlink_to(place.parent)
    with pytest.raises(OSError, match="link"):
        open_private(str(tmp_path / "link" / place.name))


def test_an_open_directory_cannot_be_exchanged(place: Path) -> None:
    with open_cache() as directory:
        directory.write("file", b"ours")
        place.rename(place.with_name("moved"))
        place.mkdir()
        (place / "file").write_bytes(b"theirs")
        assert directory.read("file") == b"ours"
        directory.write("other", b"")
    assert {path.name for path in place.iterdir()} == {"file"}


@needs_root
def test_another_user_is_not_served_from_ours(place: Path) -> None:
    """As another user, with a cache that root has made, as with `sudo -u` and a HOME that stays."""
    assert works()
    for above in place.parents[:3]:
        above.chmod(0o755)
    script = (
        "import os, sys\n"
        f"os.environ['APLC_CACHE_DIR'] = {str(place.parent)!r}\n"
        "from backends.native.cache import cache_note, kept_record\n"
        f"os.setuid({ANOTHER})\n"
        f"print(kept_record({KEY!r}), 'not kept' in cache_note())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "None True\n"


# --- files ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["link", "hard link", "FIFO", "directory", "writable", "dangling", "owner"])
def test_files_that_are_not_ours_alone_are_absent(place: Path, tmp_path: Path, kind: str) -> None:
    assert works()
    file, elsewhere = place / f"{KEY}.record", tmp_path / "elsewhere"
    if kind in ("link", "FIFO", "directory", "dangling"):
        file.rename(elsewhere)
    if kind == "link":
        file.symlink_to(elsewhere)
    elif kind == "dangling":
        file.symlink_to(tmp_path / "nowhere")
    elif kind == "hard link":
        elsewhere.hardlink_to(file)
    elif kind == "FIFO":
        os.mkfifo(file, 0o600)
    elif kind == "directory":
        file.mkdir()
    elif kind == "writable":
        file.chmod(0o666)
    elif os.getuid() == 0:
        os.chown(file, ANOTHER, -1)
    else:
        pytest.skip("NOT CHECKED: only root can give files away")
    assert kept_record(KEY) is None  # at once, a FIFO too
    assert works() == (kind != "directory")  # another takes its place
    assert not (tmp_path / "nowhere").exists()


# --- whose directory it is ------------------------------------------------------------------------------


def test_a_folder_of_the_users_own_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path))
    (tmp_path / "compiled").mkdir()
    files = {f"{KEY}.so", "work-0123456789abcdef.txt", "notes"}
    for name in files:
        (tmp_path / "compiled" / name).write_text("mine")
    assert not works()
    assert "it holds files and no CACHEDIR.TAG of aplc's" in caplog.text
    assert {path.name for path in (tmp_path / "compiled").iterdir()} == files
    (tmp_path / "compiled" / MARK).write_text(
        "Signature: 8a477f597d28d172789f06886806bc55\n# by another program"
    )
    assert not works()


def test_an_empty_folder_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path))
    (tmp_path / "compiled").mkdir()
    assert works()
    assert (
        (tmp_path / "compiled" / MARK).read_bytes().startswith(b"Signature: 8a477f597d28d172789f06886806bc55")
    )


def test_only_names_that_we_make_are_removed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APLC_CACHE_MB", "0")
    ours = {f"{KEY}.so", f"{KEY}.c", f"{KEY}.record", f"compiler-{KEY[:32]}", "work-0123456789abcdef"}
    others = {
        "a.so",
        f"{KEY}.txt",
        f"{KEY}.so.bak",
        f"{KEY.upper()}.c",
        "work-",
        "work-mine",
        "zig",
        "compiler-x",
    }
    for name in ours | others:
        (place / name).write_text(name)
        os.utime(place / name, (0, 0))
    with open_cache() as directory:
        prune(directory)
    assert {path.name for path in place.iterdir()} == {MARK, *others}


def test_many_make_it_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def tried(number: int) -> bool:
        with open_cache() as directory:
            directory.write(f"{number:064x}.so", b"")
        return True

    with ThreadPoolExecutor(8) as pool:
        for attempt in range(20):
            monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path / str(attempt)))
            assert all(pool.map(tried, range(8)))


def test_what_unmarked_folders_hold_is_looked_at_twice(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process has marked it in between."""
    seen = iter([False, True])
    monkeypatch.setattr(cache_directory, "_is_marked", lambda directory: next(seen))
    assert works()


# --- temporary files ------------------------------------------------------------------------------------


def test_temporary_files_go_where_others_cannot_move_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with temporary() as directory:
        assert Path(directory.path).parent == tmp_path
    tmp_path.chmod(0o777)
    with temporary() as directory:
        assert Path(directory.path).parent != tmp_path
    tmp_path.chmod(0o1777)
    with temporary() as directory:
        assert Path(directory.path).parent == tmp_path
    assert not list(tmp_path.iterdir())
