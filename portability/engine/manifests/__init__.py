"""From manifest texts to facts. `read_facts` is what everyone else needs."""

from portability.engine.manifests.facts import read_facts

__all__ = ["read_facts"]
