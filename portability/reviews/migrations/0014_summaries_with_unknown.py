"""Sums the records up anew: a summary says now of how many workloads a number is not known, and what each line counts as.

The records themselves stay as they are.
"""

from importlib import import_module

from django.db import migrations

from portability.reviews import triggers

_sum_up = import_module("portability.reviews.migrations.0005_summaries").sum_up


def anew(apps, editor):
    triggers.drop(editor, triggers.SUMMED_UP)
    for name in ("SummaryLine", "Summary"):
        apps.get_model("reviews", name).objects.all().delete()
    _sum_up(apps, editor)
    editor.connection.check_constraints()  # or PostgreSQL lets no table be altered that has some left to check
    triggers.create(editor, triggers.SUMMED_UP)


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0013_with_waivers'),
    ]

    operations = [
        migrations.RunPython(anew, migrations.RunPython.noop),
    ]
