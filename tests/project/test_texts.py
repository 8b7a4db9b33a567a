"""The command that compares the texts of two commits."""

from pathlib import Path

from tests.texts import WANTED, differences, main


def test_texts_of_a_sample_and_what_differs(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    wanted = ["--only", "primitives/add", "--jobs", "1"]
    assert main([str(old), *wanted]) == 0
    lines = old.read_text("utf-8").splitlines()
    assert {line.split(" ", 3)[3] for line in lines} == set(WANTED)
    assert main([str(new), *wanted, "--compare", str(old)]) == 0
    changed = ["0" * 16 + lines[0][16:], *lines[1:-1]]
    assert list(differences(lines, changed)) == [lines[0].split(" ", 1)[1]]
    old.write_text("\n".join(changed), "utf-8")
    assert main([str(new), *wanted, "--compare", str(old)]) == 1
