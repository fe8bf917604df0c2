"""The schema of the JSON export. It is published as a file (`data/register.schema.json`), which tests hold to this."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from portability.engine.model import Vendor, Verdict
from portability.exports.columns import Kind, fields
from portability.exports.formats.json import VERSION
from portability.register.exposed import EXPOSURES
from portability.reviews.still import Still

_KINDS: dict[Kind, dict[str, Any]] = {
    Kind.TEXT: {"type": ["string", "null"]},
    Kind.NUMBER: {"type": ["number", "null"]},
    Kind.DAY: {"type": ["string", "null"], "format": "date"},
    Kind.TRUTH: {"type": ["boolean", "null"]},
    Kind.LINES: {"type": "array", "items": {"type": "string"}},
    Kind.WORDS: {"type": "array", "items": {"type": "string"}},
}
_VERDICTS = [v.value for v in Verdict]
_KNOWN: dict[str, list[str | None]] = {
    "verdict": [*_VERDICTS],
    "own verdict": [*_VERDICTS],
    "decided verdict": [*_VERDICTS],
    "decided as": [*_VERDICTS, None],
    "decision today": [*(still.value for still in Still), None],
    "exposure": [*EXPOSURES],
    "decided exposure": [*EXPOSURES],
    "vendor today": [*(v.value for v in Vendor), None],
}


def published() -> bytes:
    """The file as it is served."""
    return (files("portability.exports") / "data" / "register.schema.json").read_bytes()


def build() -> str:
    """The schema of what is exported now."""
    properties = {
        f.key: {"description": f"column “{f.name}”"}
        | ({"enum": _KNOWN[f.name]} if f.name in _KNOWN else _KINDS[f.kind])
        for f in fields().values()
    }
    text = {"type": "string"}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Register of workloads for one target",
        "description": "What each key of a row means is said of the column of the same name in docs/csv-columns.md."
        " Keys are never renamed; new ones may be added.",
        "type": "object",
        "required": ["version", "about", "rows", "count"],
        "properties": {
            "$schema": text,
            "version": {"const": VERSION},
            "about": {
                "type": "object",
                "required": ["target", "filter", "sort", "as_of", "exported_by", "exported_at", "address"],
                "properties": {
                    "target": text,
                    "filter": {"type": "object", "additionalProperties": text},
                    "sort": text,
                    "as_of": {"type": "array", "items": text},
                    "exported_by": text,
                    "exported_at": {"type": "string", "format": "date-time"},
                    "address": {"type": "string", "format": "uri"},
                },
            },
            "rows": {
                "type": "array",
                "items": {"type": "object", "required": list(properties), "properties": properties},
            },
            "count": {"type": "integer", "minimum": 0, "description": "of rows, so that a file cut short is noticed"},
        },
    }
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
