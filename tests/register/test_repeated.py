"""What rows repeat of their workloads is at any moment as the workloads are, whatever writes them."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.utils import timezone

from portability.accounts.models import Team
from portability.register.models import Row
from portability.register.queries import outdated_pairs
from portability.register.repeated import REPEATED, repeat
from portability.workloads.models import Criticality, Workload
from tests.conftest import Cast
from tests.register.generate import generate, make_target
from tests.register.registering import register_workload

pytestmark = pytest.mark.database


def _as_workloads() -> bool:
    rows = Row.objects.select_related("workload")
    return all(getattr(row, name) == value for row in rows for name, value in repeat(row.workload).items())


def test_saving_a_workload(cast: Cast) -> None:
    generate(3)
    workload = Workload.objects.all()[0]
    workload.name, workload.criticality, workload.gpus = "Zürich-ÄÖ", Criticality.LOW, None
    workload.team, workload.model, workload.retired_at = Team.objects.get(slug="team-2"), "Some/Model", timezone.now()
    workload.save()
    assert _as_workloads()
    row = Row.objects.get(workload=workload)
    assert (row.name_key, row.retired, row.urgency) == ("zürich-äö", True, 3)
    workload.engine = "tgi"
    workload.save(update_fields=["engine"])
    assert Row.objects.get(workload=workload).engine == "tgi"


def test_writing_many_at_once(cast: Cast) -> None:
    generate(6)
    Workload.objects.filter(retired_at=None, gpus__gt=1).update(retired_at=timezone.now(), vendor_today="other")
    assert Row.objects.filter(retired=True).count() == Workload.objects.exclude(retired_at=None).count() > 0
    some = list(Workload.objects.all()[:4])
    for n, workload in enumerate(some):
        workload.owner, workload.replicas = f"Owner {n}", n
    Workload.objects.bulk_update(some, ["owner", "replicas"])
    assert _as_workloads()


def test_a_search_finds_name_model_image_owner_and_team_in_any_case(cast: Cast, reader: Client, shipped: None) -> None:
    make_target()
    found = register_workload(cast.search, "Zürich-Chat", image="registry.example/Team/Scorer:v1")
    register_workload(cast.media, "other", image="vllm/vllm-openai:v0.23.0")
    Workload.objects.filter(pk=found.pk).update(model="Qwen/Qwen3-8B", owner="Ana Example")
    for text in ("zÜRICH", "team/scorer", "QWEN3", "ana", "search", "scorer zürich"):
        page = reader.get("/register/", {"q": text}).content.decode()
        assert ">Zürich-Chat</a>" in page and ">other</a>" not in page, text


def test_an_upgrade_fills_the_columns_of_rows_that_stand(cast: Cast) -> None:
    """The migration's function over rows that say nothing yet writes what judging writes."""
    generate(7)
    columns = ("pk", "said", "why_key", "basis", *REPEATED)
    before = list(Row.objects.order_by("pk").values_list(*columns))
    Row.objects.update(said="", why_key="", retired=True, urgency=9, name_key="", known_as="", gpus=None, engine="")
    editor = SimpleNamespace(connection=connection)
    import_module("portability.register.migrations.0008_fill_narrow_columns").fill(apps, editor)
    assert list(Row.objects.order_by("pk").values_list(*columns)) == before
    assert outdated_pairs() == []
