"""What an organisation's own rows may be about, and how what people write becomes a pattern. No database."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from portability.engine.model import Effect, Vendor
from portability.engine.rules.image.references import matched_as
from portability.engine.vendor_rows.rows import Row, Table, shipped

_CHOOSABLE = (Effect.CHANGE, Effect.CONFIRM, Effect.NOTE)
_BLOCKING = (Effect.CHANGE, Effect.BLOCKS, Effect.CONFIRM, Effect.NOTE)


@dataclass(frozen=True, slots=True)
class About:
    """A table that takes rows of one's own: an example, and which effects its rules read (the first is the usual)."""

    label: str
    example: str
    effects: tuple[Effect, ...]


# The tables whose texts stand in manifests as they are, so that what a row touches can be found by its own letters.
# Words of commands, code, packages and metrics are not among them: a rule reads those. Plain images neither: an image
# that is nobody's says the same, and stands before what is shipped.
TABLES: Mapping[Table, About] = {
    Table.IMAGES: About("Image", "ml/scorer", _BLOCKING),
    Table.REGISTRIES: About("Host of a registry", "cuda-builds.example:5000", _BLOCKING),
    Table.LABELS: About("Node label, or label=value", "example.com/pool=blue", _CHOOSABLE),
    Table.INSTANCES: About("Instance type or node group", "gpu-large-*", _CHOOSABLE),
    Table.ENVIRONMENT: About("Environment variable, or NAME=value", "SCORER_CUDA_*", _CHOOSABLE),
    Table.RESOURCES: About("Resource name", "example.com/gpu", (Effect.CHANGE,)),
    Table.TAINTS: About("Taint", "example.com/dedicated-gpu", (Effect.NOTE,)),
    Table.RUNTIME_CLASSES: About("Runtime class", "gpu-sandbox", _CHOOSABLE),
    Table.DEVICE_CLASSES: About("Device class", "gpu.example.com", _CHOOSABLE),
    Table.PROFILES: About("Accelerator type or resource profile", "team-gpu-small", _CHOOSABLE),
    Table.KINDS: About("Kind, as group/Kind", "ml.example.com/GpuJob", _BLOCKING),
    Table.PATHS: About("Path on the host or in a container", "/opt/example/cuda/*", _CHOOSABLE),
}

VENDORS: Mapping[Vendor, str] = {
    Vendor.NVIDIA: "NVIDIA",
    Vendor.AMD: "AMD",
    Vendor.OTHER: "another vendor",
    Vendor.NONE: "nobody’s: runs on any vendor’s",
}
EFFECTS: Mapping[Effect, str] = {
    Effect.CHANGE: "to change",
    Effect.BLOCKS: "blocks: no way elsewhere",
    Effect.CONFIRM: "to confirm",
    Effect.NOTE: "a note only",
}
_WORDS = {
    **{vendor.value: vendor for vendor in VENDORS},
    "plain": Vendor.NONE,
    "nobody": Vendor.NONE,
    "nobody's": Vendor.NONE,
    "nobody’s": Vendor.NONE,
}


def vendor_of(word: str) -> Vendor | None:
    """The vendor that people mean by a word, or None."""
    return _WORDS.get(word.strip().lower())


def tidy(table: Table, pattern: str) -> str:
    """A pattern as texts of the table are matched: of an image, host and digest are taken off."""
    return matched_as(pattern) if table is Table.IMAGES else pattern


def stands_before(table: Table, pattern: str) -> Row | None:
    """The shipped row that answers for a name where there is no own row; None where none does.

    Of a pattern that stands for many names: for the shortest of them.
    """
    return shipped().find(table, pattern.replace("*", "").replace("#", "1"))


def problem_with(table: Table, pattern: str) -> str:
    """What keeps a text from being a pattern of a table, in a sentence; "" where nothing does."""
    if not re.fullmatch(r"[!-~]+", pattern):
        return "A pattern is one word: letters, digits and signs, without spaces, as manifests spell it."
    if len(re.sub(r"[^A-Za-z0-9]", "", pattern)) < 2:
        every = " To say it of a whole registry, choose its host instead." if table is Table.IMAGES else ""
        return f"This would match nearly everything: spell out at least two letters or digits.{every}"
    if table in (Table.LABELS, Table.ENVIRONMENT) and pattern.startswith("="):
        return "Give the name as well: NAME, or NAME=value."
    if table is Table.KINDS and not re.fullmatch(r"[^/]+/[^/]+", pattern):
        return "Write group and kind with a slash between: ml.example.com/GpuJob."
    if table is Table.REGISTRIES and "/" in pattern:
        return "Give the host alone, with its port if it has one: cuda-builds.example:5000."
    return ""


def literals(pattern: str) -> list[str]:
    """The runs of characters that every text holds which the pattern matches, the longest first; in lower case.

    Only characters that stand in stored facts as they are, and never join two of them.
    """
    return sorted(re.findall(r"[a-z0-9._-]+", pattern.lower()), key=len, reverse=True)
