#!/usr/bin/env python3
"""CPU seconds of attest verify and of attest-check on its certificate for layers behind others (Debian: python3-numpy).

Random weights in binary32; both programs in turn, medians. docs/performance.md has a table."""
import argparse
import pathlib
import resource
import statistics
import subprocess
import tempfile

import numpy as np

# The layers before, S, n, d, H, d_h, positions, the claim
CASES = [
    ("attention", 100, 16, 16, 2, 8, "last", "rank"),
    ("attention", 50, 32, 64, 4, 16, "last", "rank"),
    ("attention", 7, 16, 16, 2, 8, "all", "rank"),
    ("attention attention", 60, 16, 16, 2, 8, "last", "rank"),
    ("rmsnorm attention mlp", 40, 16, 16, 2, 8, "last", "rank"),
    ("attention", 40, 16, 16, 2, 8, "last", "injective"),
    ("attention", 40, 16, 16, 2, 8, "last", "saturation\"\nhead = 1\nthreshold = \"1/2"),
    ("attention", 40, 16, 16, 2, 8, "last", "numerical-rank\"\ntolerance = \"1/100"),
]


def write(folder, before, S, n, d, H, d_h, positions, claim):
    random = np.random.default_rng(7)
    text = ""

    def arrays(kind, **shapes):
        nonlocal text
        for name, shape in shapes.items():
            count = len(list(folder.glob("*.npy")))
            np.save(folder / f"{count}.npy", (random.standard_normal(shape) / (1 if kind == "data" else np.sqrt(d))).astype(np.float32))
            text += f'{name} = {{ file = "{count}.npy" }}\n'

    text += f"""format = 1
[layer]
heads = {H}
context = {n}
embed_dim = {d}
head_dim = {d_h}
examples = {S if positions == "last" else S * n}
[data]
positions = "{positions}"
"""
    arrays("data", hidden=(S, n, d))
    for kind in before.split():
        text += f'[[before]]\nkind = "{kind}"\n'
        if kind == "attention":
            text += f"heads = {H}\n"
            arrays(kind, key=(H, d, d_h), query=(H, d, d_h), value=(H, d, d))
        if kind == "mlp":
            text += 'activation = "silu"\n'
            arrays(kind, weight_1=(d, 4 * d), weight_2=(4 * d, d))
    text += "[weights]\n"
    arrays("weights", key=(H, d, d_h), query=(H, d, d_h))
    (folder / "case.toml").write_text(text + f'[[claim]]\nstatement = "{claim}"\n')


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "build")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    print("| layers before; S, n, d, H, d_h, positions | claim | prove [s] | check [s] | check / prove |\n|---|---|---|---|---|")
    for before, *sizes, claim in CASES:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write(folder, before, *sizes, claim)
            prover = [arguments.build / "attest", "verify", "--jobs=1", folder / "case.toml", f"--out={name}/out"]
            checker = [arguments.build / "attest-check", "--quiet", "--jobs=1", "--ignore-expectations", f"{name}/out/case.json"]
            seconds = [(cpu_seconds(prover), cpu_seconds(checker)) for _ in range(arguments.runs)]
        proved, checked = (statistics.median(column) for column in zip(*seconds))
        print(f"| {before}; {', '.join(map(str, sizes))} | {claim.split(chr(34))[0]} | {proved:.2f} | {checked:.2f} | {checked / proved:.2f} |", flush=True)


if __name__ == "__main__":
    main()
