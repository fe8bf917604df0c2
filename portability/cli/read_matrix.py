"""`portability read-matrix`: what a saved page of a standing source says, or why it cannot be read safely."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from portability.cli.inputs import STDIN, shown
from portability.cli.printing import print_data
from portability.cli.status import NOTHING
from portability.engine.errors import InputError


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser("read-matrix", help="read a saved page of a published compatibility matrix")
    sources = "rocm-compatibility-matrix, vllm-features, vllm-quantization or gpu-operator-platforms"
    parser.add_argument("source", metavar="SOURCE", help=sources)
    parser.add_argument("files", nargs="+", metavar="FILE", help="the page, or the files of its source; - for stdin")
    parser.add_argument("--version", dest="described", metavar="V", help="the version described, if no file says it")
    parser.add_argument("--format", choices=["facts", "cells"], default="facts", help="facts unless said otherwise")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the reading as JSON. Raises InputError for a document that is refused, and where its parser is missing."""
    from portability.engine.matrices.importers import cells_of, read_document

    files = [(shown(name), _content(name)) for name in arguments.files]
    try:
        reading = read_document(arguments.source, files, arguments.described)
    except ModuleNotFoundError as error:  # the parsers are not among what `assess` needs
        raise InputError("", 0, f"reading pages needs {error.name}: install requirements/app.txt") from None
    if arguments.format == "facts":
        printed: dict[str, Any] = dict(reading.facts)
    else:
        cells = {
            key: {name: text for name, text in (("value", c.value), ("note", c.note), ("link", c.link)) if text}
            for key, c in cells_of(reading).items()
        }
        printed = {"source": reading.source, "version": reading.version, "cells": cells}
    print_data([json.dumps(printed, indent=2, ensure_ascii=False), "\n"])
    return NOTHING


def _content(name: str) -> bytes:
    """A file's bytes, and not many more than can be read."""
    from portability.engine.matrices.importers.documents import LIMIT_BYTES

    try:
        if name == STDIN:
            return sys.stdin.buffer.read(LIMIT_BYTES + 1)
        with open(name, "rb") as file:
            return file.read(LIMIT_BYTES + 1)
    except OSError as error:
        raise InputError(shown(name), 0, f"cannot be read: {error.strerror}") from None
