"""What a person wants a workload to be: manifests without their secrets, declared facts, and what is read off both."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from portability.engine.declared import declared_to_json, parse_declared
from portability.engine.facts_json import facts_to_json
from portability.engine.manifests import read_facts
from portability.engine.manifests.secrets import Redaction, redact
from portability.engine.model import Declared, Facts, Summary
from portability.engine.summary import merge_summary
from portability.workloads.uploads import Files

Harmless = Collection[tuple[str, str]]  # file and pointer of what looks like a secret and is none


@dataclass(frozen=True)
class Manifests:
    """Files without their secrets, and what they say."""

    files: Files
    redactions: list[Redaction]
    harmless: list[tuple[str, str]]

    @cached_property
    def facts(self) -> Facts:
        """What the manifests say."""
        return read_facts(self.files)

    @property
    def feature_names(self) -> frozenset[str]:
        """The features that the manifests show."""
        return frozenset(f.name for f in merge_summary(self.facts, Declared()).features)


@dataclass(frozen=True)
class Content:
    """Manifests and declared facts, ready to be judged or stored: nothing in here is a secret any more."""

    manifests: Manifests
    declared: Declared

    @property
    def files(self) -> Files:
        """Names and texts."""
        return self.manifests.files

    @cached_property
    def summary(self) -> Summary:
        """Detected and declared put together."""
        return merge_summary(self.manifests.facts, self.declared)

    @cached_property
    def declared_json(self) -> dict[str, Any]:
        """The declared facts as stored."""
        stored: dict[str, Any] = storable(declared_to_json(self.declared))
        return stored

    @property
    def facts_json(self) -> dict[str, Any]:
        """The facts as stored."""
        stored: dict[str, Any] = storable(facts_to_json(self.manifests.facts))
        return stored

    @property
    def redactions_json(self) -> list[dict[str, Any]]:
        """What was replaced, as stored: where and why, never what."""
        found = self.manifests.redactions
        return [{"file": r.file, "line": r.line, "pointer": storable(r.pointer), "why": r.why} for r in found]

    @property
    def digest(self) -> str:
        """The name of this content: of file names, texts and declared facts."""
        return digest_of(self.files, self.declared_json)


def manifests(files: Files, harmless: Harmless = ()) -> Manifests:
    """Take the secrets out, first of all."""
    redacted = redact(files, harmless)
    names = {name for name, _ in files}
    kept = sorted({(file, pointer) for file, pointer in harmless if file in names})
    return Manifests(list(redacted.files), list(redacted.redactions), kept)


def content(files: Files, declared: Mapping[str, Any], harmless: Harmless = (), where: str = "declared") -> Content:
    """Both at once. Raises InputError where a declared fact cannot be used."""
    return Content(manifests(files, harmless), parse_declared(declared, where))


def digest_of(files: Files, declared: Mapping[str, Any]) -> str:
    """A content's hash."""
    said = json.dumps([[list(f) for f in files], declared], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def storable(value: Any) -> Any:
    """A JSON value without what PostgreSQL cannot hold: NUL and halves of surrogate pairs, which YAML can escape."""
    if isinstance(value, str):
        if value.isprintable():
            return value
        return value.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Mapping):
        return {storable(key): storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item) for item in value]
    return value
