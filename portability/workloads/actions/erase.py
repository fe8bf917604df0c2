"""Taking a value out of everything that was ever stored: a secret that nobody recognised as one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, connection, models, transaction

from portability.accounts.models import Person
from portability.audit.actions import record
from portability.audit.models import Entry as AuditEntry
from portability.engine.declared import parse_declared
from portability.engine.errors import InputError
from portability.engine.manifests.secrets import MARKER
from portability.engine.matrices.knowledge import Knowledge
from portability.engine.model import Declared, Facts
from portability.engine.output.json import facts_to_summary_json
from portability.engine.summary import merge_summary
from portability.exports.actions import discard_files
from portability.exports.models import ColumnMapping, Export
from portability.refused import Refused
from portability.register.models import Assessment, Batch, ConsultedSet, Obstacles, Row, Run
from portability.register.repeated import renew as renew_rows
from portability.rehearsals.models import Rehearsal
from portability.reviews.actions import renew_bases
from portability.reviews.actions.common import lock_workloads
from portability.reviews.changes import Change
from portability.reviews.models import Decision, Note, Record, Review, Waiver
from portability.reviews.models import Entry as ReviewEntry
from portability.rules.models import CustomRule, RevisionTree, VendorRow
from portability.saved_filters.models import SavedFilter
from portability.workloads.contents import digest_of, facts_of
from portability.workloads.findings import Texts, grouped
from portability.workloads.models import ApplicationFile, ManifestFile, Revision, Workload

SHORTEST = 6  # a shorter value stands in too many innocent words
MANY = 5  # workloads: a secret stands in fewer, a word in more
_TEXT = (models.CharField, models.TextField)
_KEPT_WORDS = frozenset(  # columns that hold the product's own words only
    {"digest", "catalogue", "answers", "state", "verdict", "own_verdict", "criticality", "vendor_today", "rules"}
    | {"cause", "moved_cause", "action", "who_name", "table", "vendor", "effect", "entered_by_name", "applies_to"}
    | {"format", "shared", "owner_name", "changed_by_name", "file_name", "slug", "mapping", "origin"}
    | {"page", "subject_kind", "subject_key", "rehearsed", "outcome", "recorded_by_name"}
    | {"quarter", "kind", "engine_verdict", "ended_verdict", "basis", "identity", "rule", "plan_quarter"}
    | {"made_by_name", "written_by_name", "given_by_name"}
)
_ABOUT = frozenset({"workload", "target"})
_SUMMARY = frozenset(facts_to_summary_json(merge_summary(Facts(), Declared())))
# Everything that repeats what manifests or people said. Passwords, sessions and published knowledge do not. Records of
# closed reviews and their signed corrections never change: who erases is told how many hold the value.
_HOLDERS: tuple[type[models.Model], ...] = (
    ManifestFile,
    ApplicationFile,
    Revision,
    RevisionTree,
    Workload,
    Assessment,
    ConsultedSet,
    Obstacles,
    Row,
    Run,
    Batch,
    VendorRow,
    CustomRule,
    ColumnMapping,
    Export,
    SavedFilter,
    Rehearsal,
    Review,
    ReviewEntry,
    Decision,
    Note,
    Waiver,
    AuditEntry,
)


class Widespread(Refused):
    """The value stands in so many workloads that it may be a word and no secret."""


@dataclass(frozen=True, slots=True)
class Erased:
    """How much was changed."""

    files: int
    rows: int  # of the database, files included
    records: int  # of closed reviews that hold it and stay as they are


def erase_value(who: Person, value: str, *, everywhere: bool = False) -> Erased:
    """Replace a value by the marker wherever it is stored, in every revision. Several lines are erased one by one.

    `everywhere`: also where that concerns many workloads. Raises Refused, and Widespread for that.
    """
    if not who.administrator:
        raise PermissionDenied("Only administrators erase values.")
    words = _words(value)
    _forget_freed_pages()
    with transaction.atomic():
        lock_workloads()  # whoever stores what was judged looks, once it has them, whether its text is still there
        try:
            changed = {holder: _erase_in(holder, words) for holder in _HOLDERS}
        except IntegrityError:
            raise Refused("Two names in one place would become the same. Rename one of them first.") from None
        _require_readable(changed[Revision], changed[Assessment], changed[ReviewEntry])
        held = models.Q(pk__in=changed[Revision])
        held |= models.Q(files__in=changed[ManifestFile]) | models.Q(material__in=changed[ApplicationFile])
        _require_few(held, everywhere)
        _renew_digests(held)
        renew_bases(changed[Assessment])
        renew_rows(
            Row.objects.filter(
                models.Q(pk__in=changed[Row])
                | models.Q(workload__in=changed[Workload])
                | models.Q(workload__current__in=changed[Revision])
            )
        )
        discard_files()
        files = len(changed[ManifestFile]) + len(changed[ApplicationFile])
        done = Erased(files, sum(len(pks) for pks in changed.values()), _records_that_hold(words))
        told = {"files": done.files, "rows": done.rows, "records": done.records}
        record(who, "value.erased", "a value", **told)  # never the value itself
    _truncate_log()
    return done


def _words(value: str) -> list[str]:
    words = sorted({line.strip() for line in value.splitlines() if line.strip()}, key=len, reverse=True)
    short = [w for w in words if len(w) < SHORTEST]
    if not words or short:
        raise Refused(
            f"Give the value itself, at least {SHORTEST} characters in each line, so that nothing else matches."
        )
    if any(w in MARKER for w in words):
        raise Refused(f"{MARKER} is what stands where a value was erased.")
    return words


def _require_few(held: models.Q, everywhere: bool) -> None:
    workloads = Revision.objects.filter(held).values("workload").distinct().count()
    if workloads > MANY and not everywhere:
        raise Widespread(
            f"The value stands in {workloads} workloads, more than a secret usually does. If it is meant, give it once"
            " more and tick the box; what is erased cannot be brought back."
        )


def _records_that_hold(words: list[str]) -> int:
    """How many records of closed reviews, or corrections of them, say one of the words."""
    held = models.Q()
    for word in words:
        held |= models.Q(text__contains=json.dumps(word, ensure_ascii=False)[1:-1])
        held |= models.Q(review__addenda__text__contains=word)
    return Record.objects.filter(held).distinct().count()


def _require_readable(revisions: set[int], assessments: set[int], entries: set[int]) -> None:
    """A word that the product itself writes would make what is stored unreadable: then nothing is erased."""
    try:
        for revision in Revision.objects.filter(pk__in=revisions).iterator(chunk_size=100):
            facts_of(revision)
            parse_declared(revision.declared, "declared")
        for assessment in Assessment.objects.filter(pk__in=assessments).iterator(chunk_size=100):
            grouped(assessment.findings, Texts(), Knowledge((), ()))
            if {f["about"] for f in assessment.findings} - _ABOUT or _SUMMARY - assessment.summary.keys():
                raise KeyError
        for entry in ReviewEntry.objects.filter(pk__in=entries):
            for change in entry.changed:
                Change.from_json(change)
    except (KeyError, ValueError, TypeError, InputError):
        raise Refused(
            "The value is a word, or part of one, that this product itself writes into what it stores. Give more of it."
        ) from None


def _erase_in(holder: type[models.Model], words: list[str]) -> set[int]:
    """Rows of one table. JSON is compared as values: in the database it may be written in several ways."""
    texts = [f.attname for f in holder._meta.concrete_fields if isinstance(f, _TEXT) and f.name not in _KEPT_WORDS]
    trees = [f.attname for f in holder._meta.concrete_fields if isinstance(f, models.JSONField)]
    changed: set[int] = set()
    for row in holder._default_manager.order_by("pk").only("pk", *texts, *trees).iterator(chunk_size=100):
        new = {
            name: _fitting(holder, name, cleaned)
            for name in (*texts, *trees)
            if (cleaned := _without(getattr(row, name), words)) is not None
        }
        if new:
            holder._base_manager.filter(pk=row.pk).update(**new)  # the history's own manager changes nothing
            changed.add(row.pk)
    return changed


def _fitting(holder: type[models.Model], column: str, value: Any) -> Any:
    """The marker may be longer than what it replaces; a column of limited length keeps what fits."""
    length = getattr(holder._meta.get_field(column), "max_length", None)
    return value[:length] if length and isinstance(value, str) else value


def _without(value: Any, words: list[str]) -> Any:
    """The value without the words, or None where it holds none of them."""
    if isinstance(value, str):
        cleaned = value
        for word in words:
            cleaned = cleaned.replace(word, MARKER)
        return cleaned if cleaned != value else None
    if isinstance(value, list):
        parts = [(item, _without(item, words)) for item in value]
        return [old if new is None else new for old, new in parts] if any(n is not None for _, n in parts) else None
    if isinstance(value, dict):
        pairs = [((k, _without(k, words)), (v, _without(v, words))) for k, v in value.items()]
        if all(key[1] is None and item[1] is None for key, item in pairs):
            return None
        return {(k if nk is None else nk): (v if nv is None else nv) for (k, nk), (v, nv) in pairs}
    return None


def _renew_digests(held: models.Q) -> None:
    """A revision is known by its content: what is left of it."""
    touched = Revision.objects.filter(pk__in=Revision.objects.filter(held).values("pk"))
    for revision in touched.prefetch_related("files", "material"):
        texts = [(f.name, f.text) for f in revision.files.all()]
        material = [(f.name, f.text) for f in revision.material.all()]
        Revision.objects.filter(pk=revision.pk).update(digest=digest_of(texts, revision.declared, material))


def _forget_freed_pages() -> None:
    """SQLite overwrites what it frees only when told to."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")


def _truncate_log() -> None:
    """SQLite's write-ahead log holds the pages as they were until it is emptied."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
