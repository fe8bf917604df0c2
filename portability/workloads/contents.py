"""What a person wants a workload to be: manifests and code without their secrets, declared facts, what both show."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from portability.engine.declared import declared_to_json, parse_declared
from portability.engine.facts_json import facts_from_json, facts_to_json, is_current
from portability.engine.manifests import read_facts
from portability.engine.manifests.secrets import Redaction, redact, redact_code
from portability.engine.model import Declared, Facts, Summary
from portability.engine.summary import merge_summary
from portability.workloads.models import Revision
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
class Material:
    """Application material without its secrets. `harmless`: file and pointer of what was kept as no secret."""

    files: Files = field(default_factory=list)
    redactions: list[Redaction] = field(default_factory=list)
    harmless: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Content:
    """Manifests, application material and what is said: ready to be judged or stored, nothing in it a secret any more.

    `said` holds no application material.
    """

    manifests: Manifests
    said: Declared
    material: Material = field(default_factory=Material)

    @cached_property
    def declared(self) -> Declared:
        """What is judged beside the manifests."""
        return replace(self.said, source_files=dict(self.material.files))

    @property
    def files(self) -> Files:
        """Names and texts of the manifests."""
        return self.manifests.files

    @property
    def texts(self) -> dict[str, str]:
        """Every text that a finding may point into, by its name."""
        return dict(self.manifests.files + self.material.files)

    @cached_property
    def summary(self) -> Summary:
        """Detected and declared put together."""
        return merge_summary(self.manifests.facts, self.declared)

    @cached_property
    def declared_json(self) -> dict[str, Any]:
        """The declared facts as stored; application material is stored as files."""
        stored: dict[str, Any] = storable(declared_to_json(self.said))
        return stored

    @property
    def facts_json(self) -> dict[str, Any]:
        """The facts as stored."""
        return _facts_json(self.manifests.facts)

    @property
    def redactions(self) -> list[Redaction]:
        """What was replaced."""
        return self.manifests.redactions + self.material.redactions

    @property
    def harmless(self) -> list[tuple[str, str]]:
        """What looks like a secret and was kept as none."""
        return self.manifests.harmless + self.material.harmless

    @property
    def redactions_json(self) -> list[dict[str, Any]]:
        """What was replaced, as stored: where and why, never what."""
        found = self.redactions
        return [{"file": r.file, "line": r.line, "pointer": storable(r.pointer), "why": r.why} for r in found]

    @property
    def digest(self) -> str:
        """The name of this content: of file names, texts, application material and declared facts."""
        return digest_of(self.files, self.declared_json, self.material.files)


def manifests(files: Files, harmless: Harmless = ()) -> Manifests:
    """Take the secrets out, first of all."""
    redacted = redact(files, harmless)
    return Manifests(list(redacted.files), list(redacted.redactions), _kept(files, harmless))


def material(files: Files, harmless: Harmless = ()) -> Material:
    """The same for application material."""
    redacted = redact_code(files, harmless)
    return Material(list(redacted.files), list(redacted.redactions), _kept(files, harmless))


def _kept(files: Files, harmless: Harmless) -> list[tuple[str, str]]:
    names = {name for name, _ in files}
    return sorted({(file, pointer) for file, pointer in harmless if file in names})


def content(files: Files, declared: Mapping[str, Any], harmless: Harmless = (), where: str = "declared") -> Content:
    """All at once, application material as a workload file gives it. Raises InputError for a fact that is no use."""
    said = parse_declared(declared, where)
    listed = [("requirements.txt", said.python_requirements)] if said.python_requirements.strip() else []
    given = material([*listed, *said.source_files.items()], harmless)
    return Content(manifests(files, harmless), replace(said, python_requirements="", source_files={}), given)


def facts_of(revision: Revision) -> Facts:
    """What the manifests of a stored revision say."""
    return facts_from_json(facts_json_of(revision))


def facts_json_of(revision: Revision) -> dict[str, Any]:
    """The same in the form that is stored: as kept, or taken anew where another version of the extractor took them.

    Asks for `revision.files` then, which may be prefetched. Nothing is kept by this.
    """
    if is_current(revision.extractor):
        kept: dict[str, Any] = revision.facts
        return kept
    return _facts_json(read_facts([(file.name, file.text) for file in revision.files.all()]))


def _facts_json(facts: Facts) -> dict[str, Any]:
    stored: dict[str, Any] = storable(facts_to_json(facts))
    return stored


def declared_of(revision: Revision, where: str = "declared") -> Declared:
    """What is judged of a revision beside its manifests. Asks for `revision.material`, which may be prefetched."""
    said = parse_declared(revision.declared, where)
    return replace(said, source_files={file.name: file.text for file in revision.material.all()})


def digest_of(files: Files, declared: Mapping[str, Any], material: Sequence[tuple[str, str]] = ()) -> str:
    """A content's hash."""
    if material:
        declared = {**declared, "source_files": [list(file) for file in material]}
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
