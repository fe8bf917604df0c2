from django.db import migrations, models


def keep_reasons(apps, editor):
    """Of what is left to the next review already: who did is not known, so that nobody undoes it by a key."""
    entries = apps.get_model('reviews', 'Entry')
    entries.objects.filter(state='deferred').update(left_reason=models.F('deferred_reason'))


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0006_left_by'),
    ]

    operations = [
        migrations.RunPython(keep_reasons, migrations.RunPython.noop),
    ]
