"""The register page: what it shows, what an address asks for, and what it costs."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from portability.accounts.models import Person
from portability.register.models import Basis, Row, Run
from portability.targets.models import Target
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.register.generate import generate, make_target
from tests.register.registering import register_workload

ClientOf = Callable[[Person | None], Client]


@pytest.mark.database
def test_counts_link_to_what_they_count(reader: Client) -> None:
    generate(40)
    page = reader.get("/register/").content.decode()
    assert "40 workloads for mi300x-single" in page
    for verdict, words in (("movable", "movable"), ("needs-change", "needs change"), ("pinned", "pinned")):
        assert f'href="/register/?verdict={verdict}"' in page
        assert f"10 {words}" in page
    filtered = reader.get("/register/?verdict=pinned").content.decode()
    assert "rows 1–10 of 10" in filtered
    assert "10 movable" in filtered, "the counts leave the verdict filter out, so that another can be chosen"
    assert "workload-00002" in filtered and "workload-00000" not in filtered


@pytest.mark.database
def test_the_head_says_as_of_which_reading_and_how_late_it_is(cast: Cast, shipped: None, reader: Client) -> None:
    register_workload(cast.search, "chat")
    page = reader.get("/register/").content.decode()
    assert "As of ROCm compatibility matrix 7.14.0, read 7 August 2026" in page
    assert re.search(r"overdue \d+ days?", page)


@pytest.mark.database
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("q=WORKLOAD-00003", {"workload-00003"}),
        ("team=team-1&verdict=needs-change", {"workload-00001", "workload-00005", "workload-00009"}),
        ("criticality=critical&vendor=amd", {"workload-00000"}),
        ("engine=sglang&team=team-2", {"workload-00002"}),
        ("rule=IMG001&q=00005", {"workload-00005"}),
        ("q=helm+00003", {"workload-00003"}),
    ],
)
def test_filters(reader: Client, query: str, names: set[str]) -> None:
    generate(12)
    page = reader.get(f"/register/?{query}").content.decode()
    assert set(re.findall(r">(workload-\d+)</a>", page)) == names


@pytest.mark.database
def test_sorting_by_any_column_and_back(reader: Client) -> None:
    generate(12)
    for key in ("workload", "team", "criticality", "vendor", "gpus", "verdict", "why", "changed"):
        up = re.findall(r">(workload-\d+)</a>", reader.get(f"/register/?sort={key}").content.decode())
        down = re.findall(r">(workload-\d+)</a>", reader.get(f"/register/?sort=-{key}").content.decode())
        assert len(up) == len(down) == 12
        assert up != down, key
    page = reader.get("/register/?sort=-gpus").content.decode()
    assert page.count("aria-sort=") == 1
    assert re.search(r'<th[^>]*aria-sort="descending"><a id="sort-gpus" href="/register/\?sort=gpus"', page)


@pytest.mark.database
def test_paging_keeps_the_filters_and_a_page_too_far_is_the_last(reader: Client) -> None:
    generate(120)
    second = reader.get("/register/?vendor=nvidia&page=2").content.decode()
    assert "rows 51–96 of 96" in second
    assert 'rel="prev" href="/register/?vendor=nvidia&amp;page=1"' in second
    last = reader.get("/register/?page=99").content.decode()
    assert "rows 101–120 of 120" in last and 'rel="prev" href="/register/?page=2"' in last
    names = [
        name
        for page in (1, 2, 3)
        for name in re.findall(r">(workload-\d+)</a>", reader.get(f"/register/?page={page}").content.decode())
    ]
    assert len(names) == len(set(names)) == 120


@pytest.mark.database
@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("verdict=excellent", "“excellent” is nothing the filter “verdict” knows"),
        ("team=%3Cscript%3E", "“&lt;script&gt;” is nothing the filter “team” knows"),
        ("sort=password", "“password” is no column to sort by"),
        ("page=-1", "“-1” is no page"),
        ("page=٣", "is no page"),
        ("target=nowhere", "There is no target “nowhere”"),
        ("state=%00", "is nothing the filter “state” knows"),
        ("q=%00", "The search text is too long, or holds a character"),
        pytest.param(f"q={'x' * 60_000}", "The search text is too long", id="a long search"),
    ],
)
def test_a_value_that_cannot_be_used_is_told_and_left_out(reader: Client, query: str, said: str) -> None:
    generate(3)
    answer = reader.get(f"/register/?{query}")
    assert answer.status_code == 200
    assert said in answer.content.decode()
    assert "rows 1–3 of 3" in answer.content.decode()


def test_an_export_of_what_cannot_be_used_says_so_instead_of_holding_something_else(reader: Client) -> None:
    generate(3)
    answer = reader.get("/register/export.csv?verdict=excellent")
    assert answer.status_code == 400
    assert "“excellent” is nothing the filter “verdict” knows" in answer.content.decode()


def test_retired_workloads_show_only_when_asked_for(reader: Client) -> None:
    generate(4)
    row = Row.objects.select_related("workload").get(workload__name="workload-00002")
    row.workload.retired_at = row.assessed_at
    row.workload.save()
    assert "workload-00002" not in reader.get("/register/").content.decode()
    assert "3 workloads for" in reader.get("/register/").content.decode()
    retired = reader.get("/register/?state=retired").content.decode()
    assert "workload-00002" in retired and "workload-00001" not in retired
    assert "rows 1–4 of 4" in reader.get("/register/?state=all").content.decode()


@pytest.mark.database
def test_the_head_names_a_reading_once_that_some_rows_rest_on_with_another(reader: Client) -> None:
    target = generate(4)
    both = Basis.objects.get()
    both.pk, both.as_of = None, f"{both.as_of}; vLLM features, read 6 August 2026"
    both.save()
    Row.objects.filter(name="workload-00002", target=target).update(basis=both, as_of=both.as_of)
    head = strip_tags(reader.get("/register/").content.decode())
    assert head.count("ROCm compatibility matrix 7.14.0, read 7 August 2026") == 1
    assert "some vLLM features, read 6 August 2026" in head


@pytest.mark.database
def test_the_head_never_says_none_of_what_is_not_known(reader: Client) -> None:
    generate(8)
    whole = strip_tags(reader.get("/register/").content.decode())
    assert "at least 0 replicas, of 8 workloads not known · at least 28 GPUs, of 1 workload not known ·" in whole
    Workload.objects.filter(name="workload-00001").update(gpus=None, replicas=3)
    Row.objects.filter(name="workload-00001").update(gpus=None, replicas=3)
    one = strip_tags(reader.get("/register/?q=workload-00001").content.decode())
    assert "3 of 3 replicas · at least 0 of 27 GPUs, of 1 workload not known · about" in one


@pytest.mark.database
def test_an_edited_target_makes_its_rows_out_of_date_by_comparison(reader: Client) -> None:
    target = generate(4)
    assert "· out of date" not in reader.get("/register/").content.decode()
    Target.objects.filter(pk=target.pk).update(version=2)
    page = reader.get("/register/").content.decode()
    assert "4 out of date" in page
    assert page.count("· out of date") == 4 and "no re-evaluation is under way" in page
    Run.objects.create(cause="target", about="a test", total=4)
    page = reader.get("/register/").content.decode()
    assert page.count("· being re-evaluated") == 4 and "0 of 4 done" in page
    assert "rows 1–4 of 4" in reader.get("/register/?state=outdated").content.decode()


def test_an_htmx_request_gets_the_table_its_counts_and_what_is_said_aloud(reader: Client) -> None:
    generate(8)
    answer = reader.get(
        "/register/?q=&team=team-1&verdict=&sort=",
        headers={"HX-Request": "true", "HX-Trigger": "register-filters"},
    )
    text = answer.content.decode()
    assert "<html" not in text and 'id="register-results"' in text
    assert "2 of 8 workloads shown, 6 of 28 GPUs" in text
    assert "<h1>2 of 8 workloads for mi300x-single" in text and "6 of 28 GPUs ·" in text
    assert 'id="register-filters"' not in text, "what the person is typing in is left alone"
    assert answer.headers["HX-Push-Url"] == "/register/?team=team-1"
    assert "HX-Request" in answer.headers["Vary"]
    by_link = reader.get("/register/?verdict=pinned", headers={"HX-Request": "true", "HX-Trigger": "count-pinned"})
    assert '<option value="pinned" selected>' in by_link.content.decode()


def test_names_with_markup_are_text(reader: Client) -> None:
    generate(1)
    row = Row.objects.select_related("workload").get()
    row.workload.name = "<script>alert(1)</script>"
    row.workload.save()
    assert "<script>alert" not in reader.get("/register/").content.decode()


def test_an_empty_register_says_what_to_do_first(cast: Cast, client_of: ClientOf) -> None:
    make_target()
    member = client_of(cast.member).get("/register/").content.decode()
    assert "Register a workload" in member and "start the sample" in member
    assert "/workloads/new/" not in client_of(cast.viewer).get("/register/").content.decode().split("<main")[1]


def test_an_empty_register_has_no_stray_words_and_tells_an_administrator_the_next_step(
    cast: Cast, client_of: ClientOf
) -> None:
    make_target()
    page = client_of(cast.administrator).get("/register/").content.decode().split("<main")[1]
    assert '<p class="asof"><a href="/targets/mi300x-single/">about this target</a></p>' in page
    assert '<a href="/teams/">add a team</a>' in page and '<a href="/people/new/">add a person</a>' in page


@pytest.mark.parametrize(("today", "said"), [(date(2026, 11, 30), "overdue 25 days"), (date(2026, 11, 5), "")])
def test_an_overdue_reading_is_said_beside_the_counts(
    reader: Client, cast: Cast, shipped: None, monkeypatch: pytest.MonkeyPatch, today: date, said: str
) -> None:
    """Worked out for the day: ninety days after the reading are not yet overdue."""
    register_workload(cast.search, "chat")
    monkeypatch.setattr(timezone, "localdate", lambda *_: today)
    page = reader.get("/register/").content.decode()
    assert "read 7 August 2026" in page
    assert ("overdue" in page) == bool(said) and said in page


def test_a_target_whose_platform_is_not_judged_says_so_beside_the_counts(reader: Client) -> None:
    generate(2)
    assert "platform not judged" not in reader.get("/register/").content.decode()
    Basis.objects.update(platform_judged=False)
    assert '<li class="sub">platform not judged</li>' in reader.get("/register/").content.decode()


def test_no_target_at_all_says_so(reader: Client) -> None:
    assert "No target is active" in reader.get("/register/").content.decode()


@pytest.mark.database
@pytest.mark.parametrize("count", [500, pytest.param(5000, marks=pytest.mark.long)])
def test_what_the_page_costs(reader: Client, count: int) -> None:
    generate(count)
    reader.get("/register/")
    with CaptureQueriesContext(connection) as queries:
        answer = reader.get("/register/")
    assert "rows 1–50 of" in answer.content.decode()
    assert len(queries) == QUERIES, [q["sql"][:120] for q in queries]
    Target.objects.update(version=2)
    for query in ("", "?verdict=pinned&team=team-2"):
        with CaptureQueriesContext(connection) as queries:
            outdated = reader.get(f"/register/{query}")
        assert "out of date" in outdated.content.decode()
        assert len(queries) == QUERIES + 1 <= 15
    assert len(outdated.content) <= 60_000
    assert len(answer.content) <= 60_000


QUERIES = 14  # the same for any number of workloads; one more while anything is out of date
