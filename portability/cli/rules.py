"""`portability rules`: the catalogue, or what one rule says of itself."""

from __future__ import annotations

import argparse
from typing import Any

from portability.cli.printing import colour, print_text, width
from portability.cli.status import NOTHING
from portability.engine.errors import InputError


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser("rules", help="list the rules, or explain one")
    parser.add_argument("id", nargs="?", metavar="ID", help="a rule's id, such as IMG001")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the catalogue, or what one rule says of itself. Raises InputError for an id that no rule has."""
    from portability.engine.output import rules_text
    from portability.engine.rules import catalogue

    if arguments.id is None:
        print_text(rules_text.listing(catalogue.listed()))
    elif rule := catalogue.rule(arguments.id.upper()):
        print_text(rules_text.explanation(rule, width=min(width(), 100), colour=colour()))
    else:
        raise InputError(arguments.id, 0, "no rule has this id; `portability rules` lists them")
    return NOTHING
