"""The first page: what would stop."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from portability.accounts.access import Access, SignedInRequest, allow, is_member
from portability.exposure import queries

COUNTS = ("engine", "decided")


@allow(Access.EVERYONE)
@require_safe
def exposure(request: SignedInRequest) -> HttpResponse:
    """What would stop if supply of a vendor slipped. `vendor` and `counts` are read from the address."""
    vendor, counts = request.GET.get("vendor", ""), request.GET.get("counts", "")
    problems = []
    if vendor and vendor not in queries.NAMES:
        problems.append(f"“{vendor[:40]}” is no vendor that is reckoned with: shown for NVIDIA.")
        vendor = ""
    if counts and counts not in COUNTS:
        problems.append(f"counts is engine or decided, not “{counts[:40]}”: the engine’s verdicts are counted.")
        counts = ""
    found = queries.exposure(
        vendor or queries.FIRST_VENDOR,
        decided=counts == "decided",
        today=timezone.localdate(),
        reader=request.user.pk,
    )
    context = {
        "page": found,
        "problems": problems,
        "may_register": not found.registered and is_member(request.user),
    }
    return render(request, "exposure/exposure.html", context)
