"""A person's own page of what they are told, and the pages on which administrators keep webhooks."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http.response import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.notifications import actions, digests, queries
from portability.notifications.forms import EndpointForm, SubscriptionForm
from portability.notifications.models import Delivery, Endpoint
from portability.refused import Refused

PER_PAGE = 20
_TOLD = "webhook_secret"


@allow(Access.EVERYONE)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own(request: SignedInRequest) -> HttpResponse:
    """What the person is told by e-mail of what moved: off until they ask for it."""
    subscription = queries.own_subscription(request.user)
    now = {name: getattr(subscription, name) for name in ("often", "whose", "hour")}
    form = SubscriptionForm(
        request.POST if request.method == "POST" else None,
        initial={**now, "email": request.user.email},
        zone=timezone.get_current_timezone_name(),
    )
    if request.method == "POST" and form.is_valid():
        try:
            actions.save_subscription(request.user, form.asked)
        except Refused as refused:
            form.add_error(refused.field, str(refused))
        else:
            messages.success(request, "Saved.")
            return redirect("notifications:own")
    context = {"form": form, "subscription": subscription, "configured": digests.configured()}
    context |= {"given_up": subscription.attempts >= digests.ATTEMPTS}
    return render(request, "notifications/own.html", context, status=422 if form.errors else 200)


@allow(Access.ADMINISTRATOR)
@require_safe
def endpoints(request: SignedInRequest) -> HttpResponse:
    """All webhooks, and the digests that could not be sent."""
    context = {"endpoints": queries.endpoints(), "failing": queries.failing_digests(), **_hosts()}
    return render(request, "notifications/endpoints.html", {**context, "attempts": digests.ATTEMPTS})


@allow(Access.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def new_endpoint(request: SignedInRequest) -> HttpResponse:
    """Add a webhook."""
    form = EndpointForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            endpoint, secret = actions.create_endpoint(request.user, form.values)
        except Refused as refused:
            form.add_error(refused.field, str(refused))
        else:
            return _tell(request, endpoint, secret)
    return render(request, "notifications/new_endpoint.html", {"form": form, **_hosts()}, status=_status(form))


@allow(Access.ADMINISTRATOR)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def endpoint(request: SignedInRequest, pk: int) -> HttpResponse:
    """One webhook: where it goes, and each delivery with its attempts. A new secret is shown once."""
    shown = get_object_or_404(queries.endpoints(), pk=pk)
    teams = list(shown.teams.all())
    form = EndpointForm(
        request.POST if request.method == "POST" else None,
        own=[team.pk for team in teams],
        initial={"name": shown.name, "url": shown.url, "teams": teams},
    )
    if request.method == "POST" and form.is_valid():
        try:
            actions.save_endpoint(request.user, pk, form.values)
        except Refused as refused:
            form.add_error(refused.field, str(refused))
        else:
            messages.success(request, f"{form.cleaned_data['name']} is changed.")
            return redirect("notifications:endpoint", pk=pk)
    state = request.GET.get("state", "")
    state = state if state in Delivery.State.values else ""
    page = Paginator(queries.deliveries_to(shown, state), PER_PAGE).get_page(request.GET.get("page"))
    context = {"endpoint": shown, "form": form, "page": page, "state": state, "told": _told(request, pk), **_hosts()}
    return render(request, "notifications/endpoint.html", context, status=_status(form))


@allow(Access.ADMINISTRATOR)
@require_POST
def rotate(request: SignedInRequest, pk: int) -> HttpResponse:
    """Sign with a new secret."""
    get_object_or_404(Endpoint, pk=pk)
    return _tell(request, *actions.rotate_secret(request.user, pk))


@allow(Access.ADMINISTRATOR)
@require_POST
def switch(request: SignedInRequest, pk: int, active: bool) -> HttpResponse:
    """Switch a webhook on or off."""
    get_object_or_404(Endpoint, pk=pk)
    changed = actions.switch_endpoint(request.user, pk, active=active)
    messages.success(request, f"{changed} is switched {'on' if active else 'off'}.")
    return redirect("notifications:endpoint", pk=pk)


@allow(Access.ADMINISTRATOR)
@require_POST
def test(request: SignedInRequest, pk: int) -> HttpResponse:
    """Send a message that tells of nothing."""
    get_object_or_404(Endpoint, pk=pk)
    said = "A test is on its way: its outcome is below in a moment."
    return _sent(request, pk, lambda: actions.send_test(request.user, pk), said)


@allow(Access.ADMINISTRATOR)
@require_POST
def again(request: SignedInRequest, pk: int, delivery: UUID) -> HttpResponse:
    """Send a delivery once more."""
    get_object_or_404(Delivery, pk=delivery, endpoint=pk)
    said = "It is sent again: its outcome is below in a moment."
    return _sent(request, pk, lambda: actions.send_again(request.user, pk, delivery), said)


def _sent(request: SignedInRequest, pk: int, act: Callable[[], Delivery], said: str) -> HttpResponse:
    try:
        act()
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, said)
    return redirect("notifications:endpoint", pk=pk)


def _tell(request: SignedInRequest, endpoint: Endpoint, secret: str) -> HttpResponse:
    """Carry a secret over the redirect to the page that shows it once."""
    request.session[_TOLD] = [endpoint.pk, secret]
    return redirect("notifications:endpoint", pk=endpoint.pk)


def _told(request: SignedInRequest, pk: int) -> str:
    if request.session.get(_TOLD, [None])[0] != pk:
        return ""
    return str(request.session.pop(_TOLD)[1])


def _hosts() -> dict[str, object]:
    """Where webhooks may go."""
    allowed = settings.WEBHOOK_HOSTS
    names = sorted(host if port == 443 else f"{host}:{port}" for host, port in allowed.places)
    return {"hosts": names, "setting": allowed.setting}


def _status(form: EndpointForm) -> int:
    return 422 if form.errors else 200
