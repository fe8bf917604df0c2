"""The keys of published cells, in one place: what each source answers, and under which key.

rocm-compatibility-matrix (a release for each ROCm version)
    part/PART/gfx | series | architecture       LLVM target and the like
    os/PART/FAMILY/VERSION                      the kernel listed with that OS version; PART may be a family (radeon)
    driver/PART                                 the enumerated amdgpu versions, separated by commas
    firmware/PART                               the firmware bundles, separated by semicolons
    framework/NAME/SCOPE/VERSION                the operating systems it is offered on; SCOPE is an LLVM target,
                                                a part, a family or `any`
vllm-features       hardware/FEATURE/COLUMN, pair/FEATURE/FEATURE
vllm-quantization   hardware/METHOD/COLUMN
vllm-installation   target/GFX                  the lowest ROCm (`>=7.0`); image/cuda, image/rocm
gpu-operator-platforms (a release for each operator version)
    platform/OS/VERSION/kubernetes | openshift | driver-management     VERSION is `any` where the page gives none
    gpu/PART, narrowed/PART/kubernetes | openshift | rocm | amdgpu, device-config/..., dra/..., node-labels/...
amd-device-plugin   naming/STRATEGY/..., partitioning/PART
amd-workload-optimization, amdgpu-partitioning
    mode/PART/MODE, devices/PART/MODE, memory/PART/MODE                 devices of a GPU, and GB of one
amdgpu-compatibility       pairing/DRIVER       the ROCm version released with it
gpu-parts           part/PART/gfx | family | memory | devices | device-memory | vllm-column
rocm-release-dates  released/ROCM
user-kernel-space-matrix   window/...
"""

from __future__ import annotations

ROCM = "rocm-compatibility-matrix"
AMDGPU = "amdgpu-compatibility"
OPERATOR = "gpu-operator-platforms"
VLLM_FEATURES = "vllm-features"
VLLM_QUANTIZATION = "vllm-quantization"
VLLM_INSTALLATION = "vllm-installation"
DEVICE_PLUGIN = "amd-device-plugin"
OPTIMIZATION = "amd-workload-optimization"
PARTITIONING = "amdgpu-partitioning"
PARTS = "gpu-parts"
DATES = "rocm-release-dates"
WINDOW = "user-kernel-space-matrix"
RADEON = "rocm-on-radeon"


def listed(value: str, separator: str = ",") -> list[str]:
    """The entries of a cell that holds a list."""
    return [entry.strip() for entry in value.split(separator) if entry.strip()]
