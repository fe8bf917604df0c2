"""Files that must be rendered first are recognised, and those that only look like it are not."""

from __future__ import annotations

import pytest

from portability.engine.manifests import read_facts


def problems(text: str) -> list[tuple[int, str, str]]:
    return [(p.line, p.message, p.remedy) for p in read_facts([("a.yaml", text)]).problems]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("kind: Pod\nmetadata:\n  name: {{ .Release.Name }}\n", 3),
        ('kind: Pod\nspec:\n  image: "{{ .Values.image }}:{{ .Values.tag }}"\n', 3),
        ("{{- if .Values.enabled }}\nkind: Pod\n{{- end }}\n", 1),
        ('kind: Pod\nmetadata:\n  labels:\n    {{- include "x.labels" . | nindent 4 }}\n', 4),
        ("a: 1\n{{- range $i := until 3 }}\nb: 2\n{{- end }}\n", 2),
    ],
)
def test_a_helm_template_is_sent_to_helm(text: str, line: int) -> None:
    found = problems(text)
    assert len(found) == 1
    assert found[0][0] == line
    assert "Helm template" in found[0][1] and "helm template" in found[0][2]


def test_a_jinja_template_is_said() -> None:
    found = problems("a: 1\n{% if x %}\nb: 2\n{% endif %}\n")
    assert found[0][0] == 2 and "Jinja" in found[0][1]


@pytest.mark.parametrize(
    "text",
    [
        'legendFormat: "GPU {{gpu}}"\n',
        'annotations:\n  summary: "{{ $labels.instance }} is {{ $value }}"\n',
        'args: ["--served-model-name={{.Name}}"]\n',
        "# {{ .Values.old }}\na: 1\n",
        "data:\n  chat.jinja: |\n    {% for message in messages %}{{ message.content }}{% endfor %}\n",
        "data:\n  README: |\n    set {{ .Values.image }} in your chart\n",
    ],
)
def test_braces_that_are_data_are_no_template(text: str) -> None:
    assert problems(text) == []
