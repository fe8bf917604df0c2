"""Pages of custom rules: one rule, the form with its trial over the register, and the file for pipelines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import yaml
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.engine.custom_rules.rule import rule_to_json
from portability.engine.model import Effect
from portability.refused import Refused
from portability.register.models import Run
from portability.rules import pages
from portability.rules.custom import actions, standing
from portability.rules.custom.forms import FIELDS, OffForm, RuleForm
from portability.rules.custom.trial import Trial, try_rule
from portability.rules.custom.words import APPLIES_TO, EFFECTS, EXAMPLES, STATES
from portability.rules.models import CustomRule

FORM = ("GET", "HEAD", "POST")
WRITERS = (Access.CURATOR, Access.ADMINISTRATOR)


def page(request: SignedInRequest, label: str, off: OffForm | None = None) -> HttpResponse:
    """One rule, removed or not: what rested on it leads here. Called by the view of any rule's id."""
    rule = standing.by_label(label)
    if rule is None:
        raise Http404("no rule has this id")
    chosen = pages.choose(request.GET.get("target", ""))
    context = {
        "rule": rule,
        "effect": EFFECTS[Effect(rule.effect)],
        "applies_to": APPLIES_TO[rule.applies_to],
        "state": STATES[rule.state],
        "chosen": chosen,
        "hits": pages.hits(request.user, chosen.target, rule.label) if chosen.target else None,
        "may_write": actions.may_write(request.user),
        "off": off or OffForm(initial={"version": rule.version}),
    }
    return render(request, "rules/custom_rule.html", context, status=422 if off else 200)


@allow(*WRITERS)
@require_http_methods(FORM)
def new(request: SignedInRequest) -> HttpResponse:
    """Write a rule: tried over the register first, then a draft or enabled."""
    if request.method != "POST":
        return _form(request, RuleForm())
    form = RuleForm(request.POST)
    if not form.is_valid():
        return _form(request, form, status=422)
    if not _saving(request, form):
        return _tried(request, form)
    try:
        saved = actions.add_rule(request.user, form.values, enable=_enabling(request))
    except Refused as refused:
        form.add_error(refused.field, str(refused))
        return _form(request, form, status=422)
    _say(request, f"{saved.rule} was {'added and enabled' if _enabling(request) else 'kept as a draft'}.", saved.run)
    return redirect("rules:rule", saved.rule.label)


@allow(*WRITERS)
@require_http_methods(FORM)
def edit(request: SignedInRequest, number: int) -> HttpResponse:
    """Change a rule, or enable it: tried over the register first."""
    rule = get_object_or_404(CustomRule.objects.exclude(state=CustomRule.State.REMOVED), number=number)
    if request.method != "POST":
        initial = {name: getattr(rule, name) for name in (*FIELDS, "version")}
        return _form(request, RuleForm(initial=initial), rule=rule)
    form = RuleForm(request.POST)
    if not form.is_valid():
        return _form(request, form, status=422, rule=rule)
    if not _saving(request, form):
        return _tried(request, form, rule)
    version = form.cleaned_data["version"] or 0
    try:
        saved = actions.save_rule(request.user, number, version, form.values, enable=_enabling(request))
    except Refused as refused:
        form.add_error(refused.field, str(refused))
        return _form(request, form, status=422, rule=rule)
    except actions.Conflict as conflict:
        return _edited_meanwhile(request, conflict.rule)
    _say(request, f"{saved.rule} was {'saved and enabled' if _enabling(request) else 'kept as a draft'}.", saved.run)
    return redirect("rules:rule", saved.rule.label)


@allow(*WRITERS)
@require_POST
def switch_off(request: SignedInRequest, number: int) -> HttpResponse:
    """Judge by a rule no more, for a reason."""
    rule = get_object_or_404(CustomRule, number=number)
    form = OffForm(request.POST)
    if not form.is_valid():
        return page(request, rule.label, form)
    try:
        saved = actions.switch_off_rule(request.user, number, form.cleaned_data["version"], form.cleaned_data["reason"])
    except Refused as refused:
        form.add_error(refused.field, str(refused))
        return page(request, rule.label, form)
    except actions.Conflict as conflict:
        return _conflict(request, conflict.rule)
    _say(request, f"{rule} is switched off.", saved.run)
    return redirect("rules:rule", rule.label)


@allow(*WRITERS)
@require_http_methods(FORM)
def remove(request: SignedInRequest, number: int) -> HttpResponse:
    """Take a rule out of the list, after asking."""
    rule = get_object_or_404(CustomRule.objects.exclude(state=CustomRule.State.REMOVED), number=number)
    if request.method != "POST":
        return render(request, "rules/custom_remove.html", {"rule": rule})
    version = request.POST.get("version", "")
    try:
        saved = actions.remove_rule(
            request.user, number, int(version) if version.isdecimal() and len(version) < 9 else 0
        )
    except actions.Conflict as conflict:
        return _conflict(request, conflict.rule)
    _say(request, f"{rule} was removed.", saved.run)
    return redirect(reverse("rules:rules") + "#custom")


@allow(Access.EVERYONE)
@require_safe
def export(request: SignedInRequest) -> HttpResponse:
    """The enabled rules as a file for `portability assess --rules`."""
    rules = [rule_to_json(rule) for rule in standing.enabled_rules()]
    text = yaml.safe_dump({"rules": rules}, sort_keys=False, allow_unicode=True, width=120)
    response = HttpResponse(text, content_type="application/yaml; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="rules.yaml"'
    if request.method == "GET":
        actions.note_export(request.user, len(rules))
    return response


def _enabling(request: SignedInRequest) -> bool:
    return request.POST.get("act") == "enable"


def _saving(request: SignedInRequest, form: RuleForm) -> bool:
    """A draft is saved at once; a rule is enabled only as it was tried."""
    act = request.POST.get("act")
    return act == "draft" or (act == "enable" and form.cleaned_data["tried"] == form.digest)


def _tried(request: SignedInRequest, form: RuleForm, rule: CustomRule | None = None) -> HttpResponse:
    """Show what the rule would do; the form then says what was tried."""
    asked = replace(form.rule, id=rule.label if rule else "")
    trial = try_rule(request.user, asked, form.cleaned_data["target"])
    typed = request.POST.copy()
    typed["tried"] = form.digest if trial.may_enable else ""
    again = RuleForm(typed)
    again.is_valid()
    return _form(request, again, rule=rule, trial=trial)


def _form(
    request: SignedInRequest,
    form: RuleForm,
    *,
    status: int = 200,
    rule: CustomRule | None = None,
    trial: Trial | None = None,
    now: CustomRule | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "rule": rule, "trial": trial, "examples": EXAMPLES, "now": now}
    return render(request, "rules/custom_edit.html", context, status=status)


def _edited_meanwhile(request: SignedInRequest, now: CustomRule) -> HttpResponse:
    """Keep what was typed; saving again then replaces the other person's edit knowingly."""
    if now.state == CustomRule.State.REMOVED:
        return _conflict(request, now)
    typed = request.POST.copy()
    typed["version"], typed["tried"] = str(now.version), ""
    return _form(request, RuleForm(typed), status=409, rule=now, now=now)


def _conflict(request: SignedInRequest, now: CustomRule) -> HttpResponse:
    messages.error(
        request,
        f"{now} was changed by someone else in the meantime. Nothing of yours was done; below is what it is now.",
    )
    return redirect("rules:rule", now.label)


def _say(request: SignedInRequest, text: str, run: Run | None) -> None:
    """What was done, and where what it touches is judged again."""
    if run is None:
        messages.success(request, text)
        return
    link = format_html('<a href="{}">see how far it is</a>', reverse("register:run", args=[run.pk]))
    messages.success(request, format_html("{} {} assessments are made again: {}.", text, run.total, link))
