"""Is the process alive, and can it do its work? Plain JSON, for anyone who can reach the address."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from portability.accounts.access import Access, allow
from portability.ops.health import state


@allow(Access.PUBLIC)
@require_safe
@never_cache
def live(request: HttpRequest) -> JsonResponse:
    """The process answers. Nothing else is asked, so that a slow database never gets it restarted."""
    return JsonResponse({"status": "ok"})


@allow(Access.PUBLIC)
@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """Requests may be sent here: 200, or 503 with what is in the way."""
    now = state()
    return JsonResponse(now.as_json(), status=200 if now.ready else 503)
