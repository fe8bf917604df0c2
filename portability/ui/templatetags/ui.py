"""Template tags and filters that every page may use."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.conf import settings
from django.forms import BoundField
from django.forms.utils import flatatt
from django.http import HttpRequest, QueryDict
from django.template import Context
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from portability.ui.navigation import Bar, bar_for

register = template.Library()
_DAY = re.compile(r"(?<![^\s(])\d{4}-\d\d-\d\d(?=[.,;:)]*(?:\s|$))")  # alone, not a part of something
_VENDORS = {"nvidia": "NVIDIA", "amd": "AMD", "other": "another vendor", "none": "no GPU", "unknown": "not known"}


@register.simple_tag(takes_context=True)
def navigation(context: Context) -> Bar:
    """The bar's links for the person of the request; empty where there is no request."""
    request = context.get("request")
    return bar_for(request) if isinstance(request, HttpRequest) else Bar()


@register.simple_tag
def csrf_cookie() -> str:
    """The name of the cookie whose value every form repeats."""
    return settings.CSRF_COOKIE_NAME


@register.simple_tag
def options(choices: Iterable[Mapping[str, Any]]) -> SafeString:
    """The choices of a select field as Django's own templates write them, at once: there may be hundreds."""
    said = ((choice["value"], flatatt(choice["attrs"]), choice["label"]) for choice in choices)
    return format_html_join("\n", '<option value="{}"{}>{}</option>', said)


@register.filter
def dated(value: datetime.date | str | None) -> str:
    """A date in full, `7 August 2026`, from a date, a moment or ISO text; a dash where there is none."""
    if not value:
        return "–"
    if isinstance(value, str):
        value = datetime.date.fromisoformat(value[:10])
    if isinstance(value, datetime.datetime) and timezone.is_aware(value):
        value = timezone.localtime(value)
    return date_format(value, "j F Y")


@register.filter
def days_in_full(text: str) -> str:
    """A text with its ISO days as pages write days: `by its banner of 15 July 2026`. Paths, tags and keys stay."""

    def full(found: re.Match[str]) -> str:
        try:
            return dated(found[0])
        except ValueError:  # it only looks like a day
            return found[0]

    return _DAY.sub(full, str(text))


@register.filter
def moment(value: datetime.datetime | None) -> SafeString | str:
    """Day and time of a moment, as a `time` element."""
    if value is None:
        return "–"
    local = timezone.localtime(value)
    return format_html('<time datetime="{}">{}</time>', value.isoformat(), date_format(local, "j F Y, H:i"))


@register.filter
def vendor(value: str) -> str:
    """A vendor that a workload runs on, as people write it: `NVIDIA`; nothing for none known."""
    return _VENDORS.get(value, value)


@register.filter
def version(value: str) -> SafeString | str:
    """A version in the monospaced face; nothing for none."""
    return format_html('<span class="v">{}</span>', value) if value else ""


@register.simple_tag(takes_context=True)
def query(context: Context, **changes: object) -> str:
    """The page's query string with some values replaced, `?…`; None or an empty text removes one."""
    request = context.get("request")
    kept = request.GET.copy() if isinstance(request, HttpRequest) else QueryDict(mutable=True)
    for key, value in changes.items():
        if value in (None, ""):
            kept.pop(key, None)
        else:
            kept[key] = str(value)
    return "?" + kept.urlencode()


@register.filter
def described(field: BoundField) -> BoundField | SafeString:
    """The field's widget, tied to its help and its errors for screen readers."""
    ids = [f"{field.id_for_label}-help"] if field.help_text else []
    attributes: dict[str, str | bool] = {}
    if field.errors:
        ids.append(f"{field.id_for_label}-errors")
        attributes["aria-invalid"] = "true"
    if ids:
        attributes["aria-describedby"] = " ".join(ids)
    return field.as_widget(attrs=attributes)
