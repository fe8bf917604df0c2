"""What a webhook says (docs/notifications.md), and the words and links that messages share."""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import QueryDict
from django.urls import reverse

from portability.notifications.models import Delivery, Endpoint
from portability.register import moved
from portability.register.models import Movement, Run

SCHEMA = 1
LISTED = 500  # movements in one message, the worst first; all are counted
MOVED, TEST = "verdicts.moved", "test"


def absolute(path: str) -> str:
    """A page of the product as others open it."""
    return f"{settings.PUBLIC_URL}{path}"


def moved_page(**asked: object) -> str:
    """The page of what moved, with these values in its address."""
    query = QueryDict(mutable=True)
    query.update({name: str(value) for name, value in asked.items() if value not in (None, "")})
    return absolute(reverse("register:moved") + (f"?{query.urlencode()}" if query else ""))


def movements_of(delivery: Delivery) -> QuerySet[Movement]:
    """What a delivery tells of: its bulletin's movements, as far as its endpoint asked for their teams."""
    found = Movement.objects.filter(bulletin=delivery.bulletin_id) if delivery.bulletin_id else Movement.objects.none()
    return of_teams(found, delivery.endpoint)


def of_teams(movements: QuerySet[Movement], endpoint: Endpoint) -> QuerySet[Movement]:
    """Without those of teams that the endpoint did not ask for."""
    teams = list(endpoint.teams.values_list("pk", flat=True))
    return movements.filter(team__in=teams) if teams else movements


def body(delivery: Delivery) -> bytes:
    """The message as JSON. The same movements every time; names are those of the moment."""
    event = MOVED if delivery.bulletin_id else TEST
    said: dict[str, Any] = {"schema": SCHEMA, "event": event, "delivery": str(delivery.pk)}
    if delivery.bulletin is not None:
        said |= _moved(movements_of(delivery), delivery.bulletin.run)
    return json.dumps(said).encode()


def headers(delivery: Delivery, content: bytes, timestamp: int) -> dict[str, str]:
    """What is sent beside the message: which it is, when it was signed, and the signature over both."""
    return {
        "Content-Type": "application/json",
        "Portability-Event": MOVED if delivery.bulletin_id else TEST,
        "Portability-Delivery": str(delivery.pk),
        "Portability-Timestamp": str(timestamp),
        "Portability-Signature": f"v1={signature(delivery.endpoint.secret, timestamp, content)}",
    }


def signature(secret: str, timestamp: int, content: bytes) -> str:
    """HMAC-SHA256 over the timestamp, a full stop and the message, in hex digits."""
    return hmac.new(secret.encode(), str(timestamp).encode() + b"." + content, hashlib.sha256).hexdigest()


def _moved(movements: QuerySet[Movement], run: Run | None) -> dict[str, Any]:
    teams = moved.by_team(movements)
    everything = sum(team.all for team in teams)
    listed = moved.with_why(movements.order_by("rank", "pk")[:LISTED])
    return {
        "run": _run(run) if run else None,
        "url": moved_page(run=run.pk if run else None),
        "moved": everything,
        "teams": [
            {
                "team": team.slug,
                "name": team.name,
                "moved": team.all,
                "kinds": [{"before": kind.before, "after": kind.after, "count": n} for kind, n in team.kinds],
            }
            for team in teams
        ],
        "movements": [_movement(each) for each in listed],
        "omitted": everything - len(listed),
    }


def _run(run: Run) -> dict[str, Any]:
    return {
        "id": run.pk,
        "about": run.about,
        "cause": run.cause,
        "state": run.state,
        "started_at": run.started_at.isoformat(),
        "finished_at": run.finished_at.isoformat() if run.finished_at else None,
        "url": absolute(reverse("register:run", args=[run.pk])),
        "caused_by": absolute(run.subject.url) if run.subject.url else None,
    }


def _movement(each: moved.Moved) -> dict[str, Any]:
    m, why = each.movement, each.why.first
    return {
        "team": m.team.slug,
        "workload": {"id": m.workload_id, "name": m.workload.name, "url": workload_page(m)},
        "target": m.target.name,
        "before": m.before,
        "after": m.after,
        "at": m.at.isoformat(),
        "came": [asdict(said) for said in why.came],
        "went": [asdict(said) for said in why.went],
        "cells": [asdict(cell) for cell in why.cells],
    }


def workload_page(movement: Movement) -> str:
    """The workload's page for the target."""
    query = QueryDict(mutable=True)
    query["target"] = movement.target.name
    return absolute(f"{reverse('workloads:workload', args=[movement.workload_id])}?{query.urlencode()}")
