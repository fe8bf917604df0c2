"""Why nothing came of a connection, in one sentence: what, where, what to do."""

from __future__ import annotations


class OutboundError(Exception):
    """No answer that can be used; the message is one sentence for people."""


class Refused(OutboundError):
    """Not allowed, or not what may be taken in: the same again is refused again."""


class Failed(OutboundError):
    """The name, the network or the other end did not do: the same again may succeed later."""
