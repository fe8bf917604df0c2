import django.db.models.deletion
from django.db import migrations, models
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce


def fill_in(apps, editor):
    """By what a decision rests on; where that is nothing, it is for the target that its entry has."""
    judged = apps.get_model('register', 'Assessment').objects.filter(pk=OuterRef('assessment_id'))
    entry = apps.get_model('reviews', 'Entry').objects.filter(pk=OuterRef('entry_id'))
    apps.get_model('reviews', 'Decision').objects.update(
        target_id=Coalesce(Subquery(judged.values('target_id')), Subquery(entry.values('target_id')))
    )


class Migration(migrations.Migration):

    dependencies = [
        ('register', '0001_initial'),
        ('reviews', '0007_left_reasons'),
        ('targets', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='decision',
            name='target',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='targets.target'),
        ),
        migrations.RunPython(fill_in, migrations.RunPython.noop),
    ]
