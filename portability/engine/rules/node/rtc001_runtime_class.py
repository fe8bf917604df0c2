"""RTC001: a runtime class that another vendor's container toolkit defines."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, SiteKind
from portability.engine.rules.base import Example, Ground, Rule, Said
from portability.engine.rules.foreign import foreign, is_placeholder, literal, owner
from portability.engine.vendor_rows.rows import Table


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """A pod with a runtime class that does not exist is refused."""
    row = foreign(ground, Table.RUNTIME_CLASSES, said.value)
    if row is not None:
        remedy = f"Take runtimeClassName out. On the target: {row.counterpart or 'what its plugin asks for'}."
        yield literal(RULE, said, row, f"The runtime class {said.value} comes with software of {owner(row)}", remedy)
    elif is_placeholder(said.value):
        yield RULE.finding(
            Effect.CONFIRM,
            f"The runtime class {said.value} is filled in later.",
            "Confirm that the target has a runtime class of that name, or leave it out.",
            value=said.value,
        )


_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  runtimeClassName: %s
  containers: [{name: main, image: "python:3.12"}]
"""

RULE = Rule(
    id="RTC001",
    name="runtime-class-of-vendor",
    class_="RUNTIME",
    why="A pod that names a runtime class the cluster does not have is refused.",
    fix="Take the runtime class out: the AMD device plugin needs none; NVIDIA's may need `nvidia`.",
    references=("https://kubernetes.io/docs/concepts/containers/runtime-class/",),
    reads=("runtimeClassName",),
    examples=(
        Example("hit", "NVIDIA's runtime class", _POD % "nvidia", effect=Effect.CHANGE),
        Example("miss", "a sandbox of nobody's", _POD % "gvisor"),
        Example("unknown", "a class that is filled in later", _POD % "'$(RUNTIME)'", effect=Effect.CONFIRM),
    ),
    kinds=(SiteKind.RUNTIME_CLASS,),
    at=at,
)
