#!/usr/bin/env python3
"""CPU time per small case, proving and checking, beside a process per case (which is what starting attest for each file costs).
Usage: small_cases.py [CASES]"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ATTEST = str(ROOT / "build/attest")
ALONE = 100


def cpu(command):
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    memory = pathlib.Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() and shutil.disk_usage(memory).free > 50000 * count else None) as name:
        folder = pathlib.Path(name)
        (folder / "cases").mkdir()
        for k in range(count):
            (folder / "cases" / f"{k:06}.toml").write_text(
                f'format = 1\ntitle = "{k}"\n[layer]\nheads = 2\ncontext = 2\nembed_dim = 2\nhead_dim = 1\nexamples = {3 + k % 3}\n'
                f'[data]\ngenerate = {{ kind = "integers", bound = 9, seed = {k} }}\n'
                f'[weights]\ngenerate = {{ kind = "integers", bound = 3, seed = {k} }}\n'
                '[[claim]]\nstatement = "rank"\n[[claim]]\nstatement = "affine-hull-bound"\n')
        cases, out = str(folder / "cases"), str(folder / "out")
        one = ["--jobs", "1"]
        rows = [("verify", cpu([ATTEST, "verify", cases, "--out", out] + one), count),
                ("verify --changed, nothing is", cpu([ATTEST, "verify", cases, "--changed", "--out", out] + one), count),
                ("check", cpu([ATTEST, "check", out] + one), count),
                ("verify, a process per case", sum(cpu([ATTEST, "verify", f"{cases}/{k:06}.toml", "--out", str(folder / "alone")])
                                                   for k in range(min(ALONE, count))), min(ALONE, count))]
        peer = rows[-1][1] / rows[-1][2]
        print("| | ms of CPU per case | cases per second and core | a process per case takes |\n|---|---|---|---|")
        for label, seconds, cases_run in rows:
            each = seconds / cases_run
            print(f"| {label} | {1000 * each:.2f} | {1 / each:.0f} | {peer / each:.1f} times as long |")


if __name__ == "__main__":
    main()
