"""Programs and scripts carried in strings: which engine they start, with which model and settings."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from portability.engine.manifests.gather import Code, Setting, kebab
from portability.engine.manifests.serving import words
from portability.engine.manifests.serving.engines import by_command
from portability.engine.model import Place

_ARGUMENT = re.compile(
    r"(?<![\w.])([a-z_][a-z0-9_]{1,60})\s*=\s*(?:int\(|float\(|str\()?"
    r"(?:\"([^\"\n]{0,300})\"|'([^'\n]{0,300})'|(True|False|\d+(?:\.\d+)?)(?=\s*[,)\]\n#]|$)"
    r"|os\.(?:environ\.get|getenv)\(\s*[\"'](\w+)[\"']\s*,\s*[\"']([^\"']{0,300})[\"'])"
)
_PYTHON = re.compile(r"^(?:import \w|from [\w.]+ import |def \w+\(|class \w+|@\w)", re.MULTILINE)
_LOADED = re.compile(
    r"(?:from_pretrained|pipeline|LLM|SentenceTransformer|CrossEncoder|WhisperModel)\(\s*[\"']([^\"'\n]{1,300})[\"']"
)
_DIFFUSION = re.compile(r"\b(?:diffusers|StableDiffusion\w*|DiffusionPipeline|FluxPipeline)\b")


@dataclass(slots=True)
class Said:
    """What a program says: an engine with the line that shows it, and settings."""

    engine: tuple[str, Place] | None = None
    settings: list[Setting] = field(default_factory=list)
    kind: tuple[str, Place] | None = None


def said(code: Code) -> Said:
    """Read one script or program."""
    out = Said()
    python = bool(_PYTHON.search(code.text))
    best = 10**6
    for place, line in code.lines:
        row = by_command(line)
        if row is not None:
            rank = 1 if row.hosts else 0
            if rank < best:
                best, out.engine = rank, (row.engine, place)
        if out.kind is None and _DIFFUSION.search(line):
            out.kind = ("diffusion", place)
        if python:
            _arguments(line, place, out.settings)
    if not python:
        places = [code.place]
        line_places = {text: place for place, text in code.lines}
        places = [line_places.get(text.strip(), code.place) for text in code.text.split("\n")] or places
        out.settings += words.settings(words.split(code.text, places), {})
    return out


def _arguments(line: str, place: Place, out: list[Setting]) -> None:
    for found in _LOADED.finditer(line):
        out.append(Setting("model", found[1], place))
    for found in _ARGUMENT.finditer(line):
        value = next((g for g in (found[2], found[3], found[4], found[6]) if g is not None), "")
        out.append(Setting(kebab(found[1]), value, place))
