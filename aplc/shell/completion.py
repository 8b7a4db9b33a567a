"""The command `aplc completion`: what makes a shell complete commands, options and their values on Tab.

The scripts are made of the parsers of the commands, and need aplc only when they are made:

    eval "$(aplc completion bash)"            in ~/.bashrc
    eval "$(aplc completion zsh)"             in ~/.zshrc, behind compinit
    aplc completion fish | source             in ~/.config/fish/config.fish
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aplc.command_line import OK, UsageError
from aplc.command_options import DOES, STAGES, UNUSED_OPTIONS, parser_of
from aplc.targets import TARGETS

COMMANDS: Mapping[str, str] = {
    **DOES,
    "test": "run the cases that files state in their headers",
    "build": "make a library for C, or a module for Python",
    "watch": "run, and again whenever a file changes",
    "repl": "a session, line by line",
    "play": "a page in the browser: editor, values, stages, what is fused",
    "kernel": "install the kernel of APL for Jupyter, or remove it",
    "lsp": "the language server that editors start",
    "bench": "the benchmark suite and its tables",
    "doctor": "what of this machine programs can use",
    "completion": "what makes a shell complete on Tab",
}
"""What commands do, in a few words."""

OTHER_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "test": ("--targets", "-O"),
    "build": (
        "-o", "--function", "--python", "--kernels", "--target", "--cpu", "-O", "--strict-fp", "--unsafe",
        "--check-overflow",
    ),
    "repl": ("--target", "--input"),
    "play": ("--port", "--no-browser", "--time-limit", "--memory-limit", "--files"),
    "kernel": ("--user", "--sys-prefix", "--prefix"),
    "bench": (
        "--quick", "--growing", "--only", "--targets", "--threads", "--device", "--data", "--json",
        "--markdown", "--html", "--svg", "--compare",
    ),
    "lsp": ("--stdio",),
    "doctor": ("--json",),
    "completion": (),
}  # fmt: skip
"""The options of the commands that make their parsers themselves."""

WORDS: Mapping[str, tuple[str, ...]] = {
    "--target": tuple(TARGETS),
    "--targets": (*TARGETS, "all"),
    "--precision": ("double", "single"),
    "--format": ("apl", "json"),
    "--arrays": ("flat", "hybrid"),
    "-O": ("0", "1", "2", "3"),
}
"""The values of options that have a few."""
WITH_FILES = (
    "-o",
    "--graph",
    "--input",
    "--output",
    "--data",
    "--html",
    "--markdown",
    "--compare",
    "--prefix",
)
"""Options whose value is a file, or ends with one."""
FREE = (
    "-e", "--threads", "--device", "--ct", "--memory-limit", "--time-limit", "--passes", "--dump-after",
    "--function", "--types", "--after", "--only", "--cpu", "--port",
)  # fmt: skip
"""Options whose value may be anything."""
SHELLS = ("bash", "zsh", "fish")
HELP = f"""usage: aplc completion {"|".join(SHELLS)}

print what makes the shell complete commands, options and their values on Tab:
  bash   eval "$(aplc completion bash)"   in ~/.bashrc
  zsh    eval "$(aplc completion zsh)"    in ~/.zshrc, behind compinit
  fish   aplc completion fish | source    in ~/.config/fish/config.fish"""


@dataclass(frozen=True)
class Option:
    """An option of a command, and what it does."""

    name: str
    help: str = ""


def completion(arguments: Sequence[str]) -> int:
    """Print the script for a shell."""
    if {"-h", "--help"} & set(arguments):
        print(HELP)
        return OK
    if len(arguments) != 1 or arguments[0] not in SHELLS:
        raise UsageError(f"aplc completion is for one of {', '.join(SHELLS)}", HELP.partition("\n")[0])
    sys.stdout.write({"bash": _bash, "zsh": _zsh, "fish": _fish}[arguments[0]]())
    return OK


def options_of(command: str) -> list[Option]:
    """The options of a command, `--help` among them."""
    if command in OTHER_OPTIONS:
        found = [Option(name) for name in OTHER_OPTIONS[command]]
    else:
        actions = parser_of("run" if command == "watch" else command)._actions
        hidden = "==SUPPRESS=="
        unused = UNUSED_OPTIONS.get(command, ())
        shown = [
            each
            for each in actions
            if each.option_strings and each.help != hidden and each.option_strings[0] not in unused
        ]
        found = [Option(name, each.help or "") for each in shown for name in each.option_strings]
    return [*found, Option("--help", "what the command does, and its options")]


# --- the scripts ----------------------------------------------------------------------------------------


def _cases(indent: str, form: str) -> str:
    """What may stand behind an option, as cases of a shell; `form` shows words."""
    lines = [f"{option}) {form % ' '.join(words)}; return ;;" for option, words in WORDS.items()]
    return "\n".join([indent + line for line in lines])


def _by_command(indent: str) -> str:
    """The options of each command, as cases of a shell."""
    lines = [f'{name}) options="{" ".join([o.name for o in options_of(name)])}" ;;' for name in COMMANDS]
    return "\n".join([indent + line for line in lines])


def _bash() -> str:
    return f"""_aplc() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command=run options word
    COMPREPLY=()
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case $word in {"|".join(COMMANDS)}) command=$word; break ;; -*) ;; *) break ;; esac
    done
    case $prev in
{_cases("        ", 'COMPREPLY=($(compgen -W "%s" -- "$cur"))')}
        {"|".join(WITH_FILES)}|=) mapfile -t COMPREPLY < <(compgen -f -- "${{cur#=}}"); return ;;
        {"|".join(FREE)}) return ;;
        emit) COMPREPLY=($(compgen -W "{" ".join(STAGES)}" -- "$cur")); return ;;
        completion) COMPREPLY=($(compgen -W "{" ".join(SHELLS)}" -- "$cur")); return ;;
    esac
    case $command in
{_by_command("        ")}
    esac
    case $cur in
        =) mapfile -t COMPREPLY < <(compgen -f) ;;
        -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
        *)
            mapfile -t COMPREPLY < <(compgen -f -X '!*.@(apl|tail)' -- "$cur"; compgen -d -- "$cur")
            if ((COMP_CWORD == 1)); then COMPREPLY+=($(compgen -W "{" ".join(COMMANDS)}" -- "$cur")); fi ;;
    esac
}}
shopt -s extglob
complete -o filenames -F _aplc aplc
"""


def _zsh() -> str:
    commands = " ".join([_quoted(f"{name}:{does}") for name, does in COMMANDS.items()])
    return f"""#compdef aplc
_aplc() {{
    local cur=$words[CURRENT] prev=$words[CURRENT-1] command=run options word
    for word in $words[2,CURRENT-1]; do
        case $word in ({"|".join(COMMANDS)}) command=$word; break ;; (-*) ;; (*) break ;; esac
    done
    case $prev in
{_cases("        (", "compadd -- %s").replace("( ", "(")}
        ({"|".join([*WITH_FILES])}) compset -P '*='; _files; return ;;
        ({"|".join(FREE)}) return ;;
        (emit) compadd -- {" ".join(STAGES)}; return ;;
        (completion) compadd -- {" ".join(SHELLS)}; return ;;
    esac
    case $command in
{_by_command("        (").replace("( ", "(")}
    esac
    if [[ $cur == -* ]]; then
        compadd -- ${{=options}}
    else
        if ((CURRENT == 2)); then
            local -a commands=({commands})
            _describe command commands
        fi
        _files -g '*.(apl|tail)(-.)'
    fi
}}
compdef _aplc aplc
"""


def _fish() -> str:
    lines: list[str] = []
    first = f"not __fish_seen_subcommand_from {' '.join(COMMANDS)}"
    runs = f"not __fish_seen_subcommand_from {' '.join([name for name in COMMANDS if name != 'run'])}"
    for name, does in COMMANDS.items():
        lines.append(f"complete -c aplc -n {_quoted(first)} -a {name} -d {_quoted(does)}")
    for name in COMMANDS:
        seen = runs if name == "run" else f"__fish_seen_subcommand_from {name}"
        for option in options_of(name):
            flag = f"-l {option.name[2:]}" if option.name.startswith("--") else f"-s {option.name[1:]}"
            if words := WORDS.get(option.name):
                flag += f" -x -a {_quoted(' '.join(words))}"
            elif option.name in WITH_FILES:
                flag += " -r"
            elif option.name in FREE:
                flag += " -x"
            about = f" -d {_quoted(option.help)}" if option.help else ""
            lines.append(f"complete -c aplc -n {_quoted(seen)} {flag}{about}")
    for name, words in (("emit", STAGES), ("completion", SHELLS)):
        seen = _quoted(f"__fish_seen_subcommand_from {name}")
        lines.append(f"complete -c aplc -n {seen} -a {_quoted(' '.join(words))}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A text in single quotes, as all three shells read it."""
    return "'" + text.replace("'", "") + "'"
