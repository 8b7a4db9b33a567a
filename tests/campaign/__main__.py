"""The command line of the campaign."""

import argparse
import signal
import sys
from pathlib import Path

from tests import campaign
from tests.campaign.kinds import KINDS
from tests.campaign.runner import Campaign, report
from tests.campaign.state import State


def main(arguments: list[str] | None = None) -> int:
    """Run a campaign; 1 if it found what is not on the list."""
    parser = argparse.ArgumentParser(
        description=campaign.__doc__, formatter_class=argparse.RawTextHelpFormatter, prog="tests.campaign"
    )
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="blocks of work at the same time")
    parser.add_argument(
        "--directory", type=Path, default=Path("campaign"), help="where state and findings are"
    )
    parser.add_argument("--only", default="", help="kinds of work: " + ", ".join(k.name for k in KINDS))
    parser.add_argument(
        "--list", action="store_true", help="say what kinds of work there are, and do nothing"
    )
    chosen = parser.parse_args(arguments)
    if chosen.list:
        print("\n".join([f"{kind.name}: {kind.about}" for kind in KINDS]))
        return 0
    wanted = [name for name in chosen.only.split(",") if name]
    if unknown := set(wanted) - {kind.name for kind in KINDS}:
        parser.error(f"there is no kind of work {', '.join(sorted(unknown))}")
    kinds = [kind for kind in KINDS if not wanted or kind.name in wanted]
    possible = []
    for kind in kinds:
        if why := kind.lack():
            print(f"NOT DONE: {kind.name}: {why}", flush=True)
        else:
            possible.append(kind)
    try:
        state = State(chosen.directory, chosen.seed)
    except ValueError as wrong:
        parser.error(str(wrong))
    for interrupt in (signal.SIGINT, signal.SIGTERM):
        signal.signal(interrupt, signal.default_int_handler)
    run = Campaign(possible, state, chosen.jobs)
    if possible:
        run.run(chosen.minutes * 60)
    print(report(possible, state))
    return 1 if any(state.of(k.name).known < sum(state.of(k.name).sorts.values()) for k in kinds) else 0


if __name__ == "__main__":
    sys.exit(main())
