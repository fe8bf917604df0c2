"""Reading people and teams, for administrators."""

from __future__ import annotations

from django.db.models import Count, Prefetch, Q, QuerySet

from portability.accounts.models import Membership, Person, Team


def people() -> QuerySet[Person]:
    """Everyone with their memberships, the active ones first."""
    memberships = Prefetch("memberships", Membership.objects.select_related("team").order_by("team__name"))
    return Person.objects.prefetch_related(memberships).order_by("-is_active", "username")


def teams() -> QuerySet[Team]:
    """All teams with the number of active people and of workloads in use, the active ones first."""
    return Team.objects.annotate(
        people_count=Count("people", filter=Q(people__is_active=True), distinct=True),
        workload_count=Count("workloads", filter=Q(workloads__retired_at=None), distinct=True),
    ).order_by("-active", "name")
