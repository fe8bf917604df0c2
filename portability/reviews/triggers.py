"""The database's own guard over what is written once: no row of a record or of an addendum is changed or deleted.

The models refuse it too, but not what a queryset does. A migration that makes one of the tables anew, as SQLite's do,
has to call `create` again; a test finds one that did not.
"""

from __future__ import annotations

from typing import Any

TABLES = ("reviews_record", "reviews_addendum")
_REFUSED = "what was signed is not changed"
_POSTGRESQL_FUNCTION = f"""
CREATE OR REPLACE FUNCTION reviews_written_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{_REFUSED}' USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def create(editor: Any) -> None:
    """Create them, with a schema editor."""
    sqlite = editor.connection.vendor == "sqlite"
    statements = [] if sqlite else [_POSTGRESQL_FUNCTION]
    for table in TABLES:
        statements += [sqlite_of(table, act) for act in ("update", "delete")] if sqlite else [_postgresql(table)]
    for statement in statements:
        editor.execute(statement, params=None)


def drop(editor: Any) -> None:
    """Drop them."""
    for table in TABLES:
        if editor.connection.vendor == "sqlite":
            for act in ("update", "delete"):
                editor.execute(f"DROP TRIGGER IF EXISTS {table}_kept_{act}")
        else:
            editor.execute(f"DROP TRIGGER IF EXISTS {table}_kept ON {table}")
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
