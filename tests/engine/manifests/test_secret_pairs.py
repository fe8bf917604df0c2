"""Name and value apart: in files that cannot be read, in comments, and in manifests kept as text."""

from __future__ import annotations

import json
import textwrap
import time

import pytest

from portability.engine.manifests.secrets import MARKER, redact

APPLIED = {"kind": "Secret", "apiVersion": "v1", "metadata": {"name": "s"}, "data": {"a": "aGlkZGVu"}}
ENV = {"kind": "Pod", "spec": {"containers": [{"env": [{"name": "HF_TOKEN", "value": "hidden"}]}]}}


def out_of(text: str) -> str:
    text = textwrap.dedent(text)
    out = redact([("a.yaml", text)]).files[0][1]
    assert out.count("\n") == text.count("\n")
    return out


@pytest.mark.parametrize(
    "text",
    [
        "env:\n- name: HF_TOKEN\n  value: hidden\n broken: [\n",
        'env:\n- name: "HF_TOKEN"  # for downloads\n  value: "hidden"\n broken: [\n',
        "env:\n- {name: HF_TOKEN, value: 'hidden'}\n broken: [\n",
        '{"env": [{"name": "HF_TOKEN", "value": "hidden"}\n',
        "env:\n- name: A\n  value: b\n# - name: DB_PASSWORD\n#   value: hidden\n",
        "image: x  # password: hidden\n",
        "# export OPENAI_API_KEY=hidden\nimage: x\n",
        'a: {{ .Values.db.password | default "hidden" }}\n',
        "env:\n- value: hidden\n  name: HF_TOKEN\n broken: [\n",
        "args:\n- >-\n  --api-key\n  hidden\n",
        "args:\n- |\n  exec vllm serve x \\\n    --api-key \\\n    hidden\n",
        "command: [sh, -c, 'curl -s -u someone:hidden https://x']\n",
        "data:\n  pod.yaml: |\n    env:\n    - name: HF_TOKEN\n      value: hidden\n",
    ],
)
def test_name_and_value_apart(text: str) -> None:
    out = out_of(text)
    assert "hidden" not in out and MARKER in out


@pytest.mark.parametrize("quote", [lambda t: "'" + t + "'", json.dumps, lambda t: "|\n      " + t])
@pytest.mark.parametrize("applied", [APPLIED, ENV])
def test_manifests_kept_as_text(quote, applied) -> None:  # type: ignore[no-untyped-def]
    text = quote(json.dumps(applied))
    out = out_of(
        f"kind: Pod\nmetadata:\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: {text}\n"
    )
    assert "hidden" not in out and "aGlkZGVu" not in out and MARKER in out


@pytest.mark.parametrize(
    "text",
    [
        "# - name: MAX_TOKENS\n#   value: 4096\n",
        "- name: HF_TOKEN\n  valueFrom: {secretKeyRef: {name: a, key: b}}\n broken: [\n",
        "- name: HF_TOKEN\n  value: $(OTHER)\n broken: [\n",
        "# the token is read from the environment\nimage: x\n",
        "data:\n  a: '#no comment'\n",
        "args:\n- --api-key\nresources: {}\n",
        "args:\n- |\n  vllm serve x --use-auth-token \\\n    --port 1\n",
        "command: [sh, -c, 'curl -s -u $USER:$PASSWORD https://x']\n",
        "# kind: Secret\n# data: none here\n",
    ],
)
def test_what_is_no_credential_stays(text: str) -> None:
    assert out_of(text) == text


def test_long_lines_take_no_long_time() -> None:
    started = time.monotonic()
    for text in (
        "#" * 1_000_000,
        "name: " * 200_000,
        "name: token\n" + "#\n" * 200_000,
        " #" * 300_000,
        "name:a,value" * 90_000,
        "value:a,name" * 90_000,
        "--a\n" * 200_000,
        "curl " * 200_000,
    ):
        redact([("a.yaml", text)])
        redact([("a.yaml", "a: |\n  " + text.replace("\n", "\n  ")[:300_000])])
    assert time.monotonic() - started < 30
