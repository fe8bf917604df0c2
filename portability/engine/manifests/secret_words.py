"""What looks like a credential: by the name it stands under, or by its own form."""

from __future__ import annotations

import re

from portability.engine.manifests.gather import kebab

_LAST_WORDS = frozenset(
    {"password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "credential", "credentials", "pat",
     "dockerconfigjson", "htpasswd", "auth"}
)  # fmt: skip
_LAST_PAIRS = re.compile(
    r"(?:^|-)(?:api|access|secret|private|account|auth|signing|encryption|license|service|master|shared|session|webhook"
    r"|ssh|deploy|storage|admin)-?key(?:-id)?(?:-base64|-b64)?$|secret-?access-?key$|access-?key-?id$|bearer-?token$"
    r"|connection-string$|sas-url$|basic-auth$|auth-header$|^authorization$|^root-?pw$"
)
# Tokens of a language model, and settings about tokens, are no credentials.
_MODEL_TOKENS = frozenset(
    {"pad", "eos", "bos", "unk", "sep", "cls", "mask", "stop", "image", "audio", "video", "start", "end", "think",
     "tool", "special", "max", "min", "num", "batched", "per", "next", "skip", "begin", "first", "last", "prompt",
     "output", "input", "mount", "automount", "service-account", "draft", "speech", "text", "no", "use", "enable",
     "disable", "require", "with", "vision", "separator"}
)  # fmt: skip
_REFERENCE = re.compile(r"^[a-z0-9](?:[a-z0-9._/-]*[a-z0-9])?$")
_REFERENCE_WORD = re.compile(r"secret|token|key|cred|auth|pass|cert|tls|login")
_PLACEHOLDER = re.compile(
    r"^(?:\$\{?[A-Za-z_]\w*\}?|\$\([\w.-]+\)|<[^<>\n]*>|\{\{.*\}\}|%\w+%|\*+|x{3,}|\.{3}|REDACTED)$"
)
_SWITCH = frozenset({"bearer", "basic", "true", "false", "yes", "no", "on", "off", "null", "none", "~", "nil"})

# Forms that are credentials wherever they stand: (pattern, what it is). The group is what is hidden.
FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(hf_[A-Za-z0-9]{16,})"), "Hugging Face token"),
    (re.compile(r"\b(sk-[A-Za-z0-9_-]{20,})"), "API key"),
    (re.compile(r"\b((?:AKIA|ASIA)[A-Z0-9]{16})\b"), "AWS access key"),
    (re.compile(r"\b(gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})"), "GitHub token"),
    (re.compile(r"\b(glpat-[A-Za-z0-9_-]{16,})"), "GitLab token"),
    (re.compile(r"\b(xox[abeprs]-[A-Za-z0-9-]{10,})"), "Slack token"),
    (re.compile(r"\b(nvapi-[A-Za-z0-9_-]{20,})"), "NVIDIA API key"),
    (re.compile(r"\b(AIza[A-Za-z0-9_-]{30,})"), "Google API key"),
    (re.compile(r"\b(eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})"), "JSON web token"),
    (
        re.compile(r"(?i:authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:basic|bearer|token)\s{1,3})([^\s\"']{4,})"),
        "credentials",
    ),
    (re.compile(r"(?i:\bbearer\s+)([A-Za-z0-9._~+/-]{16,}=*)"), "bearer token"),
    (re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://[^\s/:@'\"]{0,128}:([^\s/@'\"$<{]{1,256})@"), "password in an address"),
    (re.compile(r"\bhttps?://([^\s/:@'\"$<{]{20,256})@"), "token in an address"),
    (re.compile(r"\b(pypi-[A-Za-z0-9_-]{16,})"), "PyPI token"),
    (re.compile(r"hooks\.slack\.com/services/([A-Za-z0-9/]{16,})"), "webhook address"),
)
# `--api-key=x`, `--api-key x`, `NAME=x`, `name: x`, `"name": "x"`, `environ["NAME"] = "x"`
ASSIGNMENT = re.compile(
    r"""(?:(?<=--)|(?<![\w.-]))(?P<name>[A-Za-z_][\w.-]{1,80})"""
    r"""(?:["'\]]{0,2}[ \t]{0,4}[:=][ \t]{0,4}|[ \t]{1,4}(?=[^-\s]))(?P<quote>["']?)"""
)
VALUES = {
    '"': re.compile(r'[^"\n]{1,4096}'),
    "'": re.compile(r"[^'\n]{1,4096}"),
    "": re.compile(r"""[^\s"',;&|)}\]]{1,4096}"""),
}
_FLAG_BEFORE = re.compile(r"--?$")


def is_secret_name(name: str) -> bool:
    """Whether a value under this name is a credential, not a setting about one or a reference to one."""
    words = kebab(name).replace(".", "-")
    head, _, last = words.rpartition("-")
    if _LAST_PAIRS.search(words):
        return True
    if last not in _LAST_WORDS:
        return False
    return last != "token" or head.rpartition("-")[2] not in _MODEL_TOKENS


def is_secret_value(name: str, value: str) -> bool:
    """Whether what stands under a secret name is the credential itself."""
    value = value.strip()
    if not value or value == "\\" or _PLACEHOLDER.match(value) or value.lower() in _SWITCH:
        return False
    if value.startswith(("/", "./", "file:", "vault:", "secretref:", "$(", "${", "$")) and len(value) < 200:
        return False
    last = kebab(name).replace(".", "-").rpartition("-")[2]
    if last in ("token", "auth", "secret") and value.isdigit() and len(value) < 8:
        return False
    if last == "auth" and value.lower() in ("basic", "ldap", "oidc", "oauth2", "saml", "mtls", "github", "x509"):
        return False
    named = last in ("secret", "key", "auth", "credentials", "credential") and not name.isupper()
    return not (named and _REFERENCE.match(value) and _REFERENCE_WORD.search(value))


def is_flag(text: str, start: int) -> bool:
    """Whether a name that starts here is a flag's."""
    return bool(_FLAG_BEFORE.search(text[max(0, start - 2) : start]))
