import django.db.models.deletion
from django.db import migrations, models

from portability.reviews.record.summary import Summary


def sum_up(apps, editor):
    """Of the records that are there, one after the other: each is long."""
    records, summaries, lines = (apps.get_model('reviews', name) for name in ('Record', 'Summary', 'SummaryLine'))
    for pk in list(records.objects.order_by('pk').values_list('pk', flat=True)):
        made = Summary.of(records.objects.values_list('text', flat=True).get(pk=pk))
        summaries.objects.create(record_id=pk, said=made.said())
        lines.objects.bulk_create([lines(record_id=pk, **columns) for columns in made.rows()], batch_size=500)


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0004_waivers_for_all'),
    ]

    operations = [
        migrations.CreateModel(
            name='Summary',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('said', models.JSONField()),
                ('record', models.OneToOneField(on_delete=django.db.models.deletion.DO_NOTHING, related_name='summary', to='reviews.record')),
            ],
        ),
        migrations.CreateModel(
            name='SummaryLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('verdict', models.CharField(blank=True, max_length=14)),
                ('team', models.CharField(max_length=80)),
                ('said', models.JSONField()),
                ('record', models.ForeignKey(on_delete=django.db.models.deletion.DO_NOTHING, related_name='lines', to='reviews.record')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.AddConstraint(
            model_name='summaryline',
            constraint=models.UniqueConstraint(fields=('record', 'number'), name='summary_line_once'),
        ),
        migrations.RunPython(sum_up, migrations.RunPython.noop),
    ]
