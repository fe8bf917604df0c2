"""The documents of revisions for custom rules: stored ones where they are, else read from the manifests' texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from portability.engine.custom_rules.trees import DocumentTree, read_trees, trees_from_json, trees_to_json
from portability.rules.models import RevisionTree
from portability.workloads.contents import storable
from portability.workloads.models import ManifestFile, Revision

Trees = list[DocumentTree]


def kept_trees(revision: Revision) -> Trees:
    """A revision's documents, stored for the next time. A revision never changes, so whoever stores first is right."""
    found = stored_trees([revision.pk]).get(revision.pk)
    if found is not None:
        return found
    trees = read_again([revision.pk])[revision.pk]
    RevisionTree.objects.update_or_create(revision=revision, defaults={"tree": storable(trees_to_json(trees))})
    return trees


def trees_of(revisions: Iterable[int]) -> dict[int, Trees]:
    """The documents of several revisions by id. Nothing is stored."""
    wanted = list(revisions)
    found = stored_trees(wanted)
    return {**found, **read_again([pk for pk in wanted if pk not in found])}


def stored_trees(revisions: Iterable[int]) -> dict[int, Trees]:
    """Those that are stored, in the form of today."""
    rows = RevisionTree.objects.filter(revision__in=list(revisions)).values_list("revision_id", "tree")
    read = ((pk, trees_from_json(tree)) for pk, tree in rows)
    return {pk: trees for pk, trees in read if trees is not None}


def read_again(revisions: Iterable[int]) -> Mapping[int, Trees]:
    """From the texts, secrets already replaced."""
    files: dict[int, list[tuple[str, str]]] = {pk: [] for pk in revisions}
    texts = ManifestFile.objects.filter(revision__in=files).order_by("revision", "position")
    for pk, name, text in texts.values_list("revision_id", "name", "text"):
        files[pk].append((name, text))
    return {pk: read_trees(given) for pk, given in files.items()}
