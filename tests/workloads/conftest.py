"""A workload saved as people save it, and the database as it lies on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection

from portability.accounts.models import Person, Team
from portability.workloads.actions import Entry, save_workload
from portability.workloads.contents import content
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.workloads.texts import SERVING


@pytest.fixture
def saved(cast: Cast, shipped: None) -> Workload:
    """`chat` of the search team, registered by its member."""
    entry = Entry(content([("serving.yaml", SERVING)], {}), owner="Lena", criticality="high")
    return save_workload(cast.member, entry, team=cast.search, name="chat").workload


@pytest.fixture
def register_as() -> Callable[..., Workload]:
    """Save a workload with any manifests."""

    def register(who: Person, team: Team, name: str, *files: tuple[str, str], **declared: object) -> Workload:
        entry = Entry(content(list(files), declared))
        return save_workload(who, entry, team=team, name=name).workload

    return register


@pytest.fixture
def stored_anywhere() -> Callable[[str], list[str]]:
    """Which tables hold a value in any column of any row, JSON included, as text."""

    def search(value: str) -> list[str]:
        found = []
        with connection.cursor() as cursor:
            for table in connection.introspection.table_names(cursor):
                cursor.execute(f'SELECT * FROM "{table}"')
                if any(value in str(column) for row in cursor.fetchall() for column in row):
                    found.append(table)
        return found

    return search


@pytest.fixture
def bytes_on_disk(data_dir: Path) -> Callable[[str], list[str]]:
    """Which files of an SQLite database hold a value anywhere, freed pages and the log included."""

    def search(value: str) -> list[str]:
        name = str(connection.settings_dict["NAME"])
        files = [Path(name + ending) for ending in ("", "-wal")]
        return [file.name for file in files if file.exists() and value.encode() in file.read_bytes()]

    return search
