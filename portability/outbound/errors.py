"""Why nothing came of a connection, in one sentence: what, where, what to do."""

from __future__ import annotations


class OutboundError(Exception):
    """No answer that can be used; the message is one sentence for people."""


class Refused(OutboundError):
    """Not allowed, or not what may be taken in: the same again is refused again."""


class RedirectRefused(Refused):
    """An address that is allowed leads to one that is not; `to` is the one it leads to."""

    def __init__(self, message: str, to: str) -> None:
        super().__init__(message)
        self.to = to


class Failed(OutboundError):
    """The name, the network or the other end did not do: the same again may succeed later."""
