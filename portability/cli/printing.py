"""Standard output: a terminal or a pipe, whatever its encoding, even when nobody reads it or the disk is full."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable

from portability.engine.errors import InputError
from portability.engine.output.terminal import in_encoding

_NARROWEST, _WIDEST = 60, 120  # longer lines are hard to read


def colour() -> bool:
    """Whether standard output is a terminal that shows colours and whose user wants them (https://no-color.org)."""
    return bool(
        sys.stdout
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM", "dumb") != "dumb"
    )


def width() -> int:
    """Columns to write in: those of the terminal, or COLUMNS, or 80 where the output is no terminal."""
    return max(_NARROWEST, min(shutil.get_terminal_size((80, 24)).columns, _WIDEST))


def print_text(text: str) -> None:
    """Text for a person, in the encoding of the terminal."""
    _write([in_encoding(text, getattr(sys.stdout, "encoding", None) or "utf-8")])


def print_data(pieces: Iterable[str]) -> None:
    """JSON and its like: UTF-8 whatever the locale. Half of a surrogate pair is written as JSON escapes it."""
    _write(piece.encode("utf-8", "backslashreplace") for piece in pieces)


def _write(pieces: Iterable[bytes]) -> None:
    """Raises InputError where the output cannot be written. A reader who has seen enough is no error."""
    if sys.stdout is None:
        raise InputError("standard output", 0, "is closed")
    try:
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _forget()
    except OSError as error:
        _forget()
        raise InputError("standard output", 0, f"cannot be written: {error.strerror}") from None


def _forget() -> None:
    """What is still buffered goes nowhere, so that the interpreter does not try again on its way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
