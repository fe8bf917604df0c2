"""Questions that several rules put to the published knowledge about a target, and how an unread page is said."""

from __future__ import annotations

from portability.engine.matrices.keys import OPERATOR, PARTS, ROCM, listed
from portability.engine.matrices.knowledge import NEWEST, Cell, Release
from portability.engine.model import Evidence, OperatingSystem, Target, Vendor
from portability.engine.rules.base import Ground
from portability.engine.versions import compare, components, less_precise, matches

_OS_WORDS = {"ubuntu": "Ubuntu", "debian": "Debian", "oracle-linux": "Oracle Linux", "rocky-linux": "Rocky Linux"}


def has_platform_source(ground: Ground) -> bool:
    """Whether a source describes the platform of the target's vendor; without one platform rules do not run."""
    return ground.target.vendor is Vendor.AMD


def shown_part(target: Target) -> str:
    """The part as people write it: MI350P."""
    return target.part.upper()


def shown_os(family: str, version: str = "") -> str:
    """An operating system as people write it: Ubuntu 24.04.4."""
    return f"{_OS_WORDS.get(family, family.upper())} {version}".strip()


def runtime(ground: Ground) -> Release | None:
    """The ROCm matrix of the target's own version; None where the version is not known or was never read."""
    return ground.ledger.release(ROCM, ground.target.rocm) if ground.target.rocm else None


def runtime_version(ground: Ground) -> str:
    """The ROCm version of the target, worked out where it follows the newest one read."""
    if ground.target.rocm != NEWEST:
        return ground.target.rocm
    release = runtime(ground)
    return release.version if release else ""


def operator(ground: Ground) -> Release | None:
    """The operator's matrix of the target's own version; None where it is not known or was never read."""
    return ground.ledger.release(OPERATOR, ground.target.operator) if ground.target.operator else None


def runtime_unread(ground: Ground) -> tuple[str, tuple[Evidence, ...]]:
    """Why the ROCm matrix cannot answer, and what that rests on."""
    return _unread(ground, ROCM, "ROCm", ground.target.rocm)


def operator_unread(ground: Ground) -> tuple[str, tuple[Evidence, ...]]:
    """Why the operator's matrix cannot answer, and what that rests on."""
    return _unread(ground, OPERATOR, "GPU Operator", ground.target.operator)


def _unread(ground: Ground, source: str, what: str, version: str) -> tuple[str, tuple[Evidence, ...]]:
    if not version:
        said = f"the target's {what} version is not known"
        return said, (ground.ledger.evidence(source, "*release", version, "version not given"),)
    said = f"no matrix for {what} {version} was read"
    if nearest := ground.ledger.nearest(source, version):
        said += f" (the nearest one read is {nearest})"
    return said, (ground.ledger.evidence(source, "*release", version, "never read"),)


def gfx(ground: Ground) -> Cell | None:
    """The part's LLVM target: from the release where it lists the part, else from the selector."""
    key = f"part/{ground.target.part}/gfx"
    listed = ground.ledger.cell(ROCM, key, ground.target.rocm) if ground.target.rocm else None
    return listed or ground.ledger.cell(PARTS, key)


def family(ground: Ground) -> str:
    """The part's family (instinct, radeon, ryzen, nvidia); empty where no list has the part."""
    cell = ground.ledger.cell(PARTS, f"part/{ground.target.part}/family")
    return cell.value if cell else ""


def os_rows(ground: Ground) -> list[Cell]:
    """What the release lists for the part: rows of its own, or else those of its family."""
    rows = ground.ledger.cells(ROCM, f"os/{ground.target.part}/", ground.target.rocm)
    group = "" if rows else family(ground)
    return ground.ledger.cells(ROCM, f"os/{group}/", ground.target.rocm) if group else rows


def os_of(cell: Cell) -> tuple[str, str]:
    """Family and version of an `os/` or `platform/` cell."""
    _, *rest = cell.key.split("/")
    return (rest[1], rest[2]) if cell.key.startswith("os/") else (rest[0], rest[1])


def os_row(ground: Ground, system: OperatingSystem) -> Cell | None:
    """The row that lists this operating system for the part, at the row's precision."""
    for cell in os_rows(ground):
        name, version = os_of(cell)
        if name == system.family and matches(system.version, version):
            return cell
    return None


def in_range(version: str, span: str) -> bool | None:
    """Whether a version lies in `1.29-1.36`, at the bounds' precision; None where it is less precise."""
    low, _, high = span.partition("-")
    size = len(components(low))
    given = components(version)[:size]
    if len(given) < size:
        return None
    return components(low) <= given <= components(high or low)


def at_least(version: str, floor: str) -> bool:
    """Whether a version satisfies `>=7.13`."""
    return compare(version, floor) >= 0


def driver_state(ground: Ground) -> tuple[str, Cell | None]:
    """How the enumerated list answers for the target's driver.

    listed, not-listed, imprecise, no-list (the release holds none for the part), unread or not-given.
    """
    if not ground.target.amdgpu:
        return "not-given", None
    if runtime(ground) is None:
        return "unread", None
    cell = ground.ledger.cell(ROCM, f"driver/{ground.target.part}", ground.target.rocm)
    if cell is None:
        return "no-list", None
    versions = listed(cell.value)
    if any(matches(ground.target.amdgpu, each) for each in versions):
        return "listed", cell
    if any(less_precise(ground.target.amdgpu, each) for each in versions):
        return "imprecise", cell
    return "not-listed", cell
