"""NOD003: tolerations of another vendor's taint stop nothing."""

from portability.engine.model import Effect
from tests.engine.rules.judging import found

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  tolerations:
    - {key: dedicated, operator: Exists}
    - {key: nvidia.com/gpu, operator: Exists}
  containers: [{name: main, image: "python:3.12"}]
"""


def test_it_is_a_note_at_the_key() -> None:
    (finding,) = found("NOD003", POD)
    assert finding.effect is Effect.NOTE
    assert finding.place is not None
    assert finding.place.line == 7


def test_the_targets_taint_is_named() -> None:
    (finding,) = found("NOD003", POD, target={"taints": ["amd.com/gpu"]})
    assert "amd.com/gpu" in finding.remedy
