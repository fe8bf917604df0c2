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
from portability.organisation.queries import VENDORS, default_targets, organisation
from portability.rehearsals.standing import standing
from portability.reviews import queries, queue
from portability.reviews.elsewhere import goes_to, is_elsewhere, shares
from portability.reviews.entry_page import EntryPage, entry_page
from portability.reviews.errors import Clash
from portability.reviews.filters import Chosen, choose, known
from portability.reviews.forms import FORMS, DecisionForm, DeferForm, NoteForm
from portability.reviews.given import CONFIRM
from portability.reviews.models import Decision, Review
from portability.saved_filters.models import SavedFilter
from portability.saved_filters.pages import ALL, shows
from portability.saved_filters.queries import default_of

BUTTONS = (Decision.Kind.AGREE.value, CONFIRM)  # acts that ask for nothing, and have no form to open
FINDINGS_SHOWN = 8  # of an entry: the workload's page has all


@dataclass(frozen=True)
class Trouble:
    """What stands in the way of an act: its form with what was typed, and who was there before."""

    name: str  # a kind of decision, or note, question, defer
    form: Form
    clashes: tuple[Clash, ...] = ()
    on_top: bool = True  # whether it can be decided all the same, where there are clashes

    @property
    def typed(self) -> list[tuple[str, str]]:
        """What was typed, each with its label, for where its form has no place any more."""
        said = ((f, str(f.value() or "")) for f in self.form.visible_fields())
        return [(str(f.label), dict(getattr(f.field, "choices", ())).get(text, text)) for f, text in said if text]

    @property
    def refusals(self) -> list[str]:
        """What is wrong, each with the label of its field."""
        named = {f.name: f"{f.label}: " for f in self.form.visible_fields()}
        return [f"{named.get(name, '')}{text}" for name, texts in self.form.errors.items() for text in texts]

    def apart(self, offers: frozenset[str]) -> bool:
        """Whether it stands for itself: in conflict, or where the entry has no open form to show it in."""
        return bool(self.clashes) or self.name not in offers or self.name in BUTTONS


@dataclass(frozen=True)
class Looked:
    """What an address asks for, and the queue of it: where an act has read both, the page is made of them."""

    chosen: Chosen
    found: queue.Queue
    default: SavedFilter | None  # what the queue opens with for whoever looks


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


def answer(
    request: SignedInRequest,
    review: Review,
    at: int | None,
    *,
    said: str = "",
    trouble: Trouble | None = None,
    looked: Looked | None = None,
) -> HttpResponse:
    """The queue at an entry: the fragment where htmx asked, else the page, or a redirect to it after an act."""
    if trouble is not None:
        review.refresh_from_db(fields=["state"])
    if review.state == Review.State.CLOSED:
        return closed(request, review)
    looked = looked or look(request, review, at)
    chosen = looked.chosen
    here = reverse("reviews:review", args=[review.quarter]) + chosen.address(at=at)
    if not request.htmx and request.method == "POST" and trouble is None:
        return redirect(here)
    context = context_of(request.user, review, looked, at, timezone.localdate(), trouble)
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


def look(request: SignedInRequest, review: Review, at: int | None) -> Looked:
    """Read the queue that the address asks for, with an entry in it that is looked at."""
    chosen, default = asked(request, review)
    return Looked(chosen, queue.queue(review, chosen.wanted, timezone.localdate(), at), default)


def asked(request: SignedInRequest, review: Review) -> tuple[Chosen, SavedFilter | None]:
    """What the address asks for, and the person's default filter: past it, all of the queue has an address, too."""
    chosen = choose(request.GET, request.user, known(review))
    default = default_of(request.user, SavedFilter.Page.QUEUE)
    return (replace(chosen, all=ALL) if default else chosen), default


def context_of(
    person: Person, review: Review, looked: Looked, at: int | None, today: date, trouble: Trouble | None = None
) -> dict[str, Any]:
    """Everything the page shows, so that the template asks for nothing."""
    chosen, found, default = looked.chosen, looked.found, looked.default
    ids = found.ids
    if at is None and ids:
        at = ids[0]
    around = found.around(at) if at else queue.Around(None, None, 0, 0)
    page = found.page((max(around.place, 1) - 1) // queue.PER_PAGE + 1)
    now = entry_page(person, review, at, today) if at else None
    progress = queue.progress(review, today, person.pk)
    narrowed = chosen.wanted.narrowed
    counted = queue.progress(review, today, person.pk, chosen.wanted) if narrowed else progress
    targets = default_targets()
    staying = shares(review, targets)
    last = queries.last_act(person, review.pk) if person.architect else None
    offers = now.offers if now else frozenset()
    apart = trouble is not None and trouble.apart(offers)
    return {
        "review": review,
        "chosen": chosen,
        "query": chosen.begun,
        "default": default if default and shows(default, chosen.address()) else None,
        "progress": progress,
        "figures": _figures(chosen, counted),
        "narrowed": narrowed,
        "page": page,
        "pages": _pages(page, ids),
        "around": around,
        "now": now,
        "here": bool(now) and any(line.entry.pk == at for line in page.lines),
        "next_to_do": found.next_to_do(at) if at else None,
        "forms": _forms(now, today, trouble) if now else {},
        "trouble": trouble,
        "apart": apart,
        "acts": offers - {trouble.name} if trouble and trouble.clashes else offers,
        "administered": VENDORS,  # of which administrators choose default targets
        "goes_to": goes_to(now.entry, targets) if now else None,
        "stays": now is not None and is_elsewhere(now.entry, targets),
        "elsewhere": sum(share.entries for share in staying),
        "to_move": sum(share.entries for share in staying if share.to),
        "waivable": [f for f in now.found if f.waivable] if now else [],
        "rehearsed": standing(now.row, today, organisation().rehearsal_days) if now and now.row else None,
        "findings_shown": FINDINGS_SHOWN,
        "may": queries.may(person, review),
        "last": last,
        "asked": queries.questions_to(person).count(),
        "people": list(queries.architects()) if person.architect else [],
    }


def _figures(chosen: Chosen, progress: queue.Progress) -> list[Figure]:
    """Under filters, of what they leave: each figure leads to as many entries as it says."""
    shown = [
        ("decided", progress.decided, "decided"),
        ("to-do", progress.left, "to decide"),
        ("again", progress.again, "asks again" if progress.again == 1 else "ask again"),
        ("new", progress.new, "new"),
        ("question", progress.questions, "with an open question"),
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


def _pages(page: queue.Page, ids: list[int]) -> dict[str, int]:
    """The first entries of the pages before and after, where there are any."""
    starts = {}
    if page.number > 1:
        starts["previous"] = ids[(page.number - 2) * queue.PER_PAGE]
    if page.number < page.pages:
        starts["next"] = ids[page.number * queue.PER_PAGE]
    return starts


def _forms(now: EntryPage, today: date, trouble: Trouble | None) -> dict[str, Form]:
    """The forms of the entry by name, without dashes; that of an act that did not succeed as it was typed."""
    if not (now.may.note or now.may.decide):
        return {}
    seen = _seen(now)
    quarter = this_quarter(today)
    forms: dict[str, Form] = {
        kind: form(quarter=quarter, initial=_initial(kind, now, seen)) for kind, form in FORMS.items()
    }
    forms |= {name: NoteForm(auto_id=f"{name}_%s") for name in ("note", "question")}
    forms["defer"] = DeferForm(auto_id="defer_%s", initial=seen)
    if trouble is not None:
        forms[trouble.name] = trouble.form
    return {name.replace("-", "_"): form for name, form in forms.items()}


def _seen(now: EntryPage) -> dict[str, Any]:
    """What the hidden fields of a form say of the entry."""
    return {"version": now.entry.version, "assessment": now.line.assessment or 0, "shown": now.agreed}


def _initial(kind: str, now: EntryPage, seen: dict[str, Any]) -> dict[str, Any]:
    """Last quarter's decision of the same kind, to begin with."""
    before = now.before
    if before is None or before.kind != kind:
        return dict(seen)
    fields = [name for name in FORMS[kind].base_fields if name not in seen]
    told = {**seen, **{name: getattr(before, name) for name in fields}}
    if before.plan_ends is not None:  # as quarters are counted by now
        told["plan_quarter"] = str(this_quarter(before.plan_ends))
    return told


def with_the_new(form: DecisionForm, now: EntryPage, today: date) -> DecisionForm:
    """The form as it was typed, for the entry as it stands by now: sent again, it decides on top."""
    data = {**dict(form.data.items()), **_seen(now)}
    return FORMS[form.kind](data, quarter=this_quarter(today))
