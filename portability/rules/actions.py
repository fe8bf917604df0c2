"""Writing the organisation's own rows. Whatever changes an answer starts a re-evaluation in the same transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.register import subjects
from portability.register.actions import current_revisions, let_stand, start_run
from portability.register.models import Run
from portability.register.subjects import Subject
from portability.rules.effects import effects
from portability.rules.locking import one_at_a_time
from portability.rules.models import VendorRow
from portability.rules.queries import Judging, judging

ROWS_OF_ONES_OWN = 2_000  # an organisation has dozens; far more than that is a data set


class Conflict(Exception):
    """Someone else changed or removed the row since the page was opened. `row` is what it is now."""

    def __init__(self, row: VendorRow) -> None:
        super().__init__(f"{row} was changed by someone else in the meantime")
        self.row = row


class Refused(Exception):
    """What was asked for cannot be done; the message says why and what to do instead."""


@dataclass(frozen=True, slots=True)
class RowValues:
    """What a row says, checked by the form."""

    table: str
    pattern: str
    vendor: str
    effect: str
    counterpart: str = ""
    note: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class Saved:
    """The rows that were written, and the run that judges again what they touch; None where they touch nothing."""

    rows: list[VendorRow]
    run: Run | None


@transaction.atomic
def add_rows(who: Person, given: Sequence[RowValues]) -> Saved:
    """Enter new rows: all of them or none."""
    _require_writer(who)
    before = _locked()
    if len(before.own) + len(given) > ROWS_OF_ONES_OWN:
        raise Refused(f"At most {ROWS_OF_ONES_OWN} own rows are kept. Remove some, or let patterns cover more.")
    today = timezone.localdate()
    rows = [
        VendorRow(**asdict(values), entered=today, entered_by=who, entered_by_name=who.get_username())
        for values in given
    ]
    _write(rows)
    for row, values in zip(rows, given, strict=True):
        record(who, "row.added", row, **_said(values))
    about = f"own row {rows[0]} was added" if len(rows) == 1 else f"{len(rows)} own rows were added"
    subject = subjects.row(rows[0].pk) if len(rows) == 1 else subjects.OWN_ROWS
    return Saved(rows, _judge_again(who, before, about, subject))


@transaction.atomic
def save_row(who: Person, pk: int, version: int, values: RowValues) -> Saved:
    """Change a row that still has this version. Saving what is there already changes nothing and starts nothing."""
    _require_writer(who)
    before = _locked()
    row = VendorRow.objects.get(pk=pk)
    if row.removed_at or row.version != version:
        raise Conflict(row)
    new = _said(values)
    changed = {name: [getattr(row, name), value] for name, value in new.items() if getattr(row, name) != value}
    if not changed:
        return Saved([row], None)
    for name, value in new.items():
        setattr(row, name, value)
    row.entered, row.entered_by, row.entered_by_name = timezone.localdate(), who, who.get_username()
    row.version += 1
    _write([row])
    record(who, "row.saved", row, changed=changed)
    return Saved([row], _judge_again(who, before, f"own row {row} was edited", subjects.row(row.pk)))


@transaction.atomic
def remove_row(who: Person, pk: int, version: int) -> Saved:
    """Judge by a row no more. It stays readable; removing it a second time changes nothing."""
    _require_writer(who)
    before = _locked()
    row = VendorRow.objects.get(pk=pk)
    if row.removed_at:
        return Saved([row], None)
    if row.version != version:
        raise Conflict(row)
    row.removed_at = timezone.now()
    row.version += 1
    row.save()
    record(who, "row.removed", row)
    return Saved([row], _judge_again(who, before, f"own row {row} was removed", subjects.row(row.pk)))


def may_write(person: Person) -> bool:
    """Whether the person enters and removes rows of the organisation's own."""
    return person.curator or person.administrator


def _judge_again(who: Person, before: Judging, about: str, subject: Subject) -> Run | None:
    """A run of exactly what the change touches. All else stands under the new digest, as it would be said again."""
    after = judging()
    looked_at = current_revisions()
    found = effects(before.own, after.own)
    let_stand(before.digest, after.digest, set(found.pairs), looked_at)
    return start_run(cause="rows", about=about, pairs=found.pairs, who=who, subject=subject)


def _locked() -> Judging:
    """What judges now, and nobody else changes until this transaction ends."""
    one_at_a_time()
    return judging()


def _write(rows: Sequence[VendorRow]) -> None:
    for row in rows:
        try:
            with transaction.atomic():
                row.save()
        except IntegrityError:
            raise Refused(f"There is already an own row for {row}. Edit that one.") from None


def _said(values: RowValues) -> dict[str, str]:
    return {name: str(value) for name, value in asdict(values).items()}


def _require_writer(who: Person) -> None:
    if not may_write(who):
        raise PermissionDenied("Only curators and administrators change the organisation’s own rows.")
