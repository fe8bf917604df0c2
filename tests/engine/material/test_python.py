"""Python by its tree: what it asks for, and what it only tells."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portability.engine.material.notebook import as_script
from portability.engine.material.reading import read_material
from portability.engine.material.words import How, Word


def said(text: str, *hows: How) -> list[tuple[int, str]]:
    """The words of a Python file of one kind or several."""
    return [(word.line, word.text) for word in read_material("m.py", text).words if word.how in hows]


@pytest.mark.parametrize(
    "text",
    [
        "import torch\ntorch.version.cuda\n",
        "import torch as t\nt.version.cuda\n",
        "from torch import version\nversion.cuda\n",
        "from torch import version as v\nv.cuda\n",
        "import torch\ngetattr(torch.version, 'cuda', None)\n",
        "import torch\nv = torch.version; v.cuda\n",
        "import torch\nx = f'{torch.version.cuda}'\n",
        "import torch\nf(lambda: [1 for _ in x if torch.version.cuda])\n",
    ],
)
def test_a_name_by_whatever_alias(text: str) -> None:
    assert (2, "torch.version.cuda") in said(text, How.NAME)


def test_imports_in_all_forms_and_none_of_the_file_s_own_package() -> None:
    text = (
        "import a.b as c, d\nfrom e import f\nfrom . import tensorrt\nfrom .pynvml import x\n"
        "g = importlib.import_module('h.i')\n__import__('j')\nimportlib.util.find_spec('k')\n"
    )
    assert [word for _, word in said(text, How.MODULE)] == ["a.b", "d", "e", "e.f", "h.i", "j", "k"]


@pytest.mark.parametrize(
    "text",
    [
        '"""Runs nvidia-smi."""\n',
        "# nvidia-smi\n",
        "def f():\n    'nvidia-smi'\n",
        "print('nvidia-smi', torch.version.cuda)\n",
        "log.info('nvidia-smi %s', torch.version.cuda)\n",
        "self.logger.warning(f'nvidia-smi {torch.version.cuda}')\n",
        "raise RuntimeError('nvidia-smi')\n",
        "assert x, 'nvidia-smi'\n",
        "parser.add_argument('--x', help='nvidia-smi')\n",
        "if TYPE_CHECKING:\n    import pynvml\n",
    ],
)
def test_what_is_told_to_a_person_is_not_asked_for(text: str) -> None:
    assert not [
        w for w in read_material("m.py", text).words if "nvidia" in w.text or "version" in w.text or "nvml" in w.text
    ]


@pytest.mark.parametrize(
    "text",
    [
        "subprocess.run(['nvidia-smi', '-L'])",
        "subprocess.check_output('nvidia-smi -L', shell=True)",
        "import subprocess as sp\nsp.call(args=['nvidia-smi', '-L'])",
        "from subprocess import run\nrun('nvidia-smi -L'.split())",
        "os.system('nvidia-smi ' + '-L')",
        "command = ['nvidia-smi', '-L']\nPopen(command)",
        "print(subprocess.getoutput('nvidia-smi -L'))",
        "asyncio.create_subprocess_exec('nvidia-smi', '-L')",
    ],
)
def test_commands_that_it_calls(text: str) -> None:
    assert "nvidia-smi -L" in [command for _, command in said(text, How.CALL)]


def test_a_command_stands_where_it_is_written_out() -> None:
    assert said("c = [\n 'a',\n]\n\nsubprocess.run(\n  c)\n", How.CALL) == [(1, "a")]


def test_text_over_several_lines_keeps_its_lines() -> None:
    assert said("x = '''\none\ntwo\n'''\n", How.TEXT) == [(2, "one"), (3, "two")]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("import a\nprint 'x'\n", 2),
        ("import a\n{% if x %}\n", 2),
        ("x = '\udc80'\n", 1),
        ("(" * 100_000, 1),
        ("x = " + "-" * 200_000 + "1", 1),
        ("x = 1" + "+1" * 200_000, 1),
        ("x = y" + ".a()" * 100_000, 1),
        ("x = " + "9" * 100_000, 1),
        ("x = 1\n" * 200_000, 1),
    ],
    ids=["python 2", "a template", "a surrogate", "brackets", "signs", "sums", "calls", "a long number", "a long file"],
)
def test_what_has_no_tree_is_read_by_lines_and_says_so(text: str, line: int) -> None:
    read = read_material("m.py", text + "\nimport pynvml\n")
    assert read.unread is not None
    assert read.unread.line >= line
    assert read.unread.why and read.unread.remedy


def test_a_file_without_a_tree_still_tells_its_imports() -> None:
    words = read_material("m.py", "import a, b.c as d\nfrom e import (f, g)\nprint 'x'\n").words
    assert [w.text for w in words if w.how is How.MODULE] == ["a", "b.c", "e", "e.f", "e.g"]


def test_a_notebook_s_cells_and_nothing_of_its_outputs() -> None:
    text = (
        '{"cells": [\n{"cell_type": "markdown", "source": ["import pynvml"]},\n'
        '{"cell_type": "code", "outputs": [{"text": ["nvidia-smi"]}], "source": [\n"%matplotlib inline\\n",\n'
        '"!pip install tensorrt\\n",\n"import torch\\n",\n"if torch.version.cuda:\\n",\n"    !nvidia-smi"\n]}\n],\n'
        '"nbformat": 4}\n'
    )
    words = read_material("n.ipynb", text).words
    assert Word(How.PACKAGE, "tensorrt", 5) in words
    assert Word(How.NAME, "torch.version.cuda", 7) in words
    assert Word(How.COMMAND, "nvidia-smi", 8) in words
    assert not [w for w in words if w.line < 4]


@settings(max_examples=150, deadline=None)
@given(
    st.text(max_size=300), st.sampled_from(["m.py", "n.ipynb", "Dockerfile", "a.sh", "k.cu", "x", "requirements.txt"])
)
def test_any_text_is_read(text: str, name: str) -> None:
    read = read_material(name, text)
    assert all(1 <= word.line <= max(len(read.lines), 1) for word in read.words)


def test_what_is_written_in_escapes_can_be_stored() -> None:
    (word,) = [w for w in read_material("m.py", "x = 'nvidia-smi \\x00 \\ud800'\n").words if w.how is How.TEXT]
    assert word.text == "nvidia-smi \ufffd \ufffd"
    script = as_script('{"cells": [{"cell_type": "code", "source": "x = \'\\u0000\\ud800\'"}]}')
    assert script == "# cell 1\nx = '\ufffd\ufffd'\n"
