"""RTC001: runtime classes of another vendor's toolkit."""

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import NVIDIA, found

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  runtimeClassName: %s
  containers: [{name: main, image: "python:3.12"}]
"""


@pytest.mark.parametrize("name", ["nvidia", "nvidia-cdi", "nvidia-legacy"])
def test_it_changes(name: str) -> None:
    (finding,) = found("RTC001", POD % name)
    assert finding.effect is Effect.CHANGE
    assert finding.value == name


@pytest.mark.parametrize("name", ["nvidia", "runc", "kata"])
def test_at_home_or_nobodys(name: str) -> None:
    assert not found("RTC001", POD % name, target=NVIDIA)
