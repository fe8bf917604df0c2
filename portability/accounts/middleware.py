"""Being signed in: asked of every request, answered in the form the request can use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.http import urlencode

from portability.errors import sent_text

SAFE = ("GET", "HEAD", "OPTIONS")
WITHOUT_OWN_PASSWORD = frozenset({"accounts:password", "accounts:logout"})


class SignedInMiddleware(LoginRequiredMiddleware):
    """Sends the anonymous to the login page, and whoever has a one-time password to choose their own.

    What was sent by a form is never lost silently: a page says that nothing was saved and gives the text back.
    A fragment request must not get a login page swapped into the middle of a page.
    """

    def process_view(
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase], view_args: Any, view_kwargs: Any
    ) -> HttpResponseBase | None:
        """Answer instead of the view where the person may not go on."""
        if not getattr(view_func, "login_required", True):
            return None
        if not request.user.is_authenticated:
            return self._sign_in(request, view_func)
        name = request.resolver_match.view_name if request.resolver_match else ""
        if getattr(request.user, "must_change_password", False) and name not in WITHOUT_OWN_PASSWORD:
            return redirect("accounts:password")
        return None

    def _sign_in(self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]) -> HttpResponseBase:
        htmx = getattr(request, "htmx", None)
        if request.method in SAFE:
            if not htmx:
                return super().handle_no_permission(request, view_func)
            back = htmx.current_url_abs_path or reverse("accounts:login")
            return HttpResponse(status=401, headers={"HX-Redirect": login_address(back)})
        if htmx:
            response = render(request, "accounts/signed_out_fragment.html", status=401)
            response["HX-Retarget"], response["HX-Reswap"] = "#messages", "innerHTML"
            return response
        context = {"login": login_address(""), "fields": sent_text(request)}
        response = render(request, "accounts/signed_out.html", context, status=403)
        add_never_cache_headers(response)  # it holds what was sent, secrets not yet taken out
        return response


def login_address(back: str) -> str:
    """The login page, leading back to an address afterwards."""
    query = f"?{urlencode({REDIRECT_FIELD_NAME: back})}" if back else ""
    return reverse("accounts:login") + query
