from django.db import migrations, models
from django.db.models import OuterRef, Subquery

_AT_ONCE = 500


def fill_in(apps, editor):
    """Of a closed review as its record says, record by record: each is long; of an open one as the workload is now."""
    entries, records, lines = (apps.get_model('reviews', name) for name in ('Entry', 'Record', 'SummaryLine'))
    now = apps.get_model('workloads', 'Workload').objects.filter(pk=OuterRef('workload_id'))
    entries.objects.update(vendor=Subquery(now.values('vendor_today')))
    for record in records.objects.values('pk', 'review_id'):
        by_vendor = {}
        for said in lines.objects.filter(record=record['pk']).values_list('said', flat=True).iterator():
            by_vendor.setdefault(said['workload']['vendor_today'], []).append(said['workload']['id'])
        for vendor, workloads in by_vendor.items():
            for start in range(0, len(workloads), _AT_ONCE):
                some = workloads[start : start + _AT_ONCE]
                entries.objects.filter(review=record['review_id'], workload__in=some).update(vendor=vendor)


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0009_asked_again'),
        ('workloads', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='entry',
            name='vendor',
            field=models.CharField(blank=True, default='', max_length=10),
            preserve_default=False,
        ),
        migrations.RunPython(fill_in, migrations.RunPython.noop),
    ]
