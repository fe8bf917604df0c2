"""The words of the register as frozen values: what a manifest says, where it might go, what was found.

Nothing here reads files, clocks or settings. Every value that is stored goes through `to_json`/`from_json`
of `portability.engine.facts_json`, so that an assessment can be repeated without reading YAML again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple


class Vendor(StrEnum):
    """Whose accelerators. `NONE`: known to belong to nobody; `UNKNOWN`: cannot be told."""

    NVIDIA = "nvidia"
    AMD = "amd"
    OTHER = "other"
    NONE = "none"
    UNKNOWN = "unknown"


class Effect(StrEnum):
    """What a finding does to a verdict, worst first."""

    BLOCKS = "blocks"
    CHANGE = "change"
    CONFIRM = "confirm"
    NOTE = "note"


class Verdict(StrEnum):
    """What the register says of a workload for one target."""

    PINNED = "pinned"
    NEEDS_CHANGE = "needs-change"
    MOVABLE = "movable"
    NOT_ASSESSED = "not-assessed"


class SiteKind(StrEnum):
    """Where in a manifest a vendor's word may stand. Sites are kept unmatched: rows decide later."""

    IMAGE = "image"  # value: whole reference (joined when split over keys); place: the scalar that carries the name
    RESOURCE = "resource"  # key: extended resource name; value: its quantity; role: limits | requests | ...
    QUOTA = "quota"  # value: a resource or profile name where capacity is shared out; role: what kind of place
    DEVICE_CLASS = "device-class"  # value: DRA class name, driver name or one line of a CEL selector
    NODE = "node"  # key: node label; value: its value ("" for Exists); role: selector | affinity | flavor | hint
    TOLERATION = "toleration"  # value: the taint's key
    RUNTIME_CLASS = "runtime-class"  # value: runtimeClassName
    ENV = "env"  # key: variable name; value: its value ("" when it comes from elsewhere)
    PATH = "path"  # value: a host path; role: host | mount
    COMMAND = "command"  # value: one stripped line of command, args, probe or hook
    SCRIPT = "script"  # value: one stripped line of a script carried outside a container's command
    KIND = "kind"  # key: apiVersion; value: kind, of each document and embedded object
    METRIC = "metric"  # value: one stripped line of an expression or selector; role: expr | selector | trigger


class Resource(NamedTuple):
    """The Kubernetes object that holds a place. Empty strings where the manifest gives none."""

    kind: str = ""
    namespace: str = ""
    name: str = ""


_NO_RESOURCE = Resource()


@dataclass(slots=True, eq=False)
class Place:
    """Where a literal stands. `line` counts from 1; `pointer` is `document:JSON pointer`.

    `path` is the pointer without the document, its list items named by merge key (`containers[vllm]`). Nobody
    changes one; it is not frozen because a file holds thousands, and checking that would cost more than making them.
    """

    file: str
    line: int
    pointer: str
    path: str
    resource: Resource = _NO_RESOURCE

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and self._said() == other._said()

    def __hash__(self) -> int:
        return hash(self._said())

    def _said(self) -> tuple[str, int, str, str, Resource]:
        return self.file, self.line, self.pointer, self.path, self.resource


class Site(NamedTuple):
    """One candidate literal. `container` indexes `Facts.containers`, or is None outside any container."""

    kind: SiteKind
    place: Place
    value: str
    key: str = ""
    role: str = ""
    container: int | None = None


class Fact(NamedTuple):
    """One thing known about a workload. `origin`: detected, inferred (from a name), declared or assumed."""

    value: str
    origin: str
    place: Place | None = None
    note: str = ""


class Feature(NamedTuple):
    """A feature in use by its canonical name (`lora`, `quantization=awq`, `chunked-prefill=false`)."""

    name: str
    required: bool = False
    origin: str = "detected"
    place: Place | None = None

    @property
    def switched_off(self) -> bool:
        """Whether the manifest says that the feature is not used."""
        return self.name.endswith("=false")


class Container(NamedTuple):
    """A container (or what a custom resource makes one of). `accelerators`: resource name -> quantity text."""

    name: str
    role: str  # main | init | sidecar | ephemeral | custom
    place: Place
    image: str = ""
    accelerators: Mapping[str, str] = MappingProxyType({})
    gpus: int = 0  # devices asked for, by limits or requests, of any vendor
    uses_dra: bool = False  # devices come by a resource claim
    engine: Fact | None = None
    engine_version: Fact | None = None
    model: Fact | None = None
    model_kind: Fact | None = None
    features: tuple[Feature, ...] = ()
    non_root: bool = False
    supplemental_groups: bool = False
    memory_shm: bool = False
    docker_flags: tuple[str, ...] = ()  # privileged, hostIPC, SYS_PTRACE, unconfined seccomp

    @property
    def asks_for_devices(self) -> bool:
        """Whether devices are asked for, by number or by claim."""
        return self.gpus > 0 or self.uses_dra


class PodGroup(NamedTuple):
    """How often a pod template runs: its replicas and where that is said. None: not said or not a number."""

    resource: Resource
    replicas: int | None
    place: Place
    containers: tuple[int, ...]
    gpus_per_replica: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a file could not be read whole: which line, what is wrong, and what to do about it."""

    file: str
    line: int
    message: str
    remedy: str

    def __str__(self) -> str:
        """`file:line: message; remedy`, as printed on standard error and shown as missing."""
        return f"{self.file}:{self.line}: {self.message}. {self.remedy}"


class Facts(NamedTuple):
    """What a revision's manifests say, extracted once. Judging needs nothing else of the manifests."""

    files: tuple[str, ...] = ()
    documents: int = 0
    sites: tuple[Site, ...] = ()
    containers: tuple[Container, ...] = ()
    pod_groups: tuple[PodGroup, ...] = ()
    runs_something: bool = False  # a pod template or a serving custom resource was found
    problems: tuple[Problem, ...] = ()
    objects: tuple[Mapping[str, Any], ...] = ()  # plain copies of platform objects rules read (DeviceConfig)
    # Facts about the workload as a whole that stand outside any container (custom resources, config maps).
    engine: Fact | None = None
    engine_version: Fact | None = None
    model: Fact | None = None
    model_kind: Fact | None = None
    features: tuple[Feature, ...] = ()


@dataclass(frozen=True, slots=True)
class Declared:
    """What a team says of its workload; None or empty where it says nothing."""

    name: str = ""
    vendor: str | None = None
    engine: str | None = None
    engine_version: str | None = None
    model: str | None = None
    model_kind: str | None = None
    parameters_b: float | None = None
    dtype: str | None = None
    memory_gb: float | None = None
    gpus_per_replica: int | None = None
    replicas: int | None = None
    features: tuple[Feature, ...] = ()
    python_requirements: str = ""
    source_files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OperatingSystem:
    """`family` as the matrices name it (ubuntu, rhel, oracle-linux, rocky-linux, sles, debian, rhcos)."""

    family: str
    version: str
    kernel: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a workload might go. Unset (None or empty): not known, so whatever rests on it is to be confirmed.

    Naming, allocation and who manages the driver have defaults: those that the device plugin and operator document.
    """

    name: str
    vendor: Vendor
    part: str
    os: OperatingSystem | None = None
    rocm: str = ""
    amdgpu: str = ""
    cuda: str = ""
    driver: str = ""
    kubernetes: str = ""
    openshift: str = ""
    operator: str = ""
    driver_managed: bool = False
    resource_naming: str = "single"  # single | mixed; the cell naming/default of amd-device-plugin
    gpus_per_node: int | None = None
    partitions: Mapping[str, int] = field(default_factory=dict)  # style -> GPUs of a node; empty: unpartitioned
    allocation: str = "device-plugin"  # device-plugin | dra
    feature_gates: tuple[str, ...] = ()
    metrics_exporter: bool | None = None
    advertises: Mapping[str, int] | None = None  # observed on a node: resource name -> count
    device_memory_gb: float | None = None  # observed
    node_labels: Mapping[str, str] | None = None  # observed
    taints: tuple[str, ...] = ()
    device_config: Mapping[str, Any] | None = None  # the operator's DeviceConfig as a plain object


class Evidence(NamedTuple):
    """One thing a finding rests on. `source` names a standing source, or `observed`, `vendor-rows` or
    `organisation-rows`.

    `read` is the day a source was read; of a vendor row, the day it was entered, and `by` who entered it, where that
    was the organisation itself.
    """

    source: str
    version: str
    read: date | None
    cell: str
    value: str
    link: str = ""
    by: str = ""


class Finding(NamedTuple):
    """One rule at one place. A finding about the target has no place."""

    rule: str
    class_: str
    effect: Effect
    reason: str
    remedy: str
    place: Place | None = None
    value: str = ""
    evidence: tuple[Evidence, ...] = ()
    about: str = "workload"  # workload | target

    def put(self, place: Place | None) -> Finding:
        """The same at another place."""
        rule, class_, effect, reason, remedy, _, value, evidence, about = self
        return Finding(rule, class_, effect, reason, remedy, place, value, evidence, about)


class Consulted(NamedTuple):
    """A question put to the published knowledge, answered or not. A key ending in `*` asks for all under it.

    `version` is the version asked for ("newest" where a target follows the newest release).
    """

    source: str
    version: str
    key: str


class ReleaseRef(NamedTuple):
    """A reading of a source that an assessment rests on."""

    source: str
    version: str
    read: date


class Assessment(NamedTuple):
    """What the rules say of one workload for one target, with every cell they consulted."""

    verdict: Verdict
    own_verdict: Verdict  # without the findings about the target
    findings: tuple[Finding, ...]
    missing: tuple[str, ...]
    releases: tuple[ReleaseRef, ...]
    consulted: frozenset[Consulted]
    summary: Summary
    platform_judged: bool  # False where no source describes the target vendor's platform


class Summary(NamedTuple):
    """The facts that were judged, declared and detected put together; what JSON and the register show."""

    engine: Fact | None = None
    engine_version: Fact | None = None
    model: Fact | None = None
    model_kind: Fact | None = None
    features: tuple[Feature, ...] = ()
    gpus_per_replica: int | None = None
    replicas: int | None = None
    vendor: str | None = None
    contradictions: tuple[str, ...] = ()  # in words: "declared engine tgi, manifests show vllm (serving.yaml:38)"
