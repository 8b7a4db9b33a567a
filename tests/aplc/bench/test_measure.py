"""How calls are measured in turn: none beside what another has left running."""

from __future__ import annotations

import hashlib
import sys
import threading
from pathlib import Path

import pytest

from aplc.bench.measure import interleaved, others_run


@pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: only Linux tells which threads run")
def test_calls_wait_for_the_threads_of_others() -> None:
    found: list[bool] = []

    def leaves_a_thread() -> None:
        threading.Thread(target=hashlib.pbkdf2_hmac, args=("sha256", b"", b"", 20_000)).start()

    def looks_for_it() -> None:
        found.append(others_run())

    times = interleaved([leaves_a_thread, looks_for_it], seconds=0.0)
    assert len(times) == 2 and found and not any(found)


def test_states_of_threads(tmp_path: Path) -> None:
    assert not others_run(tmp_path / "none")
    for number, name, state in ((1, "a thread) R (", "S"), (threading.get_native_id(), "me", "R")):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "stat").write_text(f"{number} ({name}) {state} 1 2", "ascii")
    assert not others_run(tmp_path)
    (tmp_path / "1" / "stat").write_text("1 (a) R 1 2", "ascii")
    assert others_run(tmp_path)
