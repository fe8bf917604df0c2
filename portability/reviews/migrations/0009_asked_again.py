from django.db import migrations, models


def keep_the_order(apps, editor):
    """Every decision that replaced another one lifted its entry until now: open queues stay as they are."""
    apps.get_model('reviews', 'Decision').objects.filter(replaced__isnull=False).update(asked_again=True)


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0008_decided_for'),
    ]

    operations = [
        migrations.AddField(
            model_name='decision',
            name='asked_again',
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(keep_the_order, migrations.RunPython.noop),
    ]
