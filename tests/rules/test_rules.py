"""The catalogue page: every rule, and how many workloads each hits."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from portability.accounts.models import Person
from portability.engine.rules.catalogue import listed
from portability.register.models import Row
from portability.rules.pages import Line
from portability.targets.models import Target
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.register.generate import generate, make_target

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]
URL = "/rules/"


def lines(reader: Client, query: str = "") -> dict[str, Line]:
    families = reader.get(URL + query).context["families"]
    return {line.rule.id: line for family in families for line in family.lines}


def test_it_is_where_it_is_said_to_be(reader: Client) -> None:
    assert reverse("rules:rules") == URL
    assert reverse("rules:rule", args=["IMG001"]) == "/rules/IMG001/"


def test_every_rule_stands_once_with_its_name_what_it_looks_at_and_its_effects(reader: Client) -> None:
    make_target()
    response = reader.get(URL)
    shown = [line for family in response.context["families"] for line in family.lines]
    assert sorted(line.rule.id for line in shown) == [rule.id for rule in listed()]
    page = response.content.decode()
    for rule in listed():
        assert page.count(f'href="/rules/{rule.id}/"') == 1
        assert rule.title in page
    assert "images, also split over keys or given by kustomize" in page
    assert "blocks, to confirm" in page


def test_rules_stand_under_what_they_look_at(reader: Client) -> None:
    make_target()
    families = reader.get(URL).context["families"]
    headings = {line.rule.id: family.heading for family in families for line in family.lines}
    assert headings["IMG001"] == headings["IMG004"] == "Container images"
    assert headings["KNO001"] == headings["KNO002"]
    assert headings["PLT001"].startswith("The target's platform")
    assert len({*headings.values()}) == len(families)


def test_counts_are_those_of_the_register_which_they_link_to(reader: Client, registered: Workload) -> None:
    shown = lines(reader)
    page = reader.get(URL).content.decode()
    assert shown["IMG001"].hits == shown["RES001"].hits == 1
    assert shown["CRD001"].hits == 0
    links = re.findall(r'<a href="(/register/\?target=mi300x-single&amp;rule=([A-Z]{3}\d{3}))">(\d+)<', page)
    assert {id_: int(number) for _, id_, number in links} == {id_: x.hits for id_, x in shown.items() if x.hits}
    for address, _, number in links:
        counts = reader.get(address.replace("&amp;", "&")).context["counts"]
        assert counts.all == int(number)


def test_many_rows_are_counted_by_rule(reader: Client) -> None:
    target = generate(40)
    Row.objects.filter(target=target).update(rules="")
    some = Row.objects.filter(target=target).order_by("pk").values_list("pk", flat=True)
    Row.objects.filter(pk__in=list(some[:7])).update(rules="|IMG001|RES001|")
    Row.objects.filter(pk__in=list(some[7:12])).update(rules="|RES001|")
    shown = lines(reader)
    assert (shown["IMG001"].hits, shown["RES001"].hits, shown["NOD001"].hits) == (7, 12, 0)


def test_the_retired_do_not_count(reader: Client, registered: Workload) -> None:
    registered.retired_at = timezone.now()
    registered.save()
    assert lines(reader)["IMG001"].hits == 0


def test_another_target_can_be_chosen(reader: Client, registered: Workload) -> None:
    assert lines(reader, "?target=h100")["IMG001"].hits == 0
    page = reader.get(f"{URL}?target=h100").content.decode()
    assert 'href="/rules/IMG001/?target=h100"' in page, "the choice goes along"
    assert '<option value="h100" selected>' in page


def test_a_target_that_is_none_is_said(reader: Client, registered: Workload) -> None:
    Target.objects.filter(name="h100").update(active=False)
    for name in ("nowhere", "h100"):
        page = reader.get(URL, {"target": name})
        assert page.status_code == 200
        assert f"There is no active target “{name}”: counted for mi300x-single." in page.content.decode()


def test_without_a_target_the_catalogue_still_stands(reader: Client) -> None:
    shown = lines(reader, "?target=x")
    assert len(shown) == len(listed())
    assert {line.hits for line in shown.values()} == {None}


def test_what_is_worked_out_when_shown_has_no_count(reader: Client, registered: Workload) -> None:
    assert lines(reader)["KNO001"].hits is None
    assert "worked out daily" in reader.get(URL).content.decode()


def test_tables_of_vendor_rows_are_counted_with_what_they_refer_to(reader: Client) -> None:
    tables = {table.name: table for table in reader.get(URL).context["tables"]}
    images = tables["Images"]
    assert images.rows == sum(images.counts) > 100
    assert images.counts[0] > images.counts[1] > 0, "NVIDIA's, then AMD's"
    assert all(link.startswith("https://") for table in tables.values() for link in table.links)
    assert "Plain images" in tables


@pytest.mark.parametrize("name", ["Shipped rules", "Own rules", "Own rows", "Shipped rows"])
def test_each_part_of_the_page_is_reached_from_its_top_under_the_name_it_bears(reader: Client, name: str) -> None:
    page = reader.get(URL).content.decode()
    found = re.search(rf'<nav aria-label="On this page">.*<a href="#([a-z-]+)">{name}</a>.*</nav>', page)
    assert found and f'<h2 id="{found[1]}">{name}</h2>' in page


def test_the_anonymous_do_not_see_it(client_of: ClientOf, cast: Cast) -> None:
    assert client_of(None).get(URL).status_code == 302


@pytest.mark.parametrize("workloads", [4, 400])
def test_it_takes_few_queries_however_large_the_register(
    reader: Client, workloads: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    generate(workloads)
    with django_assert_max_num_queries(7):  # session, person, memberships, targets, counts, own rules, own rows
        reader.get(URL)
