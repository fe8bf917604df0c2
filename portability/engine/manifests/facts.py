"""Files to facts: read, walk, and say what each container serves."""

from __future__ import annotations

from collections.abc import Sequence

from portability.engine.manifests.builder import Unread
from portability.engine.manifests.collector import collector_resting
from portability.engine.manifests.gather import Gathered
from portability.engine.manifests.names import UNREAD
from portability.engine.manifests.reader import read
from portability.engine.manifests.serving.rows import passed_over
from portability.engine.manifests.serving.workload import complete
from portability.engine.manifests.walk import visit, walk
from portability.engine.model import Facts, Problem


def read_facts(files: Sequence[tuple[str, str | bytes]]) -> Facts:
    """What manifests say. A file that cannot be read whole is a problem; the others, and the rest of it, are read."""
    gathered = Gathered(visit)
    problems: list[Problem] = []
    documents = 0
    unread = Unread(passed_over(), UNREAD)
    with collector_resting():
        for name, content in files:
            result = read(name, content, unread=unread)
            problems += result.problems
            documents += sum(document.root is not None for document in result.documents)
            for document in result.documents:
                walk(name, result.source, document, gathered)
        return complete(tuple(name for name, _ in files), documents, tuple(problems), gathered)
