"""What the tests of custom rules share."""

from __future__ import annotations

from portability.engine.custom_rules.evaluation import Fault, Outcome, compile_rule, evaluate
from portability.engine.custom_rules.rule import CustomRule
from portability.engine.custom_rules.trees import DocumentTree, read_trees
from portability.engine.model import Effect, Target
from portability.engine.targets import parse_target

MI300X = parse_target({"name": "t", "vendor": "amd", "part": "mi300x", "rocm": "7.14.0"}, "t")
H100 = parse_target({"name": "h", "vendor": "nvidia", "part": "h100"}, "h")

MANIFEST = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: chat
  namespace: serving
  labels: {tier: gold}
spec:
  replicas: 3
  template:
    spec:
      hostNetwork: true
      containers:
        - name: proxy
          image: registry.bank.example/proxy:1
        - name: vllm
          image: docker.io/vllm/vllm-openai:v0.23.0
          env:
            - name: GPU_MEMORY_UTILIZATION
              value: "0.9"
          resources: {limits: {nvidia.com/gpu: 1}}
"""


def rule(path: str = "$", condition: str = "true", **fields: object) -> CustomRule:
    """A rule that says little but where and when."""
    values: dict[str, object] = {"id": "ORG001", "name": "A rule", "effect": Effect.CHANGE, "reason": "It is so."}
    return CustomRule(path=path, condition=condition, **{**values, **fields})  # type: ignore[arg-type]


def trees(text: str = MANIFEST) -> list[DocumentTree]:
    """One file."""
    return read_trees([("serving.yaml", text)])


def ask(path: str, condition: str = "true", text: str = MANIFEST, target: Target = MI300X) -> Outcome | Fault:
    """What such a rule says of a manifest."""
    return evaluate(compile_rule(rule(path, condition)), trees(text), target)


def said(path: str, condition: str = "true", text: str = MANIFEST, target: Target = MI300X) -> Outcome:
    """The same, of a rule that is not at fault."""
    outcome = ask(path, condition, text, target)
    assert isinstance(outcome, Outcome), outcome
    return outcome
