
import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from portability.audit import triggers


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0001_initial'),
        ('workloads', '0002_application_files'),
    ]

    operations = [
        migrations.AddField(
            model_name='entry',
            name='workload',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='workloads.workload'),
        ),
        migrations.AlterField(
            model_name='entry',
            name='at',
            field=models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False),
        ),
        migrations.RunPython(lambda apps, editor: triggers.create(editor), lambda apps, editor: triggers.drop(editor)),
    ]
