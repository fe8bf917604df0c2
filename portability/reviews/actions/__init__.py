"""Writing to the reviews room, one act a file. Each owns its permission, transaction and audit row."""

from portability.reviews.actions.closing import add_addendum, addendum_digest, close
from portability.reviews.actions.common import wait_for_opening
from portability.reviews.actions.deciding import Seen, decide, why_refused
from portability.reviews.actions.discarding import discard
from portability.reviews.actions.erased import renew_bases
from portability.reviews.actions.following import follow, follow_settings
from portability.reviews.actions.leaving import assign, cannot_leave, defer
from portability.reviews.actions.many import Touched, decide_many, preview
from portability.reviews.actions.moving import move_to_default
from portability.reviews.actions.opening import open_review
from portability.reviews.actions.settle import settle, settle_all
from portability.reviews.actions.talking import answer, ask, write_note
from portability.reviews.actions.undoing import undo_last
from portability.reviews.actions.waiving import waive, waive_for_all, withdraw_waiver

__all__ = [
    "Seen",
    "Touched",
    "add_addendum",
    "addendum_digest",
    "answer",
    "ask",
    "assign",
    "cannot_leave",
    "close",
    "decide",
    "decide_many",
    "defer",
    "discard",
    "follow",
    "follow_settings",
    "move_to_default",
    "open_review",
    "preview",
    "renew_bases",
    "settle",
    "settle_all",
    "undo_last",
    "wait_for_opening",
    "waive",
    "waive_for_all",
    "why_refused",
    "withdraw_waiver",
    "write_note",
]
