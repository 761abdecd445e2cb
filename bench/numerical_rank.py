#!/usr/bin/python3
"""attest numerical-rank and the checking of its certificate against numpy.linalg.svd of the same Z (singular values
alone, Z for nothing), one thread each, in turn in the same run. Prints a Markdown table.

    python3 bench/numerical_rank.py [--attest build/attest] [--runs 3]
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy  # noqa: E402

SIZES = ((621, 32, 64, 20, 32), (621, 32, 64, 20, 1), (1500, 32, 128, 24, 32))  # T, n, d, H, d_h
TOLERANCES = ("1", "0.001")


def cpu(function):
    """The seconds of processor time of this process and its children."""
    before = os.times()
    function()
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


def arrays(T, n, d, H, d_h):
    random = numpy.random.default_rng(1)
    return {"contexts": random.random((n, d)), "queries": random.random((T, d)),
            "key": random.normal(size=(H, d, d_h)) / d**0.5, "query": random.normal(size=(H, d, d_h)) / d**0.5}  # fmt: skip


def z(contexts, queries, key, query):
    logits = numpy.einsum("nd,hdk,hek,te->thn", contexts, key, query, queries, optimize=True)
    alpha = numpy.exp(logits - logits.max(-1, keepdims=True))
    return (alpha / alpha.sum(-1, keepdims=True) @ contexts).reshape(len(queries), -1)


def compare(attest, folder, sizes, tolerance, runs):
    given = arrays(*sizes)
    for name, array in given.items():
        numpy.save(folder / f"{name}.npy", array)
    matrix, out = z(**given), folder / "out"
    line = [attest, "numerical-rank", "--jobs=1", "--tolerance", tolerance, "--out", out]
    line += [part for name in given for part in (f"--{name}", folder / f"{name}.npy")]
    said = []
    ours, checked, theirs = [], [], []
    for _ in range(runs):
        ours.append(cpu(lambda: said.append(subprocess.run(line, check=True, capture_output=True, text=True).stdout)))
        checked.append(cpu(lambda: subprocess.run([f"{attest}-check", "--jobs=1", out / "numerical-rank.json"], check=True, capture_output=True)))
        theirs.append(cpu(lambda: numpy.linalg.svd(matrix, compute_uv=False)))
    found = re.search(r"numerical rank = (\d+)", said[0])[1]
    float_count = int((numpy.linalg.svd(matrix, compute_uv=False) > float(tolerance)).sum())
    size = (out / "numerical-rank.json").stat().st_size / 1e6
    prove, check, svd = (statistics.median(times) for times in (ours, checked, theirs))
    T, n, d, H, d_h = sizes
    return f"| {T}, {n}, {d}, {H} | {d_h} | {tolerance} | {found} | {float_count} | {prove:.1f} | {check:.1f} | {svd:.2f} | {prove / svd:.0f} | {check / prove:.2f} | {size:.1f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--attest", default="build/attest")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    attest = pathlib.Path(options.attest).resolve()
    print("| T, n, d, H | d_h | tolerance | proved | numpy | attest [CPU s] | attest-check [CPU s] | svd [CPU s] | ratio | check beside proof | certificate [MB] |")
    print("|" + " --- |" * 11)
    for sizes in SIZES:
        for tolerance in TOLERANCES:
            with tempfile.TemporaryDirectory() as folder:
                print(compare(attest, pathlib.Path(folder), sizes, tolerance, options.runs), flush=True)


if __name__ == "__main__":
    sys.exit(main())
