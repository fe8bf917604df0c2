"""Two administrators at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from portability.accounts import actions
from portability.accounts.actions import Refused, Roles
from portability.accounts.models import Person
from tests.conftest import Cast

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


def test_two_administrators_cannot_remove_each_other(cast: Cast) -> None:
    first = cast.administrator
    second, _ = actions.create_person(first, "second", Roles(administrator=True))
    start = Barrier(2)

    def remove(who: Person, other: Person) -> str:
        try:
            own = [Person.objects.get(pk=p.pk) for p in (who, other)]  # each request has read its own
            start.wait(timeout=10)
            actions.deactivate_person(*own)
        except Refused:
            return "refused"
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(remove, (first, second), (second, first)))
    assert sorted(outcomes) == ["done", "refused"]
    assert Person.objects.filter(administrator=True, is_active=True).count() == 1


def test_two_forms_with_the_same_name_make_one_person(cast: Cast) -> None:
    start = Barrier(2)

    def create(_: int) -> str:
        try:
            start.wait(timeout=10)
            actions.create_person(cast.administrator, "ada", teams=[cast.search])
        except Refused:
            return "refused"
        finally:
            connection.close()
        return "done"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(create, range(2))) == ["done", "refused"]
    assert Person.objects.get(username="ada").teams.count() == 1
