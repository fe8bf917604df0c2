"""Logins, as a terminal shows them once."""

from __future__ import annotations

from collections.abc import Iterable

from portability.ops.logins import Login


def table(logins: Iterable[Login]) -> str:
    """One login a line, and that they will not be shown again."""
    lines = [f"  {login.username:<14} {login.password:<20} {login.about}".rstrip() for login in logins]
    return "\n".join(["", "Logins (only their hashes are kept; they are not shown again):", *lines, ""])
