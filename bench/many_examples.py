#!/usr/bin/env python3
"""The rank of a layer of very many examples in bounded memory: many_examples.py [--examples 1000000] [--runs 1] [--folder DIR]

Writes binary32 contexts of their own and queries (a few GB at most, removed at the end) and runs `attest rank` and `attest check` with
--memory far below them: time, memory that the process had to itself (the largest RssAnon seen), beside a pass over the same arrays by
numpy that sums up Z^T Z in binary64 by blocks and takes its rank. Two data sets: random ones, whose first examples have the full rank, and
ones whose tokens have four zeros at the end but for the last 1000 examples, so that all examples have to be looked at.
docs/performance.md has a table. Debian: python3-numpy."""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
N, D, H, D_H = 4, 64, 12, 16
LAST = 1000  # examples with full tokens, of the second data set
BLOCK = 5000

GRAM = f"""
import sys
import numpy as np
c, q, k, w = (np.load(name + ".npy", mmap_mode="r") for name in ("contexts", "queries", "key", "query"))
gram = 0
for a in range(0, len(c), {BLOCK}):
    x, e = c[a:a + {BLOCK}].astype(np.float64), q[a:a + {BLOCK}].astype(np.float64)
    directions = np.einsum("hjk,thk->thj", k, np.einsum("hjk,tj->thk", w, e, optimize=True), optimize=True)
    logits = np.einsum("tnj,thj->thn", x, directions, optimize=True)
    weights = np.exp(logits - logits.max(axis=2, keepdims=True))
    z = np.einsum("thn,tnj->thj", weights / weights.sum(axis=2, keepdims=True), x, optimize=True).reshape(len(x), -1)
    gram = gram + z.T @ z
print(np.linalg.matrix_rank(gram, hermitian=True))
"""


def write_layer(folder, T, late):
    random = np.random.default_rng(1)
    contexts = np.lib.format.open_memmap(folder / "contexts.npy", mode="w+", dtype="<f4", shape=(T, N, D))
    for a in range(0, T, 20000):
        block = random.standard_normal((min(20000, T - a), N, D), dtype=np.float32)
        if late:
            block[:max(0, T - LAST - a), :, D - 4:] = 0
        contexts[a:a + len(block)] = block
    contexts.flush()
    np.save(folder / "queries.npy", random.standard_normal((T, D), dtype=np.float32))
    for name in ("key", "query"):
        np.save(folder / f"{name}.npy", random.standard_normal((H, D, D_H), dtype=np.float32) / np.float32(8))


def run(command, folder):
    """Wall time, CPU time, the largest RssAnon of the process in bytes, and what it printed."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    before, start = os.times(), time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    largest = 0

    def watch():
        nonlocal largest
        while process.poll() is None:
            try:
                for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
                    if line.startswith("RssAnon:"):
                        largest = max(largest, 1024 * int(line.split()[1]))
            except OSError:
                return
            time.sleep(0.02)

    watcher = threading.Thread(target=watch)
    watcher.start()
    output = process.stdout.read()
    process.wait()
    watcher.join()
    after = os.times()
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {process.returncode}\n{output}")
    return time.perf_counter() - start, after.children_user + after.children_system - before.children_user - before.children_system, largest, output


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=1000000)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--memory", default="256M", help="of attest rank and attest check")
    parser.add_argument("--attest", default=str(HERE.parent / "build" / "attest"))
    parser.add_argument("--folder", help="where there is room for the arrays and a copy")
    parser.add_argument("--without-numpy", action="store_true")
    options = parser.parse_args()
    attest, T = str(pathlib.Path(options.attest).resolve()), options.examples
    print(f"T = {T}, n = {N}, d = {D}, H = {H}, d_h = {D_H}; --memory {options.memory}; load averages", *(f"{x:.1f}" for x in os.getloadavg()))
    print("| data | arrays [GB] | Z in binary64 [GB] | | rank | CPU [s] | wall [s] | memory [GB] |\n|---|---|---|---|---|---|---|---|")
    if options.folder:
        os.makedirs(options.folder, exist_ok=True)
    for late in (False, True):
        with tempfile.TemporaryDirectory(dir=options.folder) as name:
            folder = pathlib.Path(name)
            write_layer(folder, T, late)
            size = sum(file.stat().st_size for file in folder.iterdir())
            if shutil.disk_usage(folder).free < size:
                sys.exit("there is no room for the checker's copy")
            os.environ["TMPDIR"] = name
            arrays = [word for key in ("contexts", "queries", "key", "query") for word in ("--" + key, key + ".npy")]
            commands = [("attest rank", [attest, "rank", *arrays, "--jobs=1", "--memory", options.memory, "--out", "."]),
                        ("attest check", [attest, "check", "--jobs=1", "--memory", options.memory, "rank.json"])]
            if not options.without_numpy:
                commands.append(("numpy, Z^T Z by blocks", [sys.executable, "-c", GRAM]))
            for label, command in commands:
                runs = [run(command, folder) for _ in range(options.runs)]
                wall, cpu, memory = (statistics.median(r[k] for r in runs) for k in range(3))
                words = runs[0][3].split()
                rank = next((w.rstrip(";") for v, w in zip(words, words[2:]) if v == "rank(Z)"), words[-1] if label.startswith("numpy") else "")
                print(f"| {'last rows matter' if late else 'random'} | {size / 1e9:.2f} | {8 * T * H * D / 1e9:.2f} | {label} | {rank} | {cpu:.1f} | {wall:.1f} | {memory / 1e9:.3f} |", flush=True)


if __name__ == "__main__":
    main()
