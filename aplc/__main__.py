"""The command `aplc`, also as `python -m aplc`."""

import signal
import sys
from contextlib import suppress


def main() -> int:
    """Run the command line; the exit status."""
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends what is imported now, too, without a word
    from aplc import cli  # noqa: PLC0415 (it imports most of what there is)

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
