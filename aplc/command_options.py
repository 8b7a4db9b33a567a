"""The options of the commands that compile: their parsers, and the help that people see."""

from __future__ import annotations

import argparse
import re
from contextlib import suppress
from typing import Any

from aplc.backends.native.time_limit import seconds_of
from aplc.command_line import Parser
from aplc.laila.ir.settings import PRECISIONS
from aplc.options import MOST_BYTES, MOST_THREADS
from aplc.tail.rules import DEFAULTS, MOST_TOLERANT, tolerance_of
from aplc.targets import COMPILED, TARGETS

STAGES = ("ast", "tail", "tail-opt", "laila", *COMPILED)

PICTURES = (".svg", ".dot", ".graphml")
"""The endings of the files that `aplc explain --graph` writes."""

BENCH_OPTIONS = """\
  --quick                 small sizes
  --growing               aplc alone, with a hundredth, a tenth, and ten times the work of --quick too
  --only NAME,…           the same as the names
  --targets T,…           which of the targets
  --threads 1,2,…         the numbers of threads of the speed-up (default 1, 2, 4 … up to the cores)
  --device NAME           OpenCL device by part of its name
  --data DIR              data sets of Rodinia (temp_512, power_512) and FINPAR (input.data) in place of ours
  --json|--markdown|--html FILE    write the results, the tables, a page with charts; - is standard output
  --svg FILE              one chart: how many times as fast as NumPy, in one thread and in several
  --compare OLD.json      what became slower since an earlier run"""

USAGE = f"""usage: aplc FILE.apl… [options]          compile and run
       aplc -e CODE [options]           the same with a text, behind the files if there are any
       aplc test FILE.apl… [options]    run the cases that files state in their headers, say what differs
       aplc check FILE.apl… [--json]    prove annotations, print the types of functions and values
       aplc emit STAGE FILE.apl… [-o OUT]   print a stage: {", ".join(STAGES)}
       aplc explain FILE.apl… [options] which arrays are fused or written, why, and the bytes that loops move
       aplc watch FILE.apl… [options]   run, and again whenever a file changes
       aplc build FILE.apl… -o NAME     NAME.h, .c, .so, .pc for C; --python: a wheel; --kernels: for a device
       aplc repl [FILE.apl…] [--target T]   a session, line by line; aplc alone on a terminal is the same
       aplc play [FILE.apl] [options]   a page in the browser: editor, values, stages, what is fused
       aplc kernel install|remove       a kernel for Jupyter; a notebook of Python does without
       aplc lsp                         the language server that editors start: docs/editors.md
       aplc bench [NAME…] [options]     the benchmark suite and its tables
       aplc doctor [--json]             what of this machine programs can use, what is missing, how to get it
       aplc completion bash|zsh|fish    what makes a shell complete commands and options on Tab

options:
  --target {"|".join(TARGETS)}   where it runs (default c)
  --threads N             threads for openmp and the host of opencl (default: one for each processor)
  --device NAME           the OpenCL device whose name has this in it (default: a GPU if there is one)
  --precision double|single    floating point on the OpenCL device (default double)
  --input NAME=FILE.npy   NAME is that array in the program; FILE.json, or JSON as [[1,2],[3]]
  --input NAME=FILE.csv   the column NAME, FILE.csv:COLUMN another; FILE.npz, FILE.parquet
  --input FILE.csv        all columns that the program uses
  --input NAME=100        an APL expression: NAME='1 2 3'
  --output NAME=FILE      write what NAME holds at the end, to FILE.npy, FILE.csv or FILE.parquet
  --format apl|json       how values are printed
  --html FILE             aplc explain writes a page with source and loops side by side
  --graph FILE            aplc explain draws loops and arrays, to FILE.svg, FILE.dot or FILE.graphml
  --time                  compile time, also of each pass, run time and peak memory, on standard error
  -O 0|1|2|3              optimisation level (default 2)
  --no-cache              compile anew
  --dump-after PASS|all   print the program after a pass of TAIL or Laila, on standard error
  --function NAME         of emit and explain: that function, for arguments of --types
  --types TYPES           as [double]1, or [int]0,[double]1; default: those of its annotation
  --after PASS            of emit: the program after that pass, on its way to the stage
  --passes A,B,…          the passes to run; of TAIL or Laila those of -O where none of its is named
  --strict-fp             doubles are those of the interpreter to the last bit
  --unsafe                no run-time checks
  --ct T                  ⎕CT until the program sets it (default 1E-14; 0: comparison is exact)
  --no-files              the program may read no file (those of --input are yours)
  --memory-limit BYTES    what the program's arrays may take together; 500M, 2G
  --check-overflow        an integer that does not fit 64 bits is an error
  --time-limit SECONDS    what takes longer, to compile and to run, is an error
  --arrays flat|hybrid    the index functions of pull arrays, to compare (default hybrid)

options of aplc bench (NAME: a program of the suite or a row of it; none: all):
{BENCH_OPTIONS}"""

FORMAT = ("--format", {"choices": ("apl", "json"), "default": "apl", "help": "how values are printed"})
FUNCTION = (
    ("--function", {"metavar": "NAME", "help": "that function, for arguments of --types"}),
    (
        "--types",
        {
            "action": "append",
            "default": [],
            "metavar": "TYPES",
            "help": "of its arguments, [double]1 or [int]0,[double]1; default: its annotation's",
        },
    ),
)
OWN_OPTIONS: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "run": (
        FORMAT,
        (
            "--output",
            {
                "action": "append",
                "default": [],
                "metavar": "NAME=FILE",
                "help": "write that name's value: FILE.npy, FILE.csv, FILE.parquet",
            },
        ),
        ("--time", {"action": "store_true", "help": "tell what took how long, on standard error"}),
    ),
    "check": (("--json", {"action": "store_true", "help": "the report as JSON, for editors"}),),
    "emit": (
        ("-o", {"dest": "output", "metavar": "OUT", "help": "write to this file"}),
        ("--after", {"metavar": "PASS", "help": "the program after that pass, on its way to the stage"}),
        *FUNCTION,
    ),
    "explain": (
        FORMAT,
        ("--html", {"metavar": "FILE", "help": "write a page with source and loops side by side"}),
        ("--graph", {"metavar": "FILE", "help": f"draw loops and arrays: a file {', '.join(PICTURES)}"}),
        *FUNCTION,
    ),
}
"""The options that only some commands have."""

UNUSED_OPTIONS = {
    "check": (
        "--threads", "--device", "--precision", "-O", "--strict-fp", "--unsafe", "--check-overflow",
        "--memory-limit", "--no-cache", "--passes", "--dump-after", "--arrays",
    ),
}  # fmt: skip
"""Those that would change nothing."""

DOES = {
    "run": "compile and run",
    "check": "prove annotations, print the types of functions and values",
    "emit": f"print a stage: {', '.join(STAGES)}",
    "explain": "tell which arrays are fused or written to memory, why, and the bytes that loops move",
}
"""What commands do, in a few words."""


OTHER_HELP = {
    "bench": f"""usage: aplc bench [NAME…] [options]

measure the suite, or programs and rows of it by their names

options:
{BENCH_OPTIONS}""",
    "doctor": """usage: aplc doctor [--json]

try the compiler, threads, OpenCL devices and the cache; say what is missing, and how to get it""",
}
"""The help of commands that have no parser here."""


def parser_of(command: str) -> Parser:
    """The parser of a command, whose `format_help` is the command's help."""
    name = "aplc" if command == "run" else f"aplc {command}"
    parser = Parser(prog=name, description=DOES[command], add_help=False, allow_abbrev=False)
    if command == "emit":
        parser.add_argument("stage", help="one of these stages")
    add = parser.add_argument
    add(
        "files",
        nargs="*",
        metavar="FILE",
        help="APL text, or TAIL where the name ends in .tail; - is standard input",
    )
    add("-e", dest="code", action="append", default=[], metavar="CODE", help="a text, behind the files")
    for option, how in OWN_OPTIONS[command]:
        add(option, **how)
    add("--target", default="c", help=f"where it runs: {', '.join(TARGETS)} (default c)")
    add(
        "--input",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="NAME is that array in the program: FILE.npy, .csv, .npz, .parquet, .json, JSON or APL text",
    )
    add(
        "--threads",
        type=_thread_count,
        default=0,
        metavar="N",
        help="threads of openmp and the host of opencl",
    )
    add("--device", default="", metavar="NAME", help="the OpenCL device whose name has this in it")
    add("--precision", choices=PRECISIONS, default="double", help="floating point on the device")
    add("-O", dest="level", type=int, choices=(0, 1, 2, 3), default=2, help="optimisation level (default 2)")
    add("--strict-fp", action="store_true", help="doubles are those of the interpreter to the last bit")
    add("--unsafe", action="store_true", help="no run-time checks")
    add("--check-overflow", action="store_true", help="an integer that does not fit 64 bits is an error")
    add(
        "--ct", type=_tolerance, default=DEFAULTS.tolerance, metavar="T", help="⎕CT until the program sets it"
    )
    add("--no-files", action="store_true", help="the program may read no file")
    add(
        "--memory-limit",
        type=number_of_bytes,
        metavar="BYTES",
        help="what its arrays may take together; 500M, 2G",
    )
    add("--time-limit", type=number_of_seconds, metavar="SECONDS", help="what takes longer is an error")
    add("--no-cache", action="store_true", help="compile anew")
    add("--passes", metavar="A,B,…", help="the passes to run")
    add("--dump-after", metavar="PASS", help="print the program after a pass, or all, on standard error")
    add("--arrays", choices=("flat", "hybrid"), default="hybrid", help="the index functions of pull arrays")
    add("--verify", action="store_true", help=argparse.SUPPRESS)
    return parser


def _thread_count(text: str) -> int:
    """A number of threads."""
    if not re.fullmatch("[0-9]{1,9}", text, re.ASCII) or not 0 < int(text) <= MOST_THREADS:
        raise argparse.ArgumentTypeError(f"a number from 1 to {MOST_THREADS} is expected, not {text}")
    return int(text)


def number_of_seconds(text: str) -> float:
    """A time limit."""
    with suppress(ValueError):
        seconds = seconds_of(float(text)) if text.isascii() and "_" not in text else None
        if seconds is not None:
            return seconds
    raise argparse.ArgumentTypeError(f"a positive number of seconds is expected, not {text}")


def _tolerance(text: str) -> float:
    """⎕CT."""
    with suppress(ValueError):
        return tolerance_of(float(text.replace("¯", "-")))
    raise argparse.ArgumentTypeError(f"a number from 0 to {MOST_TOLERANT:g} is expected, not {text}")


def number_of_bytes(text: str) -> int:
    """A number of bytes; K, M, G and T behind it are powers of 1024."""
    found = re.fullmatch(r"([0-9]{1,18})([KMGT]?)", text.upper(), re.ASCII)
    if found is None:
        raise argparse.ArgumentTypeError(
            f"a number of bytes as in 2000000, 500M or 2G is expected, not {text}"
        )
    return min(int(found[1]) << 10 * " KMGT".index(found[2] or " "), MOST_BYTES)
