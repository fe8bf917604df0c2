"""KNO002: an answer about the target rests on a page that moved or was retired."""

from __future__ import annotations

from collections.abc import Iterator

from portability.engine.matrices.keys import RADEON, WINDOW
from portability.engine.model import Effect, Evidence, Finding
from portability.engine.rules.asking import family, has_platform_source, os_rows, runtime, shown_part
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.driver_window import dated_claim

_WORDS = {"moved": "has moved", "retired": "was retired"}


def check(ctx: Context) -> Iterator[Finding]:
    """A note for each such page that this target's answers come from, or would once have come from."""
    if not has_platform_source(ctx):
        return
    claim = dated_claim(ctx)
    if claim is not None:
        yield from _page(ctx, WINDOW, claim.evidence[:1], "what it says of driver and user space is dated evidence")
    if family(ctx) == "radeon" and not (runtime(ctx) and os_rows(ctx)):
        ends = ctx.ledger.cell(RADEON, "ends")
        evidence = (ctx.ledger.evidence(RADEON, ends or "ends"),)
        yield from _page(ctx, RADEON, evidence, f"it says nothing of {shown_part(ctx.target)} under newer releases")


def _page(ctx: Context, source: str, evidence: tuple[Evidence, ...], so: str) -> Iterator[Finding]:
    page = ctx.ledger.page(source)
    if page is None or page.status == "current":
        return
    yield RULE.finding(
        Effect.NOTE,
        f"{page.title} {_WORDS.get(page.status, page.status)} ({page.status_note}); {so}.",
        "Look for the page that took its place, and rest decisions on current sources.",
        value=source,
        evidence=evidence,
    )


RULE = Rule(
    id="KNO002",
    name="source-moved-or-retired",
    class_="KNOWLEDGE",
    why="A page that moved or was retired is not corrected any more; what it said is true of its day only.",
    fix="Rest the decision on a current page, or on a rehearsal.",
    references=(
        "https://rocm.docs.amd.com/projects/install-on-linux/en/latest/reference/user-kernel-space-compat-matrix.html",
        "https://rocm.docs.amd.com/projects/radeon/en/latest/",
    ),
    reads=("the target's part, amdgpu and ROCm versions, the status of sources",),
    examples=(
        Example("hit", "the driver window is named", target={"amdgpu": "6.4.3"}, effect=Effect.NOTE),
        Example("miss", "nothing rests on such a page"),
        Example(
            "unknown",
            "a Radeon part without rows: the page that had them was retired",
            target={"part": "rx-7900-xtx"},
            effect=Effect.NOTE,
        ),
    ),
    check=check,
    scope="target",
)
