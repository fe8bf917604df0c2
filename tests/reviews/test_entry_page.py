"""One entry with all that is needed to decide it."""

from __future__ import annotations

from typing import Any

import pytest

from portability.accounts.models import Person
from portability.organisation.dates import Quarter
from portability.reviews.actions import answer, ask, close, open_review, write_note
from portability.reviews.entry_page import entry_page
from portability.reviews.models import Review
from portability.workloads.actions import retire
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import PINNED, SERVING, TODAY, decided, entry_of, register, revise

pytestmark = pytest.mark.database
SCRIPT = SERVING.replace('args: ["--model=Qwen/Qwen3-8B"]', 'command: [bash, -c, "nvidia-smi -q --key=a-quiet-word"]')


def test_it_tells_reasons_releases_and_the_other_targets(cast: Cast, review: Review, chat: Workload) -> None:
    page = entry_page(cast.viewer, review, entry_of(review, chat).pk, TODAY)
    assert page is not None and page.row is not None
    assert [f.shown.rule for f in page.found] == ["IMG001", "RES001", "OBS003"]
    assert page.found[0].shown.reason.startswith("The image vllm/vllm-openai:v0.23.0 is built for NVIDIA")
    assert {r["source"] for r in page.releases} >= {"rocm-compatibility-matrix", "amd-device-plugin"}
    assert "h100" in [o.target for o in page.others] and "mi300x-single" not in [o.target for o in page.others]
    assert (page.before, page.cannot_confirm, page.history) == (None, "Nothing was decided before.", [])


def test_it_tells_what_was_decided_last_and_what_changed_since_with_its_cause(
    cast: Cast, review: Review, chat: Workload
) -> None:
    last = decided(cast.architect, entry_of(review, chat), kind="stays", reason="It stays.")
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    revise(cast.member, chat, SERVING.replace("v0.23.0", "v0.24.0"))
    second = open_review(cast.architect, Quarter(2027, 1), TODAY)
    revise(cast.member, chat, SERVING.replace("v0.23.0", "v0.24.0"), **PINNED)
    page = entry_page(cast.architect, second, entry_of(second, chat).pk, TODAY)
    assert page is not None
    assert (page.before, page.line.moved_from) == (last, "needs-change")
    assert [(c.words, c.found, c.gone) for c in page.line.changed] == [
        ("the manifests changed", ["IMG001"], ["IMG001"])
    ]
    assert [(c.words, c.after) for c in page.changed_since] == [("declared facts changed", "pinned")]
    assert page.cannot_confirm == "The verdict was another one then."


def test_lines_of_files_are_for_those_who_may_read_them(cast: Cast, review: Review, chat: Workload) -> None:
    revise(cast.member, chat, SCRIPT)

    def told(person: Person) -> set[str]:
        page = entry_page(person, review, entry_of(review, chat).pk, TODAY)
        assert page is not None
        return {f.shown.value for f in page.found if f.shown.rule == "CMD001"} | {
            line.text for f in page.found for line in f.shown.excerpt
        }

    for person in (cast.architect, cast.member, cast.administrator):
        assert any("a-quiet-word" in text for text in told(person))
    for person in (cast.viewer, cast.outsider, cast.curator):
        assert not any("a-quiet-word" in text for text in told(person))


def test_what_a_person_may_do_is_told(cast: Cast, review: Review, chat: Workload) -> None:
    late = register(cast.member, cast.search, "late")

    def may(person: Person, workload: Workload = chat) -> set[str]:
        page = entry_page(person, review, entry_of(review, workload).pk, TODAY)
        assert page is not None
        return {name for name in page.may.__slots__ if getattr(page.may, name)}

    assert may(cast.architect) == {"decide", "assign", "waive", "note", "ask"}
    assert may(cast.architect, late) == {"decide", "defer", "assign", "waive", "note", "ask"}
    assert may(cast.member) == {"note", "answer"}
    assert may(cast.viewer) == may(cast.outsider) == may(cast.curator) == may(cast.administrator) == set()
    retire(cast.member, late.pk, "replaced")
    assert may(cast.architect, late) == {"waive", "note", "ask"}
    decided(cast.architect, entry_of(review, chat))
    close(cast.architect, review.pk, "Reviewed.", TODAY)
    review.refresh_from_db()
    assert (may(cast.architect), may(cast.member)) == ({"waive"}, set())


def test_an_entry_of_another_review_is_not_there(cast: Cast, review: Review, chat: Workload) -> None:
    other = Review.objects.create(quarter="2026-Q3", starts=TODAY, ends=TODAY, state="closed", opened_by=cast.architect)
    assert entry_page(cast.architect, other, entry_of(review, chat).pk, TODAY) is None


def test_its_queries_do_not_grow_with_what_was_said(
    cast: Cast, review: Review, chat: Workload, django_assert_max_num_queries: Any
) -> None:
    entry = entry_of(review, chat)
    with django_assert_max_num_queries(35) as few:
        entry_page(cast.architect, review, entry.pk, TODAY)
    for n in range(5):
        write_note(cast.member, entry.pk, f"Note {n}.")
        answer(cast.member, ask(cast.architect, entry.pk, f"Question {n}?").pk, f"Answer {n}.")
        decided(cast.architect, entry, kind="stays", reason=f"Reason {n}.")
    with django_assert_max_num_queries(35) as more:
        entry_page(cast.architect, review, entry.pk, TODAY)
    assert len(more) <= len(few)
