import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0003_holds_for'),
        ('targets', '0001_initial'),
        ('workloads', '0001_initial'),
    ]

    operations = [
        migrations.AlterField(
            model_name='waiver',
            name='workload',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='waivers', to='workloads.workload'),
        ),
        migrations.AddIndex(
            model_name='waiver',
            index=models.Index(condition=models.Q(('workload', None)), fields=['target'], name='waivers_for_all'),
        ),
        migrations.CreateModel(
            name='Unsettled',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('after', models.BigIntegerField(default=0)),
                ('asked_at', models.DateTimeField(auto_now_add=True)),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='targets.target')),
            ],
        ),
    ]
