"""The forms of a review. What makes sense for an entry is decided by the actions; a field's fault is shown at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from portability.organisation.dates import Quarter
from portability.organisation.queries import organisation
from portability.reviews.actions import Seen
from portability.reviews.given import CONFIRM, OWN_VERDICTS, Given
from portability.reviews.models import Decision
from portability.reviews.quarters import Free
from portability.reviews.words import VERDICTS
from portability.ui.templatetags.ui import dated

QUARTERS_AHEAD = 8


def _text(label: str, length: int, required: bool = True, help_text: str = "", **attrs: str) -> forms.CharField:
    widget = forms.TextInput(attrs={"autocomplete": "off", **attrs})
    return forms.CharField(label=label, max_length=length, required=required, help_text=help_text, widget=widget)


def _prose(label: str, length: int, required: bool = True, help_text: str = "") -> forms.CharField:
    widget = forms.Textarea(attrs={"class": "prose few", "rows": 3})
    return forms.CharField(label=label, max_length=length, required=required, help_text=help_text, widget=widget)


def _link(label: str, required: bool = False, help_text: str = "") -> forms.CharField:
    """Text: the action says what is wrong with an address, and keeps it as it was typed."""
    return _text(label, 300, required, help_text, inputmode="url", placeholder="https://")


def _day(label: str, help_text: str = "") -> forms.DateField:
    return forms.DateField(
        label=label, help_text=help_text, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )


class SeenForm(forms.Form):
    """The entry as the page showed it. `assessment` is 0 where nothing had judged it; `shown`: `Seen.verdict`."""

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**31)
    assessment = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**62, required=False)
    shown = forms.ChoiceField(widget=forms.HiddenInput, choices=list(VERDICTS.items()), required=False)

    @property
    def seen(self) -> Seen:
        """For the action; the form is valid."""
        said = self.cleaned_data
        return Seen(said["version"], said["assessment"] or None, said["shown"])


class DecisionForm(SeenForm):
    """A decision that asks for nothing more: agreed, or last quarter's confirmed. Others add their fields."""

    kind = Decision.Kind.AGREE.value

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, quarter: Quarter, initial: Mapping[str, Any] | None = None
    ) -> None:
        """`quarter`: the present one. Ids are named after the kind: several forms stand on one page."""
        super().__init__(data, auto_id=f"{self.kind}_%s", initial=dict(initial or {}))
        if "plan_quarter" in self.fields:
            _set_quarters(self, quarter)

    def given(self) -> Given:
        """For the action; the form is valid."""
        values = {name: value for name, value in self.cleaned_data.items() if name in Given.__slots__}
        return Given(kind=self.kind, **values)


class AgreeForm(DecisionForm):
    """Agree with the verdict."""


class ConfirmForm(DecisionForm):
    """Last quarter's decision once more."""

    kind = CONFIRM


class PlanForm(DecisionForm):
    """Agree, and say what is done about it."""

    kind = Decision.Kind.PLAN.value
    plan_quarter = forms.ChoiceField(label="Done by the end of")
    plan_owner = _text("Who does it", 120)
    plan_effort = _text("How much work", 60, placeholder="2 days")
    link = _link("Ticket")
    reason = _prose("Remark", 2000, required=False)


class StaysForm(DecisionForm):
    """It stays where it is: a deliberate end state."""

    kind = Decision.Kind.STAYS.value
    reason = _prose("Why it stays where it is", 2000)
    link = _link("Link")


class OtherwiseForm(DecisionForm):
    """The reviewer's own verdict, with what shows it."""

    kind = Decision.Kind.OTHERWISE.value
    verdict = forms.ChoiceField(label="Verdict", choices=[("", "choose…"), *((v, VERDICTS[v]) for v in OWN_VERDICTS)])
    reason = _prose("Why it is decided otherwise", 2000)
    evidence = _prose("Evidence", 2000, help_text="What shows it: a test, a vendor’s answer, a rehearsal.")
    link = _link("Link to the evidence")


class NotKnownForm(DecisionForm):
    """It is not assessed: who finds out, and by when."""

    kind = Decision.Kind.NOT_KNOWN.value
    finds_out = _text("Who finds out", 120)
    by_day = _day("By which day")
    reason = _prose("Remark", 2000, required=False)


FORMS: dict[str, type[DecisionForm]] = {
    form.kind: form for form in (AgreeForm, ConfirmForm, PlanForm, StaysForm, OtherwiseForm, NotKnownForm)
}


_TOGETHER = {
    Decision.Kind.AGREE.value: "agree with the verdict",
    CONFIRM: "confirm what was decided last",
    Decision.Kind.STAYS.value: "stays where it is",
    Decision.Kind.PLAN.value: "agree, with a plan",
    Decision.Kind.NOT_KNOWN.value: "not known (what is not assessed)",
}
# What some kinds of decision ask for besides, where many entries are decided together.
_BESIDES = {
    Decision.Kind.PLAN.value: ("plan_quarter", "plan_owner", "plan_effort"),
    Decision.Kind.NOT_KNOWN.value: ("finds_out", "by_day"),
}


class TogetherForm(forms.Form):
    """One decision for many entries, with its reason. The page shows the fields of the kind that is chosen."""

    use_required_attribute = False  # a browser would not send a form with a field that is empty and not in sight
    kind = forms.ChoiceField(label="Decide", choices=list(_TOGETHER.items()))
    plan_quarter = forms.ChoiceField(label="Done by the end of")
    plan_owner = _text("Who does it", 120)
    plan_effort = _text("How much work", 60, placeholder="2 days")
    finds_out = _text("Who finds out", 120)
    by_day = _day("By which day")
    reason = _prose("Reason", 2000, help_text="It is kept with each of these decisions.")
    link = _link("Link")

    def __init__(self, data: Mapping[str, Any] | None = None, *, quarter: Quarter) -> None:
        super().__init__(data, auto_id="together_%s")
        _set_quarters(self, quarter)

    def besides(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """The kinds that ask for more: each with its words, and the fields."""
        return [(kind, _TOGETHER[kind], [self[name] for name in names]) for kind, names in _BESIDES.items()]

    def clean(self) -> dict[str, Any]:
        """What the chosen kind does not ask for is left out, whatever was typed there."""
        said = super().clean() or {}
        for kind, names in _BESIDES.items():
            for name in names if kind != said.get("kind") else ():
                self.errors.pop(name, None)
                said.pop(name, None)
        return said

    @property
    def given(self) -> Given:
        """For the action; the form is valid."""
        return Given(**self.cleaned_data)


class NoteForm(forms.Form):
    """A note, a question, or an answer."""

    text = _prose("Text", 4000)


class DeferForm(forms.Form):
    """Leave what was registered later to the next review."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    reason = _text("Why it is left to the next review", 300)


class WaiverForm(forms.Form):
    """Accept a finding until a day."""

    reason = forms.CharField(
        label="Why it is accepted",
        max_length=600,
        widget=forms.Textarea(attrs={"class": "prose few", "rows": 3}),
    )
    link = _link("Where that was decided", required=True, help_text="A ticket, or an entry of a risk register.")
    ends = _day("Last day", help_text="The last day on which it holds. It ends before if its cause changes.")


class OpenForm(forms.Form):
    """Which quarter's review to open: one of those that can be."""

    quarter = forms.ChoiceField(
        label="Quarter", help_text="Reviews follow each other: once one is open, no earlier quarter can be reviewed."
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, quarters: Sequence[Free]) -> None:
        super().__init__(data)
        field = self.fields["quarter"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(free.name, _free_in_words(free)) for free in quarters]
        self._by_name = {free.name: free for free in quarters}

    @property
    def chosen(self) -> Quarter:
        """For the action; the form is valid."""
        return self._by_name[self.cleaned_data["quarter"]].quarter


class DiscardForm(forms.Form):
    """Take back that a review was opened."""

    reason = _text("Why it is discarded", 300, help_text="It is kept in the history, with your name.")


class SignForm(forms.Form):
    """The statement under which a review is closed."""

    statement = _prose("Statement", 4000, help_text="What you vouch for. It stands on the report, with your name.")


class AddendumForm(forms.Form):
    """A correction to a closed review."""

    text = _prose("Addendum", 4000, help_text="Signed with your name and the time. The record stays as it is.")


def show_refusal(form: forms.Form, message: str, field: str | None) -> None:
    """Say at its field why an action refused, or of the form as a whole."""
    form.add_error(field if field in form.fields else None, message)


def _free_in_words(free: Free) -> str:
    which = f"the rest of {free.which}" if free.rest else free.which
    return f"{free.name}: {dated(free.starts)} to {dated(free.ends)}, {which}"


def _set_quarters(form: forms.Form, quarter: Quarter) -> None:
    field = form.fields["plan_quarter"]
    assert isinstance(field, forms.ChoiceField)
    choices = [("", "choose…")]
    first_month = organisation().first_month
    for _ in range(QUARTERS_AHEAD):
        choices.append((str(quarter), f"{quarter}, {dated(quarter.ends(first_month))}"))
        quarter = quarter.next
    field.choices = choices
