#!/usr/bin/env python3
"""CPU seconds of questions about layers, and of attest-check on their certificates (Debian: python3-numpy).

Shapes for which checking was, or is, no faster than proving; both programs in turn, medians. docs/performance.md has
a table."""
import tempfile

import numpy as np
from in_turn import options, prove_and_check


def layer(T, n, d, H, d_h, shared=False, scale=1.0):
    random = np.random.default_rng(7)
    shapes = {"contexts": (n, d) if shared else (T, n, d), "queries": (T, d), "key": (H, d, d_h), "query": (H, d, d_h)}
    arrays = {name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    for name in ("contexts", "queries"):
        arrays[name] *= np.float32(scale)
    return arrays


def with_more(arrays, **shapes):
    random = np.random.default_rng(8)
    return {**arrays, **{name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}}


def whole(T, n, d, H, d_h, classes):
    arrays = with_more(layer(T, n, d, H, d_h), value=(H, d, d_h), output=(H, d_h, d), readout=(d, classes))
    return {**arrays, "classes": np.random.default_rng(9).integers(0, classes, T)}


def combined(T, n, d, H):
    arrays = with_more(layer(T, n, d, H, 1), combined=(H, d, d))
    return {name: arrays[name] for name in ("contexts", "queries", "combined")}


def logits(T, n, d, H):
    contexts = layer(T, n, d, H, 1)["contexts"]
    return {"contexts": contexts, "logits": np.zeros((T, H, n), np.float32)}


# the question, its arrays, further options
CASES = {
    "rank, T = 50, n = 16, d = 768, H = 12, d_h = 64": ("rank", layer(50, 16, 768, 12, 64)),
    "rank, T = 20, n = 16, d = 4096, H = 8, d_h = 128": ("rank", layer(20, 16, 4096, 8, 128)),
    "rank, T = 200, n = 16, d = 768, H = 4, combined weights": ("rank", combined(200, 16, 768, 4)),
    "injective, T = 1000, n = 16, d = 768, H = 12, d_h = 64": ("injective", layer(1000, 16, 768, 12, 64)),
    "memorizes, T = 20000, n = 8, d = 16, H = 4, d_h = 8": (
        "memorizes",
        with_more(layer(20000, 8, 16, 4, 8), labels=20000),
    ),
    "saturation, T = 3000, n = 32, d = 64, H = 8, shared context": (
        "saturation",
        layer(3000, 32, 64, 8, 8, True, 0.1),
        "--threshold=0.04",
    ),
    "saturation, T = 20000, n = 2, d = 8, H = 4": ("saturation", layer(20000, 2, 8, 4, 4)),
    "saturation, T = 2000, n = 8, H = 8, equal logits": ("saturation", logits(2000, 8, 8, 8), "--threshold=1/8"),
    "accuracy, T = 5, n = 8, d = 768, H = 12, d_h = 64, 50 classes": (
        "accuracy",
        whole(5, 8, 768, 12, 64, 50),
        "--skip",
    ),
    "accuracy, T = 500, n = 16, d = 64, H = 8, d_h = 8, 10 classes": (
        "accuracy",
        whole(500, 16, 64, 8, 8, 10),
        "--skip",
    ),
    "numerical rank, T = 10000, n = 8, d = 4, H = 2": (
        "numerical-rank",
        layer(10000, 8, 4, 2, 4),
        "--tolerance=1/2",
    ),
}


def main():
    arguments = options(__doc__)
    print("| question | prove [s] | check [s] | check / prove |\n|---|---|---|---|")
    for name, (question, arrays, *more) in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            prover = [question, f"--out={folder}/out", *more]
            for key, array in arrays.items():
                np.save(f"{folder}/{key}.npy", array)
                prover.append(f"--{key}={folder}/{key}.npy")
            figures, _ = prove_and_check(arguments, prover, f"{folder}/out/{question}.json")
        print(f"| {name} | {figures}", flush=True)


if __name__ == "__main__":
    main()
