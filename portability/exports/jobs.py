"""Making files in the background. The database says what is to do; whoever claims an export first makes it."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.http import QueryDict
from django.utils import timezone

from portability.exports import making, source
from portability.exports.actions import ATTEMPTS, UNFINISHED, note
from portability.exports.models import Export, Piece
from portability.refused import Refused
from portability.register import queries

SILENT_AFTER = timedelta(minutes=5)  # an export whose worker says nothing for so long is taken over
UNWOKEN_AFTER = timedelta(seconds=10)  # a waiting export nobody was woken for
PIECE = 512 * 1024  # bytes in one row of the database
MOST_BYTES = 1024**3  # of a file: more is for several files, by filter
FORGOTTEN_AFTER = timedelta(days=90)  # what is known of a file whose content is gone
_log = logging.getLogger(__name__)


class TakenOver(Exception):
    """The export is no longer this worker's: it was cancelled, or another one has it."""


def make(pk: int) -> bool:
    """Claim an export and make its file. False where another worker has it, or nothing is left to do."""
    export = _claim(pk)
    if export is None:
        return False
    try:
        _make(export)
    except TakenOver:
        return False
    except Refused as refused:
        _fail(export, str(refused))
    except Exception as error:  # told to the owner, whatever it is: nobody else watches
        _log.exception("an export could not be made", extra={"export": pk})
        _fail(export, in_words(error))
    return True


def take_over(seconds: float = 60) -> int:
    """Make what nobody was woken for and what a silent worker left, for about so long. How many were tried."""
    _release_silent()
    until, tried = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        waiting = Export.objects.filter(state=Export.State.WAITING, asked_at__lt=timezone.now() - UNWOKEN_AFTER)
        pk = waiting.order_by("attempts", "pk").values_list("pk", flat=True).first()
        if pk is None:
            break
        tried += make(pk)
    return tried


def clean_up() -> int:
    """Delete the files whose days are over, and long after that what is known of them. How many files there were."""
    now = timezone.now()
    with transaction.atomic():
        over = Export.objects.select_for_update().filter(state=Export.State.DONE, expires_at__lte=now).order_by("pk")
        pks = list(over.values_list("pk", flat=True))
        Piece.objects.filter(export__in=pks).delete()
        Export.objects.filter(pk__in=pks).update(state=Export.State.EXPIRED)
    Export.objects.exclude(state__in=(*UNFINISHED, Export.State.DONE)).filter(
        asked_at__lt=now - FORGOTTEN_AFTER
    ).delete()
    return len(pks)


def _claim(pk: int) -> Export | None:
    """Compare and swap. What an earlier claim wrote is thrown away."""
    with transaction.atomic():
        won = Export.objects.filter(pk=pk, state=Export.State.WAITING).update(
            state=Export.State.RUNNING, heard_at=timezone.now(), attempts=F("attempts") + 1, done=0, problem=""
        )
        if not won:
            return None
        Piece.objects.filter(export=pk).delete()
        return Export.objects.select_related("owner").get(pk=pk)


def _mine(export: Export) -> QuerySet[Export]:
    return Export.objects.filter(pk=export.pk, state=Export.State.RUNNING, attempts=export.attempts)


def _heard(export: Export, done: int) -> None:
    """Say that the work goes on. Raises TakenOver."""
    if not _mine(export).update(heard_at=timezone.now(), done=done):
        raise TakenOver


def _make(export: Export) -> None:
    person = export.owner
    if not person.is_active:
        raise Refused("Whoever asked for this file no longer signs in here.")
    chosen = source.chosen_for(person, QueryDict(export.query))
    if chosen.target.name != export.target:
        raise Refused(f"There is no target {export.target} any more.")
    order = making.order(chosen, export.format, export.mapping)
    wanted = source.ids(chosen)
    making.require_room(order, len(wanted))
    if not _mine(export).update(total=len(wanted)):
        raise TakenOver
    everything = queries.rows_for(person, chosen.target)
    rows = source.rows_by_id(wanted, everything, lambda done: _heard(export, done))
    size = 0
    for position, piece in enumerate(_of_size(making.pieces(order, rows, person, export.origin))):
        size += len(piece)
        if size > MOST_BYTES:
            raise Refused(f"The file is larger than {MOST_BYTES // 1024**2:,} MB. Take it in parts, by filter.")
        with transaction.atomic():
            if not _mine(export).update(heard_at=timezone.now()):
                raise TakenOver
            Piece.objects.create(export=export, position=position, content=piece)
    now = timezone.now()
    with transaction.atomic():
        if not _mine(export).update(
            state=Export.State.DONE,
            done=len(wanted),
            size=size,
            file_name=order.file_name(timezone.localdate()),
            ended_at=now,
            expires_at=now + timedelta(days=int(settings.EXPORT_DAYS)),
        ):
            raise TakenOver
        note(person, chosen, export.format, order.columns, len(wanted))


def _of_size(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes in pieces that fit a row of the database."""
    buffer = bytearray()
    for piece in pieces:
        buffer += piece
        while len(buffer) >= PIECE:
            yield bytes(buffer[:PIECE])
            del buffer[:PIECE]
    if buffer:
        yield bytes(buffer)


def _fail(export: Export, problem: str) -> None:
    with transaction.atomic():
        if _mine(export).update(state=Export.State.FAILED, problem=problem[:1000], ended_at=timezone.now()):
            Piece.objects.filter(export=export).delete()


def _release_silent() -> None:
    """Let exports go whose worker fell silent; one that silenced several is given up."""
    silent = Q(state=Export.State.RUNNING, heard_at__lt=timezone.now() - SILENT_AFTER)
    for export in Export.objects.filter(silent):
        if export.attempts % ATTEMPTS:
            _mine(export).update(state=Export.State.WAITING)
        else:
            _fail(export, f"The worker that made it stopped {ATTEMPTS} times. Filter more, or ask who runs this.")


def in_words(error: Exception) -> str:
    """What went wrong, for who waits for the file."""
    text = str(error).lower()
    if "no space left" in text or "disk is full" in text or "disk full" in text:
        return "The disk is full. Whoever runs this has to make room; then try again."
    return f"It could not be made ({type(error).__name__}). Try again, or tell whoever runs this."
