#!/usr/bin/env python3
"""CPU seconds of attest accuracy and of attest-check on its certificate (Debian: python3-numpy).

Layers with contexts of their own and random weights, for random classes and for those that are right. Both programs
in turn, medians; docs/performance.md has a table."""
import tempfile

import numpy as np
from in_turn import options, prove_and_check

# T, n, d, H, d_h, classes
SIZES = [
    (1000, 32, 64, 8, 8, 10),
    (150, 256, 64, 8, 8, 10),
    (2000, 8, 32, 2, 8, 100),
    (200, 16, 32, 4, 8, 300),
    (100, 16, 32, 4, 8, 2000),
    (50, 16, 32, 4, 8, 5000),
    (1000, 16, 32, 4, 8, 2000),
]


def make_layer(T, n, d, H, d_h, classes, random):
    shapes = {
        "contexts": (T, n, d),
        "queries": (T, d),
        "key": (H, d, d_h),
        "query": (H, d, d_h),
        "value": (H, d, d_h),
        "output": (H, d_h, d),
        "readout": (d, classes),
    }
    return {name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def best_classes(layer):
    """What binary64 takes for the right classes."""
    E, e = layer["contexts"].astype(np.float64), layer["queries"].astype(np.float64)
    u = e.copy()
    for key, query, value, output in zip(layer["key"], layer["query"], layer["value"], layer["output"]):
        logits = np.einsum("tnd,dk,tk->tn", E, key, e @ query)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        u += np.einsum("tn,tnd->td", powers / powers.sum(axis=1, keepdims=True), E) @ value @ output
    return (u @ layer["readout"]).argmax(axis=1)


def main():
    arguments = options(__doc__)
    random = np.random.default_rng(7)
    print("| T, n, d, H, d_h, classes | right | prove [s] | check [s] | check / prove |\n|---|---|---|---|---|")
    for size in SIZES:
        layer = make_layer(*size, random)
        for classes in (random.integers(0, size[-1], size[0]), best_classes(layer)):
            with tempfile.TemporaryDirectory() as folder:
                prover = ["accuracy", "--skip", "--out", f"{folder}/out"]
                for name, array in {**layer, "classes": classes}.items():
                    np.save(f"{folder}/{name}.npy", array)
                    prover += [f"--{name}", f"{folder}/{name}.npy"]
                figures, text = prove_and_check(arguments, prover, f"{folder}/out/accuracy.json")
                right = text.split("accurate examples = ")[1].split()[0]
                print(f"| {', '.join(map(str, size))} | {right} | {figures}")


if __name__ == "__main__":
    main()
