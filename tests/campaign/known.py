"""What the campaign finds and need not be told again, each with its reason.

A finding that is on the list is counted, kept in the folder `known`, and does not fail a run. An entry has to
go when its reason does.
"""

import re
from dataclasses import dataclass

from tests.campaign.work import Finding


@dataclass(frozen=True)
class Known:
    """Findings of one cause: the kind of work, what the detail and the text hold, and why that is so."""

    kind: str
    detail: str
    text: str
    reason: str

    def holds(self, finding: Finding) -> bool:
        return (
            re.fullmatch(self.kind, finding.kind) is not None
            and re.search(self.detail, finding.detail) is not None
            and re.search(self.text, finding.text) is not None
        )


KNOWN: tuple[Known, ...] = (
    Known(
        r"(long-|loose-|mutants-)?(c|openmp|opencl)",
        r"(result|printed) \w+\[[\d, ]*\b0\b[\d, ]*\] \S* against \w+\[[\d, ]*\b0\b[\d, ]*\] ",
        "[⍤¨⌺]",
        "of no cells the extents are 0 where the function fails for a cell of fills; where extents do not "
        "depend on data, compiled code does not see failures that do: Note [No cells] in "
        "laila/lowering/primitives/cells.py",
    ),
)


def reason_of(finding: Finding, known: tuple[Known, ...] = KNOWN) -> str:
    """Why a finding is on the list; empty if it is not."""
    return next((each.reason for each in known if each.holds(finding)), "")
