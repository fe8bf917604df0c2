"""IMG004: an image whose tag moves."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, SiteKind
from portability.engine.rules.base import Example, Ground, Rule, Said
from portability.engine.rules.foreign import is_placeholder
from portability.engine.rules.image.references import parse
from portability.engine.vendor_rows.rows import Table


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """A digest pins; so does a tag that names a version."""
    image = parse(said.value)
    if image.digest:
        return
    reason, row = "", None
    if is_placeholder(said.value):
        reason = f"Whether {said.value} names a fixed version cannot be told before it is filled in."
    elif not image.tag:
        reason = f"{said.value} names no tag, which means whatever `latest` is on that day."
    else:
        row = ground.rows.find(Table.FLOATING_TAGS, image.tag)
        reason = f"The tag {image.tag} moves: what was tried is not what starts next time." if row else ""
    if reason:
        remedy = "Pin a version or a digest, so that what was judged is what runs."
        yield RULE.finding(Effect.NOTE, reason, remedy, value=said.value, evidence=[row.evidence()] if row else [])


_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers: [{name: main, image: "%s"}]
"""

RULE = Rule(
    id="IMG004",
    name="image-not-pinned",
    class_="HYGIENE",
    why="Support depends on versions; a tag that moves makes yesterday's answer about another image.",
    fix="Pin a version or a digest.",
    references=("https://kubernetes.io/docs/concepts/containers/images/#image-names",),
    reads=("images",),
    examples=(
        Example("hit", "latest", _POD % "rocm/vllm:latest", effect=Effect.NOTE),
        Example("hit", "no tag", _POD % "rocm/vllm", effect=Effect.NOTE),
        Example("miss", "a version", _POD % "rocm/vllm:rocm7.0.0_vllm_0.11.0"),
        Example("miss", "a digest", _POD % f"rocm/vllm@sha256:{'0' * 64}"),
        Example("unknown", "a tag that is filled in later", _POD % "rocm/vllm:$(TAG)", effect=Effect.NOTE),
    ),
    kinds=(SiteKind.IMAGE,),
    at=at,
)
