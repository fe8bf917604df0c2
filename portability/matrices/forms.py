"""The forms of the matrices room: what is read, and one cell by hand."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import RegexValidator, URLValidator
from django.utils import timezone

from portability.engine.matrices.importers import LIMIT_DOCUMENTS
from portability.matrices.actions import CellValues
from portability.matrices.drafts import Given
from portability.matrices.models import Cell, Release, Removal, Source
from portability.matrices.sources import Said, edited
from portability.outbound.guard import Fetched
from portability.workloads.uploads import safe_name

PASTED = "pasted.txt"
FETCH = "fetch"  # the name of the button that fetches
LIMIT_PASTE = 2_000_000  # characters; importers have limits of their own
_one_line = RegexValidator(re.compile(r"\A[^\x00-\x1f\x7f]*\Z"), "Write it in one line.")
_web = URLValidator(schemes=["http", "https"], message="Give an address that begins with https://.")


def _length(model: type[Cell] | type[Release] | type[Removal] | type[Source], name: str) -> int:
    return int(getattr(model._meta.get_field(name), "max_length", 0))


class _ManyFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class _Files(forms.FileField):
    """Several files, each checked as one."""

    widget = _ManyFiles

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[Any]]:
        """The files that were chosen."""
        given: Sequence[Any] = data if isinstance(data, (list, tuple)) else [data] if data else []
        return [super(_Files, self).clean(each, initial) for each in given]


class ReadForm(forms.Form):
    """A reading: of which source and version, on which day, from which documents."""

    source = forms.ModelChoiceField(Source.objects.all())
    version = forms.CharField(
        max_length=_length(Release, "version"),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text="What the documents describe, where they do not say so themselves: 7.14.0. Empty for a page without"
        " versions.",
    )
    read = forms.DateField(
        label="Day it was read",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text="The day the page was saved.",
    )
    link = forms.CharField(
        label="Link",
        max_length=_length(Release, "link"),
        required=False,
        validators=[_web],
        help_text="The exact address of what was read, where it is not the page of the source.",
    )
    documents = _Files(
        label="Files",
        required=False,
        help_text=f"The saved page, or the files of its source: HTML, reStructuredText or Markdown in UTF-8. Several"
        f" are the parts of one page; at most {LIMIT_DOCUMENTS}.",
    )
    text = forms.CharField(
        label="Or paste it",
        max_length=LIMIT_PASTE,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        machine: dict[bool, list[tuple[str, str]]] = {True: [], False: []}
        for source in Source.objects.all():
            machine[source.read_by_machine].append((source.pk, source.title))
        field = self.fields["source"]
        assert isinstance(field, forms.ModelChoiceField)  # as declared above
        field.choices = [
            ("", "Choose the source"),
            ("Read by the product", machine[True]),
            ("Read by a person", machine[False]),
        ]

    @property
    def fetches(self) -> bool:
        """Whether the documents are to be fetched instead: the other button was pressed."""
        return FETCH in self.data

    def clean_read(self) -> Any:
        """A day that has been."""
        read = self.cleaned_data["read"]
        if read > timezone.localdate():
            raise forms.ValidationError("This day lies in the future.")
        return read

    def clean(self) -> dict[str, Any]:
        """Documents come by file or paste; a source that no importer reads can do without."""
        data = self.cleaned_data
        if "documents" not in data or "text" not in data or "source" not in data:
            return data
        if self.fetches:
            if data["documents"] or data["text"].strip():
                name = "documents" if data["documents"] else "text"
                self.add_error(name, "Fetch the page, or give it here, not both: leave this empty, or press Read.")
            return data
        if data["documents"] and data["text"].strip():
            self.add_error("text", "Choose files or paste a text, not both.")
        elif not data["documents"] and not data["text"].strip() and data["source"].read_by_machine:
            self.add_error("documents", "Choose the saved page, or paste it below.")
        elif len(data["documents"]) > LIMIT_DOCUMENTS:
            self.add_error("documents", f"These are {len(data['documents'])}; at most {LIMIT_DOCUMENTS} are read.")
        return data

    @property
    def given(self) -> Given:
        """What a valid form gives to be read."""
        data = self.cleaned_data
        documents = [(safe_name(file.name or "", "document.txt"), file.read()) for file in data["documents"]]
        if data["text"].strip():
            documents = [(PASTED, data["text"].encode())]
        return Given(data["source"].pk, data["version"], data["read"], documents, data["link"])

    def fetched(self, name: str, page: Fetched) -> Given:
        """What a valid form gives to be read with the page that was fetched for it, today."""
        data = self.cleaned_data
        link = "" if page.url == data["source"].url else page.url
        return Given(data["source"].pk, data["version"], timezone.localdate(), [(name, page.content)], link)


class GoneThroughForm(forms.Form):
    """What a person says who publishes a reading of a source that the product does not read."""

    gone_through = forms.BooleanField(label="I have gone through this document and entered what differs")


class CellForm(forms.Form):
    """One cell by hand."""

    key = forms.CharField(
        max_length=_length(Cell, "key"),
        validators=[
            RegexValidator(
                re.compile(r"\A[A-Za-z0-9][^\s\x00-\x1f\x7f]*(?: [^\s\x00-\x1f\x7f]+)*\Z"), "This is no key."
            )
        ],
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text="A cell that is there already is replaced.",
    )
    value = forms.CharField(
        max_length=_length(Cell, "value"),
        validators=[_one_line],
        help_text="What the page says: supported, partial, unsupported, unknown, or a list such as 31.40.1, 31.30.0.",
    )
    note = forms.CharField(
        max_length=_length(Cell, "note"),
        required=False,
        validators=[_one_line],
        help_text="What it says besides: a condition, a footnote.",
    )
    reason = forms.CharField(
        max_length=_length(Cell, "reason"), validators=[_one_line], help_text="Why it is entered by hand."
    )
    link = forms.CharField(max_length=_length(Cell, "link"), validators=[_web], help_text="The page that says so.")

    def __init__(self, *args: Any, examples: Collection[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if examples:
            self.fields["key"].help_text += f" Keys of this source are such as {', '.join(examples)}."

    @property
    def values(self) -> CellValues:
        """What a valid form says."""
        return CellValues(**{name: self.cleaned_data[name] for name in ("key", "value", "note", "reason", "link")})


class RemoveForm(forms.Form):
    """A cell that the page does not hold, or not any more."""

    key = forms.CharField(
        max_length=_length(Cell, "key"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "list": "keys"}),
        help_text="The key of a cell that is there.",
    )
    reason = forms.CharField(
        max_length=_length(Removal, "reason"), validators=[_one_line], help_text="Why it does not hold."
    )
    link = forms.CharField(
        max_length=_length(Removal, "link"), required=False, validators=[_web], help_text="The page that shows it."
    )


class SourceForm(forms.Form):
    """What is kept of a source. `version` is the version the person started from."""

    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    title = forms.CharField(max_length=_length(Source, "title"), validators=[_one_line])
    url = forms.CharField(label="Address", max_length=_length(Source, "url"), validators=[_web])
    purpose = forms.CharField(
        max_length=_length(Source, "purpose"), validators=[_one_line], help_text="What it answers, in a few words."
    )
    status = forms.ChoiceField(
        choices=Source.Status.choices,
        help_text="What rests on a page that moved or was retired is dated evidence; it is never due to be read again.",
    )
    status_note = forms.CharField(
        max_length=_length(Source, "status_note"),
        required=False,
        validators=[_one_line],
        help_text="Since when, and where to: it stands wherever the status is said.",
    )
    due_days = forms.IntegerField(
        label="Due after days",
        min_value=1,
        max_value=3650,
        required=False,
        help_text="How many days after a reading it is due to be read again. Empty: only on the day below, if any.",
    )
    due = forms.DateField(
        label="Due on",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text="A day to read it again instead, such as that of a new version. It counts until the page was read on"
        " that day or later.",
    )

    def __init__(self, *args: Any, source: Source | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if source is None:
            return
        if not source.added_by:
            del self.fields["title"]  # by which findings and rows name it
        for name, value in edited(source).items():
            if name in self.fields:
                self.fields[name].help_text += f" Shipped with the product: {value or 'nothing'}."

    @property
    def said(self) -> Said:
        """What a valid form says."""
        names = ("url", "purpose", "status", "status_note", "due_days", "due")
        return Said(**{name: self.cleaned_data[name] for name in names}, title=self.cleaned_data.get("title"))
