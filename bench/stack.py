#!/usr/bin/env python3
"""CPU seconds of attest verify and of attest-check on its certificate for layers behind a stack (Debian: python3-numpy).

Random weights in binary32; both programs in turn, medians. docs/performance.md has a table."""
import pathlib
import tempfile

import numpy as np
from in_turn import options, prove_and_check

# The stack, S, n, d, H, d_h, positions, the claim
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


def write(folder, stack, S, n, d, H, d_h, positions, claim):
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
    for kind in stack.split():
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


def main():
    arguments = options(__doc__)
    print("| stack; S, n, d, H, d_h, positions | claim | prove [s] | check [s] | check / prove |\n|---|---|---|---|---|")
    for stack, *sizes, claim in CASES:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write(folder, stack, *sizes, claim)
            figures, _ = prove_and_check(arguments, ["verify", folder / "case.toml", f"--out={name}/out"], f"{name}/out/case.json")
        print(f"| {stack}; {', '.join(map(str, sizes))} | {claim.split(chr(34))[0]} | {figures}", flush=True)


if __name__ == "__main__":
    main()
