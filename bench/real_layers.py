#!/usr/bin/env python3
"""attest rank against numpy.linalg.matrix_rank on layers of real sizes: binary32 contexts of their own (Debian: python3-numpy).

Both see the same arrays in one run, one thread each. docs/performance.md has a table and says how to read it."""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
# name: T, n, d, H, d_h
SIZES = {
    "small": [(500, 64, 256, 12, 64)],
    "tall": [(8000, 16, 64, 8, 16)],  # more examples than Z has columns: the hull of the tokens decides
    "halves": [(4000, 16, 128, 4, 16)],  # for the kind of this name
    "bert": [(1500, 64, 768, 12, 64)],
    "paper": [(6133, 64, 768, 12, 64)],  # numpy takes minutes
    "proved": [(T, 64, 768, 12, 64) for T in (400, 800, 1500, 3000, 6133)],  # for --proved (proofs/formal/REPLAY.md)
    "growth": [
        (750, 32, 384, 6, 64),  # then each of T, n, d, H doubled
        (1500, 32, 384, 6, 64),
        (750, 64, 384, 6, 64),
        (750, 32, 768, 6, 64),
        (750, 32, 384, 12, 64),
    ],
}

SVD = """
import resource, sys
import numpy as np
z = np.load(sys.argv[1])
np.linalg.matrix_rank(z[:50, :50])  # the first call loads LAPACK
for _ in range(int(sys.argv[2])):
    before = resource.getrusage(resource.RUSAGE_SELF)
    rank = np.linalg.matrix_rank(z)
    after = resource.getrusage(resource.RUSAGE_SELF)
    print(int(rank), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
"""


def make_layer(T, n, d, H, d_h, kind, random):
    """kind: random; vocabulary: contexts of 200 tokens; repeated: one context, given T times; zeros: 7 of 8
    coordinates of all tokens are 0; constant: one is 1; integers: of rank d - d // 4; translates: of one context,
    by integers; halves: of the coordinates, which are equal."""
    if kind == "vocabulary":
        tokens = random.standard_normal((200, d), dtype=np.float32)
        contexts = tokens[random.integers(0, 200, (T, n))]
    elif kind == "repeated":
        contexts = np.repeat(random.standard_normal((1, n, d), dtype=np.float32), T, axis=0)
    elif kind == "integers":
        basis = random.integers(-5, 6, (d - d // 4, d))
        contexts = (random.integers(-5, 6, (T, n, len(basis))) @ basis).astype(np.float32)
    elif kind == "translates":
        contexts = (random.integers(-8, 9, (n, d)) + random.integers(-8, 9, (T, 1, d))).astype(np.float32)
    else:
        contexts = random.standard_normal((T, n, d), dtype=np.float32)
        if kind == "zeros":
            contexts[:, :, d // 8 :] = 0
        if kind == "constant":
            contexts[:, :, 0] = 1
        if kind == "halves":
            contexts[:, :, d // 2 :] = contexts[:, :, : d // 2]
    return {
        "contexts": contexts,
        "queries": random.standard_normal((T, d), dtype=np.float32),
        "key": random.standard_normal((H, d, d_h), dtype=np.float32) / np.float32(np.sqrt(d)),
        "query": random.standard_normal((H, d, d_h), dtype=np.float32) / np.float32(np.sqrt(d)),
    }


def z_binary64(contexts, queries, key, query):
    """Z as one computes it in floating point, an example at a time."""
    rows = []
    for context, e in zip(contexts, queries):
        context = context.astype(np.float64)
        directions = np.einsum("hjk,hk->hj", key, np.einsum("hjk,j->hk", query, e))  # (H, d)
        logits = context @ directions.T  # (n, H)
        weights = np.exp(logits - logits.max(axis=0))
        rows.append(((weights / weights.sum(axis=0)).T @ context).ravel())
    return np.array(rows)


def run(command, timeout):
    """CPU seconds, peak memory in bytes and output of a process with one thread."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    measured = ["/usr/bin/env", "python3", "-c", "import os, resource, subprocess, sys\n"
                "done = subprocess.run(sys.argv[1:], stdout=sys.stdout)\n"
                "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024, file=sys.stderr)\n"
                "sys.exit(done.returncode)", *command]
    done = subprocess.run(measured, env=environment, capture_output=True, text=True, timeout=timeout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(command)}\nexit status {done.returncode}: {done.stderr}")
    return seconds, int(done.stderr.split()[-1]), done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--attest", default=str(HERE.parent / "build" / "attest"))
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=["small", "bert"])
    parser.add_argument("--kinds", nargs="+", choices=["random", "vocabulary", "repeated", "zeros", "constant", "integers", "translates", "halves"], default=["random"])
    parser.add_argument("--runs", type=int, default=3, help="of each measurement; the table shows medians (default 3)")
    parser.add_argument("--without-svd", action="store_true", help="do not run numpy.linalg.matrix_rank")
    parser.add_argument("--proved", action="store_true", help="check with the checker that is proved in Coq")
    parser.add_argument("--timeout", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    attest = str(pathlib.Path(options.attest).resolve())
    print("load averages at the start:", *(f"{x:.1f}" for x in os.getloadavg()))
    print("CPU seconds, one thread, medians of", options.runs)
    print("| T, n, d, H, d_h | data | attest rank | matrix_rank | attest [s] | check [s] | matrix_rank [s] | ratio | ns per number | peak [GB] | check's peak [GB] | arrays + Z [GB] |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for T, n, d, H, d_h in [size for name in options.sizes for size in SIZES[name]]:
        for kind in options.kinds:
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                layer = make_layer(T, n, d, H, d_h, kind, np.random.default_rng(options.seed))
                command = [attest, "rank", "--json", "--jobs=1", "--out", str(folder)]  # beside the arrays, which are not copied then
                for key, array in layer.items():
                    np.save(folder / f"{key}.npy", array)
                    command += [f"--{key}", str(folder / f"{key}.npy")]
                if not options.without_svd:
                    np.save(folder / "z.npy", z_binary64(**layer))
                numbers = sum(array.size for array in layer.values())
                del layer
                measured = [run(command, options.timeout) for _ in range(options.runs)]
                seconds = statistics.median(m[0] for m in measured)
                own = ["--proved"] if options.proved else ["--jobs=1"]
                checked = [run([attest, "check", *own, str(folder / "rank.json")], options.timeout) for _ in range(options.runs)]
                check = statistics.median(m[0] for m in checked)
                rank = json.loads(measured[0][2])[0]["rank"]
                shown = str(rank["lower"]) if rank["lower"] == rank["upper"] else f"{rank['lower']}..{rank['upper']}"
                svd_rank = svd = ratio = "-"
                if not options.without_svd:
                    lines = run([sys.executable, "-c", SVD, str(folder / "z.npy"), str(options.runs)], options.timeout)[2].split("\n")
                    svd_rank = lines[0].split()[0]
                    svd_seconds = statistics.median(float(line.split()[1]) for line in lines if line)
                    svd, ratio = f"{svd_seconds:.2f}", f"1/{svd_seconds / seconds:.1f}"
                print(f"| {T}, {n}, {d}, {H}, {d_h} | {kind} | {shown} | {svd_rank} | {seconds:.2f} | {check:.2f} | {svd} | {ratio} | {1e9 * seconds / numbers:.1f} | "
                      f"{max(m[1] for m in measured) / 1e9:.2f} | {max(m[1] for m in checked) / 1e9:.2f} | {(4 * numbers + 8 * T * H * d) / 1e9:.2f} |", flush=True)


if __name__ == "__main__":
    main()
