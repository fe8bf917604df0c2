"""Small YAML files a person names on the command line: targets and declared facts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from portability.engine.errors import InputError

MANIFEST_ENDINGS = (".yaml", ".yml", ".json")
_LIMIT_BYTES = 1_000_000


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
    try:
        data = yaml.load(raw, Loader=_PlainLoader)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "cannot be read as YAML"
        raise InputError(where, mark.line + 1 if mark else 0, str(problem)) from None
    if not isinstance(data, Mapping):
        raise InputError(where, 1, "must hold one mapping of names to values")
    return data


class _PlainLoader(yaml.CSafeLoader):
    """Aliases are refused (a small file needs none), dates stay text, and so do fractional versions such as 24.10."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Refuse an alias where it stands."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.composer.ComposerError(None, None, "aliases are not allowed here", self.peek_event().start_mark)
        return super().compose_node(parent, index)


_PlainLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
