#!/usr/bin/env python3
"""attest rank against numpy.linalg.matrix_rank on the same arrays (Debian: python3-numpy). README.md says how to read the table."""
import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

SIZES = [(621, 32, 64, 20), (2000, 64, 256, 12)]  # (T, n, d, H)
HEAD_DIMS = [1, 32]

# Run by a process of its own, because OpenBLAS reads the number of threads once. Prints the rank and the seconds of each run.
SVD = """
import sys, time
import numpy as np
z = np.load(sys.argv[1])
np.linalg.matrix_rank(z[:50, :50])  # the first call loads LAPACK
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    rank = np.linalg.matrix_rank(z)
    print(int(rank), time.perf_counter() - start)
"""


def make_arrays(folder, T, n, d, H, d_h, seed):
    random = np.random.default_rng(seed)
    arrays = {
        "contexts": random.random((n, d)),  # one context, shared by all examples
        "queries": random.random((T, d)),
        "key": random.standard_normal((H, d, d_h)) / np.sqrt(d),
        "query": random.standard_normal((H, d, d_h)) / np.sqrt(d),
    }
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    return arrays


def z_binary64(contexts, queries, key, query):
    """Z as one computes it in floating point: softmax with the largest logit subtracted."""
    blocks = []
    for k, q in zip(key, query):
        logits = (queries @ q) @ (contexts @ k).T  # (T, n)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        blocks.append((weights / weights.sum(axis=1, keepdims=True)) @ contexts)
    return np.concatenate(blocks, axis=1)


def environment(threads):
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")
    return {**os.environ, **{name: str(threads) for name in names}}


def run_attest(attest, folder, threads, runs):
    """Wall times of whole processes: reading, ranks, hashes, writing the certificate."""
    out = folder / "out"
    out.mkdir(exist_ok=True)
    command = [attest, "rank", "--json", f"--jobs={threads}", "--out", str(out)]
    for name in ("contexts", "queries", "key", "query"):
        command += [f"--{name}", str(folder / f"{name}.npy")]
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        done = subprocess.run(command, env=environment(threads), capture_output=True, text=True)
        seconds.append(time.perf_counter() - start)
        if done.returncode not in (0, 3):
            sys.exit(f"{' '.join(command)}\nexit status {done.returncode}: {done.stderr}")
    rank = json.loads(done.stdout)[0]["rank"]
    return rank, seconds, out / "rank.json"


def run_check(checker, certificate, threads, runs):
    command = [checker, "--allow-outside", f"--jobs={threads}", str(certificate)]
    seconds, valid = [], True
    for _ in range(runs):
        start = time.perf_counter()
        done = subprocess.run(command, env=environment(threads), capture_output=True, text=True)
        seconds.append(time.perf_counter() - start)
        valid = valid and done.returncode == 0
        if done.returncode != 0:
            print(f"attest-check: exit status {done.returncode}: {done.stdout}{done.stderr}", file=sys.stderr)
    return valid, seconds


def run_svd(file, threads, runs):
    command = [sys.executable, "-c", SVD, str(file), str(runs)]
    done = subprocess.run(command, env=environment(threads), capture_output=True, text=True, check=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    return int(lines[-1][0]), [float(line[1]) for line in lines]


def show(seconds):
    return f"{statistics.median(seconds):.3f} ({min(seconds):.3f})"


def rank_text(rank):
    return str(rank["lower"]) if rank["lower"] == rank["upper"] else f"{rank['lower']}..{rank['upper']}"


def machine():
    model = platform.processor() or platform.machine()
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    return f"{model}, {os.cpu_count()} cores; load averages at the start {load}; numpy {np.__version__}"


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attest", default=str(here.parent / "build" / "attest"), help="the program (default: build/attest)")
    parser.add_argument("--check", help="the checker (default: attest-check beside attest)")
    parser.add_argument("--runs", type=int, default=5, help="of each measurement (default 5)")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="of all programs (default 1 2)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="the smaller size only, 2 runs")
    parser.add_argument("--json", help="write the table to a file as JSON")
    options = parser.parse_args()
    attest = str(pathlib.Path(options.attest).resolve())
    checker = options.check or str(pathlib.Path(attest).with_name("attest-check"))
    runs = min(options.runs, 2) if options.quick else options.runs
    sizes = SIZES[:1] if options.quick else SIZES

    print(machine())
    print(f"seconds: median (least) of {runs} runs; ratio: medians, attest rank / matrix_rank\n")
    print("| T, n, d, H | d_h | threads | exact rank | matrix_rank | attest rank [s] | matrix_rank [s] | ratio | attest-check [s] |")
    print("|---|---|---|---|---|---|---|---|---|")
    row = "| {} | {} | {} | {} | {} | {} | {} | {} | {} |"
    table = []
    all_valid = True
    for T, n, d, H in sizes:
        for d_h in HEAD_DIMS:
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                arrays = make_arrays(folder, T, n, d, H, d_h, options.seed)
                np.save(folder / "z.npy", z_binary64(**arrays))
                for threads in options.threads:
                    rank, attest_s, certificate = run_attest(attest, folder, threads, runs)
                    svd_rank, svd_s = run_svd(folder / "z.npy", threads, runs)
                    valid, check_s = run_check(checker, certificate, threads, min(runs, 2))
                    all_valid = all_valid and valid
                    ratio = statistics.median(attest_s) / statistics.median(svd_s)
                    print(row.format(f"{T}, {n}, {d}, {H}", d_h, threads, rank_text(rank), svd_rank, show(attest_s), show(svd_s),
                                     f"{ratio:.2f}", show(check_s) + ("" if valid else " REJECTED")), flush=True)
                    table.append({"T": T, "n": n, "d": d, "H": H, "d_h": d_h, "threads": threads, "rank": rank, "matrix_rank": svd_rank,
                                  "attest_seconds": attest_s, "svd_seconds": svd_s, "check_seconds": check_s, "valid": valid})
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"machine": machine(), "table": table}, indent=1) + "\n")
    return 0 if all_valid else 1


if __name__ == "__main__":
    sys.exit(main())
