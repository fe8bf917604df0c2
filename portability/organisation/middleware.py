"""Every request reads times in the organisation's zone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from portability.organisation import zone

_WITHOUT_SETTINGS = "health"  # answers while the database is away


class ZoneMiddleware:
    """Activates the zone before the view. It stays active afterwards: a streamed file is written after the answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Go on: the zone waits until it is known which page is asked for."""
        return self._get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        """Activate it for every page but those that ask nothing of the database."""
        if request.resolver_match is None or request.resolver_match.namespace != _WITHOUT_SETTINGS:
            zone.activate()
