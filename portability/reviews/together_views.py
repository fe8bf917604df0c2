"""Deciding or assigning several entries at once: which, what it would do to each, and then doing it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from portability.accounts.access import Access, SignedInRequest, allow
from portability.organisation.queries import default_targets
from portability.reviews import actions, queries, standing
from portability.reviews.actions import Seen, Touched
from portability.reviews.actions.many import MANY
from portability.reviews.elsewhere import goes_to, is_elsewhere
from portability.reviews.entry_views import person_named
from portability.reviews.errors import Conflict, Refused
from portability.reviews.forms import TogetherForm, show_refusal
from portability.reviews.models import Entry, Review
from portability.reviews.shown_queue import asked, closed, look, this_quarter
from portability.reviews.words import VERDICTS


@allow(Access.ARCHITECT)
@require_http_methods(["GET", "HEAD", "POST"])
def together(request: SignedInRequest, quarter: str) -> HttpResponse:
    """The chosen entries with the form (GET); what it would do to each, and doing it (POST, `step`)."""
    review = get_object_or_404(queries.reviews(), quarter=quarter)
    if review.state == Review.State.CLOSED:
        return closed(request, review)
    today = timezone.localdate()
    posted = request.method == "POST"
    form = TogetherForm(request.POST if posted else None, quarter=this_quarter(today))
    ids = _ids(request.POST.getlist("entry")) if posted else _chosen(request, review)
    context: dict[str, Any] = {"review": review, "form": form, "back": _back(request, review)}
    status = 200
    if posted and ids and form.is_valid():
        try:
            if request.POST.get("step") == "decide":
                try:
                    return _decided(request, review, form)
                except Conflict as conflict:
                    context["clashes"] = conflict.clashes
                    status = 422
            context |= _previewed(actions.preview(request.user, ids, form.given, today))
        except Refused as refused:
            show_refusal(form, str(refused), refused.field)
        except Entry.DoesNotExist:
            raise Http404 from None
    lines = _lines(review, ids)
    context |= {
        "lines": lines,
        "verdicts": _verdicts(line.engine_verdict for line in lines),
        "most": MANY,
        "people": queries.architects(),
    }
    return render(request, "reviews/together.html", context, status=422 if form.errors else status)


@allow(Access.ARCHITECT)
@require_POST
def assign(request: SignedInRequest, quarter: str) -> HttpResponse:
    """Give the chosen entries to an architect, or to nobody."""
    review = get_object_or_404(queries.reviews(), quarter=quarter)
    if review.state == Review.State.CLOSED:
        return closed(request, review)
    to = person_named(request.POST.get("to", ""))
    try:
        number = actions.assign(request.user, _ids(request.POST.getlist("entry")), to)
    except Refused as refused:
        messages.error(request, f"Nothing was changed. {refused}")
    except Entry.DoesNotExist:
        raise Http404 from None
    else:
        messages.success(request, f"{number} entr{'y' if number == 1 else 'ies'} assigned to {to or 'nobody'}.")
    return redirect(_back(request, review))


def _decided(request: SignedInRequest, review: Review, form: TogetherForm) -> HttpResponse:
    """Decide all that the preview showed as touched; it is read from the form, so that nothing else is."""
    made = actions.decide_many(request.user, _seen(request.POST.getlist("seen")), form.given, timezone.localdate())
    names = ", ".join(decision.entry.workload.name for decision in made[:5])
    more = f" and {len(made) - 5} more" if len(made) > 5 else ""
    messages.success(request, _in_words(names + more, len(made)))
    return redirect(_back(request, review))


def _in_words(names: str, number: int) -> str:
    if number == 1:
        return f"1 decided: {names}. One undo takes it back."
    return f"{number} decided together: {names}. One undo takes them all back."


def _previewed(touched: Sequence[Touched]) -> dict[str, Any]:
    done = [t for t in touched if not t.refused]
    targets = default_targets()
    return {
        "previewed": True,
        "touched": done,
        "staying": [(t.entry, goes_to(t.entry, targets)) for t in done if is_elsewhere(t.entry, targets)],
        "refused": [t for t in touched if t.refused],
        "after": _verdicts(t.verdict for t in done),
        "kinds": Counter(t.kind for t in done).most_common(),
    }


def _verdicts(verdicts: Iterable[str]) -> list[tuple[str, int]]:
    return Counter(verdicts).most_common()


def _chosen(request: SignedInRequest, review: Review) -> list[int]:
    """The ids that were ticked, or with `all` those of the whole filtered list, in its order."""
    if request.GET.get("all") != "yes":
        return _ids(request.GET.getlist("entry"))
    return look(request, review, None).found.ids[: MANY + 1]


def _lines(review: Review, ids: Sequence[int]) -> list[standing.Line]:
    found = {
        line.entry.pk: line
        for line in standing.lines(standing.entries(review, timezone.localdate()).filter(pk__in=ids))
    }
    return [found[pk] for pk in ids if pk in found]


def _ids(texts: Iterable[str]) -> list[int]:
    return list(dict.fromkeys(int(text) for text in texts if text.isdecimal() and len(text) < 19))


def _seen(texts: Iterable[str]) -> dict[int, Seen]:
    """From `12:3:456:movable`: entry, version, assessment (0: none), verdict. What no preview made is left out."""
    found = {}
    for text in texts:
        *parts, verdict = text.split(":")
        if len(parts) == 3 and all(part.isdecimal() and len(part) < 19 for part in parts) and verdict in VERDICTS:
            pk, version, assessment = map(int, parts)
            found[pk] = Seen(version, assessment or None, verdict)
    return found


def _back(request: SignedInRequest, review: Review) -> str:
    return reverse("reviews:review", args=[review.quarter]) + asked(request, review)[0].address()
