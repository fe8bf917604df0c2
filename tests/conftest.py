"""What tests share: a fixed cast of people, clients signed in as them, the shipped knowledge, and a database apart."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.conf import settings as project_settings
from django.core.management import call_command
from django.db import connections
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from portability.accounts.models import Membership, Person, Team
from portability.engine import facts_json
from portability.engine.facts_json import EXTRACTOR_VERSION, facts_to_json
from portability.engine.manifests import read_facts
from portability.engine.rules import catalogue
from portability.organisation import kept
from portability.organisation.models import Organisation
from portability.register.actions import assess_revision
from portability.register.in_force import put_in_force
from portability.reviews import triggers
from portability.rules import queries as rules_queries
from portability.workloads.models import ApplicationFile, ManifestFile, Revision, Workload

pytest_plugins = [name for name in ("tests.plugins.no_skips",) if find_spec(name)]

PASSWORD = "a quiet harbour 7"  # noqa: S105 - of people that exist in tests only


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests marked `served`, and do not skip them, where there is no PostgreSQL and Redis to run them on."""
    if os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"):
        return
    left_out = [item for item in items if item.get_closest_marker("served")]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


@pytest.fixture(scope="session", autouse=True)
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that the product writes go to a folder of the test run, in this process and in those it starts."""
    folder = tmp_path_factory.mktemp("data")
    patch = pytest.MonkeyPatch()
    patch.setenv("PORTABILITY_DATA_DIR", str(folder))
    patch.setattr(project_settings, "DATA_DIR", folder)
    patch.setattr(project_settings, "QUEUE_DIR", folder / "queue")
    if not project_settings.REDIS_URL:
        for name in ("messages", "processed", "control"):
            (folder / "queue" / name).mkdir(parents=True)
        options = project_settings.CELERY_BROKER_TRANSPORT_OPTIONS
        patch.setitem(options, "data_folder_in", str(folder / "queue" / "messages"))
        patch.setitem(options, "data_folder_out", str(folder / "queue" / "messages"))
        patch.setitem(options, "control_folder", str(folder / "queue" / "control"))
        patch.setitem(options, "processed_folder", str(folder / "queue" / "processed"))
    patch.setattr(project_settings, "PASSWORD_HASHERS", ["django.contrib.auth.hashers.MD5PasswordHasher"])
    return folder


@pytest.fixture(autouse=True)
def settings_of_nobody(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The organisation's settings as a process keeps them that has asked just now: nobody has chosen any."""
    monkeypatch.setattr(kept, "SECONDS", 3600.0)  # a test that counts queries may take longer than seconds
    kept.keep(Organisation())
    yield
    kept.forget()
    timezone.deactivate()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None, data_dir: Path) -> None:
    """SQLite in a file, not in memory: the live server's threads and other processes open it as in real life."""
    database = connections["default"].settings_dict
    if database["ENGINE"].endswith("sqlite3"):
        database["TEST"]["NAME"] = str(data_dir / "test.sqlite3")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Tests with transactions of their own empty all tables afterwards: SQLite's guards of what is kept refuse that."""
    with django_db_blocker.unblock():
        let_tables_be_emptied()


def let_tables_be_emptied() -> None:
    """Take SQLite's guards against deleting away; for a test that migrates, once it has."""
    if connections["default"].vendor == "sqlite":
        with connections["default"].cursor() as cursor:
            for table in ("audit_entry", *triggers.SIGNED, *triggers.SUMMED_UP):
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_kept_delete")


@dataclass(frozen=True)
class Cast:
    """The people of every test. `member` and `teammate` belong to search, `outsider` to media."""

    search: Team
    media: Team
    viewer: Person
    member: Person
    teammate: Person
    outsider: Person
    architect: Person
    curator: Person
    administrator: Person


@pytest.fixture
def cast(db: None) -> Cast:
    """Two teams and one person for each role."""
    search = Team.objects.create(name="Search", slug="search")
    media = Team.objects.create(name="Media", slug="media")

    def person(name: str, team: Team | None = None, **roles: bool) -> Person:
        created = Person(username=name, **roles)
        created.set_password(PASSWORD)
        created.save()
        if team:
            Membership.objects.create(person=created, team=team)
        return created

    return Cast(
        search=search,
        media=media,
        viewer=person("viewer"),
        member=person("member", search),
        teammate=person("teammate", search),
        outsider=person("outsider", media),
        architect=person("architect", architect=True),
        curator=person("curator", curator=True),
        administrator=person("administrator", administrator=True),
    )


@pytest.fixture
def client_of() -> Callable[[Person | None], Client]:
    """A client signed in as a person; `None` is anonymous. Forms are checked for their token by the browser tests."""

    def sign_in(person: Person | None) -> Client:
        client = Client()
        if person is not None:
            client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return sign_in


@pytest.fixture
def reader(cast: Cast, client_of: Callable[[Person | None], Client]) -> Client:
    """The client of someone who only reads."""
    return client_of(cast.viewer)


@pytest.fixture
def shipped(db: None) -> None:
    """The shipped sources, releases and targets, loaded as at first start."""
    call_command("load_shipped", verbosity=0)


@pytest.fixture
def upgrade(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """What replaces the product by one whose extractor takes other facts, as when it is started again."""

    def start_anew() -> None:
        catalogue.digest.cache_clear()
        rules_queries._judging.cache_clear()

    def replace() -> None:
        monkeypatch.setattr(facts_json, "EXTRACTOR_VERSION", facts_json.EXTRACTOR_VERSION + 1)
        start_anew()
        put_in_force()

    yield replace
    monkeypatch.undo()
    start_anew()


SERVING = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat-assistant}
spec:
  replicas: 2
  template:
    spec:
      containers:
        - name: vllm
          image: vllm/vllm-openai:v0.9.1
          args: ["--model=Qwen/Qwen3-8B", "--enable-prefix-caching"]
          resources: {limits: {nvidia.com/gpu: 1}}
"""
READY = "import torch\n\nassert torch.cuda.is_available()\n"


@pytest.fixture
def registered(cast: Cast, shipped: None) -> Workload:
    """A workload of the search team, with one revision of a manifest and a program, judged for every shipped target."""
    files = [("serving.yaml", SERVING)]
    workload = Workload.objects.create(team=cast.search, name="chat-assistant", engine="vllm", gpus=2, replicas=2)
    workload.current = Revision.objects.create(
        workload=workload,
        number=1,
        digest="of-the-tests",
        facts=facts_to_json(read_facts(files)),
        extractor=EXTRACTOR_VERSION,
        created_by=cast.member,
    )
    workload.save(update_fields=["current"])
    for position, (name, text) in enumerate(files):
        ManifestFile.objects.create(revision=workload.current, position=position, name=name, text=text)
    ApplicationFile.objects.create(revision=workload.current, position=0, name="ready.py", text=READY)
    assess_revision(workload.current, "registered")
    return workload
