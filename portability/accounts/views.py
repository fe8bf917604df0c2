"""Signing in and out, and the own password."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest
from django.http.response import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from portability.accounts import actions
from portability.accounts.access import Access, SignedInRequest, allow
from portability.accounts.forms import LogIn

login = allow(Access.PUBLIC)(
    LoginView.as_view(template_name="accounts/login.html", authentication_form=LogIn, redirect_authenticated_user=True)
)


@allow(Access.PUBLIC)
@require_POST
def logout(request: HttpRequest) -> HttpResponseBase:
    """End the session."""
    return LogoutView.as_view()(request)


@allow(Access.EVERYONE)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def password(request: SignedInRequest) -> HttpResponse:
    """Change the own password; whoever has a one-time password comes here first."""
    form = PasswordChangeForm(request.user, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        actions.change_own_password(request.user, form.cleaned_data["new_password1"])
        update_session_auth_hash(request, request.user)
        messages.success(request, "Your password is changed. Your other sessions have ended.")
        return redirect(settings.LOGIN_REDIRECT_URL)
    return render(request, "accounts/password.html", {"form": form}, status=422 if form.errors else 200)


def locked(request: HttpRequest, *_: object) -> HttpResponse:
    """Instead of the login page after too many failures in a row: until when, and what else helps."""
    until = timezone.now() + timedelta(hours=settings.AXES_COOLOFF_TIME)
    return render(
        request, "accounts/locked.html", {"until": until, "failures": settings.AXES_FAILURE_LIMIT}, status=429
    )
