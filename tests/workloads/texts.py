"""Manifests that the tests of this room send."""

from __future__ import annotations

from typing import Any

SERVING = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: chat
spec:
  replicas: 2
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers:
        - name: vllm
          image: vllm/vllm-openai:v0.11.0
          args: [--model=Qwen/Qwen3-8B, --enable-lora]
          resources:
            limits:
              nvidia.com/gpu: "2"
"""
SECRET_VALUE = "correct-horse-battery-7391"  # noqa: S105 - of a manifest that a test sends
SECRET = f"""\
apiVersion: v1
kind: Secret
metadata:
  name: registry
stringData:
  password: {SECRET_VALUE}
"""


def fields(team: int, text: str = SERVING, **changes: Any) -> dict[str, Any]:
    """What the form sends for one pasted manifest."""
    return {
        "name": "chat",
        "team": team,
        "criticality": "high",
        "owner": "Lena",
        "file_name": ["serving.yaml"],
        "file_text": [text],
        **changes,
    }
