from django.db import migrations

from portability.reviews import triggers


def create(apps, editor):
    triggers.create(editor, triggers.SUMMED_UP)


def drop(apps, editor):
    triggers.drop(editor, triggers.SUMMED_UP)


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0010_entry_vendor'),
    ]

    operations = [
        migrations.RunPython(create, drop),
    ]
