"""What an entry of each kind says: the one table from the stable words of the history to sentences.

A sentence is read after the name of who acted. `{s}` is what it was done to, `{name}` a detail of the entry. What
stands in brackets is left out where one of its details is missing or empty; `{?name}` only asks for one, and `{!name}`
for one that is other than what it was done to. `{rows|row|rows}` is a number with its noun. Some details are worked out
from others (`words.WORKED_OUT`).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of entry. `name`: of the act, as in a list to choose from."""

    name: str
    sentence: str


ROOMS = {
    "workload": "Workloads",
    "review": "Reviews",
    "waiver": "Waivers",
    "rehearsal": "Rehearsals",
    "register": "The register as a file",
    "export": "Files made in the background",
    "mapping": "Column mappings",
    "filter": "Saved filters",
    "run": "Re-evaluations",
    "matrix": "Readings of matrices",
    "source": "Sources",
    "target": "Targets",
    "row": "Own rows",
    "custom_rule": "Own rules",
    "organisation": "Settings",
    "person": "People",
    "team": "Teams",
    "digest": "Digests",
    "webhook": "Webhooks",
    "value": "Erased values",
    "history": "The history as a file",
    "sample": "The sample",
}

_IN = "[ in the review of {review}]"
_AS = "[ as {format}]"

KINDS = {
    "workload.registered": Kind("Workload registered", "registered {s}[ for the team {team}][, from {files}]"),
    "workload.revised": Kind("Workload revised", "saved {s} anew[: {cause}][, revision {revision}]"),
    "workload.described": Kind(
        "Workload described", "changed what is said of {s}[: owner {owner}][, criticality {criticality}]"
    ),
    "workload.renamed": Kind("Workload renamed", "renamed[ {before}] to {s}"),
    "workload.moved": Kind("Workload given to another team", "gave {s} to another team[: {before} → {after}]"),
    "workload.retired": Kind("Workload retired", "retired {s}[ of the team {team}][: {reason}]"),
    "workload.restored": Kind("Workload restored", "restored {s}[ for the team {team}]"),
    "review.opened": Kind("Review opened", "opened the review of {s}[, with {entries|entry|entries}]"),
    "review.discarded": Kind(
        "Review discarded", "discarded the review of {s}[, with {entries|entry|entries}][: {reason}]"
    ),
    "review.decided": Kind(
        "Entry decided",
        f"decided {{s}}{_IN}[: {{kind}}][; verdict {{verdicts}}][; plan for {{plan}}][; to be known by {{by}}]"
        "[; one of {together} at once][; because: {reason}]",
    ),
    "review.undone": Kind("Decision taken back", f"took back a decision on {{s}}{_IN}[: {{kind}}]"),
    "review.deferred": Kind("Entry left to the next review", f"left {{s}}{_IN} to the next one[: {{reason}}]"),
    "review.moved": Kind("Entry moved to another target", f"moved the entry of {{s}}{_IN} to another target[: {{to}}]"),
    "review.assigned": Kind("Entry assigned", f"gave the entry of {{s}}{_IN}[ to {{to}}]"),
    "review.note": Kind("Note written", f"wrote a note on {{s}}{_IN}[: {{text}}]"),
    "review.question": Kind("Question asked", f"asked the team of {{s}}{_IN}[: {{text}}]"),
    "review.answer": Kind("Question answered", f"answered a question about {{s}}{_IN}[: {{text}}]"),
    "review.closed": Kind("Review signed off", "signed off the review of {s}[, with {entries|entry|entries}]"),
    "review.addendum": Kind("Addendum written", "wrote an addendum to the review of {s}[, number {number}][: {text}]"),
    "review.exported": Kind("Review taken away", f"took the review of {{s}} away{_AS}"),
    "waiver.given": Kind(
        "Finding waived",
        "waived a finding of {s}[ for {target}][ for {workloads} workloads][: {rule}][ at {where}][, until {ends}]"
        "[, because: {reason}]",
    ),
    "waiver.withdrawn": Kind(
        "Waiver withdrawn", "withdrew a waiver of {s}[ for {target}][ for {workloads} workloads][: {rule}]"
    ),
    "rehearsal.recorded": Kind(
        "Rehearsal recorded",
        "recorded a rehearsal of {s}[ on {target}][, {day}][: it {outcome}][ and was left there{?permanent}]",
    ),
    "rehearsal.withdrawn": Kind(
        "Rehearsal withdrawn", "withdrew a rehearsal of {s}[ on {target}][, {day}][: {reason}]"
    ),
    "register.exported": Kind(
        "Register taken away",
        f"took the register away for {{s}}{_AS}[, with {{columns}}][, {{rows|row|rows}}][, filtered by {{filter}}]",
    ),
    "export.asked": Kind(
        "File asked for",
        f"asked for a file of the register for {{s}}{_AS}[, with {{columns}}][, once more{{?again}}]",
    ),
    "export.cancelled": Kind("File cancelled", f"cancelled a file of the register for {{s}}{_AS}"),
    "export.deleted": Kind("File deleted", f"deleted a file of the register for {{s}}{_AS}"),
    "mapping.added": Kind("Column mapping added", "added the column mapping {s}[, with {columns}]"),
    "mapping.saved": Kind(
        "Column mapping changed",
        "changed the column mapping {s}[, called {!before} until then][; new: {added}][; gone: {removed}]",
    ),
    "mapping.deleted": Kind("Column mapping deleted", "deleted the column mapping {s}[, with {columns}]"),
    "filter.default": Kind(
        "Default filter chosen", "chose a filter that the {page} opens with, for themselves alone: {s}"
    ),
    "filter.no-default": Kind(
        "Default filter given up", "gave up the filter that the {page} opened with, for themselves alone: {s}"
    ),
    "filter.saved": Kind("Filter saved", "saved a filter: {s}[, shared with {shared}][; it asks for {filter}]"),
    "filter.changed": Kind("Filter changed", "changed a filter: {s}[, {!before} until then][, shared with {shared}]"),
    "filter.deleted": Kind("Filter deleted", "deleted a filter: {s}[, of {owner}][; it asked for {filter}]"),
    "run.started": Kind("Re-evaluation started", "had [{pairs|assessment|assessments} ]judged again: {s}"),
    "run.cancelled": Kind("Re-evaluation cancelled", "cancelled a re-evaluation: {s}"),
    "matrix.draft": Kind("Reading drafted", "made a draft of {s}[, read {read}][, with {cells|cell|cells}]"),
    "matrix.cell": Kind("Cell entered", "entered a cell of {s}[: {key}][: {cell}][, because: {reason}]"),
    "matrix.cell-removed": Kind(
        "Cell taken out", "took a cell out of {s}[: {key}][, which said {before}][, because: {reason}]"
    ),
    "matrix.discarded": Kind(
        "Draft thrown away", "threw away a draft of {s}[, read {read}][, with {cells|cell|cells}]"
    ),
    "matrix.published": Kind(
        "Reading published",
        "published {s}[, read {read}][, with {cells|cell|cells}][, in place of the reading before{?supersedes}]"
        "[, gone through by hand{?gone_through}]",
    ),
    "source.added": Kind("Source added", "added the source {s}[: {url}]"),
    "source.edited": Kind("Source changed", "changed the source {s}[: {changed}]"),
    "source.fetched": Kind("Page fetched", "fetched a page of {s}[: {url}]"),
    "source.looked-at": Kind("Page looked at", "looked at the page of {s}[: {found}][; {said}]"),
    "target.created": Kind("Target added", "added the target {s}"),
    "target.saved": Kind("Target changed", "changed the target {s}[: {changed}]"),
    "target.default": Kind("First target chosen", "made {s} the target that the register opens with"),
    "target.deactivated": Kind("Target deactivated", "deactivated the target {s}: nothing is judged for it any more"),
    "target.activated": Kind("Target activated", "activated the target {s} again"),
    "row.added": Kind(
        "Own row added", "added the row {s}[, of {vendor}][: {effect}][, goes to {counterpart}][; {note}]"
    ),
    "row.saved": Kind("Own row changed", "changed the row {s}[: {changed}]"),
    "row.removed": Kind("Own row removed", "removed the row {s}"),
    "custom_rule.added": Kind("Own rule written", "wrote the rule {s}[: {name}][, {state}][; {path}][ {condition}]"),
    "custom_rule.saved": Kind("Own rule changed", "changed the rule {s}[: {name}][, {state}][; {path}][ {condition}]"),
    "custom_rule.switched_off": Kind("Own rule switched off", "switched off the rule {s}[: {reason}]"),
    "custom_rule.removed": Kind("Own rule removed", "removed the rule {s}"),
    "custom_rule.exported": Kind("Own rules taken away", "took {s} away[, {rules} of them]"),
    "organisation.saved": Kind("Settings changed", "changed the settings of {s}[: {changed}]"),
    "organisation.default-target": Kind("Default target chosen", "chose {s} for what runs on {vendor}"),
    "person.created": Kind("Person created", "created the person {s}[: {roles}]"),
    "person.changed": Kind("Roles or mail address changed", "changed the person {s}[: {roles_changed}]"),
    "person.password-reset": Kind("Password given anew", "gave {s} a new password"),
    "person.password-changed": Kind("Own password changed", "changed the own password of {s}"),
    "person.deactivated": Kind("Person deactivated", "ended the access of {s}"),
    "person.reactivated": Kind("Person reactivated", "let {s} in again"),
    "team.created": Kind("Team created", "created the team {s}"),
    "team.renamed": Kind("Team renamed", "renamed the team[ {before}] to {s}"),
    "team.deactivated": Kind("Team deactivated", "deactivated the team {s}"),
    "team.reactivated": Kind("Team reactivated", "reactivated the team {s}"),
    "team.deleted": Kind("Team deleted", "deleted the team {s}"),
    "team.joined": Kind("Person put into a team", "put[ {person}] into the team {s}"),
    "team.left": Kind("Person taken out of a team", "took[ {person}] out of the team {s}"),
    "digest.asked-for": Kind(
        "Digests chosen",
        "chose the digests of {s}[: {often}][, of {whose}][, to another mail address{?address_changed}]",
    ),
    "webhook.added": Kind("Webhook added", "added the webhook {s}[, to {host}][, for {teams}]"),
    "webhook.saved": Kind(
        "Webhook changed",
        "changed the webhook {s}[, to {host}][, for {teams}][; its address is another{?address_changed}]",
    ),
    "webhook.secret-renewed": Kind("Webhook secret renewed", "gave the webhook {s} a new secret"),
    "webhook.switched-on": Kind("Webhook switched on", "switched on the webhook {s}"),
    "webhook.switched-off": Kind(
        "Webhook switched off", "switched off the webhook {s}[; {dropped|message|messages} dropped]"
    ),
    "webhook.tested": Kind("Webhook tried", "sent a test to the webhook {s}"),
    "webhook.sent-again": Kind("Message sent again", "sent a message to the webhook {s} again"),
    "value.erased": Kind(
        "Value erased",
        "erased {s} from what is stored[: {files|file|files}][, {rows|other text|other texts}]"
        "[; signed records with it: {records}]",
    ),
    "history.exported": Kind(
        "History taken away", f"took {{s}} away{_AS}[, {{rows|entry|entries}}][, filtered by {{filter}}]"
    ),
    "sample.loaded": Kind("Sample loaded", "loaded the {s}[, with {workloads|workload|workloads}]"),
}
