"""The engine on a terminal and in pipelines: `portability COMMAND`. No database, no settings, no Django.

A command is a module of this package with an `add` that describes its arguments and names what runs it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from portability import __version__
from portability.cli import assess, read_matrix, rules
from portability.cli.status import UNUSABLE
from portability.engine.errors import InputError

COMMANDS = (assess, rules, read_matrix)
_INTERRUPTED = 130  # what a shell says of a program ended by Ctrl-C


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit status: 0 fine, 1 something at or above --fail-on, 2 unusable input."""
    arguments = _parser().parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except InputError as error:
        print(f"portability: {' '.join(str(error).split())}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        return _INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="portability", description="Could this GPU workload move to another vendor?")
    parser.add_argument("--version", action="version", version=f"portability {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    for command in COMMANDS:
        command.add(commands)
    return parser
