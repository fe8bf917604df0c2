"""Pages of the organisation's own rows: the list, a row, and a curator's forms."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.engine.vendor_rows.rows import Table
from portability.rules import pages
from portability.rules.models import VendorRow


@allow(Access.EVERYONE)
@require_safe
def row(request: SignedInRequest, pk: int) -> HttpResponse:
    """One row of the organisation's own, removed or not: what rested on it leads here."""
    found = get_object_or_404(VendorRow, pk=pk)
    context = {"row": found, "name": pages.table_name(Table(found.table)), "whose": found.vendor, "effect": found.effect}
    return render(request, "rules/own_row.html", context)
