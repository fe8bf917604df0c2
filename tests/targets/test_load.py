"""The shipped targets: added where they are missing, left alone where they are not."""

from __future__ import annotations

import pytest

from portability.audit.models import Entry
from portability.engine.targets import shipped_targets
from portability.targets import actions
from portability.targets.models import Target
from portability.targets.queries import active_targets, engine_target
from tests.conftest import Cast
from tests.targets.test_edit import SPEC

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_a_first_load_adds_all_and_chooses_the_default() -> None:
    assert actions.load_shipped_targets() == list(shipped_targets())
    assert active_targets()[0].name == "mi300x-single"
    for target in Target.objects.all():
        assert engine_target(target).name == target.name


def test_a_second_load_changes_nothing() -> None:
    actions.load_shipped_targets()
    before = list(Target.objects.values()), Entry.objects.count()
    assert actions.load_shipped_targets() == []
    assert before == (list(Target.objects.values()), Entry.objects.count())


def test_an_edited_or_deactivated_target_stays_as_it_is(cast: Cast) -> None:
    actions.load_shipped_targets()
    spec = Target.objects.get(name="h100").spec | {"cuda": "13.0"}
    actions.save_target(cast.curator, "h100", 1, spec)
    actions.deactivate(cast.curator, "h100")
    actions.load_shipped_targets()
    kept = Target.objects.get(name="h100")
    assert (kept.spec["cuda"], kept.active, kept.version) == ("13.0", False, 2)


def test_a_chosen_default_stays(cast: Cast) -> None:
    actions.create_target(cast.curator, SPEC)
    actions.set_default(cast.curator, "mi300x-lab")
    actions.load_shipped_targets()
    assert [t.name for t in Target.objects.filter(default=True)] == ["mi300x-lab"]
