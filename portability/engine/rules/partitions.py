"""What the target's partitions make of a GPU: devices, their names and their memory, each with where it is known."""

from __future__ import annotations

from dataclasses import dataclass

from portability.engine.matrices.keys import DEVICE_PLUGIN, OPTIMIZATION, PARTITIONING, PARTS
from portability.engine.matrices.knowledge import Cell
from portability.engine.model import Evidence
from portability.engine.rules.base import Ground
from portability.engine.versions import components

WHOLE = "spx"


@dataclass(frozen=True, slots=True)
class Known:
    """A number and what it rests on; None where nothing tells it."""

    number: float | None
    evidence: tuple[Evidence, ...]


def mode_of(style: str) -> str:
    """The compute mode of a style: `cpx` of `cpx_nps4`."""
    return style.partition("_")[0]


def memory_partitions(style: str) -> int:
    """The memory partitions of a style: 4 of `cpx_nps4`."""
    return (components(style.partition("_")[2]) or (1,))[0]


def partitioned(ground: Ground) -> list[str]:
    """The styles under which a GPU of the target shows as more than one device."""
    return [style for style, count in ground.target.partitions.items() if count and mode_of(style) != WHOLE]


def devices_of(ground: Ground, style: str) -> Known:
    """How many devices a GPU of the target's part shows in a style, from a published row for that part."""
    return _published(ground, "devices", style)


def memory_of(ground: Ground, style: str) -> Known:
    """The memory of one such device in GB, from a published row for that part."""
    return _published(ground, "memory", style)


def _published(ground: Ground, what: str, style: str) -> Known:
    key = f"{what}/{ground.target.part}/{mode_of(style)}"
    for source in (PARTITIONING, OPTIMIZATION):
        if cell := ground.ledger.cell(source, key):
            return Known(float(cell.value), (ground.ledger.evidence(source, cell),))
    return Known(None, (ground.ledger.evidence(OPTIMIZATION, key),))


def whole_memory(ground: Ground) -> Known:
    """The memory of one device of an unpartitioned part in GB: a part with two dies shows each as a device."""
    for name in ("device-memory", "memory"):
        if cell := ground.ledger.cell(PARTS, f"part/{ground.target.part}/{name}"):
            return Known(float(cell.value), (ground.ledger.evidence(PARTS, cell),))
    return Known(None, (ground.ledger.evidence(PARTS, f"part/{ground.target.part}/memory"),))


def device_memory(ground: Ground, styles: list[str]) -> Known:
    """The memory of the smallest device a workload may be given: observed on a node, or else published."""
    return ground.once(_device_memory, *styles)


def _device_memory(ground: Ground, *styles: str) -> Known:
    if ground.target.device_memory_gb is not None:
        shown = f"{ground.target.device_memory_gb:g}"
        return Known(ground.target.device_memory_gb, (Evidence("observed", "", None, "device_memory_gb", shown),))
    if not styles:
        return whole_memory(ground)
    known = [memory_of(ground, style) for style in styles]
    unknown = next((each for each in known if each.number is None), None)
    return unknown or min(known, key=lambda each: each.number or 0)


def unpartitionable(ground: Ground) -> Cell | None:
    """The cell that says that the part has no partition modes; None where no page says so."""
    return ground.ledger.cell(DEVICE_PLUGIN, f"partitioning/{ground.target.part}")


def documented_names(ground: Ground) -> dict[str, int | None]:
    """What the documentation says the target's nodes advertise: name -> count, None where that is not published."""
    target = ground.target
    without = unpartitionable(ground) is not None
    single = ground.ledger.cell(DEVICE_PLUGIN, "naming/single/name")
    plain = single.value if single else ""
    styles = dict(target.partitions) or {"spx_nps1": target.gpus_per_node or 0}
    names: dict[str, int | None] = {}
    for style, gpus in styles.items():
        if target.resource_naming == "single" or without:
            name = plain
        else:
            name = f"amd.com/{style}" if style != "spx_nps1" else _unpartitioned(ground)
        per_gpu = _whole_devices(ground) if mode_of(style) == WHOLE else devices_of(ground, style).number
        before = names.get(name, 0)
        names[name] = None if per_gpu is None or before is None else before + gpus * int(per_gpu)
    return names


def _whole_devices(ground: Ground) -> float | None:
    """One device for a whole GPU; not stated for a part whose dies show apart, since people count those both ways."""
    return None if ground.ledger.cell(PARTS, f"part/{ground.target.part}/devices") else 1.0


def _unpartitioned(ground: Ground) -> str:
    cell = ground.ledger.cell(DEVICE_PLUGIN, "naming/mixed/unpartitioned")
    return cell.value if cell else "amd.com/spx_nps1"
