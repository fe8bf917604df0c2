"""RES001: whole accelerators by the name that the target advertises."""

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import NVIDIA, found

CRON = """\
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: batch}
spec:
  jobTemplate:
    spec:
      template:
        spec:
          initContainers:
            - {name: fetch, image: "busybox:1.36", resources: {requests: {%(name)s: 1}}}
          containers:
            - {name: score, image: "python:3.12", resources: {limits: {%(name)s: 2}}}
"""


def test_every_place_is_found_wherever_the_pod_hides() -> None:
    findings = found("RES001", CRON % {"name": "nvidia.com/gpu"})
    assert [(f.place.line, f.value) for f in findings if f.place] == [(10, "1"), (12, "2")]
    assert all("amd.com/gpu" in f.remedy for f in findings)


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ({"resource_naming": "mixed"}, "amd.com/spx_nps1"),
        ({"resource_naming": "mixed", "partitions": {"cpx_nps4": 8}}, "amd.com/cpx_nps4"),
        ({"resource_naming": "mixed", "part": "mi210"}, "amd.com/gpu"),
        ({"advertises": {"amd.com/spx_nps1": 63}}, "amd.com/spx_nps1"),
        ({"allocation": "dra", "kubernetes": "1.34"}, "gpu.amd.com"),
        (NVIDIA, "nvidia.com/gpu"),
    ],
    ids=str,
)
def test_the_remedy_names_what_the_target_advertises(target: dict[str, object], name: str) -> None:
    (first, *_) = found("RES001", CRON % {"name": "google.com/tpu"}, target=target)
    assert first.effect is Effect.CHANGE
    assert name in first.remedy


def test_an_observed_node_is_the_evidence() -> None:
    (first, *_) = found("RES001", CRON % {"name": "amd.com/gpu"}, target={"advertises": {"amd.com/gpu": 0}})
    assert any(e.source == "observed" and e.value == "amd.com/gpu: 0" for e in first.evidence)


def test_others_accelerators_are_foreign_to_both() -> None:
    for target in ({}, NVIDIA):
        assert found("RES001", CRON % {"name": "huawei.com/Ascend910"}, target=target)


def test_a_device_of_a_plugin_that_no_row_names() -> None:
    findings = found("RES001", CRON % {"name": "devices.example.com/gpu"})
    assert [f.effect for f in findings] == [Effect.CHANGE, Effect.CHANGE]
    assert not found("RES001", CRON % {"name": "devices.example.com/gpu-nic"})
