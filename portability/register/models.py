"""Assessments, the narrow rows that register and exports read, and re-evaluation runs."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from portability.accounts.models import Team
from portability.register.subjects import Subject
from portability.targets.models import Target
from portability.workloads.models import Criticality, Revision, Workload

CRITICALITIES = (*Criticality.values, "")  # by urgency


class ConsultedSet(models.Model):
    """The cells an assessment asked for, missing ones too. Few distinct sets exist; assessments share them.

    A set is out of date once the published knowledge answers its keys differently (`queries.outdated_sets`).
    """

    digest = models.CharField(max_length=64, unique=True)  # of keys and answers
    keys = models.JSONField()  # [[source, version asked for, key], ...]
    answers = models.CharField(max_length=64)  # digest of what the knowledge said to each key then


class Assessment(models.Model):
    """What the rules said of a revision for a target, when, and on which knowledge. Older ones are history."""

    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="assessments")
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="assessments")
    target_version = models.PositiveIntegerField()
    current = models.BooleanField(default=True)
    verdict = models.CharField(max_length=14)
    own_verdict = models.CharField(max_length=14)
    findings = models.JSONField()  # as in the command line's JSON
    missing = models.JSONField(default=list)
    summary = models.JSONField()
    releases = models.JSONField()
    consulted = models.ForeignKey(ConsultedSet, on_delete=models.PROTECT, related_name="+")
    platform_judged = models.BooleanField(default=True)
    extractor = models.PositiveIntegerField()
    catalogue = models.CharField(max_length=64)  # digest of rules and vendor rows, the organisation's own too
    cause = models.CharField(max_length=30)  # registered, manifest, declared, target, matrix, rules, rows, custom
    assessed_at = models.DateTimeField()

    class Meta:
        ordering = ["-assessed_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "target"],
                condition=models.Q(current=True),
                name="one_current_assessment_per_revision_and_target",
            )
        ]


class Obstacles(models.Model):
    """What stands between a workload that needs change and being movable. Few distinct ones exist; rows share them.

    `text`: one obstacle a line (`obstacles.parts_of`), sorted, with a line end before the first and after the last.
    """

    digest = models.CharField(max_length=64, unique=True)  # of the text
    text = models.TextField()


class Basis(models.Model):
    """What rows were judged by. Few distinct ones exist; rows share them, so that they are counted and compared by it.

    The columns are those of the assessments, and `as_of` that of the rows.
    """

    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="+", db_index=False)
    target_version = models.PositiveIntegerField()
    catalogue = models.CharField(max_length=64)
    consulted = models.ForeignKey(ConsultedSet, on_delete=models.PROTECT, related_name="+")
    platform_judged = models.BooleanField()
    as_of = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["target", "target_version", "catalogue", "consulted", "platform_judged", "as_of"],
                name="one_basis_of_a_kind",
            )
        ]


class Row(models.Model):
    """One line of the register: a workload for a target, its texts rendered when it was assessed.

    `retired` and what follows it repeat the workload (`repeated`), so that rows are found, sorted and counted by what
    stands in one index.
    """

    workload = models.ForeignKey(Workload, on_delete=models.CASCADE, related_name="rows")
    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="rows")
    assessment = models.ForeignKey(Assessment, on_delete=models.PROTECT, related_name="+")
    verdict = models.CharField(max_length=14)
    verdict_order = models.PositiveSmallIntegerField()  # pinned 0, needs change 1, not assessed 2, movable 3
    own_verdict = models.CharField(max_length=14)
    blocks = models.PositiveIntegerField(default=0)
    changes = models.PositiveIntegerField(default=0)
    confirms = models.PositiveIntegerField(default=0)
    notes = models.PositiveIntegerField(default=0)
    why = models.CharField(max_length=400, blank=True)  # the short reason shown in the register
    rules = models.CharField(max_length=800, blank=True)  # "|IMG001|RES001|", to filter by
    reasons = models.TextField(blank=True)  # the CSV's columns, one entry a line
    what_to_change = models.TextField(blank=True)
    to_confirm = models.TextField(blank=True)
    evidence = models.TextField(blank=True)
    as_of = models.CharField(max_length=200, blank=True)  # "ROCm 7.14.0, read 7 August 2026"
    assessed_at = models.DateTimeField()
    moved_at = models.DateTimeField(null=True)  # when the verdict last became another
    moved_cause = models.CharField(max_length=30, blank=True)
    obstacles = models.ForeignKey(
        Obstacles, null=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )  # where it needs change
    rehearsed = models.CharField(max_length=7, blank=True)  # ran, kept (it was left running there), failed (rehearsals)
    rehearsed_on = models.DateField(null=True)
    basis = models.ForeignKey(Basis, on_delete=models.PROTECT, related_name="+", db_index=False)
    said = models.TextField(blank=True)  # to search in: the workload's images, and why; in small letters
    why_key = models.CharField(max_length=40, blank=True)  # to sort by: how `why` begins, in small letters
    retired = models.BooleanField(default=False)
    urgency = models.PositiveSmallIntegerField()  # critical 0 to low 3
    name = models.CharField(max_length=120)
    name_key = models.CharField(max_length=240)  # in small letters
    known_as = models.TextField()  # to search in: name, model and owner in small letters, a line each
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="+", db_index=False)
    vendor_today = models.CharField(max_length=10, blank=True)
    engine = models.CharField(max_length=40, blank=True)
    gpus = models.PositiveIntegerField(null=True)
    replicas = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workload", "target"], name="one_row_per_workload_and_target")]
        indexes = [
            # all by which the register filters, sorts and counts, in its own order: so that it reads no wide rows
            models.Index(
                fields=[
                    *("target", "retired", "verdict_order", "urgency", "name_key", "id"),
                    *("team", "vendor_today", "engine", "gpus", "replicas"),
                    *("verdict", "own_verdict", "changes", "basis", "assessment"),
                    *("moved_at", "why_key"),
                ],
                name="row_in_order",
            ),
            models.Index(  # all that exposure reads of a row, in the order it lists them: so that it reads no wide ones
                fields=[
                    *("target", "retired", "vendor_today", "urgency", "verdict_order", "gpus", "name", "workload"),
                    *("team", "replicas", "verdict", "own_verdict", "changes", "obstacles", "assessment"),
                ],
                name="row_for_exposure",
            ),
            models.Index(fields=["target", "as_of"], name="row_by_reading"),
        ]

    @property
    def criticality(self) -> str:
        """That of the workload; nothing where none is declared."""
        return CRITICALITIES[self.urgency]


class Run(models.Model):
    """A re-evaluation in the background. The database knows what is left; the broker only wakes workers."""

    class State(models.TextChoices):
        RUNNING = "running"
        DONE = "done"
        CANCELLED = "cancelled"

    cause = models.CharField(max_length=30)
    about = models.CharField(max_length=200)  # in words: "target mi300x-single was edited"
    subject_kind = models.CharField(max_length=10, blank=True)  # what was changed (`subjects`), to lead to its page
    subject_key = models.CharField(max_length=120, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.RUNNING)
    total = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-started_at"]

    @property
    def subject(self) -> Subject:
        """What was changed."""
        return Subject(self.subject_kind, self.subject_key)


class Batch(models.Model):
    """A share of a run: pairs of workload and target ids. Claimed by compare-and-swap; doing it twice is harmless."""

    class State(models.TextChoices):
        WAITING = "waiting"
        CLAIMED = "claimed"
        DONE = "done"
        FAILED = "failed"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="batches")
    pairs = models.JSONField()  # [[workload id, target id], ...]
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    claimed_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    failures = models.JSONField(default=list)  # [{workload, target, reason}]

    class Meta:
        indexes = [models.Index(fields=["state", "claimed_at"], name="batch_to_do")]


class Happening(models.Model):
    """Something out of the ordinary that a run went through, of one kind, and how often."""

    class Kind(models.TextChoices):
        UNWOKEN = "unwoken"
        STOOD_STILL = "stood-still"
        SILENT = "silent"
        SPLIT = "split"
        LOST_DATABASE = "lost-database"
        OVERTAKEN = "overtaken"
        AGAIN = "again"
        TWICE = "twice"
        FORMER = "former"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="happenings")
    kind = models.CharField(max_length=13, choices=Kind.choices)
    times = models.PositiveIntegerField(default=0)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        ordering = ["first_at", "id"]
        constraints = [models.UniqueConstraint(fields=["run", "kind"], name="one_happening_of_a_kind_per_run")]


class InForce(models.Model):
    """The version of the product that was prepared last, as the digest of what it judges by: at most one row."""

    digest = models.CharField(max_length=64)
    since = models.DateTimeField()


class Bulletin(models.Model):
    """What moved and is told of together: in a run that has ended, or in saves. Later ones have greater numbers."""

    run = models.ForeignKey(Run, null=True, on_delete=models.CASCADE, related_name="bulletins")
    moved = models.PositiveIntegerField()
    made_at = models.DateTimeField(auto_now_add=True)


class Movement(models.Model):
    """A verdict that became another. Why is in the two assessments, which stay as they are."""

    run = models.ForeignKey(Run, null=True, on_delete=models.CASCADE, related_name="movements")  # null: it was saved
    workload = models.ForeignKey(Workload, on_delete=models.CASCADE, related_name="movements")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="+")  # it belonged to then
    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="+")
    before = models.CharField(max_length=14)
    after = models.CharField(max_length=14)
    rank = models.PositiveSmallIntegerField()  # of the kind of move, the worst first (`movements.RANKS`)
    assessment_before = models.ForeignKey(Assessment, on_delete=models.PROTECT, related_name="+")
    assessment_after = models.OneToOneField(Assessment, on_delete=models.PROTECT, related_name="movement")
    bulletin = models.ForeignKey(Bulletin, null=True, on_delete=models.SET_NULL, related_name="movements")
    cause = models.CharField(max_length=30)  # as the assessment's
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [
            models.Index(fields=["run", "rank"], name="movement_of_run"),
            models.Index(fields=["at"], name="movement_by_day"),
            models.Index(fields=["id"], condition=models.Q(bulletin=None), name="movement_to_tell"),
        ]
