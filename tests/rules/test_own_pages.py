"""Reading the organisation's own rows: the list, one row, the tables of shipped rows, and where findings lead."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from portability.accounts.models import Person
from portability.register.models import Run
from portability.rules import actions
from portability.targets.models import Target
from portability.ui.templatetags.ui import dated
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.rules.own import enter, values, work

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]
URL = "/rules/own/"


def text(client: Client, address: str, **query: str) -> str:
    answer = client.get(address, query)
    assert answer.status_code == 200, address
    return unescape(answer.content.decode())


def test_the_list_gives_what_was_entered_by_whom_and_who_may(cast: Cast, client_of: ClientOf) -> None:
    enter(cast.curator, counterpart="ml/scorer-rocm", note="asked the team")
    page = text(client_of(cast.viewer), URL)
    for said in ("<code>ml/scorer</code>", "NVIDIA", "<code>ml/scorer-rocm</code>", "asked the team"):
        assert said in page
    assert f"{dated(timezone.localdate())}, curator" in page
    assert "entered by curators and administrators: administrator, curator" in page
    assert "/rules/own/new/" not in page
    assert "/rules/own/new/" in text(client_of(cast.curator), URL)


def test_it_is_searched_and_narrowed(cast: Cast, client_of: ClientOf) -> None:
    enter(cast.curator)
    enter(cast.curator, "example.com/pool", table="labels", effect="change")
    removed = enter(cast.curator, "ml/old")
    actions.remove_row(cast.curator, removed.pk, 1)
    client = client_of(cast.viewer)

    def shown(**query: str) -> list[str]:
        return [row.pattern for row, _, _ in client.get(URL, query).context["lines"]]

    assert shown() == ["ml/scorer", "example.com/pool"]
    assert shown(table="labels") == ["example.com/pool"]
    assert shown(q="SCORER") == ["ml/scorer"]
    assert shown(removed="1") == ["ml/old"]
    assert shown(table="nothing", q="\x00", page="x") == ["ml/scorer", "example.com/pool"]
    assert "No such row." in text(client, URL, q="<b>")


def test_the_list_takes_few_queries_however_long(
    cast: Cast, client_of: ClientOf, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    actions.add_rows(cast.curator, [values(f"ml/image-{n:03}") for n in range(150)])
    client = client_of(cast.viewer)
    with django_assert_max_num_queries(6):  # session, person, memberships, how many, the page's rows, who enters them
        page = text(client, URL)
    assert page.count("<code>ml/image-") == 100
    assert "1–100 of 150" in page


def test_a_row_has_a_page_with_its_reference(
    cast: Cast, client_of: ClientOf, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    row = enter(cast.curator, link="https://wiki.example/scorer?a=1&b=2")
    client = client_of(cast.viewer)
    with django_assert_max_num_queries(5):  # session, person, memberships, the row, targets
        page = text(client, f"/rules/own/{row.pk}/")
    assert "Own row, entered" in page and "by curator" in page
    assert 'href="https://wiki.example/scorer?a=1&b=2"' in page
    assert "/edit/" not in page
    assert f"/rules/own/{row.pk}/edit/" in text(client_of(cast.administrator), f"/rules/own/{row.pk}/")
    assert client_of(cast.viewer).get("/rules/own/999999/").status_code == 404
    assert client_of(cast.viewer).post(f"/rules/own/{row.pk}/").status_code == 405


def test_a_table_of_shipped_rows_begins_with_the_own_ones_the_particular_first(cast: Cast, client_of: ClientOf) -> None:
    enter(cast.curator, "ml/*")
    enter(cast.curator, "ml/scorer")
    client = client_of(cast.viewer)
    rows = client.get("/rules/rows/images/").context["rows"]
    assert [row.pattern for row in rows[:2]] == ["ml/scorer", "ml/*"]
    page = text(client, "/rules/rows/images/")
    assert page.index("own row<") < page.index("vllm/vllm-openai")
    assert page.count("own row<") == 2
    assert "2 own rows</a>" in text(client, "/rules/")


@pytest.mark.parametrize("name", ["curator", "administrator"])
def test_a_finding_on_an_unknown_image_leads_those_who_may_to_the_filled_in_form(
    cast: Cast, world: Target, client_of: ClientOf, name: str
) -> None:
    workload = Workload.objects.get(name="private")
    client = client_of(getattr(cast, name))
    page = text(client, f"/workloads/{workload.pk}/")
    address = "/rules/own/new/?table=images&pattern=ml%2Fscorer"
    assert f'href="{address}">say what this image is</a>' in page
    form = text(client, address)
    assert 'name="pattern" value="ml/scorer"' in form


def test_others_are_told_who_can(cast: Cast, world: Target, client_of: ClientOf) -> None:
    workload = Workload.objects.get(name="private")
    page = text(client_of(cast.member), f"/workloads/{workload.pk}/")
    assert "A curator can enter once for all what this image is" in page and "/rules/own/new/" not in page
    public = Workload.objects.get(name="public")
    assert "what this image is" not in text(client_of(cast.member), f"/workloads/{public.pk}/")


def test_what_rests_on_an_own_row_says_so_and_leads_to_it(cast: Cast, world: Target, client_of: ClientOf) -> None:
    row = enter(cast.curator, effect="blocks", link="https://wiki.example/scorer")
    work()
    workload = Workload.objects.get(name="private")
    page = text(client_of(cast.viewer), f"/workloads/{workload.pk}/")
    assert f'<a href="/rules/own/{row.pk}/" rel="noreferrer">Organisation’s own row</a>' in page
    assert f"entered {dated(timezone.localdate())} by curator: <code>images/ml/scorer</code>" in page
    assert "the organisation’s own rows changed" in page


def test_a_row_lists_the_workloads_with_a_finding_that_rests_on_it(
    cast: Cast, world: Target, client_of: ClientOf, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    row, reader = enter(cast.curator), client_of(cast.viewer)
    run = Run.objects.get()
    assert f'A re-evaluation is under way: <a href="/register/runs/{run.pk}/">see how far it is</a>' in text(
        reader, f"{URL}{row.pk}/"
    )
    work()
    with django_assert_max_num_queries(8):  # session, person, memberships, row, targets, how many, the first, the run
        page = reader.get(f"{URL}{row.pk}/")
    assert sorted(hit.workload.name for hit in page.context["hits"].rows) == ["claims", "private"]
    assert f"2 workloads have a finding that rests on it, for {world.name}." in page.content.decode()
    other = enter(cast.curator, "ml/scor")
    work()
    assert f"None of the workloads judged for {world.name}." in text(reader, f"{URL}{other.pk}/")


def test_what_blocks_is_called_so_in_the_preview_as_everywhere(cast: Cast, world: Target, client_of: ClientOf) -> None:
    sent = {"table": "images", "pattern": "ml/scorer", "vendor": "nvidia", "effect": "blocks", "act": "preview"}
    page = client_of(cast.curator).post(f"{URL}new/", sent).content.decode()
    assert "1 that blocks" in page and "without a way" not in page


def test_a_row_that_leaves_no_finding_says_why_none_are_listed(cast: Cast, world: Target, client_of: ClientOf) -> None:
    row = enter(cast.curator, vendor="none")
    work()
    assert "What is nobody’s leaves no finding, so none are listed here." in text(
        client_of(cast.viewer), f"{URL}{row.pk}/"
    )
    assert "What would change without it" in text(client_of(cast.curator), f"{URL}{row.pk}/")
    note = enter(cast.curator, "example.com/pool", table="labels", effect="note")
    assert "A note counts for no verdict, so none are listed here." in text(client_of(cast.viewer), f"{URL}{note.pk}/")


def test_a_workload_says_what_it_would_be_without_own_rows(cast: Cast, world: Target, client_of: ClientOf) -> None:
    """What is said to be nobody's leaves no finding that tells of it; nor does an effect that was made less."""
    reader = client_of(cast.viewer)
    public = Workload.objects.get(name="public")
    address = f"/workloads/{public.pk}/"
    assert "Without the" not in reader.get(address).content.decode()
    enter(cast.curator, "vllm/vllm-openai", "none")
    work()
    page = reader.get(address)
    answer = page.context["page"].without_own_rows
    assert answer.counted_before.startswith("2 to change") and answer.counted_after.startswith("1 to change")
    assert 'Without the <a href="/rules/own/">organisation’s own rows</a>' in page.content.decode()
    claims = Workload.objects.get(name="claims")
    assert "Without the" not in reader.get(f"/workloads/{claims.pk}/").content.decode(), (
        "no own row says anything of it"
    )


def test_a_row_that_contradicts_a_shipped_one_says_so(cast: Cast, client_of: ClientOf) -> None:
    said = "It stands before a shipped row that says otherwise: <code>vllm-openai</code> is NVIDIA’s"
    row = enter(cast.curator, "vllm/vllm-openai", "none")
    assert said in text(client_of(cast.viewer), f"{URL}{row.pk}/")
    for pattern, vendor, told in (("vllm/vllm-openai:v9", "amd", True), ("ml/ranker", "none", False)):
        sent = {"table": "images", "pattern": pattern, "vendor": vendor, "effect": "change", "act": "preview"}
        page = client_of(cast.curator).post(f"{URL}new/", sent).content.decode()
        assert (said in page) is told
    same = enter(cast.curator, "vllm/vllm-openai:v8", "nvidia")
    assert said not in text(client_of(cast.viewer), f"{URL}{same.pk}/")
