"""KNO001: an answer rests on a page that was due to be read again."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from portability.engine.model import Effect, Finding
from portability.engine.rules.base import Context, Example, Rule


def check(_ctx: Context) -> Iterable[Finding]:
    """Nothing while judging, which knows no day: `portability.engine.overdue` works it out when it is shown."""
    return ()


RULE = Rule(
    id="KNO001",
    name="knowledge-overdue",
    class_="KNOWLEDGE",
    why=(
        "Vendors change their support tables without notice, so that an answer is only as good as the day its page"
        " was read. It is worked out for the day you ask and never stored, since nothing about the workload changed."
    ),
    fix="Read the page again, and record what it says now.",
    references=("https://rocm.docs.amd.com/en/latest/compatibility/compatibility-matrix.html",),
    reads=("the day each page was read that an answer rests on, and after how many days it is due again",),
    examples=(
        Example("hit", "years after the reading", as_of=date(2036, 1, 1), effect=Effect.NOTE),
        Example("miss", "on the day of the first reading", as_of=date(2026, 8, 7)),
        Example(
            "unknown",
            "a page that moved is never due again: KNO002 says that it moved",
            target={"amdgpu": "6.4.3"},
            as_of=date(2026, 8, 7),
            effect=Effect.NOTE,
            by="KNO002",
        ),
    ),
    check=check,
    scope="shown",
)
