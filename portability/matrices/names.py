"""How families, parts and keys are written for people."""

from __future__ import annotations

OS_NAMES = {
    "ubuntu": "Ubuntu",
    "rhel": "RHEL",
    "rhcos": "RHCOS",
    "debian": "Debian",
    "oracle-linux": "Oracle Linux",
    "rocky-linux": "Rocky Linux",
    "sles": "SLES",
    "windows": "Windows",
    "wsl": "WSL",
}
FAMILY_NAMES = {"instinct": "Instinct", "radeon": "Radeon", "ryzen": "Ryzen", "any": "any part"}


def os_name(family: str) -> str:
    """`Ubuntu` of `ubuntu`; an unknown family stays as it is."""
    return OS_NAMES.get(family, family)


def part_name(part: str) -> str:
    """`MI300X` of `mi300x`; families get their name, LLVM targets stay as they are written."""
    if part in FAMILY_NAMES:
        return FAMILY_NAMES[part]
    return part if part.startswith("gfx") else part.upper()


def in_words(key: str) -> str:
    """`driver management` of `driver-management`."""
    return key.replace("-", " ")


def key_in_words(key: str) -> str:
    """`Ubuntu 24.04.4 on MI300X` of `os/mi300x/ubuntu/24.04.4`; the key itself where it has no such words."""
    match key.split("/"):
        case ["os", part, family, version]:
            return f"{os_name(family)} {version} on {part_name(part)}"
        case ["driver" | "firmware" as what, part]:
            return f"{what} of {part_name(part)}"
        case ["framework", name, scope, version]:
            return f"{name} {version} on {part_name(scope)}"
        case ["hardware", row, column]:
            return f"{row} on {column}"
        case ["pair", one, other]:
            return f"{one} with {other}"
        case ["part" | "narrowed", part, what]:
            return f"{in_words(what)} of {part_name(part)}"
        case ["gpu", part]:
            return f"{part_name(part)} listed"
        case ["platform", family, "any", what]:
            return f"{in_words(what)} on {os_name(family)}"
        case ["platform", family, version, what]:
            return f"{in_words(what)} on {os_name(family)} {version}"
    return key


def anchor(key: str) -> str:
    """Where a cell stands on the page of its reading: `cell-hardware/awq/AMD_GPU`."""
    return "cell-" + "_".join(key.split())
