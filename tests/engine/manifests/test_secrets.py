"""Credentials do not stay; everything else does, line for line."""

from __future__ import annotations

import textwrap
import time

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from portability.engine.manifests import read_facts
from portability.engine.manifests.secrets import MARKER, Redacted, redact


def run(text: str) -> tuple[str, Redacted]:
    text = textwrap.dedent(text)
    result = redact([("a.yaml", text)])
    out = result.files[0][1]
    assert out.count("\n") == text.count("\n")
    return out, result


def test_values_of_secrets_in_every_style_keep_their_lines() -> None:
    out, result = run(
        """\
        apiVersion: v1
        kind: Secret
        metadata: {name: keeps-its-name}
        data:
          plain: Zm9vYmFy
          block: |
            hidden1
              hidden2
        stringData: {quoted: "hidden3
            hidden4", single: 'hidden5', anchored: &a hidden6}
        type: Opaque
        """
    )
    assert "hidden" not in out and "Zm9v" not in out
    assert "keeps-its-name" in out and "Opaque" in out
    loaded = yaml.safe_load(out)
    assert set(loaded["data"]) == {"plain", "block"} and set(loaded["stringData"]) == {"quoted", "single", "anchored"}
    assert [(r.line, r.pointer, r.lines) for r in result.redactions] == [
        (5, "0:/data/plain", 1),
        (6, "0:/data/block", 3),
        (9, "0:/stringData/quoted", 2),
        (10, "0:/stringData/single", 1),
        (10, "0:/stringData/anchored", 1),
    ]


def test_secrets_inside_lists_and_templates() -> None:
    out, _ = run(
        """\
        kind: List
        apiVersion: v1
        items: [{kind: Secret, apiVersion: v1, stringData: {a: hidden}}]
        ---
        kind: Template
        apiVersion: template.openshift.io/v1
        objects: [{kind: Secret, apiVersion: v1, data: {a: aGlkZGVu}}]
        parameters: [{name: DB_PASSWORD, value: hidden}]
        """
    )
    assert "hidden" not in out and "aGlkZGVu" not in out


@pytest.mark.parametrize(
    "line",
    [
        "env: [{name: OPENAI_API_KEY, value: hidden}]",
        "env: [{name: AWS_SECRET_ACCESS_KEY, value: hidden}]",
        "env: [{name: REDIS_PASSWORD, value: hidden}]",
        "env: [{name: HF_TOKEN, value: hidden}]",
        "env: {VLLM_API_KEY: hidden}",
        "env: ['HF_TOKEN=hidden']",
        "password: hidden",
        "token: hidden",
        "apiKey: hidden",
        "clientSecret: hidden",
        "args: [--api-key=hidden]",
        "args: [--api-key, hidden]",
        "args: ['vllm serve x --api-key hidden --port 1']",
        "url: postgres://user:hidden@db/x",
        "command: ['curl -H \"Authorization: Bearer hidden-0123456789abcdef\" x']",
    ],
)
def test_fields_that_look_like_credentials(line: str) -> None:
    out, result = run(line + "\n")
    assert "hidden" not in out and MARKER in out
    assert yaml.safe_load(out) is not None
    assert result.redactions[0].why


@pytest.mark.parametrize(
    "token",
    [
        "hf_" + "a" * 34,
        "sk-" + "a" * 40,
        "AKIA" + "A" * 16,
        "ghp_" + "a" * 36,
        "glpat-" + "a" * 20,
        "nvapi-" + "a" * 40,
        "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",
    ],
)
def test_well_known_forms_wherever_they_stand(token: str) -> None:
    out, _ = run(f"note: use {token} here\n# and {token}\n")
    assert token not in out and "note: use" in out


def test_private_keys_and_assignments_in_scripts() -> None:
    out, _ = run(
        """\
        apiVersion: v1
        kind: ConfigMap
        data:
          run.sh: |
            export HF_TOKEN=hidden && serve --max-num-batched-tokens 4096
            cat <<EOF
            -----BEGIN RSA PRIVATE KEY-----
            hidden
            hidden
            -----END RSA PRIVATE KEY-----
            EOF
          app.py: |
            os.environ["OPENAI_API_KEY"] = "hidden"
            client(token="hidden", max_tokens=100)
          app.yaml: |
            password: hidden words of it
            max_tokens: 100
        """
    )
    assert "hidden" not in out and "words of it" not in out
    assert "--max-num-batched-tokens 4096" in out and "max_tokens=100" in out and "max_tokens: 100" in out


@pytest.mark.parametrize(
    "line",
    [
        "env: [{name: MAX_TOKENS, value: '4096'}]",
        "max_tokens: 4096",
        "args: [--max-num-batched-tokens, '4096', --tokenizer=/models/tokenizer]",
        "args: ['vllm serve x --max-num-batched-tokens 4096 --tokenizer /t']",
        "env: [{name: HF_TOKEN, valueFrom: {secretKeyRef: {name: hf-secret, key: hf_api_token}}}]",
        "env: [{name: HF_TOKEN, value: $HF_TOKEN}, {name: A_TOKEN, value: '$(OTHER)'}]",
        "tolerations: [{key: nvidia.com/gpu, operator: Exists}]",
        "imagePullSecrets: [{name: regcred}]",
        "authSecret: ngc-api-secret",
        "volumes: [{name: v, secret: {secretName: tls-secret}}]",
        "automountServiceAccountToken: true",
        "hf_token: <your-hf-token>",
        "tokenizer: org/name",
        "pad_token: end",
        "args: [--model=org/name]",
        "passwordSecretRef: {name: x, key: password}",
        "image: quay.io/a/b:v1",
    ],
)
def test_what_only_looks_like_one_stays(line: str) -> None:
    out, result = run(line + "\n")
    assert out == line + "\n"
    assert result.redactions == []


def test_an_alias_in_a_secret_place_hides_its_anchor() -> None:
    out, _ = run("shown: &x hidden\npassword: *x\n")
    assert "hidden" not in out


def test_text_that_cannot_be_parsed_is_gone_through_by_lines() -> None:
    out, result = run("a: [\npassword: hidden\nHF_TOKEN=hidden\nx: {{ .Values.y }}\n")
    assert "hidden" not in out and "{{ .Values.y }}" in out
    assert [r.line for r in result.redactions] == [2, 3]


def test_harmless_values_stay() -> None:
    text = "password: example\ntoken: hidden\n"
    result = redact([("a.yaml", text)], harmless={("a.yaml", "0:/password")})
    assert result.files == [("a.yaml", f'password: example\ntoken: "{MARKER}"\n')]
    assert redact([("b.yaml", text)], harmless={("a.yaml", "0:/password")}).files[0][1].count(MARKER) == 2


def test_json_stays_json() -> None:
    out, _ = run('{"password": "hidden",\n "n": 1, "env": [{"name": "A_TOKEN", "value": "hidden"}]}\n')
    assert yaml.safe_load(out)["password"] == MARKER and "hidden" not in out


@pytest.mark.parametrize("breaks", ["\r\n", "\r"])
def test_line_ends_are_kept(breaks: str) -> None:
    text = breaks.join(["password: hidden", "b: |", "  x", "token: hidden", ""])
    out = redact([("a.yaml", text)]).files[0][1]
    assert "hidden" not in out and out.count(breaks) == text.count(breaks)


def test_places_of_facts_do_not_move() -> None:
    text = (
        "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: c\n    env:\n    - name: A_PASSWORD\n"
        "      value: |\n        one\n        two\n    image: a/b:1\n"
    )
    before, after = (read_facts([("a.yaml", t)]) for t in (text, redact([("a.yaml", text)]).files[0][1]))
    assert [s.place for s in before.sites] == [s.place for s in after.sites]


@settings(max_examples=150, deadline=None)
@given(
    st.text(st.characters(categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=40),
    st.sampled_from(['"', "'", None, "|"]),
)
def test_no_value_of_a_secret_survives(value: str, style: str | None) -> None:
    text = yaml.safe_dump({"kind": "Secret", "stringData": {"key": "Q7" + value + "7Q"}}, default_style=style, width=30)
    out = redact([("a.yaml", text)]).files[0][1]
    assert "Q7" not in out and out.count("\n") == text.count("\n")
    assert set(yaml.safe_load(out)["stringData"]["key"].split()) == {MARKER}


@pytest.mark.parametrize(
    "text",
    [
        'a: "' + "x" * 2_000_000 + '"\n',
        "password: x\n" * 60_000,
        "-----BEGIN PRIVATE KEY-----\n" * 30_000,
        "a" * 2_000_000,
        "a-" * 1_000_000,
        "a://" * 500_000,
        "{{" * 1_000_000,
        "token" * 400_000,
    ],
)
def test_hostile_text_is_redacted_in_time(text: str) -> None:
    start = time.perf_counter()
    redact([("a.yaml", text)])
    assert time.perf_counter() - start < 20


def test_binary_and_wrong_encodings_give_text_without_secrets() -> None:
    out = redact([("a.bin", b"\x00\x01password: hidden\n"), ("b.yaml", "password: hidden # \xe4\n".encode("latin-1"))])
    assert all("hidden" not in text for _, text in out.files)
