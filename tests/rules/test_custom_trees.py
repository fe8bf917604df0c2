"""The documents that custom rules read: stored when one first asks, without secrets, and erased like all else."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portability.engine.custom_rules.trees import TREE_VERSION
from portability.rules.custom import actions
from portability.rules.models import RevisionTree
from portability.targets.models import Target
from portability.workloads.actions.erase import erase_value
from tests.conftest import Cast
from tests.rules.custom import MOVABLE, enable, found, values, work, workload

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_without_an_enabled_rule_there_is_none(cast: Cast, few: Target) -> None:
    actions.add_rule(cast.curator, values(), enable=False)
    workload(cast.search, "four", 4)
    assert not RevisionTree.objects.exists()


def test_one_a_revision_made_once(cast: Cast, few: Target) -> None:
    rule = enable(cast.curator)
    work()
    assert RevisionTree.objects.count() == 2
    actions.save_rule(cast.curator, 1, rule.version, values(condition="value > 1"), enable=True)
    with CaptureQueriesContext(connection) as queries:
        work()
    assert found("two")
    assert not [q for q in queries if "workloads_manifestfile" in q["sql"]]


def test_one_of_an_older_form_is_made_anew(cast: Cast, few: Target) -> None:
    rule = enable(cast.curator)
    work()
    RevisionTree.objects.update(tree={"version": TREE_VERSION - 1, "documents": "in another form"})
    actions.save_rule(cast.curator, 1, rule.version, values(condition="value > 1"), enable=True)
    work()
    assert found("two") and found("three")
    assert {tree["version"] for tree in RevisionTree.objects.values_list("tree", flat=True)} == {TREE_VERSION}


def test_a_secret_is_in_none(cast: Cast, few: Target) -> None:
    enable(cast.curator, path="$..value", condition="true")
    text = MOVABLE.format(name="s", replicas=1) + (
        "          env:\n            - {name: DB_PASSWORD, value: a-quiet-harbour-7}\n"
    )
    workload(cast.search, "s", text=text)
    assert "a-quiet-harbour-7" not in json.dumps(list(RevisionTree.objects.values_list("tree", flat=True)))
    assert found("s")


def test_erasing_a_value_erases_it_here_too(cast: Cast, few: Target) -> None:
    enable(cast.curator, path="$..note", condition="value == 'something-quiet'")
    workload(cast.search, "s", text=MOVABLE.format(name="s", replicas=1) + "note: something-quiet\n")
    erase_value(cast.administrator, "something-quiet")
    stored = json.dumps(list(RevisionTree.objects.values_list("tree", flat=True)))
    assert "something-quiet" not in stored
