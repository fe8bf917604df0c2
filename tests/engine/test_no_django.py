"""The engine and its command line work where Django cannot be imported."""

import subprocess
import sys

_BLOCKED = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"django", "celery", "redis", "psycopg"}:
            raise ImportError(f"{name} must not be imported by the engine")
sys.meta_path.insert(0, Refuse())
import pkgutil, importlib, portability.engine, portability.cli
for module in pkgutil.walk_packages(portability.engine.__path__, "portability.engine."):
    importlib.import_module(module.name)
assert not {"django", "celery"} & set(sys.modules)
print("imported", len([m for m in sys.modules if m.startswith("portability.engine")]))
"""


def test_every_engine_module_imports_without_django() -> None:
    run = subprocess.run([sys.executable, "-c", _BLOCKED], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout.split()[1]) > 30
