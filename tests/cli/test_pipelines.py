"""docs/pipelines.md: its snippets are taken out of the page, validated, and run."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tests.engine.output.assessed import PINNED, POD

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/pipelines.md").read_text()
ADDRESS = "https://git.example.com/platform/portability.git"


def _snippet(name: str) -> str:
    found = re.search(rf"<!-- {re.escape(name)} -->\n```(?:yaml)?\n(.*?)```\n", PAGE, re.DOTALL)
    assert found, f"the page has no snippet {name}"
    return found[1]


def _validate(snippet: str, schema: str) -> Any:
    data = {"on" if key is True else key: value for key, value in yaml.safe_load(snippet).items()}  # YAML 1.1's `on`
    vendor = files("check_jsonschema").joinpath("builtin_schemas", "vendor", f"{schema}.json")
    jsonschema.Draft7Validator(json.loads(vendor.read_text())).validate(data)
    return data


def _run(command: list[str] | str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command, or lines as a runner gives them to bash, where the tool is installed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-e", "-c", command] if isinstance(command, str) else command,
        cwd=folder,
        env={**os.environ, "PATH": path, "NO_COLOR": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def _git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Someone", "-c", "user.email=someone@example.com", "-c", "init.defaultBranch=main"]
    done = _run(["git", *identity, *arguments], folder)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Somebody's repository with a manifest that is pinned and one that is not."""
    folder = tmp_path / "theirs"
    (folder / "manifests").mkdir(parents=True)
    (folder / "manifests" / "fast.yaml").write_text(PINNED)
    (folder / "manifests" / "chat.yaml").write_text(POD)
    (folder / "settings.yaml").write_text("image: nvcr.io/nvidia/tritonserver:25.01-trtllm-python-py3\n")
    _git(folder, "init", "--quiet")
    _git(folder, "add", ".")
    return folder


@pytest.fixture
def product(tmp_path: Path) -> Path:
    """A copy of this repository as others get it: under version control."""
    folder = tmp_path / "upstream" / "portability"
    folder.mkdir(parents=True)
    for name in ("pyproject.toml", ".pre-commit-hooks.yaml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "requirements", folder / "requirements")
    shutil.copytree(ROOT / "portability", folder / "portability", ignore=shutil.ignore_patterns("__pycache__"))
    _git(folder, "init", "--quiet")
    _git(folder, "add", ".")
    _git(folder, "commit", "--quiet", "--message", "As it is")
    return folder


@pytest.fixture
def empty_environment(tmp_path: Path) -> Path:
    """The `bin` of a Python that has nothing installed."""
    made = _run([sys.executable, "-m", "venv", str(tmp_path / "venv")], tmp_path)
    assert made.returncode == 0, made.stderr
    return tmp_path / "venv" / "bin"


def _pre_commit(repository: Path, config: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    (repository / ".pre-commit-config.yaml").write_text(config)
    _git(repository, "add", ".")
    return _run(["pre-commit", "run", "--all-files"], repository, PRE_COMMIT_HOME=str(tmp_path / "pre-commit"))


def _stops_the_pinned_one(done: subprocess.CompletedProcess[str], name: str) -> None:
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(rf"{re.escape(name)}\.+Failed", done.stdout)
    assert "PINNED  fast  manifests/fast.yaml" in done.stdout and "NEEDS CHANGE  chat" in done.stdout
    assert "settings.yaml" not in done.stdout, "only what `files` names is judged"


def test_pre_commit_with_the_tool_installed(repository: Path, tmp_path: Path) -> None:
    config = _snippet("pre-commit-local")
    (hook,) = yaml.safe_load(config)["repos"][0]["hooks"]
    _stops_the_pinned_one(_pre_commit(repository, config, tmp_path), hook["name"])
    (repository / "manifests" / "fast.yaml").unlink()
    done = _pre_commit(repository, config, tmp_path)
    assert done.returncode == 0 and "Passed" in done.stdout


@pytest.mark.long
def test_pre_commit_that_builds_an_environment(repository: Path, product: Path, tmp_path: Path) -> None:
    config = _snippet("pre-commit").replace(ADDRESS, str(product))
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    _stops_the_pinned_one(_pre_commit(repository, config, tmp_path), hook["name"])


def test_the_hooks_are_as_pre_commit_wants_them() -> None:
    done = _run(["pre-commit", "validate-manifest", ".pre-commit-hooks.yaml"], ROOT)
    assert done.returncode == 0, done.stdout


def test_github_uploads_and_fails_where_a_workload_is_pinned(repository: Path) -> None:
    workflow = _validate(_snippet("github"), "github-workflows")
    assert workflow["permissions"]["security-events"] == "write"
    steps = {step.get("name", step.get("uses")): step for step in workflow["jobs"]["assess"]["steps"]}
    log = _run(steps["Say it in the log"]["run"], repository)
    assert log.returncode == 0 and "PINNED  fast" in log.stdout
    judged = _run(steps["Assess"]["run"], repository)
    assert judged.returncode == 1
    upload = steps["Show it on the lines"]
    assert upload["if"] == "${{ !cancelled() }}", "also after the step before it failed"
    (run,) = json.loads((repository / upload["with"]["sarif_file"]).read_text())["runs"]
    places = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in run["results"]}
    assert places == {"manifests/fast.yaml", "manifests/chat.yaml"}


def test_gitlab_keeps_the_findings_and_fails_where_a_workload_is_pinned(repository: Path) -> None:
    (job,) = _validate(_snippet("gitlab"), "gitlab-ci").values()
    done = _run("\n".join(job["script"]), repository)
    assert done.returncode == 1 and "PINNED  fast" in done.stdout
    assert job["artifacts"]["when"] == "always"
    (artifact,) = job["artifacts"]["paths"]
    rows = list(csv.DictReader((repository / artifact).open(newline="")))
    assert {row["verdict"] for row in rows} == {"pinned", "needs-change"}
    (repository / "manifests" / "fast.yaml").unlink()
    assert _run("\n".join(job["script"]), repository).returncode == 0


def _install_commands() -> dict[str, str]:
    github = yaml.safe_load(_snippet("github"))["jobs"]["assess"]["steps"]
    return {
        "page": _snippet("install"),
        "github": next(step["run"] for step in github if step.get("name") == "Install"),
        "gitlab": "\n".join(yaml.safe_load(_snippet("gitlab"))["portability"]["before_script"]),
    }


@pytest.mark.long
@pytest.mark.parametrize("where", ["page", "github", "gitlab"])
def test_installing_brings_the_tool_and_nothing_of_the_web_application(
    where: str, repository: Path, product: Path, empty_environment: Path, tmp_path: Path
) -> None:
    places = {"PORTABILITY": str(product), "RUNNER_TEMP": str(tmp_path), "HOME": str(tmp_path)}
    places["PATH"] = f"{empty_environment}{os.pathsep}{os.environ['PATH']}"
    done = _run(_install_commands()[where].replace(ADDRESS, str(product)), tmp_path, **places)
    assert done.returncode == 0, done.stderr
    listed = _run([str(empty_environment / "python"), "-m", "pip", "list", "--format", "json"], tmp_path, **places)
    locked = re.findall(r"^([\w.-]+)==", (ROOT / "requirements/cli.txt").read_text(), re.MULTILINE)
    assert {each["name"].lower() for each in json.loads(listed.stdout)} == {"pip", "portability", *locked}
    run = _run("portability assess manifests --format sarif | head -c 1", repository, **places)
    assert run.stdout == "{" and run.stderr == ""
    assert _run("portability assess manifests", repository, **places).returncode == 1


def test_the_package_asks_for_what_the_lock_holds() -> None:
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    lines = (line.partition("#")[0].strip() for line in (ROOT / "requirements/cli.in").read_text().splitlines())
    assert set(asked) == {line for line in lines if line and not line.startswith("setuptools")}


def test_every_address_on_the_page_is_the_one_to_replace() -> None:
    assert set(re.findall(r"https://git\.example\.com\S*?\.git", PAGE)) == {ADDRESS}
