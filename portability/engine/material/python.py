"""Python by its syntax tree: imports, names with their aliases resolved, strings, and the commands it calls."""

from __future__ import annotations

import ast
import re
import threading
import warnings
from collections.abc import Iterator

from portability.engine.material.words import How, Unread, Word, pieces

MAX_CHARACTERS = 1_000_000  # of a file that is read as a tree
_DEEP = "it is nested too deeply"
_REPORTS = re.compile(r"(?:^|[._])(?:log|logger|logging|warnings|console|tqdm)\.\w+$|^(?:print|pprint|warn)$", re.I)
_DESCRIBES = frozenset({"help", "description", "epilog", "usage", "doc", "title", "label", "summary", "tooltip"})
_CALLS = re.compile(
    r"(?:^|\.)(?:system|popen|Popen|check_output|check_call|getoutput|getstatusoutput|which|create_subprocess_exec"
    r"|create_subprocess_shell|exec[lv]p?e?|spawn[lv]p?e?)$|^subprocess\.(?:run|call)$"
)
_IMPORTS = frozenset(
    {"importlib.import_module", "__import__", "importlib.util.find_spec", "find_spec", "import_module"}
)
_IMPORTS_SO = re.compile(r"(?:^|\.)(?:importorskip|is_module_available|is_package_available)$")
_INSTALLS = frozenset({"pip_install", "uv_pip_install"})
_PACKAGE_LISTS = frozenset({"install_requires", "setup_requires", "tests_require", "extras_require"})
_warnings = threading.Lock()  # Python's list of warning filters is one for all threads


def parse(text: str) -> ast.Module | Unread:
    """The tree of a file, or why there is none. Nothing is run, and no file makes it run out of memory."""
    if len(text) > MAX_CHARACTERS:
        return _unread(1, f"it holds {len(text):,} characters, at most {MAX_CHARACTERS:,} are read so")
    try:
        with _warnings, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that are no longer liked
            return ast.parse(text)
    except SyntaxError as error:
        line = min(error.lineno or 1, text.count("\n") + 1)
        return _unread(line, (error.msg or "invalid syntax").partition(". ")[0].partition("\n")[0][:80])
    except (RecursionError, MemoryError):
        return _unread(1, _DEEP)
    except ValueError:  # a null byte, half of a surrogate pair
        return _unread(1, "it holds characters that no Python source may hold")


def _unread(line: int, why: str) -> Unread:
    return Unread(line, why, "Give the file as Python 3 reads it; templates rendered, Python 2 converted.")


def words(tree: ast.Module) -> list[Word]:
    """What the code asks for. Comments, documentation and what is only printed or logged are left out."""
    found = list(_Reader(tree).read())
    listed = {(word.text, word.line) for word in found if word.how is How.PACKAGE}
    return [word for word in found if word.how is not How.TEXT or (word.text, word.line) not in listed]


class _Reader:
    """Walks a tree without recursion. `_known`: what names of the file stand for."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._known: dict[str, str] = {}
        self._values: dict[str, ast.expr] = {}  # what a name was last given
        roots: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                self._known.update((a.asname, a.name) for a in node.names if a.asname)
                roots.update(a.name.partition(".")[0] for a in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                self._known.update((a.asname or a.name, f"{node.module}.{a.name}") for a in node.names)
                roots.add(str(node.module).partition(".")[0])
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self._values[node.targets[0].id] = node.value
        for name, value in self._values.items():
            named = self._dotted(value)
            if "." in named and named.partition(".")[0] in roots:  # `v = torch.version`
                self._known.setdefault(name, named)

    def read(self) -> Iterator[Word]:
        stack: list[tuple[ast.AST, bool]] = [(self._tree, False)]
        while stack:
            node, told = stack.pop()
            yield from self._of(node, told)
            stack.extend(reversed([(child, told or said) for child, said in self._children(node)]))

    def _children(self, node: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
        """The nodes below, and whether what they hold is only told to a person."""
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return  # documentation
        if isinstance(node, ast.Call):
            reports = bool(_REPORTS.search(self._dotted(node.func)))
            yield node.func, False
            yield from ((arg, reports) for arg in node.args)
            yield from ((k.value, reports or k.arg in _DESCRIBES) for k in node.keywords)
            return
        if isinstance(node, ast.Assert):
            yield node.test, False
            return
        if isinstance(node, ast.If) and self._dotted(node.test).rpartition(".")[2] == "TYPE_CHECKING":
            yield from ((child, False) for child in node.orelse)
            return
        below = [node.value] if isinstance(node, ast.Attribute) else ast.iter_child_nodes(node)
        if isinstance(node, ast.Attribute) and self._dotted(node):
            return  # said whole already
        yield from ((child, isinstance(node, ast.Raise)) for child in below)

    def _of(self, node: ast.AST, told: bool) -> Iterator[Word]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Word(How.MODULE, alias.name, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            if not node.level:  # what stands beside the file is its own
                yield Word(How.MODULE, node.module or "", node.lineno)
                for alias in node.names:
                    yield Word(How.MODULE, f"{node.module}.{alias.name}", node.lineno)
        elif isinstance(node, ast.Attribute) and not told:
            if dotted := self._dotted(node):
                yield Word(How.NAME, dotted, node.lineno)
        elif isinstance(node, ast.Constant) and not told:
            yield from _strings(node)
        elif isinstance(node, ast.Call):
            yield from self._call(node, told)

    def _call(self, node: ast.Call, told: bool) -> Iterator[Word]:
        dotted = self._dotted(node.func)
        last = dotted.rpartition(".")[2]
        first = node.args[0] if node.args else None
        if (dotted in _IMPORTS or _IMPORTS_SO.search(dotted)) and isinstance(first, ast.Constant):
            if isinstance(first.value, str) and first.value.lstrip() == first.value and not first.value.startswith("."):
                yield Word(How.MODULE, first.value, node.lineno)
        elif dotted == "getattr" and not told and (name := self._dotted(node)):
            yield Word(How.NAME, name, node.lineno)
        elif _CALLS.search(dotted):
            yield from self._called(node)
        for keyword in node.keywords:
            if keyword.arg and "cuda" in keyword.arg:  # load_inline(cuda_sources=…)
                yield Word(How.NAME, f"{dotted}.{keyword.arg}", node.lineno)
        if last in _INSTALLS:
            yield from self._packages(node.args)
        elif last == "setup":
            yield from self._packages([k.value for k in node.keywords if k.arg in _PACKAGE_LISTS])
        elif last == "from_registry" and isinstance(first, ast.Constant) and isinstance(first.value, str):
            yield Word(How.IMAGE, first.value, node.lineno)

    def _called(self, node: ast.Call) -> Iterator[Word]:
        """The command that a call runs, on the line where it is written out."""
        parts = [*node.args, *(k.value for k in node.keywords if k.arg in ("args", "cmd", "command"))]
        parts = [self._values.get(part.id, part) if isinstance(part, ast.Name) else part for part in parts]
        for line in " ".join(map(self._command, parts)).split("\n"):
            yield from (Word(How.CALL, piece, parts[0].lineno) for piece in pieces(line.strip()) if piece)

    def _packages(self, given: list[ast.expr]) -> Iterator[Word]:
        for value in given:
            resolved = self._values.get(value.id, value) if isinstance(value, ast.Name) else value
            stack: list[ast.AST] = [resolved]
            while stack:
                node = stack.pop()
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield Word(How.PACKAGE, node.value, node.lineno)
                below = (
                    node.values if isinstance(node, ast.Dict) else list(ast.iter_child_nodes(node))
                )  # an extra's name
                stack.extend(reversed(below))

    def _command(self, node: ast.expr) -> str:
        """The words of a command as far as they are written out; `…` for the others."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):  # "a b".split(), shlex.split("a b")
            node = node.func.value if isinstance(node.func.value, ast.Constant) else next(iter(node.args), node)
        if isinstance(node, ast.List | ast.Tuple):
            return " ".join(_text(item) for item in node.elts)
        return _text(node)

    def _dotted(self, node: ast.expr) -> str:
        """`t.version.cuda` as `torch.version.cuda`; `getattr(a, "b")` as `a.b`; "" for anything else."""
        parts: list[str] = []
        while True:
            if isinstance(node, ast.Attribute):
                parts.append(node.attr)
                node = node.value
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
                name = node.args[1] if len(node.args) > 1 else None
                if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
                    return ""
                parts.append(name.value)
                node = node.args[0]
            elif isinstance(node, ast.Name):
                parts.append(self._known.get(node.id, node.id))
                return ".".join(reversed(parts))
            else:
                return ""


def _text(node: ast.expr) -> str:
    """A string as far as it is written out, put together from its parts."""
    out: list[str] = []
    stack: list[ast.expr] = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, ast.Constant):
            out.append(part.value if isinstance(part.value, str) else "…")
        elif isinstance(part, ast.JoinedStr):
            stack.extend(reversed(part.values))
        elif isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add):
            stack.extend((part.right, part.left))
        else:
            out.append("…")
    return "".join(out)


def _strings(node: ast.Constant) -> Iterator[Word]:
    if not isinstance(node.value, str):
        return
    last = node.end_lineno or node.lineno
    for n, line in enumerate(node.value.split("\n")):
        if stripped := line.strip():
            at = min(node.lineno + n, last)
            yield from (Word(How.TEXT, piece, at) for piece in pieces(stripped))
