"""OBS002: the exporter is off unless asked for."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found


@pytest.mark.parametrize(("on", "fires"), [(True, False), (False, True), (None, True)])
def test_exporter(on: bool | None, fires: bool) -> None:
    findings = found("OBS002", target={"metrics_exporter": on})
    assert [f.effect for f in findings] == ([Effect.CONFIRM] if fires else [])


def test_the_device_config_answers_where_the_target_does_not() -> None:
    config = {"apiVersion": "amd.com/v1alpha1", "kind": "DeviceConfig", "spec": {"metricsExporter": {"enable": True}}}
    assert not found("OBS002", target={"metrics_exporter": None, "device_config": config})
