"""Reviews: one quarter's pass over the register, what was decided of each workload, and the frozen record of it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from portability.register.models import Assessment
from portability.targets.models import Target
from portability.workloads.models import Workload

PERSON = settings.AUTH_USER_MODEL


class Review(models.Model):
    """The pass of one quarter. Closed, it never changes again; what is served then is its record."""

    class State(models.TextChoices):
        OPEN = "open"
        CLOSED = "closed"

    quarter = models.CharField(max_length=8, unique=True)  # its name, "2026-Q4" (`quarters`)
    starts = models.DateField()
    ends = models.DateField()
    state = models.CharField(max_length=6, choices=State.choices, default=State.OPEN)
    opened_at = models.DateTimeField(auto_now_add=True)
    opened_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(PERSON, null=True, on_delete=models.PROTECT, related_name="+")
    statement = models.TextField(max_length=4000, blank=True)  # of who signed

    class Meta:
        ordering = ["-starts", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["state"], condition=models.Q(state="open"), name="one_open_review")
        ]

    def __str__(self) -> str:
        return self.quarter


class Entry(models.Model):
    """A workload in a review, for the default target of the vendor it runs on.

    `stood`: how it stood when it joined. How it stands now is the register's row; an entry whose decision does not
    hold for what the row says asks again. That is found by comparing, no flag says it.
    """

    class State(models.TextChoices):
        OPEN = "open"
        DECIDED = "decided"
        DEFERRED = "deferred"  # registered later: an architect leaves it to the next review
        RETIRED = "retired"  # closed itself

    review = models.ForeignKey(Review, on_delete=models.PROTECT, related_name="entries")
    workload = models.ForeignKey(Workload, on_delete=models.PROTECT, related_name="entries")
    target = models.ForeignKey(Target, null=True, on_delete=models.PROTECT, related_name="+")  # null: none is chosen
    vendor = models.CharField(max_length=10, blank=True)  # that the workload ran on when it got this target, or none
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    new = models.BooleanField(default=False)  # registered after the review was opened
    joined_at = models.DateTimeField(auto_now_add=True)
    stood = models.ForeignKey(Assessment, null=True, on_delete=models.PROTECT, related_name="+")
    before = models.ForeignKey("Decision", null=True, on_delete=models.PROTECT, related_name="+")  # the last review's
    changed = models.JSONField(default=list)  # since then: [{"cause": "manifest" ..., "text": in words}]
    assigned = models.ForeignKey(PERSON, null=True, on_delete=models.SET_NULL, related_name="+")
    decision = models.ForeignKey("Decision", null=True, on_delete=models.PROTECT, related_name="+")  # that stands
    ended = models.ForeignKey(Assessment, null=True, on_delete=models.PROTECT, related_name="+")  # when it was closed
    ended_verdict = models.CharField(max_length=14, blank=True)  # decided, then
    deferred_reason = models.CharField(max_length=300, blank=True)
    left_reason = models.CharField(max_length=300, blank=True)  # the same, kept beneath a decision: it may be undone
    left_at = models.DateTimeField(null=True)
    left_by = models.ForeignKey(PERSON, null=True, on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField(default=1)  # counts what was done to it: two people at once are told

    class Meta:
        constraints = [models.UniqueConstraint(fields=["review", "workload"], name="entry_once_per_review")]
        indexes = [models.Index(fields=["review", "state"], name="entry_to_do")]

    def __str__(self) -> str:
        return f"{self.workload} in {self.review}"

    def stand_by_acts(self) -> None:
        """Set it to what people's acts that stand make of it: for one whose workload is not retired."""
        self.deferred_reason = "" if self.decision_id else self.left_reason
        self.state = self.State.DEFERRED if self.deferred_reason else self.State.OPEN
        if self.decision_id:
            self.state = self.State.DECIDED


class Decision(models.Model):
    """What a person decided of an entry. Never edited: another one takes its place, or it is undone.

    `holds_for` alone follows what is judged (`actions.settle`).
    """

    class Kind(models.TextChoices):
        AGREE = "agree", "agreed"
        PLAN = "plan", "agreed, with a plan"
        STAYS = "stays", "stays where it is"
        OTHERWISE = "otherwise", "decided otherwise"
        NOT_KNOWN = "not-known", "not known"

    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="decisions")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    target = models.ForeignKey(Target, null=True, on_delete=models.PROTECT, related_name="+")  # it was decided for
    assessment = models.ForeignKey(Assessment, null=True, on_delete=models.PROTECT, related_name="+")  # it rests on
    engine_verdict = models.CharField(max_length=14)  # of that assessment
    verdict = models.CharField(max_length=14)  # decided: the engine's with waivers, or, otherwise, the reviewer's own
    basis = models.CharField(max_length=64)  # digest of the verdict and of the findings that count (`findings.basis`)
    # the newest assessment that says the same of what counts: with any other the decision is to be looked at again
    holds_for = models.ForeignKey(Assessment, null=True, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(max_length=2000, blank=True)
    link = models.URLField(max_length=300, blank=True)  # evidence, or the plan's ticket
    evidence = models.TextField(max_length=2000, blank=True)
    plan_quarter = models.CharField(max_length=7, blank=True)
    plan_ends = models.DateField(null=True)  # its last day, as quarters were counted when the plan was made
    plan_owner = models.CharField(max_length=120, blank=True)
    plan_effort = models.CharField(max_length=60, blank=True)
    finds_out = models.CharField(max_length=120, blank=True)  # who, where it is not known
    by_day = models.DateField(null=True)  # and by when
    bulk = models.UUIDField(null=True)  # the decisions that were made at once
    carried = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="+")  # confirmed from
    replaced = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="+")  # that stood before it
    asked_again = models.BooleanField(default=False)  # its entry did, when this was made or one that it replaced
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    made_by_name = models.CharField(max_length=150)  # as it was then
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(PERSON, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["bulk"], name="decisions_made_at_once")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.entry}"


class Note(models.Model):
    """What people say to each other about an entry. A question waits for an answer of the team."""

    class Kind(models.TextChoices):
        NOTE = "note"
        QUESTION = "question"
        ANSWER = "answer"

    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="notes")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.NOTE)
    answers = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="answered_by")
    text = models.TextField(max_length=4000)
    written_at = models.DateTimeField(auto_now_add=True)
    written_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    written_by_name = models.CharField(max_length=150)

    class Meta:
        ordering = ["pk"]


class Waiver(models.Model):
    """An architect accepts one finding until a day. It ends by that day, or once its cause is another: worked out.

    What is found about a target is inherited by every workload, and accepted once: `workload` is null then.
    """

    workload = models.ForeignKey(Workload, null=True, on_delete=models.PROTECT, related_name="waivers")  # null: all
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="+")
    identity = models.CharField(max_length=64)  # of the finding: rule, resource and path; names of the two may change
    rule = models.CharField(max_length=20)
    where = models.CharField(max_length=400)  # resource and path, in words
    cause = models.JSONField()  # the finding's value and effect, and the values of the cells it cited
    reason = models.CharField(max_length=600)
    link = models.URLField(max_length=300)
    ends = models.DateField()  # the last day it holds
    given_at = models.DateTimeField(auto_now_add=True)
    given_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    given_by_name = models.CharField(max_length=150)
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_by = models.ForeignKey(PERSON, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["ends", "pk"]
        indexes = [
            models.Index(fields=["workload", "target"], name="waivers_of_a_row"),
            models.Index(fields=["target"], condition=models.Q(workload=None), name="waivers_for_all"),
        ]


class Unsettled(models.Model):
    """The decided verdicts for a target are to be worked out anew, in the background (`settling`).

    Rows are added and taken away, so that nobody who asks waits for a worker; of several the newest is begun anew.
    """

    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="+")
    after = models.BigIntegerField(default=0)  # the id of the workload up to which it is done
    asked_at = models.DateTimeField(auto_now_add=True)


class Decided(models.Model):
    """The verdict that people's waivers and decisions give a workload for a target, beside the engine's.

    It holds for one assessment and until a day: a row whose assessment is another, or whose day has passed, has the
    engine's verdict alone until it is worked out again. Several spans follow each other where several waivers end.
    """

    workload = models.ForeignKey(Workload, on_delete=models.CASCADE, related_name="+")
    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="+")
    assessment = models.ForeignKey(Assessment, on_delete=models.CASCADE, related_name="+")
    verdict = models.CharField(max_length=14)
    with_waivers = models.CharField(max_length=14)  # without a reviewer's own decision: what who agrees would get
    waived = models.PositiveIntegerField(default=0)  # findings
    decision = models.ForeignKey(Decision, null=True, on_delete=models.CASCADE, related_name="+")  # the reviewer's own
    until = models.DateField(null=True)  # the last day; null: no end

    class Meta:
        indexes = [models.Index(fields=["assessment", "until"], name="decided_now")]


class WrittenOnce(models.Model):
    """Stored once; nothing that the product does changes it or takes it away."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store it for the first time."""
        if not self._state.adding:
            raise TypeError(f"A stored {self._meta.verbose_name} never changes.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse it."""
        raise TypeError(f"A stored {self._meta.verbose_name} is never deleted.")


class Record(WrittenOnce):
    """What was known and decided when a review was closed: written once, served as stored."""

    review = models.OneToOneField(Review, on_delete=models.PROTECT, related_name="record")
    text = models.TextField()  # canonical JSON
    digest = models.CharField(max_length=64)  # SHA-256 of the text's UTF-8
    csv = models.BinaryField()
    csv_digest = models.CharField(max_length=64)
    made_at = models.DateTimeField(auto_now_add=True)


class Addendum(WrittenOnce):
    """A correction to a closed review, signed; the record stays as it is."""

    review = models.ForeignKey(Review, on_delete=models.PROTECT, related_name="addenda")
    number = models.PositiveIntegerField()
    text = models.TextField(max_length=4000)
    digest = models.CharField(max_length=64)  # of the record's digest, number, text, who and when
    written_at = models.DateTimeField()
    written_by = models.ForeignKey(PERSON, on_delete=models.PROTECT, related_name="+")
    written_by_name = models.CharField(max_length=150)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["review", "number"], name="addendum_number_once")]


class Summary(WrittenOnce):
    """What the page of a closed review shows of its record besides the entries (`record.summary`).

    Made of the record, and of nothing else: no source, only quicker to read than a text of many megabytes.
    """

    record = models.OneToOneField(Record, on_delete=models.DO_NOTHING, related_name="summary")  # which is never deleted
    said = models.JSONField()


class SummaryLine(WrittenOnce):
    """One entry of a record as the register on that page shows it, in the record's order."""

    record = models.ForeignKey(Record, on_delete=models.DO_NOTHING, related_name="lines")  # never deleted
    number = models.PositiveIntegerField()
    verdict = models.CharField(max_length=14, blank=True)  # the engine's; none where the workload retired
    team = models.CharField(max_length=80)
    said = models.JSONField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["record", "number"], name="summary_line_once")]
