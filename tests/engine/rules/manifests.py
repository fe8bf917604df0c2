"""Small manifests and declared facts that the tests of several rules judge."""

from __future__ import annotations

# A pod served by vLLM: replace MODEL, which stands on line 9.
VLLM_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: serve}
spec:
  containers:
    - name: vllm
      image: vllm/vllm-openai-rocm:v0.23.0
      args:
        - --model=MODEL
      resources: {limits: {amd.com/gpu: 1}}
"""

# A pod to fill in with an image and the device that it asks for.
POD_WITH_IMAGE = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers:
    - name: main
      image: "%s"
      resources: {limits: {%s: 1}}
"""

# A pod with a node selector to fill in. Its name and labels speak of a vendor, which must say nothing.
SELECTING_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: nvidia-a100, labels: {gpu: a100}}
spec:
  nodeSelector: {%s}
  containers: [{name: main, image: "python:3.12"}]
"""

_DEVICE_CONFIG = """\
apiVersion: amd.com/v1alpha1
kind: DeviceConfig
metadata: {name: gpus, namespace: kube-amd-gpu}
spec:
"""


def vllm(**declared: object) -> dict[str, object]:
    """The declared facts of a vLLM workload with one GPU, and what they are changed to."""
    return {
        "engine": "vllm",
        "engine_version": "0.23.0",
        "model_kind": "decoder-only",
        "gpus_per_replica": 1,
        **declared,
    }


def device_config(spec: str) -> str:
    """A DeviceConfig with this spec, one key a line."""
    return _DEVICE_CONFIG + "".join(f"  {line}\n" for line in spec.splitlines())
