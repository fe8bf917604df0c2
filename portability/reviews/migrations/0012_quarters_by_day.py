from django.db import migrations, models

from portability.organisation.dates import Quarter


def fill_in(apps, editor):
    """By how quarters were counted when the plan's review was opened: its name and its first day say that."""
    reviews, decisions = (apps.get_model('reviews', name) for name in ('Review', 'Decision'))
    for pk, name, starts in reviews.objects.values_list('pk', 'quarter', 'starts'):
        quarter = Quarter.parse(name)
        first_month = (starts.month - 1 - 3 * (quarter.number - 1)) % 12 + 1
        plans = decisions.objects.filter(entry__review=pk).exclude(plan_quarter='')
        for planned in set(plans.order_by().values_list('plan_quarter', flat=True)):
            plans.filter(plan_quarter=planned).update(plan_ends=Quarter.parse(planned).ends(first_month))


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0011_summaries_kept'),
    ]

    operations = [
        migrations.AlterModelOptions(name='review', options={'ordering': ['-starts', '-pk']}),
        migrations.AlterField(model_name='review', name='quarter', field=models.CharField(max_length=8, unique=True)),
        migrations.AddField(model_name='decision', name='plan_ends', field=models.DateField(null=True)),
        migrations.RunPython(fill_in, migrations.RunPython.noop),
    ]
