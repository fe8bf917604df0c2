"""What the tests of waivers for all workloads share: a target with something against it, and what becomes of it."""

from __future__ import annotations

from datetime import date
from typing import Any

from portability.accounts.models import Person
from portability.register.models import Row
from portability.reviews import findings
from portability.reviews.actions import waive_for_all
from portability.reviews.decided import with_decided
from portability.reviews.models import Waiver
from portability.targets.models import Target
from portability.targets.queries import stands_against
from portability.workloads.models import Workload
from tests.reviews.making import SERVING, TODAY

JAMMY = "mi350p-jammy"  # whose system is not listed for its part: PLT001, to change
NEWEST = "mi300x-newest"  # whose driver is to be confirmed: PLT003 and PLT004
READY = SERVING.replace("vllm-openai", "vllm-openai-rocm").replace("nvidia.com", "amd.com")  # nothing to change
SAYS = {"model_kind": "decoder-only"}  # declared with it
TOLD = {"reason": "The vendor supports it by contract.", "link": "https://risk.example/11"}
UNTIL = date(2027, 3, 31)


def jammy() -> Target:
    """The target."""
    return Target.objects.get(name=JAMMY)


def mark_of(rule: str, target: Target | None = None) -> str:
    """The mark of what a rule found about a target, as it is known now."""
    return next(findings.mark(f) for f in stands_against(target or jammy()) if f["rule"] == rule)


def waived_for_all(
    who: Person, rule: str = "PLT001", target: Target | None = None, *, ends: date = UNTIL, today: date = TODAY
) -> Waiver:
    """Waive what a rule found about a target."""
    of = target or jammy()
    return waive_for_all(who, of.pk, mark_of(rule, of), **TOLD, ends=ends, today=today)


def verdicts(workload: Workload, today: date = TODAY, target: Target | None = None) -> tuple[str, str, int]:
    """The engine's verdict, the decided one and how many findings are waived, as the register has them."""
    rows: Any = with_decided(Row.objects.filter(workload=workload, target=target or jammy()), today)
    verdict, decided, waived = rows.values_list("verdict", "decided_verdict", "waived").get()
    return verdict, decided, waived
