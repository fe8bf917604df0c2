"""What is done to one entry of the open review."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from portability.accounts.access import Access, SignedInRequest, allow, may_edit
from portability.accounts.models import Person, Team
from portability.reviews import actions, queries
from portability.reviews.entry_page import entry_page
from portability.reviews.errors import Conflict, Refused
from portability.reviews.forms import FORMS, DeferForm, NoteForm, show_refusal
from portability.reviews.models import Decision, Entry, Note
from portability.reviews.shown_queue import Trouble, answer, look, this_quarter, with_the_new
from portability.reviews.views import answered
from portability.reviews.words import VERDICTS


@allow(Access.ARCHITECT)
@require_POST
def decide(request: SignedInRequest, pk: int, kind: str) -> HttpResponse:
    """Decide, and go on to the next entry that is to be decided."""
    entry = _entry(pk)
    if kind not in FORMS:
        raise Http404
    today = timezone.localdate()
    form = FORMS[kind](request.POST, quarter=this_quarter(today))
    if not form.is_valid():
        return answer(request, entry.review, pk, trouble=Trouble(kind, form))
    try:
        decision = actions.decide(request.user, pk, form.given(), form.seen, today)
    except Refused as refused:
        show_refusal(form, str(refused), refused.field)
        return answer(request, entry.review, pk, trouble=Trouble(kind, form))
    except Conflict as conflict:
        now = entry_page(request.user, entry.review, pk, today)
        assert now is not None
        again = with_the_new(form, now, today)
        against = actions.why_refused(request.user, pk, form.given(), today)
        if against:
            show_refusal(again, str(against), against.field)
        trouble = Trouble(kind, again, tuple(conflict.clashes), on_top=kind in now.offers)
        return answer(request, entry.review, pk, trouble=trouble)
    return _go_on(request, entry, in_words(entry.workload.name, decision))


def _go_on(request: SignedInRequest, entry: Entry, said: str) -> HttpResponse:
    """The queue at the next entry that is to be decided, among those that are looked at; at this one after the last."""
    looked = look(request, entry.review, entry.pk)
    return answered(request, entry.review, looked.found.next_to_do(entry.pk) or entry.pk, said, looked=looked)


def in_words(name: str, decision: Decision) -> str:
    """`chat-assistant: agreed, needs change.`"""
    kind = "confirmed" if decision.carried_id else decision.get_kind_display()
    return f"{name}: {kind}, {VERDICTS[decision.verdict]}."


@allow(Access.ARCHITECT)
@require_POST
def defer(request: SignedInRequest, pk: int) -> HttpResponse:
    """Leave a new workload to the next review."""
    entry = _entry(pk)
    form = DeferForm(request.POST, auto_id="defer_%s")
    if not form.is_valid():
        return answer(request, entry.review, pk, trouble=Trouble("defer", form))
    try:
        actions.defer(request.user, pk, form.cleaned_data["version"], form.cleaned_data["reason"])
    except Refused as refused:
        show_refusal(form, str(refused), refused.field)
        return answer(request, entry.review, pk, trouble=Trouble("defer", form))
    except Conflict as conflict:
        current = _entry(pk)
        again = DeferForm({**request.POST.dict(), "version": current.version}, auto_id="defer_%s")
        against = actions.cannot_leave(current)
        if against:
            show_refusal(again, against, None)
        trouble = Trouble("defer", again, tuple(conflict.clashes), on_top=not against)
        return answer(request, entry.review, pk, trouble=trouble)
    return _go_on(request, entry, f"{entry.workload.name}: left to the next review.")


@allow(Access.ARCHITECT)
@require_POST
def assign(request: SignedInRequest, pk: int) -> HttpResponse:
    """Give an entry to an architect, or to nobody."""
    entry = _entry(pk)
    to = person_named(request.POST.get("to", ""))
    try:
        actions.assign(request.user, [pk], to)
    except Refused as refused:
        return answered(request, entry.review, pk, f"Nothing was changed. {refused}", wrong=True)
    return answered(request, entry.review, pk, f"{entry.workload.name}: assigned to {to or 'nobody'}.")


@allow(Access.ARCHITECT, Access.MEMBER)
@require_POST
def note(request: SignedInRequest, pk: int) -> HttpResponse:
    """Write a note on an entry: architects, and members of its team."""
    return _write(request, pk, "note", actions.write_note, lambda team: "noted.")


@allow(Access.ARCHITECT)
@require_POST
def question(request: SignedInRequest, pk: int) -> HttpResponse:
    """Ask the entry's team."""
    return _write(request, pk, "question", actions.ask, _asked)


def _asked(team: Team) -> str:
    if queries.may_anyone_answer(team):
        return f"{team.name} is asked."
    return f"the question is kept, but nobody of {team.name} can answer it. An administrator gives a team its members."


def _write(
    request: SignedInRequest, pk: int, name: str, act: Callable[[Person, int, str], Note], done: Callable[[Team], str]
) -> HttpResponse:
    entry = _entry(pk)
    if not (request.user.architect or may_edit(request.user, entry.workload.team)):
        raise PermissionDenied(f"Only architects and members of {entry.workload.team.name} write on this entry.")
    form: Form = NoteForm(request.POST, auto_id=f"{name}_%s")
    if form.is_valid():
        try:
            act(request.user, pk, form.cleaned_data["text"])
        except Refused as refused:
            show_refusal(form, str(refused), refused.field)
        else:
            return answered(request, entry.review, pk, f"{entry.workload.name}: {done(entry.workload.team)}")
    return answer(request, entry.review, pk, trouble=Trouble(name, form))


@allow(Access.MEMBER)
@require_http_methods(["GET", "HEAD"])
def questions(request: SignedInRequest) -> HttpResponse:
    """The questions to the person's teams, each with a form to answer it."""
    return _questions(request)


@allow(Access.MEMBER)
@require_POST
def answer_question(request: SignedInRequest, note: int) -> HttpResponse:
    """Answer a question; who may is asked by the action."""
    asked = Note.objects.filter(kind=Note.Kind.QUESTION).select_related("entry__workload__team")
    found = get_object_or_404(asked, pk=note)
    if not may_edit(request.user, found.entry.workload.team):
        raise PermissionDenied(f"Only members of {found.entry.workload.team.name} answer for it.")
    form = NoteForm(request.POST, auto_id=f"answer_{note}_%s")
    if form.is_valid():
        try:
            actions.answer(request.user, note, form.cleaned_data["text"])
        except Refused as refused:
            show_refusal(form, str(refused), refused.field)
        else:
            messages.success(request, f"{found.entry.workload.name}: your answer is with the reviewers.")
            return redirect("reviews:questions")
    return _questions(request, {note: form}, status=422)


def _questions(request: SignedInRequest, tried: dict[int, NoteForm] | None = None, status: int = 200) -> HttpResponse:
    asked = [
        (q, (tried or {}).get(q.pk) or NoteForm(auto_id=f"answer_{q.pk}_%s"))
        for q in queries.questions_to(request.user)
    ]
    return render(request, "reviews/questions.html", {"asked": asked}, status=status)


def person_named(username: str) -> Person | None:
    """The architect of that name; None for nobody. 404 for any other name."""
    return get_object_or_404(queries.architects(), username=username) if username else None


def _entry(pk: int) -> Entry:
    return get_object_or_404(Entry.objects.select_related("review", "workload__team"), pk=pk)
