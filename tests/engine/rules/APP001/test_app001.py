"""APP001: code that asks for a vendor."""

from portability.engine.model import Effect
from tests.engine.rules.judging import NVIDIA, found


def _files(text: str) -> dict[str, object]:
    return {"source_files": {"serve.py": text}}


def test_one_finding_a_line_with_its_place() -> None:
    findings = found("APP001", workload=_files("import torch\n# pynvml\nif torch.version.cuda:\n    import pynvml\n"))
    assert [(f.place.file, f.place.line) for f in findings if f.place] == [("serve.py", 3), ("serve.py", 4)]


def test_either_vendor_in_one_file_is_fine() -> None:
    text = "cuda = torch.version.cuda\nhip = torch.version.hip\n"
    assert not found("APP001", workload=_files(text))
    assert not found("APP001", workload=_files(text), target=NVIDIA)


def test_a_gate_on_hip_is_foreign_to_nvidia() -> None:
    (finding,) = found("APP001", workload=_files("if torch.version.hip:\n    fast()\n"), target=NVIDIA)
    assert finding.effect is Effect.CHANGE


def test_a_script_in_a_config_map() -> None:
    text = (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: code}\n"
        "data:\n  serve.py: |\n    import torch\n    engine(device='cuda')\n    if torch.version.cuda: fast()\n"
    )
    (finding,) = found("APP001", text)
    assert finding.place is not None
    assert finding.place.line == 8
