#!/usr/bin/env python3
"""What a survey costs: random layers of BERT-base's size (d = 768, 12 heads of 64), all positions of 64 sequences of 64, binary32.
Processor seconds of all its processes, and wall seconds, with questions on all cores (Debian: python3-numpy, python3-jinja2).

    bench/survey.py BUILD_FOLDER [LAYERS [biases]]
"""

import pathlib
import resource
import sys
import tempfile
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve() / "python"))

import attest

LAYERS, BIASES = int((sys.argv[2:] + ["1"])[0]), "biases" in sys.argv[3:]
S = L = 64
d, H = 768, 12


def write(folder, seed):
    random = np.random.default_rng(seed)
    arrays = {"hidden": random.standard_normal((S, L, d))}
    for name in ("query", "key", "value"):
        arrays[name] = random.standard_normal((H, d, 64)) / d**0.5
        if BIASES:
            arrays[f"{name}_bias"] = random.standard_normal((H, 64)) / 10
    folder.mkdir()
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array.astype(np.float32))
    folder.with_suffix(".options").write_text('{"positions": "all", "logit_scale": "1/8"}')


def main():
    with tempfile.TemporaryDirectory() as place:
        model = pathlib.Path(place) / "model"
        model.mkdir()
        for layer in range(LAYERS):
            write(model / f"layer{layer}", layer)
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        found = attest.survey(model, out=pathlib.Path(place) / "survey")
        after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - start
        print(found)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{cpu / LAYERS:.1f} processor seconds for each layer; {LAYERS} of them in {wall:.1f} s, status {found.status}")


if __name__ == "__main__":
    main()
