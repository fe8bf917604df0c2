"""What a form is prefilled with: the facts that the manifests show, as text."""

from __future__ import annotations

from portability.engine.model import Declared, Facts, Vendor
from portability.engine.summary import merge_summary
from portability.engine.vendor_rows.rows import Table, VendorRows
from portability.rules.queries import judging_rows

PREFILLED = ("vendor", "engine", "engine_version", "model", "model_kind", "gpus_per_replica", "replicas")


def detected(facts: Facts) -> dict[str, str]:
    """What is known without anyone saying it; "" for what is not."""
    summary = merge_summary(facts, Declared())
    found = {
        "vendor": vendor_today(facts, judging_rows()),
        "engine": summary.engine,
        "engine_version": summary.engine_version,
        "model": summary.model,
        "model_kind": summary.model_kind,
        "gpus_per_replica": summary.gpus_per_replica or None,
        "replicas": summary.replicas,
    }
    return {name: "" if value is None else str(getattr(value, "value", value)) for name, value in found.items()}


def vendor_today(facts: Facts, rows: VendorRows) -> str:
    """The vendor whose accelerators the containers ask for; "" where there is none, or more than one."""
    found = (rows.find(Table.RESOURCES, key) for c in facts.containers for key in c.accelerators)
    vendors = {row.vendor for row in found if row is not None} - {Vendor.NONE, Vendor.UNKNOWN}
    return next(iter(vendors)).value if len(vendors) == 1 else ""
