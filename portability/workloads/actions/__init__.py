"""Writing to the workloads room, one act a file. Each owns its permission, transaction and audit row."""

from portability.refused import Refused
from portability.workloads.actions.common import Conflict, FormUsed
from portability.workloads.actions.erase import Erased, Widespread, erase_value
from portability.workloads.actions.move import move, rename
from portability.workloads.actions.retake import Retaken, keep_facts
from portability.workloads.actions.retire import restore, retire
from portability.workloads.actions.save import Entry, Saved, save_workload

__all__ = [
    "Conflict",
    "Entry",
    "Erased",
    "FormUsed",
    "Refused",
    "Retaken",
    "Saved",
    "Widespread",
    "erase_value",
    "keep_facts",
    "move",
    "rename",
    "restore",
    "retire",
    "save_workload",
]
