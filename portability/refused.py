"""What an act answers that cannot be done, in every room."""

from __future__ import annotations


class Refused(Exception):
    """What was asked for cannot be done; the message says why and what to do instead. `field`: of the form."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field
