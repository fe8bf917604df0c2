"""What stands between a workload that needs change and being movable, in words that many workloads share."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Any

from portability.engine.model import Effect
from portability.register import interning
from portability.register.models import Obstacles
from portability.register.texts import first_sentence

_COUNT = (Effect.CHANGE.value, Effect.CONFIRM.value)
_LONGEST = 120
_LEADS = {  # what introduces the literal of a class; findings of any other class are named by their rule alone
    "IMAGE": "image ",
    "RESOURCE": "",
    "NODE": "node selection ",
    "TOLERATION": "toleration ",
    "RUNTIME": "runtime class ",
    "ENV": "environment ",
    "DEVICE": "path ",
    "CRD": "kind ",
    "FEATURE": "",
    "CODE": "",
}


def parts_of(findings: Iterable[Mapping[str, Any]]) -> list[str]:
    """The obstacles of findings in their JSON, each once and sorted: `IMG001 image vllm/vllm-openai`."""
    return sorted({_part(finding) for finding in findings if finding["effect"] in _COUNT})


def text_of(parts: Iterable[str]) -> str:
    """Obstacles as they are stored."""
    return "".join(f"\n{part}" for part in parts) + "\n"


def parts_in(text: str) -> list[str]:
    """The obstacles that a stored text holds."""
    return text.strip("\n").split("\n")


def digest_of(text: str) -> str:
    """What the same obstacles are known by."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def interned(texts: Iterable[str]) -> dict[str, int]:
    """The ids of these texts, stored where they are new. To be called in a transaction."""
    by_digest = {digest_of(text): text for text in texts}
    rows = {digest: Obstacles(digest=digest, text=text) for digest, text in by_digest.items()}
    ids = interning.interned(Obstacles, rows)
    return {text: ids[digest] for digest, text in by_digest.items()}


def _part(finding: Mapping[str, Any]) -> str:
    if finding["about"] == "target":
        words = f"target: {first_sentence(finding['reason'])}"
    elif (lead := _LEADS.get(finding["class"])) is not None and (named := _literal(finding)):
        words = lead + named
    else:
        words = ""
    return f"{finding['rule']} {' '.join(words.split())[:_LONGEST]}".strip()


def _literal(finding: Mapping[str, Any]) -> str:
    """What is shared: an image without its tag, the key of a quantity, a package without its version."""
    value, path = str(finding["value"]), str(finding["path"])
    if finding["class"] == "IMAGE":
        name = value.split("@")[0]
        folder, slash, last = name.rpartition("/")
        return folder + slash + last.split(":")[0]
    if finding["class"] == "ENV":
        named = re.search(r"env\[([^\]]+)\]", path)
        return named.group(1) if named else value.split("=")[0]
    if finding["class"] == "CODE":
        return re.split(r"[=<>~!;\[\s]", value, maxsplit=1)[0]
    key = str(finding["pointer"]).rpartition("/")[2].replace("~1", "/").replace("~0", "~")
    if finding["class"] in ("RESOURCE", "NODE") and "/" in key:
        return key
    return value
