"""The forms of the organisation's own rows: one row, or many pasted as lines."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.validators import RegexValidator, URLValidator

from portability.engine.model import Vendor
from portability.engine.vendor_rows.rows import Table
from portability.rules.actions import RowValues
from portability.rules.models import VendorRow
from portability.rules.own_rows import EFFECTS, TABLES, VENDORS, problem_with, tidy, vendor_of
from portability.rules.queries import by_pattern

Taken = tuple[str, str]  # table and pattern in lower case
LINES = 200  # of one paste
_TABLE_CHOICES = [(table.value, about.label) for table, about in TABLES.items()]
_UNCHOSEN = ("", "choose one")  # so that nobody saves what they did not read
_one_line = RegexValidator(re.compile(r"\A[^\x00-\x1f\x7f]*\Z"), "Write it in one line.")
_DASHES = "-–—"


def _length(name: str) -> int:
    return int(getattr(VendorRow._meta.get_field(name), "max_length", 0))


class RowForm(forms.Form):
    """One row. `version` is the version the person started from."""

    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    table = forms.ChoiceField(label="What it is about", choices=_TABLE_CHOICES, initial=Table.IMAGES.value)
    pattern = forms.CharField(
        max_length=_length("pattern"),
        help_text="As manifests spell it: ml/scorer. * stands for anything, # for digits; capitals do not matter. An"
        " image is found by whole words: this covers every tag of ml/scorer and of team/ml/scorer, and not ml/scorers."
        " The registry’s host and a digest are taken off.",
    )
    vendor = forms.ChoiceField(
        label="Whose it is", choices=[_UNCHOSEN, *((vendor.value, words) for vendor, words in VENDORS.items())]
    )
    counterpart = forms.CharField(
        max_length=_length("counterpart"),
        required=False,
        validators=[_one_line],
        help_text="What serves in its place on another vendor’s machines: ml/scorer-rocm.",
    )
    effect = forms.ChoiceField(
        choices=[_UNCHOSEN, *((effect.value, words) for effect, words in EFFECTS.items())],
        help_text="What a workload that has it must do to go elsewhere. What is nobody’s has no effect: then leave"
        " this as it is, nothing is made of it.",
    )
    note = forms.CharField(
        label="Reason",
        max_length=_length("note"),
        required=False,
        validators=[_one_line],
        help_text="How you know: it stands in the finding, after what was found.",
    )
    link = forms.CharField(
        label="Reference",
        max_length=_length("link"),
        required=False,
        validators=[URLValidator(schemes=["http", "https"], message="Give an address that begins with https://.")],
        help_text="A page that says so.",
    )

    def __init__(
        self, *args: Any, row: VendorRow | None = None, others: Mapping[Taken, VendorRow] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.row = row
        self._others = others

    def clean_note(self) -> str:
        """The reason without its full stop: a finding adds one."""
        return str(self.cleaned_data["note"]).rstrip(".")

    def clean(self) -> dict[str, Any]:
        """The pattern as it is matched, and what the table allows."""
        data = self.cleaned_data
        if "table" not in data or "vendor" not in data:
            return data
        table, vendor = Table(data["table"]), Vendor(data["vendor"])
        if "pattern" in data:
            data["pattern"] = tidy(table, data["pattern"])
            if problem := problem_with(table, data["pattern"]) or self._taken(table, data["pattern"]):
                self.add_error("pattern", problem)
        allowed = TABLES[table].effects
        if vendor is Vendor.NONE or len(allowed) == 1:
            self.errors.pop("effect", None)  # there is nothing to choose
            data["effect"] = allowed[0].value
        elif data.get("effect") and data["effect"] not in allowed:
            words = ", ".join(f"“{EFFECTS[effect].partition(':')[0]}”" for effect in allowed)
            self.add_error("effect", f"For {TABLES[table].label.lower()} it is one of {words}.")
        if vendor is Vendor.NONE and data.get("counterpart"):
            self.add_error("counterpart", "What is nobody’s needs no counterpart: leave it empty.")
        return data

    def _taken(self, table: Table, pattern: str) -> str:
        others = by_pattern() if self._others is None else self._others
        other = others.get((table.value, pattern.lower()))
        if other is None or (self.row and other.pk == self.row.pk):
            return ""
        vendor = VENDORS[Vendor(other.vendor)].partition(":")[0]
        return (
            f"There is already a row for {other.pattern} ({vendor}, entered by {other.entered_by_name}): edit that one."
        )

    @property
    def values(self) -> RowValues:
        """What a valid form says."""
        names = ("table", "pattern", "vendor", "effect", "counterpart", "note", "link")
        return RowValues(**{name: self.cleaned_data[name] for name in names})


class PasteForm(forms.Form):
    """Many rows of one table, one a line: pattern, vendor, counterpart, reason."""

    table = forms.ChoiceField(label="What they are about", choices=_TABLE_CHOICES, initial=Table.IMAGES.value)
    lines = forms.CharField(
        max_length=LINES * 800,
        strip=False,
        widget=forms.Textarea(
            attrs={"rows": 10, "spellcheck": "false", "placeholder": "ml/scorer, nvidia, ml/scorer-rocm"}
        ),
        help_text="One a line: pattern, whose it is (nvidia, amd, other or none), its counterpart, a reason. The last"
        " two may be left out. Columns copied from a spreadsheet will do.",
    )

    def clean(self) -> dict[str, Any]:
        """Each line is judged as the form of one row would judge it; every complaint names its line."""
        data = self.cleaned_data
        if "table" not in data or "lines" not in data:
            return data
        given, others = list(_read(data["lines"])), by_pattern()
        if len(given) > LINES:
            self.add_error("lines", f"These are {len(given)} rows; paste at most {LINES} at once.")
            return data
        values: list[RowValues] = []
        seen: dict[str, int] = {}
        for line in given:
            row = RowForm(_fields(data["table"], line), others=others)
            if line.problem or not row.is_valid():
                complaints = [line.problem] if line.problem else _complaints(row)
                for complaint in complaints:
                    self.add_error("lines", f"Line {line.number}: {complaint}")
                continue
            first = seen.setdefault(row.values.pattern.lower(), line.number)
            if first != line.number:
                self.add_error("lines", f"Line {line.number}: {row.values.pattern} stands in line {first} already.")
            values.append(row.values)
        if not given:
            self.add_error("lines", "There is no row in these lines.")
        data["values"] = values
        return data

    @property
    def values(self) -> list[RowValues]:
        """What a valid form says, in the order of its lines."""
        found: list[RowValues] = self.cleaned_data["values"]
        return found


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that holds something, counted from 1."""

    number: int
    columns: tuple[str, ...] = ()
    problem: str = ""


def _read(text: str) -> Iterator[_Line]:
    """The lines with something in them. A heading such as `image, vendor, counterpart` is passed over."""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        delimiter = "\t" if "\t" in line else ","
        try:
            (found,) = csv.reader([line], delimiter=delimiter, skipinitialspace=True, strict=True)
        except (csv.Error, ValueError):
            yield _Line(number, problem="a quotation mark is not closed.")
            continue
        columns = tuple(column.strip() for column in found)
        if number == 1 and len(columns) > 1 and columns[1].lower() in ("vendor", "whose"):
            continue
        yield _checked(number, columns)


def _checked(number: int, columns: tuple[str, ...]) -> _Line:
    if len(columns) < 2:
        return _Line(number, problem="say whose it is, after a comma: nvidia, amd, other or none.")
    if len(columns) > 4:
        said = "there are more than four columns; put a reason with commas between quotation marks."
        return _Line(number, problem=said)
    if vendor_of(columns[1]) is None:
        return _Line(number, problem=f"“{columns[1][:40]}” is no vendor: write nvidia, amd, other or none.")
    return _Line(number, columns)


def _fields(table: str, line: _Line) -> Mapping[str, str]:
    pattern, vendor, counterpart, note = (*line.columns, "", "", "", "")[:4]
    return {
        "table": table,
        "pattern": pattern,
        "vendor": vendor_of(vendor) or "",
        "counterpart": "" if counterpart in _DASHES else counterpart,
        "note": note,
        "effect": TABLES[Table(table)].effects[0].value,
    }


def _complaints(row: RowForm) -> list[str]:
    return [str(error) for errors in row.errors.values() for error in errors]
