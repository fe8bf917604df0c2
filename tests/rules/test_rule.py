"""The page of one rule: what it says of itself, its examples, and the workloads it hits."""

from __future__ import annotations

from html import unescape

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from portability.cli import main
from portability.engine.rules.base import Rule
from portability.engine.rules.catalogue import listed
from portability.register.models import Row
from portability.rules.pages import SHOWN_AT_ONCE
from portability.workloads.models import Workload
from tests.register.generate import generate

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def text(reader: Client, address: str) -> str:
    response = reader.get(address)
    assert response.status_code == 200, address
    return unescape(response.content.decode())


def test_it_says_why_how_to_fix_and_on_which_examples_it_is_tested(reader: Client) -> None:
    page = text(reader, "/rules/IMG001/")
    rule = next(rule for rule in listed() if rule.id == "IMG001")
    for said in (rule.id, rule.title, rule.name, rule.why, rule.fix, *rule.reads):
        assert said in page
    assert all(f'href="{link}"' in page for link in rule.references)
    assert "<b>Hit, to change:</b> a mirrored CUDA build with a digest" in page
    assert rule.examples[0].manifest in page
    assert "Target h100" in page


def test_a_terminal_prints_what_the_page_shows(reader: Client, capsys: pytest.CaptureFixture[str]) -> None:
    page = " ".join(text(reader, "/rules/SRV001/").split()).replace("</b>", "").lower()
    main(["rules", "SRV001"])
    headings = {"References", "Examples"}
    paragraphs = [" ".join(block.split()) for block in capsys.readouterr().out.split("\n\n")]
    rule = next(rule for rule in listed() if rule.id == "SRV001")
    for said in (rule.why, rule.fix):
        assert any(said in paragraph for paragraph in paragraphs) and said.lower() in page
    examples = [paragraph for paragraph in paragraphs if paragraph.startswith(("miss", "unknown", "hit", "Examples"))]
    assert len(examples) == len(rule.examples)
    for example in examples:
        heading = example.removeprefix("Examples ").split(" The workload")[0]
        assert heading.lower() in page
    assert headings <= set(" ".join(paragraphs).split())


@pytest.mark.parametrize("rule", listed(), ids=lambda rule: rule.id)
def test_every_rule_has_a_page(reader: Client, rule: Rule) -> None:
    page = text(reader, f"/rules/{rule.id}/")
    assert page.count('<section class="example">') == len(rule.examples)


@pytest.mark.parametrize("id_", ["IMG999", "img001", "x"])
def test_an_id_that_no_rule_has_is_not_found(reader: Client, id_: str) -> None:
    assert reader.get(f"/rules/{id_}/").status_code == 404


def test_the_workloads_it_hits_stand_there_with_the_way_to_the_register(reader: Client, registered: Workload) -> None:
    page = text(reader, "/rules/IMG001/")
    assert f'href="/workloads/{registered.pk}/?target=mi300x-single">chat-assistant</a>' in page
    assert 'href="/register/?target=mi300x-single&rule=IMG001"' in page
    assert "None of the workloads judged for mi300x-single." in text(reader, "/rules/CRD001/")
    assert "None of the workloads judged for h100." in text(reader, "/rules/IMG001/?target=h100")


def test_the_first_fifty_are_shown_worst_first(reader: Client) -> None:
    target = generate(80)
    Row.objects.filter(target=target).update(rules="|IMG001|")
    response = reader.get("/rules/IMG001/")
    hits = response.context["hits"]
    assert (hits.count, len(hits.rows)) == (80, SHOWN_AT_ONCE)
    order = [row.verdict_order for row in hits.rows]
    assert order == sorted(order)
    assert ">80 workloads</a> for mi300x-single, the first 50 here" in response.content.decode()


def test_a_rule_that_is_worked_out_when_shown_says_where(reader: Client, registered: Workload) -> None:
    response = reader.get("/rules/KNO001/")
    assert response.context["hits"] is None
    page = response.content.decode()
    assert "None are kept" in page
    assert "/register/?target" not in page


def test_without_a_target_nothing_is_counted(reader: Client) -> None:
    assert "There is no target yet" in text(reader, "/rules/IMG001/")


def test_a_finding_on_the_workload_page_leads_to_its_rule(reader: Client, registered: Workload) -> None:
    page = text(reader, f"/workloads/{registered.pk}/")
    assert '<a class="rule" href="/rules/IMG001/">IMG001</a>' in page


def test_it_takes_few_queries_however_many_it_hits(
    reader: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    Row.objects.filter(target=generate(60)).update(rules="|IMG001|")
    with django_assert_max_num_queries(7):  # session, person, memberships, targets, how many, the first rows, the run
        reader.get("/rules/IMG001/")
