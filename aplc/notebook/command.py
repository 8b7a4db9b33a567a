"""The command `aplc kernel`: makes the kernel of APL known to Jupyter, or unknown again."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from aplc.command_line import OK, Parser, UsageError
from aplc.tail.errors import MachineError

NAME = "apl"
HELP = "make the kernel of APL known to Jupyter (install), or unknown again (remove)"
LACKING = "the kernel needs Jupyter's parts: pip install 'aplc[notebook]'"


def kernel(arguments: Sequence[str]) -> int:
    """Install the kernel, or remove it."""
    parser = Parser(prog="aplc kernel", description=HELP, allow_abbrev=False)
    parser.add_argument("action", metavar="install|remove", help="what is done")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--user", action="store_true", help="for this user (the default)")
    where.add_argument("--sys-prefix", action="store_true", help="for this virtual environment")
    where.add_argument("--prefix", metavar="DIR", help="for what is installed there")
    parsed = parser.parse_args(list(arguments))
    if parsed.action not in ("install", "remove"):
        raise UsageError(f"aplc kernel knows install and remove, not {parsed.action}")
    prefix = sys.prefix if parsed.sys_prefix else parsed.prefix
    done = _install(prefix) if parsed.action == "install" else _remove(prefix)
    print(done)
    return OK


def _install(prefix: str | None) -> str:
    try:
        import ipykernel  # noqa: F401, PLC0415 (an extra)
        from jupyter_client.kernelspec import KernelSpecManager  # noqa: PLC0415 (an extra)
    except ImportError:
        raise MachineError(LACKING) from None
    specification = {
        "argv": [sys.executable, "-P", "-m", "aplc.notebook", "-f", "{connection_file}"],
        "display_name": "APL (aplc)",
        "language": "apl",
        "interrupt_mode": "signal",
    }
    with tempfile.TemporaryDirectory() as directory:
        (Path(directory) / "kernel.json").write_text(json.dumps(specification, indent=1), "utf-8")
        try:
            place = KernelSpecManager().install_kernel_spec(
                directory, NAME, user=prefix is None, prefix=prefix
            )
        except OSError as failure:
            raise MachineError(
                f"the kernel cannot be installed: {failure.strerror}: {failure.filename}"
            ) from None
    return f"the kernel {NAME} is in {place}"


def _remove(prefix: str | None) -> str:
    import shutil  # noqa: PLC0415 (seldom needed)

    try:
        from jupyter_core.paths import jupyter_data_dir  # noqa: PLC0415 (an extra)
    except ImportError:
        raise MachineError(LACKING) from None
    data = Path(prefix) / "share" / "jupyter" if prefix else Path(jupyter_data_dir())
    place = data / "kernels" / NAME
    if not place.is_dir():
        raise UsageError(f"there is no kernel {NAME} in {place.parent}")
    shutil.rmtree(place)
    return f"the kernel {NAME} is gone from {place.parent}"
