"""Which resource names the target's nodes advertise: seen on a node before what its naming and partitions imply."""

from __future__ import annotations

from dataclasses import dataclass

from portability.engine.matrices.keys import DEVICE_PLUGIN
from portability.engine.model import Effect, Evidence, Finding, Vendor
from portability.engine.rules.base import Ground, Rule, Said
from portability.engine.rules.foreign import is_zero
from portability.engine.vendor_rows.rows import Row

_DEVICE_CLASS = {Vendor.AMD: "gpu.amd.com", Vendor.NVIDIA: "gpu.nvidia.com"}


@dataclass(frozen=True, slots=True)
class Advertised:
    """`names`: what can be asked for. `known` is False where no source that was read tells the names."""

    names: tuple[str, ...]
    how: str  # in words: "a node was seen to advertise", "naming mixed on MI300X gives"
    evidence: tuple[Evidence, ...] = ()
    known: bool = True
    device_class: str = ""  # devices are handed out by claims of this class instead

    def __contains__(self, name: str) -> bool:
        return name in self.names

    @property
    def in_words(self) -> str:
        """The names for a remedy."""
        return " or ".join(self.names)


def advertised(ground: Ground) -> Advertised:
    """The names that the target advertises."""
    return ground.once(_advertised)


def _advertised(ground: Ground) -> Advertised:
    target = ground.target
    if target.advertises is not None:
        names = tuple(name for name, count in target.advertises.items() if count > 0)
        seen = ", ".join(f"{name}: {count}" for name, count in target.advertises.items()) or "nothing"
        return Advertised(names, "a node was seen to advertise", (Evidence("observed", "", None, "advertises", seen),))
    if target.allocation == "dra":
        device_class = _DEVICE_CLASS.get(target.vendor, "")
        return Advertised((), "devices are handed out by resource claims", device_class=device_class)
    if target.vendor is Vendor.AMD:
        return _by_naming(ground)
    if target.resource_naming == "mixed" and target.partitions:
        names = tuple(f"nvidia.com/mig-{profile.removeprefix('mig-')}" for profile in target.partitions)
        return Advertised(names, "MIG under naming mixed gives")
    return Advertised(("nvidia.com/gpu",), "NVIDIA's device plugin advertises")


def _by_naming(ground: Ground) -> Advertised:
    target = ground.target
    keys = [f"naming/{target.resource_naming}/name"]
    if target.resource_naming == "mixed":
        part = ground.ledger.cell(DEVICE_PLUGIN, f"partitioning/{target.part}")
        if part is not None and part.value == "unsupported":
            keys = ["naming/mixed/without-partitioning", part.key]
        elif not target.partitions:
            keys = ["naming/mixed/unpartitioned"]
    cell = ground.ledger.cell(DEVICE_PLUGIN, keys[0])
    evidence = tuple(
        ground.ledger.evidence(DEVICE_PLUGIN, ground.ledger.cell(DEVICE_PLUGIN, key) or key) for key in keys
    )
    how = f"naming {target.resource_naming} on {target.part.upper()} gives"
    if cell is None:
        return Advertised((), how, evidence, known=False)
    names: tuple[str, ...] = (cell.value,)
    if "<" in cell.value:
        names = tuple(f"amd.com/{style}" for style in target.partitions)
    return Advertised(names, how, evidence)


def unserved(rule: Rule, ground: Ground, given: Advertised, row: Row, name: str, quantity: str, said: Said) -> Finding:
    """What to say of a name that is not advertised: a note where nothing is asked for, and to be confirmed where
    the name is of the target's vendor and no source tells which ones its nodes advertise."""
    unknown = not given.known and not row.foreign_to(ground.target.vendor)
    effect = Effect.NOTE if is_zero(quantity) else Effect.CONFIRM if unknown else Effect.CHANGE
    remedy = _instead(given)
    if row.traits and effect is not Effect.NOTE:
        remedy += " Confirm the size: one device there is not the share that this asks for."
    evidence = [row.evidence(), *given.evidence]
    return rule.finding(effect, _not_served(given, name), remedy, value=said.value, evidence=evidence)


def _not_served(given: Advertised, name: str) -> str:
    if given.device_class:
        return f"The target does not advertise {name}: {given.how}, of class {given.device_class}."
    if not given.known:
        return f"Whether the target advertises {name} is not known: no published naming was read for it."
    return f"The target does not advertise {name}: {given.how} {given.in_words or 'no accelerator at all'}."


def _instead(given: Advertised) -> str:
    if given.device_class:
        return f"Ask by a resource claim of device class {given.device_class} in its place."
    if given.names:
        return f"Ask for {given.in_words} in its place, in limits and requests."
    if given.known:
        return "Mend the device plugin on the node, or choose a node that advertises its GPUs, before moving."
    return "Look on a node which names it advertises (kubectl describe node), and declare them with the target."
