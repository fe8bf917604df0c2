"""OBS001: metrics of another vendor's exporter."""

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found

SCALER = """\
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: nvidia-scaler}
spec:
  scaleTargetRef: {name: chat}
  triggers:
    - type: prometheus
      metadata:
        serverAddress: http://prometheus:9090
        query: avg(%s)
        threshold: "80"
"""


@pytest.mark.parametrize("metric", ["DCGM_FI_DEV_GPU_UTIL", "nvidia_gpu_duty_cycle", "nv_gpu_utilization"])
def test_a_trigger(metric: str) -> None:
    (finding,) = found("OBS001", SCALER % metric)
    assert finding.effect is Effect.CHANGE
    assert "neutral" in finding.remedy


@pytest.mark.parametrize("metric", ["vllm:num_requests_running", "gpu_used_vram", "nv_inference_count"])
def test_neutral_ones(metric: str) -> None:
    assert not found("OBS001", SCALER % f"'{metric}'")


def test_a_name_of_ones_own_that_is_only_derived() -> None:
    (finding,) = found("OBS001", SCALER % "dcgm_fi_dev_gpu_util_relabelled")
    assert finding.effect is Effect.NOTE


def test_a_monitors_selector() -> None:
    text = (
        "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: nvidia-dcgm}\n"
        "spec:\n  selector:\n    matchLabels:\n      app: nvidia-dcgm-exporter\n"
    )
    (finding,) = found("OBS001", text)
    assert finding.place is not None
    assert finding.place.line == 7


def test_documentation_is_prose() -> None:
    text = (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: notes}\n"
        "data:\n  README.md: |\n    Reads DCGM_FI_DEV_GPU_UTIL of the old cluster.\n"
    )
    assert not found("OBS001", text)


SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: metrics, labels: {app: dcgm-exporter}}
spec: {selector: {app: gpu-dcgm-exporter}, ports: [{port: 9400}]}
"""


def test_a_service_before_an_exporter() -> None:
    assert [(f.effect, f.value) for f in found("OBS001", SERVICE)] == [(Effect.CHANGE, "gpu-dcgm-exporter")]


def test_a_service_beside_the_pods_it_selects_moves_with_them() -> None:
    pod = '---\napiVersion: v1\nkind: Pod\nspec: {containers: [{name: c, image: "python:3.12"}]}\n'
    assert [f.effect for f in found("OBS001", SERVICE + pod)] == [Effect.NOTE]


def test_what_a_monitor_keeps_and_selects() -> None:
    monitor = """\
    apiVersion: monitoring.googleapis.com/v1
    kind: PodMonitoring
    spec:
      selector: {matchLabels: {app: nvidia-dcgm-exporter}}
      endpoints:
      - metricRelabeling: [{action: keep, sourceLabels: [__name__], regex: DCGM_FI_DEV_GPU_UTIL|up}]
    """
    assert [f.place.line for f in found("OBS001", monitor) if f.place] == [4, 6]
