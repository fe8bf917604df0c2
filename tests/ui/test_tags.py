"""Template tags and filters."""

from __future__ import annotations

import datetime

import pytest
from django.template import Context, Template
from django.test import RequestFactory, override_settings

from portability.accounts.forms import TeamForm
from portability.ui.templatetags.ui import dated, days_in_full, described, moment, vendor, version


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (datetime.date(2026, 8, 7), "7 August 2026"),
        ("2026-08-07", "7 August 2026"),
        ("2026-08-07T10:00:00Z", "7 August 2026"),
        (None, "–"),
        ("", "–"),
    ],
)
def test_dates_are_written_in_full(value: datetime.date | str | None, shown: str) -> None:
    assert dated(value) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("by its banner of 2026-07-15; the table ends", "by its banner of 15 July 2026; the table ends"),
        ("2026-08-07", "7 August 2026"),
        ("read on 2026-08-07, due (2026-11-05).", "read on 7 August 2026, due (5 November 2026)."),
        ("vllm:nightly-2026-08-07 and app:2026-08-07", "vllm:nightly-2026-08-07 and app:2026-08-07"),
        ("path/2026-08-07/x, 2026-08-07T10:00:00Z, 2026-02-31", "path/2026-08-07/x, 2026-08-07T10:00:00Z, 2026-02-31"),
    ],
)
def test_days_in_a_text_are_written_in_full_where_they_stand_alone(text: str, shown: str) -> None:
    assert days_in_full(text) == shown


@override_settings(TIME_ZONE="Europe/Berlin")
def test_moments_are_of_the_configured_zone_and_say_so_to_machines() -> None:
    late = datetime.datetime(2026, 8, 7, 23, 30, tzinfo=datetime.UTC)
    assert dated(late) == "8 August 2026"
    assert moment(late) == '<time datetime="2026-08-07T23:30:00+00:00">8 August 2026, 01:30</time>'
    assert moment(None) == "–"


@pytest.mark.parametrize(
    ("value", "shown"), [("nvidia", "NVIDIA"), ("other", "another vendor"), ("unknown", "not known"), ("", "")]
)
def test_vendors_are_written_as_people_write_them(value: str, shown: str) -> None:
    assert vendor(value) == shown


def test_versions_are_escaped_and_monospaced() -> None:
    assert version("7.14.0") == '<span class="v">7.14.0</span>'
    assert version("<b>") == '<span class="v">&lt;b&gt;</span>'
    assert version("") == ""


def test_query_keeps_what_it_is_not_told_to_change() -> None:
    request = RequestFactory().get("/", {"q": "a&b", "page": "2", "team": "x"})
    text = Template("{% load ui %}{% query page=3 team=None %}").render(Context({"request": request}))
    assert text == "?q=a%26b&amp;page=3"
    assert Template("{% load ui %}{% query page=3 %}").render(Context()) == "?page=3"


def test_a_field_is_tied_to_its_help_and_its_errors() -> None:
    clean = TeamForm()["name"]
    assert "aria-" not in str(described(clean))
    wrong = TeamForm({"name": ""})["name"]
    text = str(described(wrong))
    assert 'aria-invalid="true"' in text
    assert f"{wrong.id_for_label}-errors" in text
    page = Template('{% include "components/field.html" %}').render(Context({"field": wrong}))
    assert f'id="{wrong.id_for_label}-errors"' in page


@pytest.mark.parametrize(
    ("verdict", "name", "words"),
    [
        ("movable", "movable", "Movable"),
        ("needs-change", "change", "Needs change"),
        ("pinned", "pinned", "Pinned"),
        ("not-assessed", "open", "Not assessed"),
    ],
)
def test_a_verdict_has_its_word(verdict: str, name: str, words: str) -> None:
    page = Template('{% include "components/verdict.html" %}').render(Context({"verdict": verdict}))
    assert page.strip() == f'<span class="verdict {name}">{words}</span>'
