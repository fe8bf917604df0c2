"""The forms of column mappings, and what is asked before a file is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.forms import BaseFormSet, formset_factory

from portability.exports.columns import sources
from portability.exports.mappings import MOST_COLUMNS, Mapped, Named

BLANK_ROWS = 3


class MappingForm(forms.Form):
    """A mapping's own words."""

    name = forms.CharField(max_length=80)
    note = forms.CharField(max_length=300, required=False, label="What it is for")
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)


class ColumnForm(forms.Form):
    """One column. Where nothing is filled in, it is none."""

    heading = forms.CharField(max_length=120)
    source = forms.ChoiceField(required=False, label="Column of the register")
    text = forms.CharField(max_length=300, required=False, label="Or fixed text")
    words = forms.CharField(max_length=600, required=False, label="Values called otherwise")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        given = str(self.initial.get("source", ""))
        gone = [(given, f"{given} (no longer there)")] if given and given not in sources() else []
        field = self.fields["source"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "–"), *gone, *((name, name) for name in sources())]
        self.fields["words"].widget.attrs["placeholder"] = "high = 4; low = 1"

    def clean_words(self) -> dict[str, str]:
        """What the source's values are called instead, by value."""
        words: dict[str, str] = {}
        for part in filter(None, (p.strip() for p in self.cleaned_data["words"].split(";"))):
            value, sign, said = part.partition("=")
            if not sign or not value.strip():
                raise forms.ValidationError(f"“{part[:40]}” is not written as: value = word")
            words[value.strip()] = said.strip()
        return words

    def clean(self) -> dict[str, Any]:
        """A column holds one thing."""
        data = self.cleaned_data
        if data.get("source") and data.get("text"):
            self.add_error("text", "Choose a column of the register or write a fixed text, not both.")
        if data.get("words") and not data.get("source"):
            self.add_error("words", "There is no column of the register whose values could be called otherwise.")
        return data

    @property
    def column(self) -> Mapped:
        """What a valid form says."""
        data = self.cleaned_data
        return Mapped(data["heading"], data["source"], data["text"], data["words"])


if TYPE_CHECKING:
    _FormSet = BaseFormSet[ColumnForm]
else:
    _FormSet = BaseFormSet  # takes no parameter when it runs


class _Columns(_FormSet):
    def add_fields(self, form: ColumnForm, index: int | None) -> None:
        super().add_fields(form, index)
        form.fields["ORDER"].widget.attrs.update({"min": "1", "class": "order"})
        form.fields["DELETE"].label = "Remove"

    @property
    def columns(self) -> list[Mapped]:
        """The columns of a valid form, in their order."""
        return [form.column for form in self.ordered_forms if form.has_changed() or form.initial]


def _factory(extra: int) -> type[BaseFormSet[ColumnForm]]:
    return formset_factory(
        ColumnForm,
        formset=_Columns,
        extra=extra,
        can_order=True,
        can_delete=True,
        max_num=MOST_COLUMNS,
        absolute_max=MOST_COLUMNS + 20,
        validate_max=True,
    )


ColumnForms = _factory(BLANK_ROWS)


def initial_columns(mapping: Named) -> list[dict[str, str]]:
    """The columns of a mapping, as the form shows them."""
    return [
        {
            "heading": column.heading,
            "source": column.source,
            "text": column.text,
            "words": "; ".join(f"{value} = {word}" for value, word in column.words.items()),
        }
        for column in mapping.columns
    ]
