from django.db import migrations, models
from django.db.models import F, OuterRef, Subquery


def fill_in(apps, editor):
    """Beside a reviewer's own decision the engine's verdict; where something is waived besides, worked out anew."""
    decided = apps.get_model('reviews', 'Decided').objects
    judged = apps.get_model('register', 'Assessment').objects.filter(pk=OuterRef('assessment_id'))
    decided.filter(decision=None).update(with_waivers=F('verdict'))
    own = decided.exclude(decision=None)
    own.update(with_waivers=Subquery(judged.values('verdict')))
    left = apps.get_model('reviews', 'Unsettled').objects
    targets = set(own.filter(waived__gt=0).values_list('target_id', flat=True))
    left.bulk_create(left.model(target_id=target) for target in sorted(targets))


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0012_quarters_by_day'),
    ]

    operations = [
        migrations.AddField(
            model_name='decided',
            name='with_waivers',
            field=models.CharField(default='', max_length=14),
            preserve_default=False,
        ),
        migrations.RunPython(fill_in, migrations.RunPython.noop),
    ]
