"""The page of the organisation's settings."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from portability.accounts.access import Access, SignedInRequest, allow
from portability.organisation import actions, queries, zone
from portability.organisation.dates import Quarter
from portability.organisation.forms import SettingsForm, initial_of
from portability.organisation.models import Organisation


@allow(Access.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: SignedInRequest) -> HttpResponse:
    """What holds for the whole register."""
    now = queries.stored()
    if request.method != "POST":
        return _page(request, now, SettingsForm(now=now, initial=initial_of(now)))
    form = SettingsForm(request.POST, now=now)
    if not form.is_valid():
        return _page(request, now, form, status=422)
    try:
        saved = actions.save_settings(request.user, form.cleaned_data["version"], form.chosen)
    except actions.Refused as refused:
        form.add_error(f"target_{refused.vendor}", str(refused))
        return _page(request, now, form, status=422)
    except actions.Conflict:
        return _conflict(request)
    messages.success(request, "The settings are saved." if saved.version != now.version else "Nothing was changed.")
    return redirect("organisation:settings")


def _conflict(request: SignedInRequest) -> HttpResponse:
    """Show what was typed over what it is now; saving again replaces the other person's edit knowingly."""
    now = queries.stored()
    typed = request.POST.copy()
    typed["version"] = str(now.version)
    return _page(request, now, SettingsForm(typed, now=now), status=409, other=initial_of(now))


def _page(
    request: SignedInRequest, now: Organisation, form: SettingsForm, status: int = 200, **context: object
) -> HttpResponse:
    today = timezone.localdate()
    quarter = Quarter.of(today, now.first_month)
    context |= {
        "form": form,
        "moment": zone.moment_in(now.time_zone, timezone.now()),
        "quarter": quarter,
        "starts": quarter.starts(now.first_month),
        "ends": quarter.ends(now.first_month),
        "zones": sorted(zone.known()),
    }
    return render(request, "organisation/settings.html", context, status=status)
