from django.db import migrations

from portability.reviews import triggers


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0001_initial'),
    ]

    operations = [
        migrations.RunPython(lambda apps, editor: triggers.create(editor), lambda apps, editor: triggers.drop(editor)),
    ]
