"""What of a campaign is on disk: blocks begun and done, counts, findings. The same directory continues it."""

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.campaign.work import Finding, Tally

MOST_WRITTEN = 20
"""So many findings of one sort become files; the others are counted."""


@dataclass
class Progress:
    """How far a kind of work is."""

    begun: int = 0
    """The number of the next block."""
    pending: list[int] = field(default_factory=list)
    """Blocks begun, and not done; those of a run that was ended come first in the next."""
    seconds: float = 0.0
    """Of the processor."""
    counts: Counter[str] = field(default_factory=Counter)
    sorts: Counter[str] = field(default_factory=Counter)
    """Findings by what they have in common."""
    known: int = 0
    """Of the findings, those that are on the list."""


class State:
    """A campaign's directory. Raises ValueError where it belongs to another seed."""

    def __init__(self, directory: Path, seed: int) -> None:
        self.directory, self.seed = directory, seed
        self.kinds: dict[str, Progress] = {}
        directory.mkdir(parents=True, exist_ok=True)
        self.file = directory / "state.json"
        self.resumed = self.file.exists()
        if self.resumed:
            told = json.loads(self.file.read_text("utf-8"))
            if told["seed"] != seed:
                raise ValueError(f"{directory} holds a campaign of seed {told['seed']}, not {seed}")
            for name, progress in told["kinds"].items():
                made = Progress(**progress)
                made.counts, made.sorts = Counter(made.counts), Counter(made.sorts)
                self.kinds[name] = made

    def of(self, kind: str) -> Progress:
        return self.kinds.setdefault(kind, Progress())

    def next_block(self, kind: str, running: set[int]) -> int:
        """The number of a block to do: one that was begun and not done, or the next one."""
        progress = self.of(kind)
        left = [n for n in progress.pending if n not in running]
        if left:
            return left[0]
        progress.pending.append(progress.begun)
        progress.begun += 1
        return progress.begun - 1

    def done(self, kind: str, number: int, tally: Tally, seconds: float, known: list[str]) -> None:
        """A block is done; `known` are the reasons of its findings, empty for those not on the list."""
        progress = self.of(kind)
        progress.pending.remove(number)
        progress.seconds += seconds
        progress.counts.update(tally.counts)
        for finding, reason in zip(tally.findings, known, strict=True):
            progress.sorts[finding.sort] += 1
            progress.known += bool(reason)
            if progress.sorts[finding.sort] <= MOST_WRITTEN:
                self.write(finding, number, reason)
        self.save()

    def write(self, finding: Finding, number: int, reason: str) -> None:
        """A finding as a file, and a line of the list of all."""
        folder = self.directory / ("known" if reason else "findings")
        folder.mkdir(exist_ok=True)
        name = f"{finding.kind}-{number}-{finding.file}"
        (folder / name).write_text(finding.text, "utf-8", errors="backslashreplace")
        with (self.directory / "findings.jsonl").open("a", encoding="utf-8") as lines:
            told = asdict(finding) | {"block": number, "known": reason}
            lines.write(json.dumps(told, ensure_ascii=True) + "\n")

    def save(self) -> None:
        """Write the state, whole or not at all."""
        told = {"seed": self.seed, "kinds": {name: vars(p) for name, p in self.kinds.items()}}
        fresh = self.file.with_suffix(".new")
        fresh.write_text(json.dumps(told, indent=1), "utf-8")
        fresh.replace(self.file)
