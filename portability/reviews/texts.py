"""Texts and addresses that people write, fit to be stored."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

from portability.engine.manifests.secrets import without_credentials
from portability.reviews.errors import Refused

LINK_LENGTH = 300
_LINK = URLValidator(schemes=["http", "https"])


def clean(text: str, length: int, field: str, wanted: str = "") -> str:
    """A text as it is stored: without credentials and control characters, lines kept. `wanted`: said where it is empty.

    Raises Refused where it is too long, or missing.
    """
    lines = ("".join(c if c.isprintable() else " " for c in line).rstrip() for line in text.splitlines())
    cleaned = without_credentials("\n".join(lines).strip())
    if wanted and not cleaned:
        raise Refused(wanted, field)
    if len(cleaned) > length:
        raise Refused(f"This has {len(cleaned)} characters; at most {length} are kept.", field)
    return cleaned


def clean_link(link: str, field: str = "link", wanted: str = "") -> str:
    """An address that people can follow, or none. Raises Refused."""
    link = link.strip()
    if not link:
        if wanted:
            raise Refused(wanted, field)
        return ""
    try:
        _LINK(link)
    except ValidationError:
        raise Refused("Give a whole address, such as https://tickets.example/GPU-12.", field) from None
    if not link.isprintable() or without_credentials(link) != link:  # records hold it for good, and everyone reads them
        raise Refused("Give the address without the password, key or hidden characters in it.", field)
    if len(link) > LINK_LENGTH:
        raise Refused(f"The address has {len(link)} characters; at most {LINK_LENGTH} are kept.", field)
    return link
