"""The first page: what it says where something is missing, what it rests on, and that bars need no colour."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from portability.accounts.models import Person
from portability.engine.model import Verdict
from portability.exposure.bars import bar
from portability.organisation.models import DefaultTarget
from portability.register.models import Obstacles, Row, Run
from portability.reviews.actions import answer, ask, close, open_review
from portability.reviews.models import Entry
from portability.targets.models import Target
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.exposure.figures import Shown, text_of
from tests.register.generate import generate
from tests.reviews.making import Q4, decided, standing

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]

TODAY = date(2026, 11, 30)


@pytest.fixture(autouse=True)
def on_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is asked for on this day."""
    monkeypatch.setattr(timezone, "localdate", lambda *_: TODAY)


@pytest.fixture
def target(cast: Cast) -> Target:
    """The target of what runs on NVIDIA."""
    made = generate(40)
    DefaultTarget.objects.create(vendor="nvidia", target=made)
    return made


@pytest.fixture
def other_architect(cast: Cast) -> Person:
    """An architect to whom nothing is given."""
    return Person.objects.create(username="ann", architect=True)


def main(client: Client, address: str = "/") -> str:
    """What the page says below the bar."""
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode().split("<main", 1)[1]


def test_the_name_in_the_bar_leads_here_and_the_register_stays_where_it_was(reader: Client, target: Target) -> None:
    page = reader.get("/register/").content.decode()
    assert '<a class="name" href="/">' in page and reverse("exposure:exposure") == "/"
    assert '<a href="/" aria-current="page">Exposure</a>' in reader.get("/").content.decode()
    assert 'aria-current="page">Exposure' not in page and 'aria-current="true">Exposure' not in page


def test_it_says_in_words_what_would_stop(reader: Client, target: Target) -> None:
    page = main(reader)
    headline = re.search(r'<h1 class="headline">(.*?)</h1>', page)
    assert headline
    said = re.sub(r"<[^>]+>", "", headline[1])
    assert re.fullmatch(r"\d+ of 32 workloads would stop if NVIDIA supply slipped a quarter", said)
    assert 'against <a href="/targets/mi300x-single/">mi300x-single</a>' in page
    assert "As of ROCm compatibility matrix 7.14.0, read 7 August 2026" in page


@pytest.mark.parametrize(
    ("role", "said"),
    [
        ("member", 'href="/workloads/new/">Register a workload'),
        ("administrator", 'href="/teams/">add a team'),
        ("viewer", "an administrator puts people into teams"),
    ],
)
def test_an_empty_register_says_what_to_do_first(cast: Cast, client_of: ClientOf, role: str, said: str) -> None:
    page = main(client_of(getattr(cast, role)))
    assert "Which workloads would stop?" in page and said in page and "make run" in page


def test_a_vendor_without_a_target_or_without_workloads_says_so(
    cast: Cast, client_of: ClientOf, reader: Client, target: Target
) -> None:
    assert "Nothing is reckoned for AMD yet" in main(reader, "/?vendor=amd")
    assert "An administrator chooses one under Settings" in main(reader, "/?vendor=amd")
    assert 'href="/settings/">Settings' in main(client_of(cast.administrator), "/?vendor=amd")
    assert '<a href="/register/?vendor=amd">8 workloads</a> run on AMD today' in main(reader, "/?vendor=amd")
    assert "<h1>8 of 40 workloads" in main(reader, "/register/?vendor=amd")
    page_of_others = main(reader, "/?vendor=other")
    assert "unless it is" not in page_of_others
    DefaultTarget.objects.create(vendor="other", target=target)
    Workload.objects.filter(name__in=["workload-00001", "workload-00002"]).update(vendor_today="")
    for told in (page_of_others, main(reader, "/?vendor=other")):
        assert "No workload runs on other vendors" in told
    assert 'unless it is among the <a href="/register/?vendor=unknown">2 workloads</a> whose vendor nobody' in told
    assert "<h1>2 of 40 workloads" in main(reader, "/register/?vendor=unknown")


def test_what_the_address_cannot_mean_is_said(reader: Client, target: Target) -> None:
    page = main(reader, "/?vendor=<b>intel&counts=mine")
    assert "“&lt;b&gt;intel” is no vendor that is reckoned with: shown for NVIDIA." in page
    assert "counts is engine or decided, not “mine”" in page
    assert "32 workload" in page


def test_a_switch_leads_to_the_decided_verdicts_and_back(reader: Client, target: Target) -> None:
    assert 'href="/?vendor=nvidia&amp;counts=decided">count what was decided' in main(reader)
    page = main(reader, "/?counts=decided")
    assert 'href="/?vendor=nvidia">count the engine’s verdicts' in page
    assert "decided=exposed" in page and "verdict=exposed" not in page


def test_what_is_under_way_is_said(reader: Client, cast: Cast, target: Target) -> None:
    page = main(reader)
    assert "being re-evaluated" not in page and "review 2026-Q4" not in page
    run = Run.objects.create(cause="rules", about="the rules changed", total=40, done=7)
    open_review(cast.architect, Q4, TODAY)
    page = main(reader)
    assert f'href="/register/runs/{run.pk}/">7 of 40 done' in page
    assert 'href="/reviews/2026-Q4/">review 2026-Q4</a>: <a href="/reviews/2026-Q4/?state=decided">0 of 40 dec' in page


def test_who_is_waited_for_is_told_first_and_led_there(
    cast: Cast, client_of: ClientOf, target: Target, other_architect: Person
) -> None:
    open_review(cast.architect, Q4, TODAY)
    Workload.objects.filter(name__in=["workload-00001", "workload-00002"]).update(team=cast.search)
    mine = Entry.objects.filter(workload__name__in=["workload-00001", "workload-00002", "workload-00003"])
    mine.update(assigned=cast.architect)
    asked = ask(cast.architect, mine.get(workload__name="workload-00001").pk, "Is it pinned?")
    told = main(client_of(cast.architect))
    assert '<a href="/reviews/2026-Q4/?assigned=me">3 entries</a> wait for your decision in review 2026-Q4' in told
    assert "1 October 2026 to 31 December 2026" in told and "for your team" not in told
    assert "3 entries" in main(client_of(cast.architect), "/reviews/2026-Q4/?assigned=me")
    told = main(client_of(cast.member))
    assert '<a href="/reviews/questions/">1 question for your team</a> waits for an answer' in told
    assert "for your decision" not in told
    for person in (cast.viewer, cast.outsider, other_architect):
        told = main(client_of(person))
        assert "for your team" not in told and "for your decision" not in told
    answer(cast.member, asked.pk, "Yes.")
    mine.update(state=Entry.State.DEFERRED)
    assert "for your team" not in main(client_of(cast.member))
    assert "for your decision" not in main(client_of(cast.architect))


def test_readings_that_are_due_are_counted(reader: Client, cast: Cast, registered: Workload) -> None:
    Workload.objects.update(vendor_today="nvidia")
    said = re.search(r'href="/matrices/">(\d+) readings? due', main(reader))
    assert said and int(said[1]) > 0
    assert f"{said[1]} " in reader.get("/matrices/").content.decode()


def test_what_was_not_judged_yet_is_named(reader: Client, target: Target) -> None:
    Row.objects.filter(workload__name="workload-00001").delete()
    page = main(reader)
    assert '<a href="#unjudged">1 not judged yet</a>' in page
    assert 'id="unjudged">1 has not been judged for mi300x-single yet' in page and ">workload-00001</a>" in page


def test_bars_are_told_apart_without_colour(reader: Client, target: Target) -> None:
    page = main(reader)
    for name in ("change", "open", "movable"):
        assert f'<pattern id="pattern-{name}"' in page and f'fill="url(#pattern-{name})"' in page
    bars = re.findall(r'<svg class="bar-of" role="img" aria-label="([^"]+)">', page)
    assert len(bars) > 6
    said = r"By (GPUs|workloads): no way out \d+, until changed \d+, not known \d+, could move \d+"
    assert all(re.fullmatch(said, each) for each in bars)


def test_the_pieces_of_a_bar_fill_what_they_stand_for() -> None:
    whole = bar({Verdict.PINNED: 1, Verdict.NEEDS_CHANGE: 2, Verdict.MOVABLE: 1}, 8, "GPUs")
    assert [(p.name, p.x, p.width) for p in whole.pieces] == [
        ("pinned", "0.00%", "12.50%"),
        ("change", "12.50%", "25.00%"),
        ("movable", "37.50%", "12.50%"),
    ]
    assert whole.text == "By GPUs: no way out 1, until changed 2, not known 0, could move 1"
    assert bar({}, 0, "GPUs").pieces == []


def test_every_number_of_its_tables_leads_to_what_it_counts(reader: Client, target: Target, cast: Cast) -> None:
    """Those that are not nothing. Where they lead is followed in `test_any_register`, of what stands alone here."""
    review = open_review(cast.architect, Q4, TODAY)
    for entry in review.entries.all():
        line = standing(entry)
        kind = {"kind": "not-known", "reason": "?", "finds_out": "Lena", "by_day": TODAY}
        decided(cast.architect, entry, **(kind if line.engine_verdict == "not-assessed" else {}))
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    alone = Obstacles.objects.get_or_create(digest="a" * 64, text="\nRES001 alone\n")[0]
    Row.objects.filter(workload__in=Workload.objects.filter(name="workload-00001")).update(obstacles=alone)
    page = main(reader)
    cells = re.findall(r'<td class="n[^"]*">(.*?)</td>', page, re.DOTALL)
    assert len(cells) > 60 and ">2026-Q4</a>" in page
    for cell in cells:
        rest = re.sub(r"<a[^>]*>.*?</a>", "", cell)
        assert not re.search("[1-9]", text_of(rest)), cell
    head = page.partition('<ul class="states"')[0]
    head = re.sub(r"<a[^>]*>.*?</a>", "", head[head.index("<h1") :], flags=re.DOTALL)
    assert not re.search("[1-9]", text_of(head))
    [(address, number)] = re.findall(
        r'RES001</a> alone\s.{,400}?<td class="n"><a href="(/register/[^"]*frees=[^"]*)">(\d+)</a></td></tr>',
        page,
        re.DOTALL,
    )
    assert Shown(reader).number(address.replace("&amp;", "&")) == int(number) == 1
