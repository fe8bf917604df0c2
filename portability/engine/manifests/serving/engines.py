"""Which engine runs, and which version of it, by image, command, code and the kind of a custom resource."""

from __future__ import annotations

import re

from portability.engine.manifests.serving.rows import EngineRow, custom_resources, engine_commands, engine_images
from portability.engine.memo import remembered

_VERSION = r"(\d+\.\d+(?:\.\d+){0,2}(?:(?:rc|\.?post|\.?dev|a|b)\d+)?)"
# What stands beside an engine and bears its name, but serves no model.
_BESIDE = re.compile(
    r"router|operator|controller|gateway|autoscal|sync|exporter|mock|simulat|-sim$|benchmark|proxy|webui"
)
_TAG = re.compile(rf"(?:^|[-_])v?{_VERSION}(?=[-_+]|$)")


@remembered
def by_image(image: str) -> EngineRow | None:
    """The engine an image holds."""
    reference = image.partition("@")[0].lower()
    if _BESIDE.search(reference.rpartition("/")[2].partition(":")[0]):
        return None
    return engine_images().first(reference)


@remembered
def by_command(text: str) -> EngineRow | None:
    """The engine a command line or a line of code starts."""
    return engine_commands().first(text)


def by_name(name: str) -> str:
    """The engine a field's value names, or nothing."""
    found = custom_resources()["names"].get(name.strip().lower().replace("_", "-"))
    return str(found) if found else ""


def version(row: EngineRow, image: str) -> str:
    """The engine's version as an image's reference tells it: behind the engine's name, or as the tag."""
    reference = image.partition("@")[0].lower()
    name = re.escape(row.engine.partition("-")[0] if row.engine == "dynamo-vllm" else row.engine)
    found = re.search(rf"(?<![a-z]){name}[-_]?v?{_VERSION}", reference)
    if found:
        return found[1]
    repository, _, tag = reference.rpartition(":")
    if not repository or "/" in tag or not row.tag or "llm-d" in repository.rpartition("/")[2]:
        return ""
    if re.search(r"rocm|cuda|cu\d{3}", tag[:4]) and not re.search(rf"{name}", tag):
        return ""
    found = _TAG.search(tag)
    return found[1] if found else ""
