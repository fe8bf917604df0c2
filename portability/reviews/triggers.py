"""The database's own guard over what is written once: a record, its summary, an addendum. No row is changed or deleted.

The models refuse it too, but not what a queryset does. A migration that makes one of the tables anew, as SQLite's do,
has to call `create` again; a test finds one that did not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SIGNED = ("reviews_record", "reviews_addendum")
SUMMED_UP = ("reviews_summary", "reviews_summaryline")
_REFUSED = "what was signed is not changed"
_POSTGRESQL_FUNCTION = f"""
CREATE OR REPLACE FUNCTION reviews_written_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{_REFUSED}' USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def create(editor: Any, tables: Sequence[str]) -> None:
    """Create those of some tables, with a schema editor."""
    sqlite = editor.connection.vendor == "sqlite"
    statements = [] if sqlite else [_POSTGRESQL_FUNCTION]
    for table in tables:
        statements += [sqlite_of(table, act) for act in ("update", "delete")] if sqlite else [_postgresql(table)]
    for statement in statements:
        editor.execute(statement, params=None)


def drop(editor: Any, tables: Sequence[str]) -> None:
    """Drop those of some tables."""
    for table in tables:
        if editor.connection.vendor == "sqlite":
            for act in ("update", "delete"):
                editor.execute(f"DROP TRIGGER IF EXISTS {table}_kept_{act}")
        else:
            editor.execute(f"DROP TRIGGER IF EXISTS {table}_kept ON {table}")


def drop_function(editor: Any) -> None:
    """Drop what PostgreSQL's have in common, once none is left."""
    if editor.connection.vendor != "sqlite":
        editor.execute("DROP FUNCTION IF EXISTS reviews_written_once")


def sqlite_of(table: str, act: str) -> str:
    """What creates SQLite's guard of a table against `update` or `delete`."""
    return f"""
CREATE TRIGGER {table}_kept_{act} BEFORE {act.upper()} ON {table}
BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END
"""


def _postgresql(table: str) -> str:
    return f"""
CREATE TRIGGER {table}_kept BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION reviews_written_once()
"""
