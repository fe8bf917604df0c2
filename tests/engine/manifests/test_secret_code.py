"""Credentials in application material: found where they are set, and nothing else is touched."""

from __future__ import annotations

import ast
from time import monotonic

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portability.engine.manifests.secrets import redact_code

VALUE = "hunter2-hunter2"


def without(name: str, text: str) -> str:
    """The text of one file without its credentials."""
    ((_, redacted),) = redact_code([(name, text)]).files
    return redacted


@pytest.mark.parametrize(
    "line",
    [
        'HF_TOKEN = "{}"',
        "password: str = '{}'",
        'os.environ["HF_TOKEN"] = "{}"',
        'settings = {{"password": "{}", "pad_token": "<pad>"}}',
        'login(api_key="{}", token=token)',
        'os.getenv("API_TOKEN", "{}")',
        'command = ["serve", "--api-key", "{}"]',
        'command = f"serve --token {} --x {{x}}"',
        'get(url, auth=("someone", "{}"))',
        'secret_key = (\n    "{}"\n)',
        'password = """{}"""',
        'def f(token: str | None = "{}"): pass',
        'url = "postgres://someone:{}@db/x"',
        "# password: {}",
        'body = "{{\\"token\\": \\"{}\\"}}"',
    ],
)
def test_python(line: str) -> None:
    text = without("m.py", line.format(VALUE) + "\n")
    assert VALUE not in text and "REDACTED" in text
    ast.parse(text)


def test_an_escaped_quote_does_not_end_it() -> None:
    assert without("m.py", 'password = "a\\"bcdefgh"\n') == 'password = "REDACTED"\n'


@pytest.mark.parametrize(
    "line",
    [
        "token = get_token()",
        'api_key = os.environ["API_KEY"]',
        'tokenizer.add_special_tokens({"pad_token": "<pad>", "eos_token": "</s>"})',
        'NAMES = ["HF_TOKEN", "OPENAI_API_KEY"]',
        'parser.add_argument("--token", "-t", help="a token")',
        'password = ask("Password: ")',
        'message = "Found no token, " + repr(x)',
        'command = f"serve --token {token}"',
        'headers = {"Authorization": f"Bearer {token}"}',
    ],
)
def test_what_is_none_stays(line: str) -> None:
    assert without("m.py", line + "\n") == line + "\n"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("requirements.txt", "--index-url https://someone:{}@host/simple"),
        ("requirements.txt", "--extra-index-url https://{}{}@host/simple"),
        ("Dockerfile", "ENV HF_TOKEN {}"),
        ("Dockerfile", "ENV A=1 API_KEY={}"),
        ("Dockerfile", "ARG PASSWORD={}"),
        ("start.sh", "export API_KEY={}"),
        ("start.sh", "curl -u someone:{} https://host"),
        ("pyproject.toml", 'password = "{}"'),
        ("settings.env", "SECRET_KEY={}"),
        ("main.go", 'password := "{}"'),
        ("k.cpp", 'char token[] = "{}";'),
    ],
)
def test_other_files(name: str, line: str) -> None:
    text = without(name, line.format(VALUE, VALUE) + "\n")
    assert VALUE not in text and "REDACTED" in text


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="abt \"'=:,()#\\\n{}[]", max_size=120), st.sampled_from(["token", "password", "x"]))
def test_lines_stay_where_they_are_and_twice_is_once(text: str, name: str) -> None:
    said = f"{text}{name} = '{text}'\n{name}: {text}"
    for file in ("m.py", "Dockerfile", "x.txt"):
        redacted = without(file, said)
        assert redacted.count("\n") == said.count("\n")
        assert without(file, redacted) == redacted


@pytest.mark.parametrize("text", ['token = "', 'token = """', "token", '"token",', "# token\n", 'token = ("\n'])
def test_no_text_takes_long(text: str) -> None:
    start = monotonic()
    without("m.py", text * (1_000_000 // len(text)))
    assert monotonic() - start < 15
