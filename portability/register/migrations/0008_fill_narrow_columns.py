from typing import Any

from django.db import migrations

from portability.register.bases import Key
from portability.register.repeated import found_by, repeat

_AT_ONCE = 500
_COLUMNS = (
    *("said", "why_key", "retired", "urgency", "name", "name_key", "known_as"),
    *("team_id", "vendor_today", "engine", "gpus", "replicas", "basis_id"),
)


def fill(apps: Any, schema_editor: Any) -> None:
    """Write into every row what it repeats of its workload, what it is found by, and by what it was judged."""
    Row, Basis = apps.get_model("register", "Row"), apps.get_model("register", "Basis")
    Workload = apps.get_model("workloads", "Workload")
    bases: dict[Key, int] = {}
    keys = [f"assessment__{name}" for name in Key._fields[:-1]]
    sets = ", ".join(f"{name} = %s" for name in _COLUMNS)
    rows = Row.objects.order_by("pk").values_list("pk", "workload", "why", *keys, "as_of")
    last = 0
    while some := list(rows.filter(pk__gt=last)[:_AT_ONCE]):
        last = some[-1][0]
        workloads = Workload.objects.select_related("current").in_bulk({workload for _, workload, *_ in some})
        values = []
        for pk, workload_id, why, *columns in some:
            key, workload = Key(*columns), workloads[workload_id]
            if key not in bases:
                bases[key] = Basis.objects.get_or_create(**key._asdict())[0].pk
            facts = workload.current.facts if workload.current else {"containers": []}
            found = {**found_by(facts, why), **repeat(workload), "basis_id": bases[key]}
            values.append([*(found[name] for name in _COLUMNS), pk])
        with schema_editor.connection.cursor() as cursor:
            cursor.executemany(f"UPDATE register_row SET {sets} WHERE id = %s", values)  # noqa: S608 - constants


class Migration(migrations.Migration):
    dependencies = [
        ("register", "0007_narrow_columns"),
        ("workloads", "0002_application_files"),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop, elidable=True)]
