from django.db import migrations

from portability.reviews import triggers


def create(apps, editor):
    triggers.create(editor, triggers.SIGNED)


def drop(apps, editor):
    triggers.drop(editor, triggers.SIGNED)
    triggers.drop_function(editor)


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0001_initial'),
    ]

    operations = [
        migrations.RunPython(create, drop),
    ]
