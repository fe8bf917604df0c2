"""Every kind of entry is told in a sentence, by one table from the stable words to those of people."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.audit.kinds import KINDS, ROOMS
from portability.audit.models import Entry
from portability.audit.words import WORKED_OUT, sentence
from portability.workloads.models import Workload
from tests.audit.recorded import calls, details
from tests.conftest import Cast

ROLES = {"architect": False, "curator": False, "administrator": False}
SAID = {
    ("workload.registered", "chat"): (
        {"team": "Search", "files": ["a.yaml", "b.yaml"]},
        "registered chat for the team Search, from a.yaml, b.yaml",
    ),
    ("workload.revised", "chat"): (
        {"revision": 3, "cause": "manifest"},
        "saved chat anew: manifests changed, revision 3",
    ),
    ("workload.described", "chat"): (
        {"owner": "", "criticality": "high"},
        "changed what is said of chat, criticality high",
    ),
    ("workload.renamed", "chat"): ({"before": "talk"}, "renamed talk to chat"),
    ("workload.moved", "chat"): ({"before": "Search", "after": "Media"}, "gave chat to another team: Search → Media"),
    ("review.decided", "chat"): (
        {
            "review": "2026-Q3",
            "kind": "not-known",
            "engine_verdict": "not-assessed",
            "verdict": "not-assessed",
            "reason": "",
            "by": "2026-12-24",
        },
        "decided chat in the review of 2026-Q3: not known; verdict not assessed; to be known by 24 December 2026",
    ),
    ("review.decided", "talk"): (
        {
            "review": "2026-Q3",
            "kind": "otherwise",
            "engine_verdict": "needs-change",
            "verdict": "movable",
            "reason": "it ran",
            "together": 4,
        },
        "decided talk in the review of 2026-Q3: decided otherwise; verdict needs change → movable; one of 4 at once"
        "; because: it ran",
    ),
    ("review.question", "chat"): (
        {"review": "2026-Q3", "text": "Which\nimage?"},
        "asked the team of chat in the review of 2026-Q3: Which image?",
    ),
    ("waiver.given", "chat"): (
        {
            "target": "h100",
            "rule": "IMG001",
            "where": "Deployment chat",
            "ends": "2027-01-31",
            "reason": "known",
            "link": "https://e.example",
        },
        "waived a finding of chat for h100: IMG001 at Deployment chat, until 31 January 2027, because: known",
    ),
    ("rehearsal.recorded", "chat"): (
        {"target": "h100", "day": "2026-11-02", "outcome": "failed", "permanent": False},
        "recorded a rehearsal of chat on h100, 2 November 2026: it did not run",
    ),
    ("rehearsal.recorded", "talk"): (
        {"target": "h100", "day": "2026-11-02", "outcome": "ran", "permanent": True},
        "recorded a rehearsal of talk on h100, 2 November 2026: it ran and was left there",
    ),
    ("register.exported", "h100"): (
        {"format": "xlsx", "columns": "every documented column", "rows": 0, "filter": ""},
        "took the register away for h100 as Excel, with every documented column, 0 rows",
    ),
    ("review.exported", "2026-Q3"): ({"format": "pdf"}, "took the review of 2026-Q3 away as PDF"),
    ("filter.saved", "a private filter"): (
        {"shared": "private"},
        "saved a filter: a private filter, shared with nobody",
    ),
    ("filter.changed", "mine"): (
        {"before": "mine", "shared": "team: Search"},
        "changed a filter: mine, shared with team: Search",
    ),
    ("mapping.saved", "risk"): (
        {"before": "risk", "added": ["GPUs"], "removed": []},
        "changed the column mapping risk; new: GPUs",
    ),
    ("matrix.cell", "vLLM 0.23"): (
        {"key": "rocm/graphs", "before": None, "value": "yes", "reason": "tried", "link": ""},
        "entered a cell of vLLM 0.23: rocm/graphs: – → yes, because: tried",
    ),
    ("matrix.published", "vLLM 0.23"): (
        {"read": "2026-08-07", "cells": 12, "supersedes": 4711},
        "published vLLM 0.23, read 7 August 2026, with 12 cells, in place of the reading before",
    ),
    ("source.edited", "vLLM"): (
        {"status": ["current", "moved"], "url": ["a", "b"]},
        "changed the source vLLM: status: current → moved; url: a → b",
    ),
    ("target.saved", "h100"): (
        {"changed": {"os version": ["24.04.4", "24.04.2"]}},
        "changed the target h100: os version: 24.04.4 → 24.04.2",
    ),
    ("organisation.saved", "The bank"): (
        {"changed": {"time zone": ["", "Asia/Tokyo"]}},
        "changed the settings of The bank: time zone: – → Asia/Tokyo",
    ),
    ("person.created", "ann"): ({"roles": ROLES}, "created the person ann: no further role"),
    ("person.changed", "ann"): (
        {"before": ROLES, "roles": ROLES | {"curator": True}},
        "changed the person ann: no further role → curator",
    ),
    ("person.changed", "bob"): ({"before": ROLES, "roles": ROLES}, "changed the person bob: another mail address"),
    ("team.joined", "Search"): ({"person": "ann", "team": 4711}, "put ann into the team Search"),
    ("run.started", "target h100 was edited"): (
        {"run": 4711, "pairs": 20},
        "had 20 assessments judged again: target h100 was edited",
    ),
    ("digest.asked-for", "ann"): (
        {"often": "day", "whose": "own", "hour": 7, "address_changed": False},
        "chose the digests of ann: once a day, of the own teams",
    ),
    ("value.erased", "a value"): (
        {"files": 2, "rows": 0, "records": 1},
        "erased a value from what is stored: 2 files, 0 other texts; signed records with it: 1",
    ),
    ("history.exported", "the history"): (
        {"format": "csv", "rows": 9, "filter": "who: ann"},
        "took the history away as CSV, 9 entries, filtered by who: ann",
    ),
    ("review.opened", "2026-Q3"): ({"entries": 1}, "opened the review of 2026-Q3, with 1 entry"),
    ("review.discarded", "2026-Q3"): (
        {"entries": 1, "reason": "opened by mistake"},
        "discarded the review of 2026-Q3, with 1 entry: opened by mistake",
    ),
    ("review.closed", "2026-Q3"): ({"entries": 12}, "signed off the review of 2026-Q3, with 12 entries"),
    ("register.exported", "mi300x"): ({"format": "csv", "rows": 1}, "took the register away for mi300x as CSV, 1 row"),
    ("matrix.draft", "vLLM 0.23"): ({"cells": 1}, "made a draft of vLLM 0.23, with 1 cell"),
    ("run.started", "h100"): ({"run": 4711, "pairs": 1}, "had 1 assessment judged again: h100"),
    ("webhook.switched-off", "chat"): ({"dropped": 1}, "switched off the webhook chat; 1 message dropped"),
    ("value.erased", "another"): ({"files": 1, "rows": 1}, "erased another from what is stored: 1 file, 1 other text"),
    ("history.exported", "all of it"): ({"format": "json", "rows": 1}, "took all of it away as JSON, 1 entry"),
    ("sample.loaded", "sample register"): ({"workloads": 1}, "loaded the sample register, with 1 workload"),
    ("waiver.withdrawn", "h100"): (
        {"workloads": "all", "rule": "PLT003"},
        "withdrew a waiver of h100 for all workloads: PLT003",
    ),
    ("waiver.withdrawn", "mi300x"): (
        {"target": "mi300x", "rule": "IMG001"},
        "withdrew a waiver of mi300x for mi300x: IMG001",
    ),
    ("review.decided", "alone"): ({"kind": "agree", "together": 1}, "decided alone: agreed"),
    ("workload.moved", "Search"): (
        {"before": "Search", "after": "Media"},
        "gave Search to another team: Search → Media",
    ),
    ("team.joined", "ann"): ({"person": "ann"}, "put ann into the team ann"),
    ("cellar.flooded-twice", "wine"): ({"depth": 3}, "cellar: flooded twice wine"),
}


@pytest.mark.parametrize(("kind", "subject"), SAID, ids=lambda text: text)
def test_an_entry_is_a_sentence(kind: str, subject: str) -> None:
    told, said = SAID[kind, subject]
    assert str(sentence(Entry(action=kind, subject=subject, details=told))) == said


def test_every_kind_that_the_code_records_has_words_and_no_other_has() -> None:
    recorded = {kind for kind, _ in calls()}
    assert len(recorded) > 70
    assert recorded == KINDS.keys()
    assert {kind.partition(".")[0] for kind in recorded} == ROOMS.keys()
    assert len({kind.name for kind in KINDS.values()}) == len(KINDS), "each is told from the others in a list"


def test_sentences_name_only_details_that_are_recorded() -> None:
    recorded: dict[str, list[set[str] | None]] = {}
    for kind, call in calls():
        recorded.setdefault(kind, []).append(details(call))
    known = {kind: set().union(*(n for n in names if n)) for kind, names in recorded.items() if None not in names}
    assert len(known) > 50
    for kind, names in known.items():
        named = set(re.findall(r"\{[?!]?(\w+)", KINDS[kind].sentence)) - {"s"} - WORKED_OUT.keys()
        assert named <= names, kind


def test_every_sentence_says_once_what_it_was_done_to() -> None:
    assert [kind for kind, said in KINDS.items() if said.sentence.count("{s}") != 1] == []


def test_the_documentation_lists_the_keys_that_files_hold() -> None:
    text = (Path(__file__).parents[2] / "docs" / "history.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([\w.-]+)` \| ([^|]+) \|", text, re.MULTILINE)
    assert listed == [(key, kind.name) for key, kind in KINDS.items()]


@pytest.mark.parametrize(
    "value", [None, "", "REDACTED", 0, 7, True, [], ["a", 1], [["a", "b"], ["c", "d"]], {}, {"a": None}]
)
def test_whatever_is_stored_is_told(value: object) -> None:
    """Values that were erased, and details of older versions of the product."""
    for kind in KINDS:
        names = re.findall(r"\w+", KINDS[kind].sentence)
        for told in ({}, dict.fromkeys([*names, "changed", "before", "engine_verdict", "verdict"], value)):
            said = str(sentence(Entry(action=kind, subject="the subject", details=told)))
            assert "the subject" in said and not re.search(r"[{}\[\]]", said.replace("[]", "")), said


def test_long_texts_are_cut_in_the_sentence() -> None:
    entry = Entry(action="review.note", subject="chat", details={"review": "2026-Q3", "text": "long " * 100})
    assert len(str(sentence(entry))) < 260 and str(sentence(entry)).endswith("…")


@pytest.mark.database
def test_the_page_tells_sentences_and_on_opening_the_stable_words(
    cast: Cast, registered: Workload, client_of: Callable[[Person | None], Client]
) -> None:
    record(cast.architect, "review.note", registered, review="2026-Q3", text="<b>look</b>")
    record(cast.curator, "target.saved", "h100", changed={"os": ["a", "b"]})
    page = client_of(cast.architect).get(reverse("audit:entries")).content.decode()
    at = reverse("workloads:workload", args=[registered.pk])
    assert f'wrote a note on <b><a href="{at}">chat-assistant</a></b> in the review of 2026-Q3: &lt;b&gt;look' in page
    assert "changed the target <b>h100</b>: os: a → b" in page
    assert "<code>review.note</code> · review: 2026-Q3 · text: &lt;b&gt;look" in page
    own = client_of(cast.viewer).get(reverse("workloads:history", args=[registered.pk])).content.decode()
    assert "wrote a note on <b>chat-assistant</b> in the review of 2026-Q3" in own


@pytest.mark.database
def test_kinds_are_chosen_by_their_names_in_groups(cast: Cast, client_of: Callable[[Person | None], Client]) -> None:
    record(cast.member, "workload.moved", "chat", before="Search", after="Media")
    record(cast.architect, "review.decided", "chat", kind="agree")
    record(cast.curator, "target.saved", "h100")
    client = client_of(cast.architect)
    page = client.get(reverse("audit:entries")).content.decode()
    assert '<optgroup label="Reviews">' in page and '<option value="review.decided">Entry decided</option>' in page
    assert page.index('<optgroup label="Workloads">') < page.index('<optgroup label="Targets">')
    assert '<option value="target">Targets</option>' in page
    found = client.get(reverse("audit:entries"), {"action": "workload.moved"}).content.decode()
    assert "gave <b>chat</b> to another team: Search → Media" in found and "decided <b>" not in found
    nothing = client.get(reverse("audit:entries"), {"action": "workload.moved", "who": "nobody"}).content.decode()
    assert "Nothing matches." in nothing
