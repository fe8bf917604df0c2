"""PLT002: the kernel at the precision of the cell."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found


@pytest.mark.parametrize(
    ("system", "fires"),
    [
        (("ubuntu", "24.04.4", "6.8"), False),
        (("ubuntu", "24.04.4", "6.8.0-45-generic"), False),
        (("ubuntu", "24.04.4", "6.80"), True),
        (("ubuntu", "24.04.4", "6.14"), True),
        (("ubuntu", "24.04.4", ""), True),
        (("rhel", "9.6", "5.14.0-570.12.1.el9_6.x86_64"), False),
        (("rhel", "9.6", "5.14.0-5700"), True),
        (("debian", "12", "6.1"), True),
        (("debian", "11", "5.10"), False),  # not listed at all: PLT001's
    ],
)
def test_kernel(system: tuple[str, str, str], fires: bool) -> None:
    family, version, kernel = system
    findings = found("PLT002", target={"os": {"family": family, "version": version, "kernel": kernel or None}})
    assert [f.effect for f in findings] == ([Effect.CONFIRM] if fires else [])
