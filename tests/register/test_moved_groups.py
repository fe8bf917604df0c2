"""What one act moved in the same way is told once, with the targets for which it did, and paged as one."""

from __future__ import annotations

from unittest import mock

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from portability.register import moved_views
from portability.register.models import Movement
from portability.register.moved_groups import grouped, together
from portability.workloads.actions import Entry, save_workload
from portability.workloads.contents import content
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.register.registering import SERVING, register_workload

pytestmark = [pytest.mark.django_db, pytest.mark.database]
TEMPLATE = "kind: Deployment\nspec: {{ .Values.spec }}\n"
SERVES = SERVING.format(image="vllm/vllm-openai:v0.23.0", resource="nvidia.com/gpu")


@pytest.fixture
def chat(cast: Cast, shipped: None) -> Workload:
    """A workload of the search team that is judged for every shipped target."""
    return register_workload(cast.search, "chat", text=SERVES)


def edit(cast: Cast, workload: Workload, text: str) -> None:
    """Save other manifests."""
    workload.refresh_from_db()
    said = Entry(content([("serving.yaml", text)], {}))
    save_workload(cast.member, said, workload=workload.pk, version=workload.version)


def entries(*, latest_first: bool = True) -> list[tuple[str, str, list[str]]]:
    """Each entry: workload, kind of move, targets."""
    found = Movement.objects.all()
    told = together(found, list(grouped(found, latest_first=latest_first)))
    return [(each.movement.workload.name, each.kind.key, each.targets) for each in told]


def test_one_edit_is_told_once_for_each_way_it_moved(cast: Cast, chat: Workload) -> None:
    before: dict[str, list[str]] = {}
    for target, verdict in chat.rows.order_by("target__name").values_list("target__name", "verdict"):
        before.setdefault(verdict, []).append(target)
    assert any(len(targets) > 1 for targets in before.values())
    edit(cast, chat, TEMPLATE)
    told = entries()
    assert sorted((kind, targets) for _, kind, targets in told) == sorted(
        (f"{verdict}-to-not-assessed", targets) for verdict, targets in before.items()
    )
    assert told == entries(latest_first=False)


def test_another_edit_another_workload_and_a_move_back_are_other_entries(cast: Cast, chat: Workload) -> None:
    other = register_workload(cast.media, "other", text=SERVES)
    edit(cast, chat, TEMPLATE)
    once = entries()
    edit(cast, chat, SERVES)
    edit(cast, chat, TEMPLATE)
    assert len(entries()) == 3 * len(once)
    Movement.objects.filter(workload=chat).update(workload=other)
    assert {name for name, _, _ in entries()} == {"other"}
    assert sum(len(targets) for _, _, targets in entries()) == Movement.objects.count()


def test_the_page_names_the_targets_and_says_what_holds_for_some_only(
    cast: Cast, chat: Workload, reader: Client
) -> None:
    edit(cast, chat, TEMPLATE)
    edit(cast, chat, SERVES)
    page = reader.get("/register/moved/").content.decode()
    many = next(targets for _, _, targets in entries() if len(targets) > 1)
    assert f"for {len(many)} targets: " in page
    for target in many:
        assert f'href="/workloads/{chat.pk}/?target={target}">{target}</a>' in page
    assert page.count("<tbody>") == 2, "counts, and one team"
    assert f"<b>{Movement.objects.count()} verdicts moved.</b>" in page
    assert "only)</span>" in page, "targets differ in what is found"
    one = reader.get("/register/moved/", {"target": many[0]}).content.decode()
    assert f"for {many[0]}</span>" in one and f">{many[1]}</a>" not in one


def test_pages_of_entries_follow_each_other_and_keep_the_filter(cast: Cast, chat: Workload, reader: Client) -> None:
    for text in (TEMPLATE, SERVES, TEMPLATE):
        edit(cast, chat, text)
    all_of_them = entries()
    seen: list[tuple[str, str, list[str]]] = []
    with mock.patch.object(moved_views, "PER_PAGE", 2):
        for number in range(1, len(all_of_them) // 2 + 2):
            answer = reader.get("/register/moved/", {"team": "search", "page": str(number)})
            seen += [(e.movement.workload.name, e.kind.key, e.targets) for e in answer.context["moved"]]
            assert f"of {len(all_of_them)}<" in answer.content.decode()
            if number == 1:
                assert "?team=search&amp;page=2" in answer.content.decode()
            if len(seen) >= len(all_of_them):
                break
    assert seen == all_of_them


def test_its_queries_are_the_same_for_one_and_for_many(
    cast: Cast, chat: Workload, reader: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    edit(cast, chat, TEMPLATE)
    reader.get("/register/moved/")
    with CaptureQueriesContext(connection) as asked:
        reader.get("/register/moved/")
    for n in range(4):
        edit(cast, register_workload(cast.search, f"more-{n}", text=SERVES), TEMPLATE)
    with django_assert_num_queries(len(asked)):
        assert "more-3" in reader.get("/register/moved/").content.decode()
