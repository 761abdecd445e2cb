#!/usr/bin/env python3
"""attest rank and attest-check on one core and on more (Debian: python3-numpy): wall times of whole processes, taken in turns.

The last lines fit T(p) = T(1) (s + (1 - s) / p), s the serial share, and say what it makes of more cores. docs/performance.md
has the table."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

import real_layers

HERE = pathlib.Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parent / "build")
    parser.add_argument("--size", choices=real_layers.SIZES, default="paper")
    parser.add_argument("--jobs", type=int, nargs="+", default=sorted({1, 2, os.cpu_count()}))
    parser.add_argument("--runs", type=int, default=5, help="of each; the table shows the least (default 5)")
    options = parser.parse_args()
    T, n, d, H, d_h = real_layers.SIZES[options.size][0]
    print("load averages at the start:", *(f"{x:.1f}" for x in os.getloadavg()))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prove = [options.build / "attest", "rank", "--out", folder]
        for key, array in real_layers.make_layer(T, n, d, H, d_h, "random", np.random.default_rng(1)).items():
            np.save(folder / f"{key}.npy", array)
            prove += [f"--{key}", folder / f"{key}.npy"]
        commands = {"attest rank": prove, "attest-check": [options.build / "attest-check", "--allow-outside", folder / "rank.json"]}
        seconds, certificates = {}, set()
        for _ in range(options.runs):
            for jobs in options.jobs:
                for what, command in commands.items():
                    start = time.perf_counter()
                    done = subprocess.run([*command, f"--jobs={jobs}"], capture_output=True, text=True)
                    spent = time.perf_counter() - start
                    if done.returncode != 0:
                        sys.exit(f"{what} --jobs={jobs}: exit status {done.returncode}: {done.stdout}{done.stderr}")
                    seconds[what, jobs] = min(spent, seconds.get((what, jobs), spent))
                certificates.add((folder / "rank.json").read_bytes())
        if len(certificates) != 1:
            sys.exit("the certificates differ")
    print(f"\n| T = {T}, n = {n}, d = {d}, H = {H}, d_h = {d_h} | " + " | ".join(f"{jobs} thread{'s' * (jobs > 1)} [s]" for jobs in options.jobs) + " | times as fast | serial share |")
    print("|---" * (len(options.jobs) + 3) + "|")
    first, last = options.jobs[0], options.jobs[-1]
    for what in commands:
        gain = seconds[what, first] / seconds[what, last]
        share = (1 / gain - first / last) / (1 - first / last) if last > first else 1
        print(f"| {what} | " + " | ".join(f"{seconds[what, jobs]:.2f}" for jobs in options.jobs) + f" | {gain:.2f} | {share:.3f} |")
        print(f"{what} by that share: " + ", ".join(f"{p} threads {seconds[what, first] * (share + (1 - share) / p):.2f} s" for p in (4, 8, 16)))


if __name__ == "__main__":
    main()
