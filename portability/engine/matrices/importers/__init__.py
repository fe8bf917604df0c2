"""Importers: one for each published page that is read by machine. A document that is not safe is refused as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from portability.engine.errors import InputError
from portability.engine.matrices.importers.documents import document
from portability.engine.matrices.importers.parts import held_against
from portability.engine.matrices.importers.reading import Reading
from portability.engine.matrices.keys import OPERATOR, ROCM, VLLM_FEATURES, VLLM_QUANTIZATION
from portability.engine.matrices.knowledge import Cell, Knowledge
from portability.engine.matrices.shipped import sources

IMPORTED = (ROCM, VLLM_FEATURES, VLLM_QUANTIZATION, OPERATOR)
LIMIT_DOCUMENTS = 20

__all__ = ["IMPORTED", "Reading", "cells_of", "read_document"]


def read_document(
    source: str, files: Sequence[tuple[str, bytes]], version: str | None = None, published: Knowledge | None = None
) -> Reading:
    """Read the documents (name, content) of one version of a source. Raises InputError: what is wrong, and where.

    Several documents are parts of one page. `version`: what they describe, where they do not say so themselves.
    `published`: the releases they are held against; None: those that ship.
    """
    importer = _importer(source)
    if not files:
        raise InputError(source, 0, "name a file to read")
    if len(files) > LIMIT_DOCUMENTS:
        raise InputError(source, 0, f"{len(files)} files; at most {LIMIT_DOCUMENTS} are read together")
    documents = [document(name, content) for name, content in files]
    try:
        with held_against(published):
            reading: Reading = importer.read(documents, version)
    except RecursionError:
        raise InputError(files[0][0], 0, "is nested too deep") from None
    return reading


def cells_of(reading: Reading, published: Knowledge | None = None) -> Mapping[str, Cell]:
    """The cells of a reading by key, as the release of its source and version holds them."""
    found: dict[str, Cell] = {}
    with held_against(published):
        for cell in _importer(reading.source).cells(reading):
            if cell.key in found:
                raise InputError(reading.source, 0, f"{cell.key} is answered twice")
            found[cell.key] = cell
    return found


def _importer(source: str) -> Any:
    """The module that reads a source; imported only now, since parsers take their time."""
    if source in IMPORTED:
        return import_module(f"{__name__}.{source.replace('-', '_')}")
    if source in {known.id for known in sources()}:
        raise InputError(source, 0, "has no importer: its cells are entered by hand, with source and day")
    raise InputError(source, 0, f"no such source; those that can be read: {', '.join(IMPORTED)}")
