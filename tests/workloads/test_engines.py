"""Engines are written as people write them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from django.test import Client

from portability.engine import manifests
from portability.workloads.engines import NAMES, engine_name
from portability.workloads.forms import ENGINES
from portability.workloads.models import Workload
from tests.conftest import Cast

DETECTED = Path(manifests.__file__).parent / "data" / "engines.yaml"


def test_every_engine_that_is_detected_or_suggested_has_a_name() -> None:
    rows = yaml.safe_load(DETECTED.read_text(encoding="utf-8"))
    rows = rows if isinstance(rows, list) else [row for each in rows.values() for row in each]
    detected = {row["engine"] for row in rows}
    assert "vllm" in detected
    assert detected | set(ENGINES) == NAMES.keys()
    assert engine_name("of-their-own") == "of-their-own"


@pytest.mark.django_db
def test_the_register_offers_engines_by_their_names(
    cast: Cast, registered: Workload, reader: Client, client_of: Callable[..., Client]
) -> None:
    page = reader.get("/register/", {"engine": "vllm"}).content.decode()
    assert '<option value="vllm" selected>vLLM</option>' in page
    assert "chat-assistant" in page
