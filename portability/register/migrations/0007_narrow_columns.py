import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("register", "0006_rows_in_order"),
        ("targets", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Basis",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("target_version", models.PositiveIntegerField()),
                ("catalogue", models.CharField(max_length=64)),
                ("platform_judged", models.BooleanField()),
                ("as_of", models.CharField(blank=True, max_length=200)),
                (
                    "consulted",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="register.consultedset"
                    ),
                ),
                (
                    "target",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="targets.target",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("target", "target_version", "catalogue", "consulted", "platform_judged", "as_of"),
                        name="one_basis_of_a_kind",
                    )
                ]
            },
        ),
        migrations.RemoveIndex(model_name="row", name="row_in_order"),
        migrations.AddField("row", "said", models.TextField(blank=True, default=""), preserve_default=False),
        migrations.AddField("row", "why_key", models.CharField(blank=True, default="", max_length=40), False),
        migrations.AddField("row", "retired", models.BooleanField(default=False)),
        migrations.AddField("row", "urgency", models.PositiveSmallIntegerField(default=0), False),
        migrations.AddField("row", "name", models.CharField(default="", max_length=120), preserve_default=False),
        migrations.AddField("row", "name_key", models.CharField(default="", max_length=240), False),
        migrations.AddField("row", "known_as", models.TextField(default=""), False),
        migrations.AddField("row", "vendor_today", models.CharField(blank=True, default="", max_length=10), False),
        migrations.AddField("row", "engine", models.CharField(blank=True, default="", max_length=40), False),
        migrations.AddField("row", "gpus", models.PositiveIntegerField(null=True)),
        migrations.AddField("row", "replicas", models.PositiveIntegerField(null=True)),
        migrations.AddField(
            "row",
            "team",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="accounts.team",
            ),
        ),
        migrations.AddField(
            "row",
            "basis",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="register.basis",
            ),
        ),
    ]
