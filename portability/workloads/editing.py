"""The form that registers and revises a workload, and its preview. Nothing is saved before Save."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from portability.accounts.access import Access, SignedInRequest, allow, may_edit
from portability.engine.declared import parse_declared
from portability.engine.model import Declared
from portability.workloads import actions, differences, forms, queries
from portability.workloads.contents import Content, Manifests, Material, manifests, material
from portability.workloads.detection import detected
from portability.workloads.forms import WorkloadForm
from portability.workloads.models import Workload
from portability.workloads.preview import Preview
from portability.workloads.preview import preview as look
from portability.workloads.uploads import DEFAULT_NAME, Sent, read_sent

_NO_MANIFEST = [(DEFAULT_NAME, "")]


@dataclass
class Submission:
    """What a form sent, read: the form with what was detected, the content, and everything that is wrong."""

    form: WorkloadForm
    sent: Sent
    found: tuple[tuple[str, str], ...]
    content: Content
    errors: list[str]

    @property
    def usable(self) -> bool:
        """Whether it can be saved."""
        return self.form.is_valid() and not self.errors


@allow(Access.MEMBER)
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SignedInRequest) -> HttpResponse:
    """Register a workload."""
    if request.method != "POST":
        form = WorkloadForm(person=request.user, initial=forms.initial_new())
        return _page(request, form, Content(Manifests([], [], []), Declared()))
    submission = _read(request, None, saving=True)
    if not submission.usable:
        return _again(request, submission, None, status=422)
    cleaned = submission.form.cleaned_data
    try:
        saved = actions.save_workload(
            request.user,
            _entry(submission),
            team=cleaned["team"],
            name=cleaned["name"],
            token=cleaned["token"],
        )
    except actions.Refused as refused:
        submission.form.add_error(refused.field, str(refused))
        if isinstance(refused, actions.FormUsed):
            submission.form.data = {**submission.form.data, "token": str(uuid4())}
        return _again(request, submission, None, status=422)
    said = "is registered." if saved.new_revision else "was registered already by this form; nothing was added."
    messages.success(request, f"{saved.workload.name} {said}")
    return redirect("workloads:workload", saved.workload.pk)


@allow(Access.MEMBER)
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """Revise a workload."""
    found = _editable(request, pk)
    if request.method != "POST" and found.retired_at:  # told before anything is written, not after
        messages.error(request, f"{found.name} is retired. Restore it before changing it.")
        return redirect("workloads:workload", pk)
    if request.method != "POST":
        return _stored(request, found)
    submission = _read(request, found, saving=True)
    if not submission.usable:
        return _again(request, submission, found, status=422)
    version = submission.form.cleaned_data["version"] or 0
    try:
        saved = actions.save_workload(request.user, _entry(submission), workload=pk, version=version)
    except actions.Refused as refused:
        submission.form.add_error(None, str(refused))
        return _again(request, submission, found, status=422)
    except actions.Conflict as conflict:
        return _conflict(request, submission, conflict.workload)
    if saved.new_revision:
        messages.success(request, f"{saved.workload.name} was saved as a new revision.")
    else:
        messages.info(request, "Manifests and declared facts are the same as before: there is no new revision.")
    return redirect("workloads:workload", pk)


@allow(Access.MEMBER)
@require_POST
def preview(request: SignedInRequest) -> HttpResponse:
    """What would be saved: for htmx the findings alone, else the whole form with them."""
    number = request.POST.get("workload", "")
    found = _editable(request, int(number)) if number.isdecimal() and len(number) < 19 else None
    submission = _read(request, found)
    if not request.htmx:
        return _again(request, submission, found)
    context = {
        "preview": _preview(request, submission, found),
        "errors": submission.errors,
        "detected": submission.found,
        "uploaded": submission.sent.uploaded,
        "files": submission.content.files or _NO_MANIFEST,
        "material": submission.content.material.files,
    }
    return render(request, "workloads/preview_answer.html", context)


def _editable(request: SignedInRequest, pk: int) -> Workload:
    found: Workload = get_object_or_404(Workload.objects.select_related("team", "current"), pk=pk)
    if not may_edit(request.user, found.team):
        raise PermissionDenied(f"Only members of {found.team.name} change its workloads.")
    if found.current is None:
        raise Http404
    return found


def _read(request: SignedInRequest, workload: Workload | None, *, saving: bool = False) -> Submission:
    """Read a form, secrets taken out first: nothing after this line has seen one."""
    sent = read_sent(request.POST, request.FILES)
    harmless = {_pair(value) for value in request.POST.getlist("harmless")}
    kept, code = manifests(sent.files, harmless), material(sent.material, harmless)
    filled = forms.prefill(request.POST, detected(kept.facts))
    form = WorkloadForm(filled.data, person=request.user, workload=workload, saving=saving)
    said, wrong = form.declared(kept.feature_names, frozenset(request.POST.getlist("required")))
    content = Content(kept, parse_declared(said, "declared"), code)
    for field, message in wrong.items():
        form.add_error(field, message)
    return Submission(form, sent, filled.found, content, [*sent.errors, *wrong.values()])


def _pair(value: str) -> tuple[str, str]:
    """`file` and `pointer`, as the preview's checkbox carries them."""
    file, _, pointer = value.partition("#")  # never in a file name: uploads.safe_name
    return file, pointer


def _entry(submission: Submission) -> actions.Entry:
    cleaned = submission.form.cleaned_data
    return actions.Entry(submission.content, cleaned["owner"].strip(), cleaned["criticality"])


def _preview(request: SignedInRequest, submission: Submission, workload: Workload | None) -> Preview:
    name = workload.name if workload else request.POST.get("name", "").strip()
    target = request.POST.get("target") or request.POST.get("shown_target", "")
    return look(submission.content, name, target)


def _again(
    request: SignedInRequest,
    submission: Submission,
    workload: Workload | None,
    status: int = 200,
    conflict: dict[str, Any] | None = None,
) -> HttpResponse:
    """The form as it was sent, secrets replaced, with the preview above."""
    preview = _preview(request, submission, workload)
    extra = {"errors": submission.errors, "conflict": conflict}
    return _page(request, submission.form, submission.content, workload, preview, status, extra)


def _stored(request: SignedInRequest, workload: Workload) -> HttpResponse:
    """The form of a workload as it is stored."""
    assert workload.current is not None
    current = workload.current
    files, code = queries.stored_files(current), queries.stored_material(current)
    kept = Manifests(files, [], [(file, pointer) for file, pointer in current.harmless])
    content = Content(kept, parse_declared(current.declared, workload.name), Material(code))
    form = WorkloadForm(person=request.user, workload=workload, initial=forms.initial_of(workload))
    shown = look(content, workload.name, request.GET.get("target", ""))
    return _page(request, form, content, workload, shown, extra={"saved": True})


def _page(
    request: SignedInRequest,
    form: WorkloadForm,
    content: Content,
    workload: Workload | None = None,
    preview: Preview | None = None,
    status: int = 200,
    extra: dict[str, Any] | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "files": content.files or _NO_MANIFEST,
        "material": content.material.files,
        "workload": workload,
        "preview": preview,
        "suggestions": forms.SUGGESTIONS,
        "limit": filesizeformat(settings.UPLOAD_LIMIT_BYTES),
        "material_limit": filesizeformat(settings.MATERIAL_LIMIT_BYTES),
        "save_address": reverse("workloads:edit", args=[workload.pk]) if workload else reverse("workloads:new"),
        **(extra or {}),
    }
    return render(request, "workloads/edit.html", context, status=status)


def _conflict(request: SignedInRequest, submission: Submission, now: Workload) -> HttpResponse:
    """Both states: what is saved now, and what was sent, still in the form. Saving again replaces."""
    assert now.current is not None
    data = submission.form.data.copy()  # type: ignore[attr-defined]
    data["version"] = str(now.version)
    submission.form.data = data
    entry, content = _entry(submission), submission.content
    theirs = {"owner": now.owner, "criticality": now.criticality, **now.current.declared}
    mine = {"owner": entry.owner, "criticality": entry.criticality, **content.declared_json}
    conflict = {
        "revision": now.current,
        "differences": differences.of_files(
            dict(queries.stored_files(now.current) + queries.stored_material(now.current)), content.texts
        ),
        "said": differences.of_facts(theirs, mine),
    }
    return _again(request, submission, now, status=409, conflict=conflict)
