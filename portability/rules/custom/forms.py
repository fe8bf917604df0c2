"""The form of a custom rule."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict
from typing import Any

from django import forms
from django.core.validators import RegexValidator, URLValidator

from portability.engine.custom_rules.bounds import MAX_CONDITION, MAX_PATH
from portability.engine.custom_rules.evaluation import compile_rule
from portability.engine.custom_rules.rule import ANY, LENGTHS
from portability.engine.custom_rules.rule import CustomRule as EngineRule
from portability.engine.errors import InputError
from portability.engine.model import Effect
from portability.rules.custom.actions import RuleValues
from portability.rules.custom.words import APPLIES_TO, EFFECTS

_one_line = RegexValidator(re.compile(r"\A[^\x00-\x1f\x7f]*\Z"), "Write it in one line.")
_CODE = {"spellcheck": "false", "autocapitalize": "off", "autocomplete": "off", "class": "code few"}
FIELDS = ("name", "path", "condition", "effect", "applies_to", "reason", "remedy", "link")


class RuleForm(forms.Form):
    """One rule. `version`: that the person started from. `tried`: what the trial that was shown was about."""

    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    tried = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)
    name = forms.CharField(
        max_length=LENGTHS["name"],
        validators=[_one_line],
        help_text="What must be so, in a few words: Images come from our registry.",
    )
    path = forms.CharField(
        label="JSON path",
        max_length=MAX_PATH,
        widget=forms.TextInput(attrs=_CODE),
        help_text="Which values of a manifest are looked at: $..containers[*].image. Starts at each object, $; .. is at"
        " any depth, [*] every item, [?@.name == 'vllm'] those items.",
    )
    condition = forms.CharField(
        max_length=MAX_CONDITION,
        widget=forms.Textarea(attrs={**_CODE, "rows": 4}),
        help_text="When one of these values is a finding, in CEL as Kubernetes writes it, over value, document (the"
        " whole object) and target: !value.startsWith('registry.bank.example/'). Write true where every value is one.",
    )
    effect = forms.ChoiceField(
        choices=[(effect.value, words) for effect, words in EFFECTS.items()],
        initial=Effect.CHANGE.value,
        help_text="What it does to the verdict of a workload it hits.",
    )
    applies_to = forms.ChoiceField(label="For", choices=list(APPLIES_TO.items()), initial=ANY)
    reason = forms.CharField(
        max_length=LENGTHS["reason"],
        validators=[_one_line],
        widget=forms.TextInput,
        help_text="Why it stops a move: it stands with each finding, for everyone to read.",
    )
    remedy = forms.CharField(
        label="How to fix",
        max_length=LENGTHS["remedy"],
        required=False,
        validators=[_one_line],
        help_text="What a team does about it.",
    )
    link = forms.CharField(
        label="Reference",
        max_length=LENGTHS["link"],
        required=False,
        validators=[_one_line, URLValidator(schemes=["http", "https"], message="Give an address: https://…")],
        help_text="A page that says so.",
    )
    target = forms.CharField(widget=forms.HiddenInput, required=False, max_length=100)

    def clean_condition(self) -> str:
        """Line ends as one character: as the text is counted and kept."""
        text = str(self.cleaned_data["condition"]).replace("\r\n", "\n").replace("\r", "\n")
        if "\x00" in text:
            raise forms.ValidationError("It holds a character that no text holds.")
        return text

    def clean(self) -> dict[str, Any]:
        """Path and condition must be understood."""
        data = self.cleaned_data
        for name in ("path", "condition"):
            if name in data:
                given = {"path": "$", "condition": "true", name: data[name]}
                try:
                    compile_rule(EngineRule(id="", name="", effect=Effect.NOTE, reason="", **given))
                except InputError as error:
                    said = error.message
                    self.add_error(error.file, f"{said[:1].upper()}{said[1:]}.".replace("..", "."))
        return data

    @property
    def values(self) -> RuleValues:
        """What a valid form says."""
        return RuleValues(**{name: self.cleaned_data[name] for name in FIELDS})

    @property
    def rule(self) -> EngineRule:
        """The same as the engine's value, without an id."""
        given = asdict(self.values)
        return EngineRule(id="", **{**given, "effect": Effect(given["effect"])})

    @property
    def digest(self) -> str:
        """What a trial of it is a trial of."""
        said = asdict(self.values)
        what = [said[name] for name in ("path", "condition", "effect", "applies_to")]
        return hashlib.sha256(json.dumps(what).encode("utf-8", "surrogatepass")).hexdigest()


class OffForm(forms.Form):
    """Why a rule is switched off."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    reason = forms.CharField(
        label="Why it is switched off", max_length=400, validators=[_one_line], widget=forms.TextInput
    )
