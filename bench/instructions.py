"""Count the instructions of kernels on a 64-bit ARM processor: `python -m bench.instructions`.

Prints the number of instructions that each kernel executes, as portable code and with NEON. qemu executes and counts
them, so the numbers are exact, but they are not times: processors execute several instructions per cycle, and some take
longer than others. Needs Debian's g++, g++-aarch64-linux-gnu and qemu-user.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_PROGRAM = _ROOT / "bench/native/kernels.cpp"
_PLUGIN = _ROOT / "bench/native/count_instructions.c"
_KERNELS = {
    "classify": "classify 1 KiB of English",
    "write_positions": "write the positions of the spaces in 1 KiB of English",
    "add_product": "multiply 16 resamples of 100 segments with 32 statistics",
    "add_tie_steps": "add 1,000 steps of 64 draws with swapped ties",
}
_SOURCES = ("byte_classes*", "resampling", "stopping", "swapped_ties*", "thread_pool", "usable_cores")
_FEW, _MANY = 100, 300


def _build(folder: Path, name: str, *definitions: str) -> Path:
    sources = [
        str(path) for pattern in _SOURCES for path in sorted((_ROOT / "native/refscore").glob(f"*/{pattern}.cpp"))
    ]
    program = folder / name
    options = ["-std=c++20", "-O3", *definitions, f"-I{_ROOT / 'native'}", "-o", str(program)]
    subprocess.run(["aarch64-linux-gnu-g++", *options, str(_PROGRAM), *sources], check=True)
    return program


def _count(plugin: Path, program: Path, kernel: str) -> float:
    """Return the instructions of one call: the difference of two runs excludes the rest of the program."""
    counts = []
    for times in (_FEW, _MANY):
        emulator = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "-plugin", str(plugin)]
        command = [*emulator, str(program), kernel, str(times)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stderr
        counts.append(int(re.findall(r"instructions: (\d+)", output)[0]))
    return (counts[1] - counts[0]) / (_MANY - _FEW)


def main() -> None:
    """Build the kernels twice, and print the table."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        plugin = folder / "count_instructions.so"
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", str(plugin), str(_PLUGIN)], check=True)
        portable, neon = _build(folder, "portable", "-DREFSCORE_PORTABLE"), _build(folder, "neon")
        print("| kernel | portable | NEON | ratio |\n|---|---:|---:|---:|")
        for kernel, work in _KERNELS.items():
            before, after = _count(plugin, portable, kernel), _count(plugin, neon, kernel)
            print(f"| {work} (`{kernel}`) | {before:,.0f} | {after:,.0f} | {before / after:.1f} |")


if __name__ == "__main__":
    main()
