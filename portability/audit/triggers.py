"""The database's own guard over the history: no row is deleted, and none changed but by an erased value's marker.

Erasing a value takes it out of the history too: subject and details may become texts in which the marker stands. When
and by whom something was done never changes. Whoever administers the database can drop the triggers; the application
does not. A migration that makes the table anew, as SQLite's do, has to call `create` again; a test finds one that
did not.
"""

from __future__ import annotations

from typing import Any

MARKER = "REDACTED"
BEGUN = "REDACT"  # what of the marker fits into a subject whose end was erased, at the least
_REFUSED = "the history is not changed"

_SQLITE_UPDATE = f"""
CREATE TRIGGER audit_entry_kept_update BEFORE UPDATE ON audit_entry
WHEN NOT (
    NEW.id IS OLD.id AND NEW.at IS OLD.at AND NEW.who_id IS OLD.who_id AND NEW.who_name IS OLD.who_name
    AND NEW.action IS OLD.action AND NEW.workload_id IS OLD.workload_id
    AND (NEW.subject IS OLD.subject OR instr(NEW.subject, '{BEGUN}') > 0)
    AND (NEW.details IS OLD.details OR instr(NEW.details, '{MARKER}') > 0)
)
BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END
"""
SQLITE_DELETE = f"""
CREATE TRIGGER audit_entry_kept_delete BEFORE DELETE ON audit_entry
BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END
"""
_POSTGRESQL = f"""
CREATE OR REPLACE FUNCTION audit_entry_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF (NEW.id, NEW.at, NEW.who_id, NEW.who_name, NEW.action, NEW.workload_id)
            IS NOT DISTINCT FROM (OLD.id, OLD.at, OLD.who_id, OLD.who_name, OLD.action, OLD.workload_id)
            AND (NEW.subject = OLD.subject OR strpos(NEW.subject, '{BEGUN}') > 0)
            AND (NEW.details = OLD.details OR strpos(NEW.details::text, '{MARKER}') > 0)
        THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION '{_REFUSED}' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER audit_entry_kept BEFORE UPDATE OR DELETE ON audit_entry
FOR EACH ROW EXECUTE FUNCTION audit_entry_kept();
"""


def create(editor: Any) -> None:
    """Create them, with a schema editor."""
    for statement in [_SQLITE_UPDATE, SQLITE_DELETE] if editor.connection.vendor == "sqlite" else [_POSTGRESQL]:
        editor.execute(statement, params=None)


def drop(editor: Any) -> None:
    """Drop them."""
    if editor.connection.vendor == "sqlite":
        editor.execute("DROP TRIGGER IF EXISTS audit_entry_kept_update")
        editor.execute("DROP TRIGGER IF EXISTS audit_entry_kept_delete")
    else:
        editor.execute("DROP TRIGGER IF EXISTS audit_entry_kept ON audit_entry")
        editor.execute("DROP FUNCTION IF EXISTS audit_entry_kept")
