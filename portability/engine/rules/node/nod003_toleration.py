"""NOD003: a toleration of another vendor's taint."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, SiteKind
from portability.engine.rules.base import Example, Ground, Rule, Said
from portability.engine.rules.foreign import foreign, is_placeholder, literal, owner
from portability.engine.vendor_rows.rows import Table


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """Tolerating what is not there stops nothing; the target's own taint may need a toleration."""
    own = ", ".join(ground.target.taints)
    remedy = "Leave it, or take it out; add a toleration of the target's taint" + (f" ({own})." if own else " if any.")
    row = foreign(ground, Table.TAINTS, said.value)
    if row is not None:
        reason = f"It tolerates a taint of nodes of {owner(row)}, which the target's nodes do not carry"
        yield literal(RULE, said, row, reason, remedy, Effect.NOTE)
    elif is_placeholder(said.value):
        yield RULE.finding(Effect.NOTE, f"The taint {said.value} is filled in later.", remedy, value=said.value)


_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  tolerations: [{key: %s, operator: Exists}]
  containers: [{name: main, image: "python:3.12"}]
"""

RULE = Rule(
    id="NOD003",
    name="toleration-of-vendor",
    class_="TOLERATION",
    why="A toleration for the other vendor's taint does nothing on the target, whose own taint may need one.",
    fix="Tolerate the target's taint where its nodes carry one.",
    references=("https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/",),
    reads=("keys of tolerations",),
    examples=(
        Example("hit", "NVIDIA's taint", _POD % "nvidia.com/gpu", effect=Effect.NOTE),
        Example("miss", "the target's taint", _POD % "amd.com/gpu"),
        Example("miss", "nobody's taint", _POD % "dedicated"),
        Example("unknown", "a taint that is filled in later", _POD % "'$(GPU_TAINT)'", effect=Effect.NOTE),
    ),
    kinds=(SiteKind.TOLERATION,),
    at=at,
)
