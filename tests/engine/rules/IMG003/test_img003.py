"""IMG003: images whose build cannot be told."""

from datetime import date

import pytest

from portability.engine.model import Effect, Vendor
from portability.engine.vendor_rows.rows import Row, Table, shipped
from tests.engine.rules.judging import found
from tests.engine.rules.manifests import POD_WITH_IMAGE


def test_confirm_or_note_by_the_gpu_it_asks_for() -> None:
    (foreign,) = found("IMG003", POD_WITH_IMAGE % ("registry.example/ml/scorer:4.2", "nvidia.com/gpu"))
    (home,) = found("IMG003", POD_WITH_IMAGE % ("registry.example/ml/scorer:4.2", "amd.com/cpx_nps4"))
    assert (foreign.effect, home.effect) == (Effect.CONFIRM, Effect.NOTE)


def test_a_network_device_is_no_gpu() -> None:
    assert not found("IMG003", POD_WITH_IMAGE % ("registry.example/ml/scorer:4.2", "rdma/hca"))


def test_an_organisations_own_row_answers() -> None:
    own = Row(
        Table.IMAGES,
        "ml/scorer",
        Vendor.NVIDIA,
        counterpart="registry.example/ml/scorer-rocm",
        entered=date(2026, 11, 30),
    )
    rows = shipped().with_extra([own])
    manifest = POD_WITH_IMAGE % ("registry.example/ml/scorer:4.2", "nvidia.com/gpu")
    assert not found("IMG003", manifest, rows=rows)
    (finding,) = found("IMG001", manifest, rows=rows)
    assert "scorer-rocm" in finding.remedy


@pytest.mark.parametrize(
    "resource", ["nvidia.com/hostdev", "openshift.io/mlxnics", "amd.com/vnic", "qat.intel.com/generic"]
)
def test_network_and_other_devices_are_no_accelerators(resource: str) -> None:
    assert not found("IMG003", POD_WITH_IMAGE % ("registry.example/ml/scorer:4.2", resource))
