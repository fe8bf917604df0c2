"""The queue's page, worked out for one request: the list around one entry, that entry, its forms and the figures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django_htmx.http import HttpResponseClientRedirect

from portability.accounts.access import SignedInRequest
from portability.accounts.models import Person
from portability.organisation.dates import Quarter
from portability.organisation.queries import organisation
from portability.rehearsals.standing import standing
from portability.reviews import queries, queue
from portability.reviews.entry_page import EntryPage, entry_page
from portability.reviews.errors import Clash
from portability.reviews.filters import Chosen, choose
from portability.reviews.forms import FORMS, DecisionForm, DeferForm, NoteForm
from portability.reviews.models import Review

FINDINGS_SHOWN = 8  # of an entry: the workload's page has all


@dataclass(frozen=True)
class Trouble:
    """What stands in the way of an act: its form with what was typed, and who was there before."""

    name: str  # a kind of decision, or note, question, defer
    form: Form
    clashes: tuple[Clash, ...] = ()


@dataclass(frozen=True)
class Figure:
    """One number of the bar, and the address of what it counts."""

    key: str
    number: int
    words: str
    address: str
    current: bool


def this_quarter(today: date) -> Quarter:
    """The quarter of the organisation that a day lies in."""
    return Quarter.of(today, organisation().first_month)


def next_to_do(review: Review, chosen: Chosen, entry_id: int, today: date) -> int | None:
    """The entry to decide after this one, among those that are looked at; the last ones lead to those before it."""
    around = queue.around(review, replace(chosen.wanted, state="to-do"), entry_id, today)
    return around.next or around.previous


def answer(
    request: SignedInRequest, review: Review, at: int | None, *, said: str = "", trouble: Trouble | None = None
) -> HttpResponse:
    """The queue at an entry: the fragment where htmx asked, else the page, or a redirect to it after an act."""
    if trouble is not None:
        review.refresh_from_db(fields=["state"])
    if review.state == Review.State.CLOSED:
        return closed(request, review)
    chosen = choose(request.GET, review, request.user)
    here = reverse("reviews:review", args=[review.quarter]) + chosen.address(at=at)
    if not request.htmx and request.method == "POST" and trouble is None:
        return redirect(here)
    context = context_of(request.user, review, chosen, at, timezone.localdate(), trouble)
    if request.htmx:
        context |= {"said": said, "swapped": True, "swap_form": _other_form(request)}
        response = render(request, "reviews/queue.html", context)
        if request.method == "POST":
            response["HX-Replace-Url"] = here
        elif not context["swap_form"]:  # the form sends every field; the address holds those that say something
            response["HX-Push-Url"] = here
    else:
        response = render(request, "reviews/review.html", context)
    if trouble is not None:
        response.status_code = 422
    patch_vary_headers(response, ["HX-Request"])
    return response


def _other_form(request: SignedInRequest) -> bool:
    """Whether something else than the form of the filters changed what it holds: then it is sent again."""
    return request.method == "GET" and request.htmx.trigger != "review-filters"


def closed(request: SignedInRequest, review: Review) -> HttpResponse:
    """Somebody closed it while the page was open."""
    messages.error(request, f"The review of {review.quarter} is closed. Nothing was changed.")
    address = reverse("reviews:review", args=[review.quarter])
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


def context_of(
    person: Person, review: Review, chosen: Chosen, at: int | None, today: date, trouble: Trouble | None = None
) -> dict[str, Any]:
    """Everything the page shows, so that the template asks for nothing."""
    found = queue.queue(review, chosen.wanted, today)
    if at is None:
        at = found.values_list("pk", flat=True).first()
    around = queue.around(review, chosen.wanted, at, today) if at else queue.Around(None, None, 0, 0)
    page = queue.page(found, (max(around.place, 1) - 1) // queue.PER_PAGE + 1)
    now = entry_page(person, review, at, today) if at else None
    progress = queue.progress(review, today, person.pk)
    last = queries.last_act(person, review) if person.architect else None
    return {
        "review": review,
        "chosen": chosen,
        "query": chosen.begun,
        "progress": progress,
        "figures": _figures(review, chosen, progress),
        "page": page,
        "pages": _pages(page, found),
        "around": around,
        "now": now,
        "here": bool(now) and any(line.entry.pk == at for line in page.lines),
        "next_to_do": next_to_do(review, chosen, at, today) if at else None,
        "forms": _forms(now, today, trouble) if now else {},
        "trouble": trouble,
        "waivable": [f for f in now.found if f.waivable] if now else [],
        "rehearsed": standing(now.row, today, organisation().rehearsal_days) if now and now.row else None,
        "findings_shown": FINDINGS_SHOWN,
        "may": queries.may(person, review),
        "last": last,
        "asked": queries.questions_to(person).count(),
        "people": list(queries.architects()) if person.architect else [],
    }


def _figures(review: Review, chosen: Chosen, progress: queue.Progress) -> list[Figure]:
    questions = queue.open_questions().filter(entry__review=review).count()
    shown = [
        ("decided", progress.decided, "decided"),
        ("to-do", progress.left, "to decide"),
        ("again", progress.again, "ask again"),
        ("new", progress.new, "new"),
        ("question", questions, "with an open question"),
        ("deferred", progress.deferred, "left to the next review"),
        ("retired", progress.retired, "retired"),
    ]
    always = ("decided", "to-do")
    found = [
        Figure(key, number, words, chosen.address(state=None if key == "to-do" else key), chosen.wanted.state == key)
        for key, number, words in shown
        if number or key in always or chosen.wanted.state == key
    ]
    mine = chosen.asked.get("assigned") == "me"
    if progress.mine or mine:
        address = chosen.address(state=None, assigned=None if mine else "me")
        found.append(Figure("mine", progress.mine, "to decide by me", address, mine))
    return found


def _pages(page: queue.Page, found: Any) -> dict[str, int]:
    """The first entries of the pages before and after, where there are any."""
    starts = {}
    if page.number > 1:
        starts["previous"] = (page.number - 2) * queue.PER_PAGE
    if page.number < page.pages:
        starts["next"] = page.number * queue.PER_PAGE
    return {name: found.values_list("pk", flat=True)[start] for name, start in starts.items()}


def _forms(now: EntryPage, today: date, trouble: Trouble | None) -> dict[str, Form]:
    """The forms of the entry by name, without dashes; that of an act that did not succeed as it was typed."""
    if not (now.may.note or now.may.decide):
        return {}
    seen = {"version": now.entry.version, "assessment": now.line.assessment or 0}
    quarter = this_quarter(today)
    forms: dict[str, Form] = {
        kind: form(quarter=quarter, initial=_initial(kind, now, seen)) for kind, form in FORMS.items()
    }
    forms |= {name: NoteForm(auto_id=f"{name}_%s") for name in ("note", "question")}
    forms["defer"] = DeferForm(auto_id="defer_%s", initial=seen)
    if trouble is not None:
        forms[trouble.name] = trouble.form
    return {name.replace("-", "_"): form for name, form in forms.items()}


def _initial(kind: str, now: EntryPage, seen: dict[str, int]) -> dict[str, Any]:
    """Last quarter's decision of the same kind, to begin with."""
    before = now.before
    if before is None or before.kind != kind:
        return dict(seen)
    fields = [name for name in FORMS[kind].base_fields if name not in ("version", "assessment")]
    return {**seen, **{name: getattr(before, name) for name in fields}}


def with_the_new(form: DecisionForm, now: EntryPage, today: date) -> DecisionForm:
    """The form as it was typed, for the entry as it stands by now: sent again, it decides on top."""
    data = {**dict(form.data.items()), "version": now.entry.version, "assessment": now.line.assessment or 0}
    return FORMS[form.kind](data, quarter=this_quarter(today))
