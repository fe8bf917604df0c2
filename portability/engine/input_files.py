"""Small pieces of YAML that people write: targets and declared facts, from a file or a form."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from portability.engine.errors import InputError

MANIFEST_ENDINGS = (".yaml", ".yml", ".json")
_LIMIT_BYTES = 1_000_000
_LIMIT_DEPTH = 50


def read_mapping(path: Path) -> Mapping[str, Any]:
    """A YAML file that holds one mapping, dates and versions left as text. Raises InputError with file and line."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(str(path), 0, f"cannot be read: {error.strerror}") from None
    if len(raw) > _LIMIT_BYTES:
        raise InputError(str(path), 0, f"{len(raw):,} bytes; at most {_LIMIT_BYTES:,} are read")
    return parse_mapping(raw, str(path))


def parse_mapping(raw: str | bytes, where: str) -> Mapping[str, Any]:
    """The same from text."""
    data = parse(raw, where)
    if not isinstance(data, Mapping):
        raise InputError(where, 1, "must hold one mapping of names to values")
    return data


def parse(raw: str | bytes, where: str) -> Any:
    """Whatever value a text holds: a mapping, a list, a scalar or None."""
    try:
        _refuse_bombs(raw, where)
        return yaml.load(raw, Loader=_PlainLoader)
    except InputError:
        raise
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = min(mark.line + 1, len(raw.splitlines())) if mark else 0  # what is not closed is noticed after the end
        said = [text for name in ("context", "problem") if (text := getattr(error, name, None))]
        raise InputError(where, line, ", ".join(said) or "cannot be read as YAML") from None
    except ValueError:  # a number of thousands of digits
        raise InputError(where, 0, "a number in it is too long to be read") from None


def _refuse_bombs(raw: str | bytes, where: str) -> None:
    """A small file needs neither aliases nor deep nesting; both are how one is made to grow."""
    depth = 0
    for event in yaml.parse(raw, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise InputError(where, _line(event), "aliases (*name) are not allowed here: write it out")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _LIMIT_DEPTH:
            raise InputError(where, _line(event), f"nested more than {_LIMIT_DEPTH} deep")


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 0


class _PlainLoader(yaml.CSafeLoader):
    """Dates stay text; versions must be quoted by the writer, since 24.10 is a number to YAML."""


_PlainLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
