"""Which named values some table can read a meaning from; what no table knows is not kept."""

from __future__ import annotations

from functools import lru_cache

from portability.engine.manifests.serving.features import row_of
from portability.engine.manifests.serving.rows import custom_resources, model_fields

HUBS = ("hf://", "huggingface://")
# Read by their name where everything is put together.
_BESIDES = frozenset({"engine.version", "features"})


def may_tell(name: str, value: str) -> bool:
    """Whether a field by this name, or with this value, can say which engine, model or feature is in use."""
    return _is_known(name) or value.startswith(HUBS)


@lru_cache(maxsize=8_192)
def _is_known(name: str) -> bool:
    fields = model_fields()
    return (
        name in fields["fields"]
        or name in fields["hints"]
        or name in custom_resources()["engine_fields"]
        or name in _BESIDES
        or row_of(name, False) is not None
    )
