import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F


def hold_for_what_they_rest_on(apps, editor):
    apps.get_model('reviews', 'Decision').objects.update(holds_for=F('assessment'))


class Migration(migrations.Migration):

    dependencies = [
        ('register', '0001_initial'),
        ('reviews', '0002_written_once'),
    ]

    operations = [
        migrations.AddField(
            model_name='decision',
            name='holds_for',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='register.assessment'),
        ),
        migrations.RunPython(hold_for_what_they_rest_on, migrations.RunPython.noop),
    ]
