from typing import Any

from django.db import migrations

from portability.register.obstacles import digest_of, parts_of, text_of


def fill(apps: Any, schema_editor: Any) -> None:
    """Say of every row that needs change what stands in its way, from the findings that are stored."""
    Row, Obstacles = apps.get_model("register", "Row"), apps.get_model("register", "Obstacles")
    known: dict[str, Any] = {}
    rows = Row.objects.filter(verdict="needs-change").order_by("pk")
    last = 0
    while part := list(rows.filter(pk__gt=last).select_related("assessment").only("assessment__findings")[:200]):
        for row in part:
            text = text_of(parts_of(row.assessment.findings))
            if text not in known:
                known[text], _ = Obstacles.objects.get_or_create(digest=digest_of(text), defaults={"text": text})
            row.obstacles = known[text]
        Row.objects.bulk_update(part, ["obstacles"])
        last = part[-1].pk


class Migration(migrations.Migration):
    dependencies = [("register", "0004_exposure_and_rehearsals")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop, elidable=True)]
