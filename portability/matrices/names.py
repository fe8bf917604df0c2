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
