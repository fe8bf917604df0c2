"""The people a record names, as they were called then."""

from __future__ import annotations

from typing import Any

from portability.accounts.models import Person

ROLES = ("architect", "curator", "administrator")


class People:
    """Notes whom the record names, by id; asked for once at the end."""

    def __init__(self) -> None:
        self._ids: set[int] = set()

    def named(self, person: Person | None) -> str | None:
        """The name to write; the person is listed. None where there is none."""
        if person is None:
            return None
        self._ids.add(person.pk)
        return person.get_username()

    def note(self, *person_ids: int | None) -> None:
        """List people whose names are written already."""
        self._ids |= {pk for pk in person_ids if pk is not None}

    def to_json(self) -> list[dict[str, Any]]:
        """Everyone who was named, by name: `{username, name, roles}`."""
        found = Person.objects.filter(pk__in=self._ids).order_by("username")
        return [
            {
                "username": person.get_username(),
                "name": person.get_full_name(),
                "roles": [role for role in ROLES if getattr(person, role)],
            }
            for person in found
        ]
