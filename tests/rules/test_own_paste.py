"""Pasting many rows: one preview, all or nothing, and every complaint names its line."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from portability.accounts.models import Person
from portability.audit.models import Entry
from portability.register.models import Run
from portability.rules.forms import LINES, PasteForm
from portability.rules.models import VendorRow
from portability.targets.models import Target
from tests.conftest import Cast
from tests.rules.own import effects_of, enter, work

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]
URL = "/rules/own/paste/"
TEXT = """\
image, vendor, counterpart
ml/scorer, nvidia, ml/scorer-rocm, "built on CUDA, by the ML team"

registry.example/vllm/vllm-openai, none
ml/ranker\tAMD\t–
"""


def paste(client: Client, lines: str, act: str = "save", table: str = "images") -> str:
    answer = client.post(URL, {"table": table, "lines": lines, "act": act}, follow=True)
    assert answer.status_code in (200, 422)
    return answer.content.decode()


def test_all_are_entered_and_judged_in_one_run(cast: Cast, world: Target, client_of: ClientOf) -> None:
    page = paste(client_of(cast.curator), TEXT)
    assert "3 rows were entered." in page
    assert list(VendorRow.objects.order_by("pk").values_list("pattern", "vendor", "counterpart", "note")) == [
        ("ml/scorer", "nvidia", "ml/scorer-rocm", "built on CUDA, by the ML team"),
        ("vllm/vllm-openai", "none", "", ""),
        ("ml/ranker", "amd", "", ""),
    ]
    run = Run.objects.get()
    assert (run.about, run.total) == ("3 own rows were added", 3)
    work()
    assert effects_of("private", "IMG001") == ["change"] and effects_of("public", "IMG001") == []
    assert Entry.objects.filter(action="row.added").count() == 3


def test_the_preview_shows_rows_and_what_they_change_and_writes_nothing(
    cast: Cast, world: Target, client_of: ClientOf
) -> None:
    page = paste(client_of(cast.curator), TEXT, act="preview")
    assert "Save 3 rows" in page and "3 workloads are touched" in page
    assert not VendorRow.objects.exists() and not Run.objects.exists()


def test_the_preview_says_of_each_line_where_it_contradicts_a_shipped_row(cast: Cast, client_of: ClientOf) -> None:
    said = "It stands before a shipped row that says otherwise: <code>vllm-openai</code> is NVIDIA’s"
    lines = "ml/scorer, none\nvllm/vllm-openai, none\nvllm/vllm-openai:v8, nvidia\nvllm/vllm-openai:v9, amd"
    page = paste(client_of(cast.curator), lines, act="preview")
    assert page.count(said) == 2
    assert "2 of 4 rows stand before a shipped row that says otherwise" in page
    for pattern, told in (("ml/scorer", False), ("vllm/vllm-openai", True), ("vllm/vllm-openai:v8", False)):
        line = page.partition(f"<tr><td><code>{pattern}</code>")[2].partition("</tr>")[0]
        assert line and (said in line) is told
    assert "1 of 1 row stands before" in paste(client_of(cast.curator), "vllm/vllm-openai, none", act="preview")
    assert "says otherwise" not in paste(client_of(cast.curator), "ml/scorer, none", act="preview")


def test_one_wrong_line_keeps_all_from_being_entered(cast: Cast, client_of: ClientOf) -> None:
    enter(cast.curator, "ml/ranker")
    text = 'ml/scorer, nvidia\nml/other\n*, amd\nml/a, intel\nML/Scorer, amd\nml/ranker, amd\n"ml/b, amd\na,amd,b,c,d,e'
    page = paste(client_of(cast.curator), text)
    for said in (
        "Line 2: say whose it is",
        "Line 3: This would match nearly everything",
        "Line 4: “intel” is no vendor",
        "Line 5: ML/Scorer stands in line 1 already.",
        "Line 6: There is already a row for ml/ranker",
        "Line 7: a quotation mark is not closed.",
        "Line 8: there are more than four columns",
    ):
        assert said in page
    assert "Line 1" not in page
    assert VendorRow.objects.count() == 1


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("", "This field is required."),
        ("\n \n", "There is no row in these lines."),
        ("image, vendor", "There is no row in these lines."),
        ("\n".join(f"ml/image-{n}, amd" for n in range(LINES + 1)), f"paste at most {LINES} at once"),
    ],
)
def test_too_few_and_too_many(cast: Cast, client_of: ClientOf, lines: str, said: str) -> None:
    assert said in paste(client_of(cast.curator), lines)
    assert not VendorRow.objects.exists()


def test_each_table_is_checked_by_its_own_rules(cast: Cast, client_of: ClientOf) -> None:
    assert "Line 1: Write group and kind" in paste(client_of(cast.curator), "GpuJob, nvidia", table="kinds")
    paste(client_of(cast.curator), "example.com/gpu-pool, nvidia", table="taints")
    assert VendorRow.objects.get().effect == "note", "what the rule on taints says of any row"


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    form = PasteForm({"table": "images", "lines": text})
    assert form.is_valid() or form.errors


def test_the_most_lines_take_few_queries(
    cast: Cast, world: Target, client_of: ClientOf, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    lines = "\n".join(f"ml/image-{n}, amd" for n in range(LINES))
    client = client_of(cast.curator)
    with django_assert_max_num_queries(14):
        paste(client, lines, act="preview")


@pytest.mark.parametrize("name", ["viewer", "member", "architect"])
def test_others_are_refused(cast: Cast, client_of: ClientOf, name: str) -> None:
    person = getattr(cast, name)
    assert client_of(person).post(URL, {"table": "images", "lines": TEXT, "act": "save"}).status_code == 403
    assert not VendorRow.objects.exists()
