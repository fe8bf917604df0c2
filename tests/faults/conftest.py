"""Servers of one's own, registers that were judged before, and products on them."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.faults.product import Product
from tests.ops.running import ROOT, environment, manage
from tests.servers import Postgres, Redis, missing

SILENT_AFTER = {"PORTABILITY_SILENT_AFTER": "5", "PORTABILITY_SECRET_KEY": "of-the-tests-of-faults-0123456789abcdef"}
USUAL = 600  # workloads: more than one batch, and soon done
_numbers = count()


def wanted_size(request: pytest.FixtureRequest) -> int:
    """How many workloads a test asks for by its mark, else `USUAL`."""
    mark = request.node.get_closest_marker("workloads")
    return int(mark.args[0]) if mark else USUAL


def filled(env: dict[str, str], size: int) -> dict[str, str]:
    """Prepare a register and fill it. The cookie of its curator."""
    manage(env, "migrate", "--verbosity", "0")
    manage(env, "load_shipped", "--verbosity", "0")
    command = [sys.executable, "-m", "tests.faults.inside", "fill", str(size)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode == 0, done.stderr
    cookies: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return cookies


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One PostgreSQL for all tests of a process, each with a database of its own."""
    if away := missing():
        pytest.skip(f"not installed: {', '.join(away)}")
    with Postgres() as server:
        yield server


@pytest.fixture
def broker(postgres: Postgres) -> Iterator[Redis]:
    """A Redis for one test."""
    with Redis() as server:
        yield server


@pytest.fixture(scope="session")
def templates(
    postgres: Postgres, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[int], tuple[str, dict[str, str]]]:
    """Registers of a size, filled once: the name of the database, and the cookie of its curator."""
    made: dict[int, tuple[str, dict[str, str]]] = {}

    def of_size(size: int) -> tuple[str, dict[str, str]]:
        if size not in made:
            name = f"filled_{size}"
            postgres.execute(f"CREATE DATABASE {name}")
            env = environment(tmp_path_factory.mktemp("filling"), DATABASE_URL=postgres.url_of(name), **SILENT_AFTER)
            made[size] = name, filled(env, size)
        return made[size]

    return of_size


@pytest.fixture
def served(
    request: pytest.FixtureRequest,
    postgres: Postgres,
    broker: Redis,
    templates: Callable[[int], tuple[str, dict[str, str]]],
    tmp_path: Path,
) -> Iterator[Product]:
    """The served product, nothing of it started."""
    template, cookies = templates(wanted_size(request))
    name = f"register_{next(_numbers)}"
    postgres.execute(f"CREATE DATABASE {name} TEMPLATE {template}")

    def ask(sql: str) -> list[tuple[Any, ...]]:
        url = postgres.url_of(name).replace("postgres://", "postgresql://")
        try:
            with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
                return connection.execute(sql.encode()).fetchall()
        except psycopg.OperationalError:
            return []

    env = environment(tmp_path, DATABASE_URL=postgres.url_of(name), REDIS_URL=broker.url, **SILENT_AFTER)
    product = Product(tmp_path, env, cookies, ask, ("one", "other"))
    try:
        yield product
    finally:
        product.stop()
        postgres.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], tuple[Path, dict[str, str]]]:
    """Data folders with registers of a size, filled once, and the cookie of their curator."""
    made: dict[int, tuple[Path, dict[str, str]]] = {}

    def of_size(size: int) -> tuple[Path, dict[str, str]]:
        if size not in made:
            folder = tmp_path_factory.mktemp("filled")
            made[size] = folder, filled(environment(folder, PORTABILITY_REGISTER="mine", **SILENT_AFTER), size)
            shutil.rmtree(folder / "queue-mine")  # what was to wake workers while it was filled
        return made[size]

    return of_size


@pytest.fixture
def embedded(
    request: pytest.FixtureRequest, folders: Callable[[int], tuple[Path, dict[str, str]]], tmp_path: Path
) -> Iterator[Product]:
    """The embedded product on an SQLite register, nothing of it started."""
    template, cookies = folders(wanted_size(request))
    shutil.copytree(template, tmp_path, dirs_exist_ok=True)
    env = environment(tmp_path, PORTABILITY_REGISTER="mine", **SILENT_AFTER)

    def ask(sql: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(tmp_path / "mine.sqlite3", timeout=20)) as database:
            return database.execute(sql).fetchall()

    def locked() -> bool:
        """While one writes into SQLite, nobody else does: a worker that is stopped there would stop everybody."""
        with closing(sqlite3.connect(tmp_path / "mine.sqlite3", timeout=0)) as database:
            try:
                database.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                return True
            return False

    product = Product(tmp_path, env, cookies, ask, ("one",), locked)
    try:
        yield product
    finally:
        product.stop()


@pytest.fixture(params=["embedded", "served"])
def product(request: pytest.FixtureRequest) -> Product:
    """Either product, for what must hold of both."""
    found: Product = request.getfixturevalue(request.param)
    return found
