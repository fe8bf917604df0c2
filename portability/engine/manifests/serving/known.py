"""Which named values some table can read a meaning from; what no table knows is not kept."""

from __future__ import annotations

from portability.engine.manifests.serving.features import row_of
from portability.engine.manifests.serving.models import KIND_SETTINGS, rank
from portability.engine.manifests.serving.rows import custom_resources
from portability.engine.memo import remembered, remembered_beside

HUBS = ("hf://", "huggingface://")
# Read by their name where everything is put together.
_BESIDES = frozenset({"engine.version", "features"})


def may_tell(name: str, value: str) -> bool:
    """Whether a field by this name, or with this value, can say which engine, model or feature is in use."""
    return _is_known(name) or value.startswith(HUBS)


@remembered
def _is_known(name: str) -> bool:
    return name in _BESIDES or is_read(name, False)


@remembered_beside
def is_read(name: str, is_flag: bool) -> bool:
    """Whether a table reads an engine, a model, its kind or a feature from a setting by this name."""
    return (
        rank(name, is_flag) is not None
        or row_of(name, is_flag) is not None
        or name in KIND_SETTINGS
        or name in custom_resources()["engine_fields"]
    )
