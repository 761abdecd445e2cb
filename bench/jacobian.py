#!/usr/bin/env python3
"""The exact rank of a layer's Jacobian beside numpy's matrix_rank of the one that torch's autograd gives.

For each size: seconds and memory of attest rank, attest jacobian-rank and attest-check on its certificate, and what
numpy.linalg.matrix_rank says of the Jacobian in binary64 (torch, when it is installed; otherwise the formulas of
docs/certificate.md in numpy). Debian: python3-numpy, python3-torch, time."""
import argparse
import json
import pathlib
import subprocess
import tempfile
import time

import numpy as np

try:
    import torch
except ImportError:
    torch = None

# T, n, d, H, d_h
SIZES = [(200, 8, 8, 2, 2), (621, 32, 64, 20, 32), (4000, 32, 64, 4, 8)]


def make_layer(T, n, d, H, d_h, random):
    shapes = {"contexts": (T, n, d), "queries": (T, d), "key": (H, d, d_h), "query": (H, d, d_h), "readout": (H * d, 1)}
    layer = {name: random.standard_normal(shape) for name, shape in shapes.items()}
    layer["key"] /= 8
    return layer


def measured(command):
    """Wall and CPU seconds, megabytes, and the output of a program (by GNU time: a child of this process would count
    this process's memory)."""
    run = subprocess.run(["/usr/bin/time", "-f", "%e %U %S %M", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))} failed: {run.stdout}{run.stderr}")
    wall, user, system, kilobytes = run.stderr.split()[-4:]
    return float(wall), float(user) + float(system), int(kilobytes) / 1024, run.stdout


def jacobian_of_torch(layer):
    E, e = (torch.tensor(layer[name]) for name in ("contexts", "queries"))
    parameters = [torch.tensor(layer[name], requires_grad=True) for name in ("key", "query", "readout")]
    key, query, readout = parameters
    rows = []
    for tokens, own in zip(E, e):  # an output depends on its example alone
        projected = torch.einsum("hek,e->hk", query, own)
        logits = torch.einsum("nd,hdk,hk->hn", tokens, key, projected)
        output = (torch.softmax(logits, -1) @ tokens).flatten() @ readout[:, 0]
        rows.append(torch.cat([gradient.flatten() for gradient in torch.autograd.grad(output, parameters)]).numpy())
    return np.stack(rows)


def jacobian_of_numpy(layer):
    E, e, key, query = (layer[name] for name in ("contexts", "queries", "key", "query"))
    T, d = e.shape
    H = len(key)
    blocks = []
    for h in range(H):
        p = e @ query[h]
        logits = np.einsum("tnd,dk,tk->tn", E, key[h], p)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        alpha = powers / powers.sum(axis=1, keepdims=True)
        z = np.einsum("tn,tnd->td", alpha, E)
        u = layer["readout"][h * d:(h + 1) * d, 0]
        c = np.einsum("tn,tnd->td", alpha * (E @ u - (z @ u)[:, None]), E)
        blocks += [np.einsum("tj,tk->tjk", c, p).reshape(T, -1), np.einsum("tj,tk->tjk", e, c @ key[h]).reshape(T, -1), z]
    return np.hstack(blocks)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "build")
    parser.add_argument("--sizes", type=int, nargs="*", help="which of the sizes, from 0 (default: all)")
    parser.add_argument("--no-floats", action="store_true", help="leave out binary64, which takes longest")
    options = parser.parse_args()
    for index in options.sizes if options.sizes is not None else range(len(SIZES)):
        T, n, d, H, d_h = SIZES[index]
        layer = make_layer(*SIZES[index], np.random.default_rng(1))
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            arguments = []
            for key, array in layer.items():
                np.save(folder / f"{key}.npy", array)
                if key != "readout":
                    arguments += [f"--{key}", folder / f"{key}.npy"]
            attest = options.build / "attest"
            rank = measured([attest, "rank", *arguments, "--json"])
            out = folder / "out"
            jacobian = measured([attest, "jacobian-rank", *arguments, "--readout", folder / "readout.npy", "--out", out, "--json"])
            check = measured([options.build / "attest-check", "--allow-outside", out / "jacobian-rank.json"])
        found = json.loads(jacobian[-1])[0]["jacobian_rank"]
        print(f"T = {T}, n = {n}, d = {d}, H = {H}, d_h = {d_h} ({H * d * (2 * d_h + 1)} parameters): "
              f"{found['lower']} <= rank(J) <= {found['upper']}")
        for program, (seconds, cpu, megabytes, _) in (("attest rank", rank), ("attest jacobian-rank", jacobian), ("attest-check", check)):
            print(f"  {program:<21} {seconds:7.2f} s {cpu:7.2f} s CPU {megabytes:7.0f} MB")
        if options.no_floats:
            continue
        source = "torch" if torch is not None else "numpy"
        start, cpu = time.perf_counter(), time.process_time()
        floats = jacobian_of_torch(layer) if torch is not None else jacobian_of_numpy(layer)
        print(f"  {source + chr(39) + 's Jacobian':<21} {time.perf_counter() - start:7.2f} s {time.process_time() - cpu:7.2f} s CPU {floats.nbytes / 2**20:7.0f} MB alone")
        start, cpu = time.perf_counter(), time.process_time()
        values = np.linalg.svd(floats, compute_uv=False)  # as matrix_rank does
        tolerance = values.max() * max(floats.shape) * np.finfo(floats.dtype).eps
        rank = int((values > tolerance).sum())
        right = "right" if found["lower"] <= rank <= found["upper"] else "wrong"
        print(f"  matrix_rank           {time.perf_counter() - start:7.2f} s {time.process_time() - cpu:7.2f} s CPU         {rank}: {right}; "
              f"least singular value {values.min():.1e}, tolerance {tolerance:.1e}", flush=True)


if __name__ == "__main__":
    main()
