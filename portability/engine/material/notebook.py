"""Jupyter notebooks: their code cells, nothing of their outputs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from portability.engine.manifests.nodes import Mapping, Scalar, Sequence, line_of
from portability.engine.manifests.reader import read
from portability.engine.material.words import Unread

_MAGIC = re.compile(r"^(?P<indent>\s*)(?P<sign>!{1,2}|%{1,2})(?P<rest>.*)$")
_SHELL_CELLS = ("%%bash", "%%sh", "%%script", "%%cmd", "%%!")
_PYTHON_CELLS = ("%%time", "%%capture", "%%prun")
_SHELL_MAGICS = ("pip", "conda", "mamba", "sx", "system", "uv")
_REMEDY = "Save the notebook with Jupyter, or give it as a script (jupyter nbconvert --to script)."


@dataclass(frozen=True, slots=True)
class Cells:
    """The code of a notebook in its order: each line of Python, or of a shell, with its line in the notebook's file."""

    python: list[tuple[str, int]]
    shell: list[tuple[str, int]]


def cells(name: str, text: str) -> Cells | Unread:
    """The code cells with the lines of the file they stand on."""
    result = read(name, text)
    root = result.documents[0].root if result.documents else None
    if result.problems or not isinstance(root, Mapping) or not isinstance(root.nodes.get("cells"), Sequence):
        line = result.problems[0].line if result.problems else 1
        return Unread(line, "it is no notebook of format 4: JSON with a list of cells", _REMEDY)
    out = Cells([], [])
    for cell in root.sequence("cells"):
        if isinstance(cell, Mapping) and cell.text("cell_type") == "code":
            _take(list(_source(cell)), out)
    return out


def as_script(text: str) -> str | None:
    """A notebook as the script that its code cells are, without outputs; None where it is no notebook.

    Lines for the shell stay as notebooks write them; cells of another language become comments.
    """
    try:
        data = json.loads(text)
        found = [cell["source"] for cell in data["cells"] if cell["cell_type"] == "code"]
        sources = [_as_lines("".join(source) if isinstance(source, list) else str(source)) for source in found]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    script = (
        "\n\n".join(f"# cell {n}\n{source.rstrip()}" for n, source in enumerate(sources, 1) if source.strip()) + "\n"
    )
    return script.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _as_lines(source: str) -> str:
    first, _, rest = source.lstrip("\n").partition("\n")
    if first.startswith(_SHELL_CELLS):
        return "\n".join(f"!{line}" if line.strip() else line for line in rest.split("\n"))
    if first.startswith("%%") and not first.startswith(_PYTHON_CELLS):
        return "\n".join(f"# {line}" for line in source.split("\n"))
    return source


def script_cells(text: str) -> Cells:
    """A script with a notebook's lines in it, taken apart."""
    out = Cells([], [])
    _take_lines([(line, n) for n, line in enumerate(text.split("\n"), 1)], out)
    return out


def _source(cell: Mapping) -> Iterator[tuple[str, int]]:
    source = cell.nodes.get("source")
    if isinstance(source, Scalar):
        yield from ((line, line_of(source)) for line in source.value.split("\n"))
    elif isinstance(source, Sequence):
        for item in source.items:
            if isinstance(item, Scalar):
                yield from ((line, line_of(item)) for line in item.value.rstrip("\n").split("\n"))


def _take(lines: list[tuple[str, int]], out: Cells) -> None:
    first = next((line for line, _ in lines if line.strip()), "")
    if first.startswith(_SHELL_CELLS):
        out.shell.extend(lines[1:])
    elif first.startswith("%%") and not first.startswith(_PYTHON_CELLS):
        return  # another language, or a text that is written to a file
    else:
        _take_lines(lines, out)


def _take_lines(lines: list[tuple[str, int]], out: Cells) -> None:
    for line, n in lines:
        found = _MAGIC.match(line)
        if found is None:
            out.python.append((line, n))
            continue
        out.python.append((f"{found['indent']}pass", n))
        rest = found["rest"].strip()
        if found["sign"].startswith("!") or rest.startswith(_SHELL_MAGICS):
            out.shell.append((rest, n))
