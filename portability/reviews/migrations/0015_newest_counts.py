from django.db import migrations


def settle_again(apps, editor):
    """What a reviewer decided counts by the newest decision for the target by now: workers find out what that makes."""
    own = apps.get_model('reviews', 'Decision').objects.filter(kind='otherwise', undone_at=None)
    targets = set(own.exclude(target=None).values_list('target_id', flat=True))
    left = apps.get_model('reviews', 'Unsettled').objects
    left.bulk_create(left.model(target_id=target) for target in sorted(targets))


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0014_summaries_with_unknown'),
    ]

    operations = [
        migrations.RunPython(settle_again, migrations.RunPython.noop),
    ]
