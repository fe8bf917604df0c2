"""Errors people meet look like the product, say what happened, and what to do."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers
from django_guid import get_guid

_NOT_TEXT = frozenset(
    {"csrfmiddlewaretoken", "password", "old_password", "new_password1", "new_password2"}
    | {"token", "version", "workload", "shown_target"}  # what a form carries unseen, `detected_…` too
)
_CHUNK = 1024 * 1024


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, or 413 where the request was too large."""
    if isinstance(exception, (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)):
        return too_large(request, exception)
    return render(request, "400.html", status=HTTPStatus.BAD_REQUEST)


def too_large(request: HttpRequest, exception: Exception) -> HttpResponse:
    """413, naming the limit and what was sent."""
    context = {
        "limit": filesizeformat(settings.UPLOAD_LIMIT_BYTES),
        "sent": filesizeformat(_content_length(request)),
        "files_limit": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
        "too_many": not isinstance(exception, RequestDataTooBig),
    }
    return render(request, "413.html", context, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: the person is known, and this is not theirs."""
    return render(request, "403.html", {"reason": str(exception)}, status=HTTPStatus.FORBIDDEN)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404. The address is not repeated, and neither is what might have been there."""
    return render(request, "404.html", status=HTTPStatus.NOT_FOUND)


def not_allowed(request: HttpRequest, allowed: str) -> HttpResponse:
    """405: the address is there, and takes other methods than this one. `allowed` names them."""
    context = {"shows_a_page": "GET" in allowed}
    answer = render(request, "405.html", context, status=HTTPStatus.METHOD_NOT_ALLOWED)
    answer["Allow"] = allowed
    return answer


def server_error(request: HttpRequest) -> HttpResponse:
    """500. Asks nothing of the database, which may be what failed; the id leads to the log."""
    text = render_to_string("500.html", {"request_id": get_guid()})
    return HttpResponse(text, status=HTTPStatus.INTERNAL_SERVER_ERROR)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without a valid token: nearly always a page older than the last sign-in. Gives the text back."""
    if getattr(request, "htmx", None):
        response = render(request, "accounts/stale_page_fragment.html", status=HTTPStatus.UNAUTHORIZED)
        response["HX-Retarget"], response["HX-Reswap"] = "#messages", "innerHTML"
        return response
    context = {"fields": sent_text(request)}
    response = render(request, "403_csrf.html", context, status=HTTPStatus.FORBIDDEN)
    add_never_cache_headers(response)  # it holds what was sent, secrets not yet taken out
    return response


def sent_text(request: HttpRequest) -> list[tuple[str, str]]:
    """What a form sent, by field, so that it can be copied; no passwords. Chosen files have to be chosen again."""
    return [
        (name.replace("_", " "), text)
        for name, texts in request.POST.lists()
        if name not in _NOT_TEXT and not name.startswith("detected_")
        for text in texts
        if text.strip()
    ]


class NotAllowedMiddleware:
    """Gives the empty answer to a wrong method a page. Django has a handler for other errors, and none for this one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Everything else as it is."""
        answer = self.get_response(request)
        return not_allowed(request, answer["Allow"]) if isinstance(answer, HttpResponseNotAllowed) else answer


class RequestSizeMiddleware:
    """Refuses what is far too large before it is parsed; read to its end, since a browser shows no answer earlier."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Let requests of a reasonable size through."""
        size = _content_length(request)
        if size <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            return self.get_response(request)
        left = min(size, 16 * settings.UPLOAD_LIMIT_BYTES)
        while left > 0 and (chunk := request.read(min(_CHUNK, left))):
            left -= len(chunk)
        return too_large(request, RequestDataTooBig())


def _content_length(request: HttpRequest) -> int:
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0
