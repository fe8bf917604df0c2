"""Which engine runs, and which version of it, by image, command, code and the kind of a custom resource."""

from __future__ import annotations

import re
from functools import cache

from portability.engine.manifests.serving.rows import EngineRow, custom_resources, engine_commands, engine_images
from portability.engine.memo import remembered

_VERSION = r"(\d+\.\d+(?:\.\d+){0,2}(?:(?:rc|\.?post|\.?dev|a|b)\d+)?)"
# What stands beside an engine and bears its name, but serves no model.
_BESIDE = re.compile(
    r"router|operator|controller|gateway|autoscal|sync|exporter|mock|simulat|-sim$|benchmark|proxy|webui"
)
_RUNTIME = re.compile(r"rocm|cuda|cu\d{3}|rhoa")  # a tag that begins with another version than the engine's
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
    table, name = custom_resources(), name.strip().lower().replace("_", "-")
    found = table["names"].get(name)
    if found is None:
        found = next((engine for start, engine in table["names_begin"].items() if name.startswith(start)), "")
    return str(found)


@cache
def _named_version(engine: str) -> tuple[re.Pattern[str], str]:
    """How a version stands behind an engine's name, and that name."""
    name = "dynamo" if engine == "dynamo-vllm" else engine
    return re.compile(rf"(?<![a-z]){re.escape(name)}[-_]?v?{_VERSION}"), name


def version(row: EngineRow, image: str) -> str:
    """The engine's version as an image's reference tells it: behind the engine's name, or as the tag."""
    reference = image.partition("@")[0].lower()
    named, name = _named_version(row.engine)
    found = named.search(reference)
    if found:
        return found[1]
    repository, _, tag = reference.rpartition(":")
    if not repository or "/" in tag or not row.tag or "llm-d" in repository.rpartition("/")[2]:
        return ""
    if _RUNTIME.search(tag[:4]) and name not in tag:
        return ""
    found = _TAG.search(tag)
    return found[1] if found else ""
