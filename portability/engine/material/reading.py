"""Application material to words, by what each file is. Nothing in it is ever run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

from portability.engine.manifests.decode import to_text
from portability.engine.manifests.limits import LimitError
from portability.engine.material import lines as by_lines
from portability.engine.material import notebook, packages, python
from portability.engine.material.kinds import Kind, kind_of
from portability.engine.material.words import How, Material, Unread, Word
from portability.engine.model import Declared
from portability.engine.rules.command.lines import installed

REQUIREMENTS = "python_requirements"  # the file that findings in a workload file's own list of requirements name
MAX_WORDS = 20_000  # of one file
_RUN = (How.CALL, How.COMMAND)
_BREAK = re.compile("\r\n|[\n\r]")
_PACKAGES: dict[Kind, Callable[[str, str], packages.Read]] = {
    Kind.REQUIREMENTS: lambda _, text: packages.requirements(text),
    Kind.TOML_PACKAGES: lambda _, text: packages.toml(text),
    Kind.JSON_LOCK: lambda _, text: packages.json_lock(text),
    Kind.CONDA: packages.conda,
    Kind.SETUP_CFG: lambda _, text: packages.setup_cfg(text),
}

Found = tuple[list[Word], Unread | None]


def material_of(declared: Declared) -> tuple[Material, ...]:
    """All application material of a workload, read once for all targets it is judged for."""
    return _read_all(declared.python_requirements, tuple(declared.source_files.items()))


@lru_cache(maxsize=8)  # workloads: one is judged for its targets in a row
def _read_all(requirements: str, files: tuple[tuple[str, str], ...]) -> tuple[Material, ...]:
    listed = [_packages(REQUIREMENTS, Kind.REQUIREMENTS, requirements)] if requirements.strip() else []
    return (*listed, *(read_material(name, text) for name, text in files))


def read_material(name: str, text: str) -> Material:
    """One file: its words, and why it could not be read as what it is, where it could not."""
    try:
        text = to_text(text)
    except LimitError as error:
        return Material(name, (), (), unread=Unread(error.line, error.message, "Give it as text, and in parts."))
    text = _BREAK.sub("\n", text)
    kind = kind_of(name, text)
    if kind in _PACKAGES:
        return _packages(name, kind, text)
    lines = text.split("\n")
    found, unread = _words(name, kind, text, lines)
    found += [Word(How.PACKAGE, said, word.line) for word in found if word.how in _RUN for said in installed(word.text)]
    return _bounded(Material(name, tuple(dict.fromkeys(found)), tuple(lines), unread=unread))


def _packages(name: str, kind: Kind, text: str) -> Material:
    found, unread = _PACKAGES[kind](name, text)
    lines = tuple(text.split("\n"))
    return _bounded(Material(name, tuple(dict.fromkeys(found)), lines, lists_packages=True, unread=unread))


def _bounded(material: Material) -> Material:
    """Judging takes time by the word: of a file that says very much the first words count, and the rest is said."""
    if not all(word.text.isprintable() for word in material.words):  # what no database holds can be written in escapes
        material = replace(material, words=tuple(w._replace(text=_printable(w.text)) for w in material.words))
    if len(material.words) <= MAX_WORDS:
        return material
    words = sorted(material.words, key=lambda word: word.line)[:MAX_WORDS]
    why = f"it says more than {MAX_WORDS:,} things to look up"
    unread = Unread(words[-1].line, why, "Give it in parts, or leave out what is generated.")
    return replace(material, words=tuple(words), unread=unread)


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def _words(name: str, kind: Kind, text: str, lines: list[str]) -> Found:
    if kind is Kind.PYTHON:
        found, unread = _python(name, text)
        inline, broken = packages.inline_script(text)
        return found + inline, unread or broken
    if kind is Kind.NOTEBOOK:
        return _notebook(name, text)
    reader: dict[Kind, Callable[[list[str]], Iterator[Word]]] = {
        Kind.SHELL: by_lines.script,
        Kind.DOCKERFILE: by_lines.dockerfile,
        Kind.C: by_lines.c_source,
    }
    if kind is Kind.PROSE:
        return [], None
    words = list(reader.get(kind, by_lines.code)(lines))
    open_ends = (word for word in words if word.how is How.IMAGE and "$" in word.text)
    return words, next((_without_default(word) for word in open_ends), None)


def _without_default(word: Word) -> Unread:
    return Unread(word.line, f"{word.text[:80]} has no default", "Give it one, or the image that it is built on.")


def _python(name: str, text: str) -> Found:
    """By tree; of a notebook kept as a script without the lines that only notebooks have; else line by line."""
    tree = python.parse(text)
    if not isinstance(tree, Unread):
        return python.words(tree), None
    if ".ipynb" in name.lower():
        found, unread = _cells(notebook.script_cells(text))
        if unread is None:
            return found, None
    return list(by_lines.code(text.split("\n"))), tree


def _notebook(name: str, text: str) -> Found:
    cells = notebook.cells(name, text)
    if isinstance(cells, Unread):
        return list(by_lines.code(text.split("\n"))), cells
    return _cells(cells)


def _cells(cells: notebook.Cells) -> Found:
    """Code whose lines stand elsewhere in the file."""
    lines = [line for line, _ in cells.python]
    at = [n for _, n in cells.python]
    shell = [Word(How.COMMAND, line, n) for line, n in cells.shell if line]
    tree = python.parse("\n".join(lines))
    unread = None
    if isinstance(tree, Unread):
        unread = Unread(_at(at, tree.line), tree.why, tree.remedy)
        found = list(by_lines.code(lines))
    else:
        found = python.words(tree)
    return [word._replace(line=_at(at, word.line)) for word in found] + shell, unread


def _at(lines: list[int], n: int) -> int:
    return lines[min(n, len(lines)) - 1] if lines else 1
