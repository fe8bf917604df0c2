"""Taking the register away: what to take, files made at once, and one's own files made in the background."""

from __future__ import annotations

import uuid
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.exports import actions, making, queries, source
from portability.exports.making import FORMATS
from portability.exports.mapping_actions import may_edit
from portability.exports.mappings import mappings
from portability.exports.models import Export
from portability.exports.schema import published
from portability.exports.vendors import mixed
from portability.refused import Refused

PER_PAGE = 50


def _order(request: SignedInRequest, asked: QueryDict, kind: str) -> making.Order:
    chosen = source.chosen_for(request.user, asked)
    return making.order(chosen, kind, asked.get("mapping", ""))


def _origin(request: SignedInRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


@allow(Access.EVERYONE)
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SignedInRequest) -> HttpResponse:
    """Choose format and columns for the rows of a register page; a POST has the file made in the background."""
    asked = request.POST if request.method == "POST" else request.GET
    kind = asked.get("format", "xlsx")
    context: dict[str, object] = {"formats": FORMATS.values(), "mappings": mappings(), "kind": kind}
    context["mapping"], context["may_edit"] = asked.get("mapping", ""), may_edit(request.user)
    try:
        order = _order(request, asked, kind)
        if request.method == "POST":
            token = _token(asked.get("token", ""))
            export = actions.ask_for(request.user, order, _origin(request), token)
            return redirect("exports:export", export.pk)
    except Refused as refused:
        problem = str(refused)
        kept = {name: value for name, value in asked.items() if name not in ("csrfmiddlewaretoken", "token")}
        context |= {"problem": problem, "kept": {n: v for n, v in kept.items() if n not in ("format", "mapping")}}
        return render(request, "exports/new.html", context, status=422)
    rows = order.chosen.filter.rows.count()
    headings, first = making.preview(order, _origin(request))
    kept = {**order.chosen.asked, "target": order.chosen.target.name}
    kept.pop("page", None)
    chosen_columns = {"mapping": order.mapping.slug} if order.mapping else {}
    context |= {
        "order": order,
        "rows": rows,
        "filter": source.in_words(order.chosen),
        "kept": kept,
        "address": order.chosen.address(target=order.chosen.target.name, page=None),
        "at_once": f"?{urlencode({**kept, **chosen_columns})}" if order.format.is_at_once(rows) else "",
        "headings": headings,
        "first": first,
        "mixed": mixed(order),
        "token": uuid.uuid4(),
    }
    return render(request, "exports/new.html", context)


def _token(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        raise Refused("The form was not whole. Open the page anew.") from None


@allow(Access.EVERYONE)
@require_safe
def take(request: SignedInRequest, kind: str) -> HttpResponseBase:
    """The rows of a register page as a file, made while it is sent."""
    try:
        order = _order(request, request.GET, kind)
        if request.method == "HEAD":
            return HttpResponse(content_type=order.format.content_type)
        taken = actions.take(request.user, order, _origin(request), timezone.localdate())
    except Refused as refused:
        text = f"Nothing was exported.\n{refused}\n"
        return HttpResponse(text, status=400, content_type="text/plain; charset=utf-8")
    return _sent(StreamingHttpResponse(taken.pieces, content_type=taken.content_type), taken.name)


def _sent(response: StreamingHttpResponse, name: str) -> StreamingHttpResponse:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


@allow(Access.EVERYONE)
@require_safe
def schema(request: SignedInRequest) -> HttpResponse:
    """The schema of the JSON export."""
    return HttpResponse(published(), content_type="application/schema+json")


@allow(Access.EVERYONE)
@require_safe
def exports(request: SignedInRequest) -> HttpResponse:
    """One's own files that were made in the background."""
    page = Paginator(queries.exports_of(request.user), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "exports/exports.html", {"page": page, "may_edit": may_edit(request.user)})


def _own(request: SignedInRequest, pk: int) -> Export:
    """One's own; another person's is not there, whoever asks."""
    found = queries.exports_of(request.user).filter(pk=pk).first()
    if found is None:
        raise Http404
    return found


@allow(Access.EVERYONE)
@require_safe
def export(request: SignedInRequest, pk: int) -> HttpResponse:
    """One file: how far it is, what went wrong, where to fetch it. Asks again by itself while it is made."""
    found = _own(request, pk)
    context = {
        "export": found,
        "unfinished": found.state in actions.UNFINISHED,
        "format": FORMATS[found.format],
        "again": found.state in (Export.State.FAILED, Export.State.CANCELLED, Export.State.EXPIRED),
    }
    response = render(request, "exports/progress.html" if request.htmx else "exports/export.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@allow(Access.EVERYONE)
@require_safe
def file(request: SignedInRequest, pk: int) -> HttpResponseBase:
    """The content of one's own file, until its days are over."""
    found = _own(request, pk)
    if found.state != Export.State.DONE or found.expires_at is None or found.expires_at <= timezone.now():
        messages.error(request, "The file is not there. Have it made again.")
        return redirect("exports:export", pk)
    response = StreamingHttpResponse(queries.content_of(found), content_type=FORMATS[found.format].content_type)
    response["Content-Length"] = found.size
    return _sent(response, found.file_name)


@allow(Access.EVERYONE)
@require_POST
def cancel(request: SignedInRequest, pk: int) -> HttpResponse:
    """Stop making a file."""
    _own(request, pk)
    stopped = actions.cancel(request.user, pk)
    if stopped.state == Export.State.CANCELLED:
        messages.success(request, "It is cancelled.")
    else:
        messages.info(request, "It had already ended.")
    return redirect("exports:export", pk)


@allow(Access.EVERYONE)
@require_POST
def retry(request: SignedInRequest, pk: int) -> HttpResponse:
    """Have a file made again."""
    _own(request, pk)
    try:
        actions.retry(request.user, pk)
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("exports:export", pk)


@allow(Access.EVERYONE)
@require_POST
def delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Delete a file before its time."""
    _own(request, pk)
    actions.delete(request.user, pk)
    messages.success(request, "The file is deleted.")
    return redirect("exports:exports")
