"""Looking at the pages of sources: whether one changed since it was read, or moved. Nothing is published here."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format

from portability.audit.actions import record
from portability.engine.errors import InputError
from portability.matrices.fetching import fetch_page, may_fetch
from portability.matrices.models import Look, Release, Source
from portability.matrices.page_text import PageText, page_text
from portability.matrices.queries import newest_reading
from portability.outbound.errors import OutboundError, RedirectRefused

AGAIN = timedelta(hours=23)  # by a task that comes every half hour: once a day
CURRENT = "current"
_ROOM = 600  # characters of what is said


class _Base(NamedTuple):
    """What a page is compared with: the digest of its text, and since when, where the reading kept no page."""

    reading: Release | None
    digest: str
    at: datetime | None


def due(now: datetime) -> list[str]:
    """The sources to look at now: current ones on allowed hosts that nobody looked at for a day."""
    if not settings.CHECK_SOURCES:
        return []
    waiting = Source.objects.filter(status=CURRENT).exclude(look__looked_at__gt=now - AGAIN)
    return [source.pk for source in waiting if may_fetch(source.url)]


def look(pk: str) -> Look | None:
    """Look at one page and keep what was found, with its time. None where it is not due, so that twice is once."""
    if pk not in due(timezone.now()):
        return None
    source = Source.objects.get(pk=pk)
    found, said, page = _found(source)
    now = timezone.now()
    with transaction.atomic():
        before = Look.objects.select_for_update().filter(source=source).first()
        base = _base(source, page, before, now)
        if not found and page:
            found, said = _compared(page, base)
        same = before is not None and before.found == found
        kept, _ = Look.objects.update_or_create(
            source=source,
            defaults={
                "looked_at": now,
                "found": found,
                "since": before.since if before and same else now,
                "said": said[:_ROOM],
                "reading": base.reading,
                "digest": base.digest,
                "digest_at": base.at,
            },
        )
        if not same:
            record(None, "source.looked-at", source, found=found, said=kept.said, url=source.url)
    return kept


def _found(source: Source) -> tuple[str, str, PageText | None]:
    """What shows without comparing: that it moved, or cannot be looked at. Else the page."""
    try:
        fetched = fetch_page(source.url)
        page = page_text(source.title, fetched.content)
    except RedirectRefused as refused:
        return Look.Found.MOVED, f"It redirects to {refused.to}, which may not be fetched.", None
    except (OutboundError, InputError) as error:
        return Look.Found.FAILED, str(error), None
    if fetched.redirected:
        return Look.Found.MOVED, f"It redirects to {fetched.url}.", page
    if page.moved:
        return Look.Found.MOVED, f"{page.moved[0].upper()}{page.moved[1:]}.", page
    return "", "", page


def _base(source: Source, page: PageText | None, before: Look | None, now: datetime) -> _Base:
    """The page that the newest reading kept; else as it was first looked at after that reading."""
    reading = newest_reading(source.releases.filter(state=Release.State.PUBLISHED))
    if page and reading and (digest := _kept(source, reading, page)):
        return _Base(reading, digest, None)
    if before and before.digest and before.reading == reading:
        return _Base(reading, before.digest, before.digest_at)
    return _Base(reading, page.digest, now) if page else _Base(reading, "", None)


def _kept(source: Source, reading: Release, page: PageText) -> str:
    """The digest of the page that a reading kept; "" where it kept none, or other files than the page."""
    documents = list(reading.documents.all())
    if len(documents) != 1 or reading.link not in ("", source.url):
        return ""
    try:
        kept = page_text(documents[0].name, bytes(documents[0].content))
    except InputError:  # a source that no importer reads keeps what it was given
        return ""
    return kept.digest if kept.kind == page.kind else ""


def _compared(page: PageText, base: _Base) -> tuple[str, str]:
    if base.at is None:
        with_what = "the page that was read"
    else:
        with_what = f"the page of {date_format(timezone.localtime(base.at), 'j F Y')}, since the reading kept none"
    if page.digest == base.digest:
        return Look.Found.UNCHANGED, f"Its text is that of {with_what}."
    return Look.Found.CHANGED, f"Its text is another than that of {with_what}: read it again."
