"""Taking files away: at once, or by having them made in the background. Each is an entry of the history."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.exports import making, source
from portability.exports.making import Order
from portability.exports.models import Export, Piece
from portability.refused import Refused
from portability.register.filters import Chosen
from portability.waking import wake

TASK = "portability.exports.tasks.make"
ATTEMPTS = 3  # claims; then an export is given up until its owner asks again
MOST_UNFINISHED = 3  # of one person
MOST_KEPT = 20  # files of one person
UNFINISHED = (Export.State.WAITING, Export.State.RUNNING)


@dataclass(frozen=True, slots=True)
class Taken:
    """A file that is made while it is sent."""

    name: str
    content_type: str
    pieces: Iterator[bytes]


def take(who: Person, order: Order, origin: str, today: date) -> Taken:
    """Make a file at once. Raises Refused where it is too large for that: `ask_for` it then."""
    rows = order.chosen.filter.rows.count()
    making.require_room(order, rows)
    if not order.format.is_at_once(rows):
        raise Refused(
            f"{rows:,} rows are too many for {order.format.name} while one waits ({order.format.at_once:,} at most)."
            " Have the file prepared in the background."
        )
    note(who, order.chosen, order.format.key, order.columns, rows)
    made = making.pieces(order, source.rows_at_once(order.chosen), who, origin)
    return Taken(order.file_name(today), order.format.content_type, made)


def note(who: Person | None, chosen: Chosen, kind: str, columns: str, rows: int) -> None:
    """Put into the history that somebody took the register's rows away."""
    record(
        who,
        "register.exported",
        chosen.target.name,
        format=kind,
        columns=columns,
        rows=rows,
        filter="; ".join(f"{label}: {value}" for label, value in source.in_words(chosen).items()),
    )


def ask_for(who: Person, order: Order, origin: str, token: UUID) -> Export:
    """Have a file made in the background. The same form sent twice is asked once."""
    rows = order.chosen.filter.rows.count()
    making.require_room(order, rows)
    try:
        with transaction.atomic():
            Person.objects.select_for_update().get(pk=who.pk)  # two forms at once are counted one after the other
            again = Export.objects.filter(token=token, owner=who).first()
            if again:
                return again
            _require_few(who)
            asked = Export.objects.create(
                owner=who,
                format=order.format.key,
                query=order.chosen.address(target=order.chosen.target.name).removeprefix("?"),
                target=order.chosen.target.name,
                mapping=order.mapping.slug if order.mapping else "",
                origin=origin,
                total=rows,
                token=token,
            )
            record(who, "export.asked", asked.target, export=asked.pk, format=asked.format, columns=order.columns)
            transaction.on_commit(lambda: wake(TASK, asked.pk))
    except IntegrityError:
        raise Refused("This form was sent before, by somebody else. Open the page anew.") from None
    return asked


def _require_few(who: Person) -> None:
    mine = Export.objects.filter(owner=who)
    if mine.filter(state__in=UNFINISHED).count() >= MOST_UNFINISHED:
        raise Refused(f"{MOST_UNFINISHED} of your files are still being made. Wait for one, or cancel it.")
    if mine.filter(state=Export.State.DONE).count() >= MOST_KEPT:
        raise Refused(f"{MOST_KEPT} of your files are kept already. Delete one first.")


@transaction.atomic
def cancel(who: Person, pk: int) -> Export:
    """Stop making a file. Raises Export.DoesNotExist where it is not the person's own."""
    export = Export.objects.select_for_update().get(pk=pk, owner=who)
    if export.state in UNFINISHED:
        _end(export, Export.State.CANCELLED)
        record(who, "export.cancelled", export.target, export=pk, format=export.format)
    return export


@transaction.atomic
def retry(who: Person, pk: int) -> Export:
    """Make a file again that failed, was cancelled, or has expired."""
    export = Export.objects.select_for_update().get(pk=pk, owner=who)
    if export.state in UNFINISHED or export.state == Export.State.DONE:
        return export
    _require_few(who)
    export.state, export.done, export.problem = Export.State.WAITING, 0, ""
    export.attempts = -(-export.attempts // ATTEMPTS) * ATTEMPTS  # a worker of before is told by its smaller number
    export.heard_at = export.ended_at = export.expires_at = None
    export.save()
    record(who, "export.asked", export.target, export=pk, format=export.format, again=True)
    transaction.on_commit(lambda: wake(TASK, pk))
    return export


@transaction.atomic
def delete(who: Person, pk: int) -> None:
    """Delete a file before its time, and what is known of it."""
    export = Export.objects.select_for_update().get(pk=pk, owner=who)
    record(who, "export.deleted", export.target, export=pk, format=export.format)
    export.delete()


def discard_files() -> int:
    """Delete every file, and have those begun anew that are being made: a value they may hold was erased.

    Must be called in the transaction of that act. How many files there were.
    """
    Export.objects.filter(state=Export.State.RUNNING).update(state=Export.State.WAITING, heard_at=None)
    made = Export.objects.filter(state=Export.State.DONE)
    kept = made.update(state=Export.State.EXPIRED, problem="A value was erased from the register since.")
    Piece.objects.all().delete()
    return kept


def _end(export: Export, state: Export.State) -> None:
    export.state, export.ended_at = state, timezone.now()
    export.save(update_fields=["state", "ended_at"])
    Piece.objects.filter(export=export).delete()
