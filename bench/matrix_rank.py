#!/usr/bin/python3
"""attest matrix-rank and the checking of its certificate against FLINT's fmpz_mat_rank, which proves nothing that can be looked at, and
numpy.linalg.matrix_rank, one thread each, in turn in the same run; sympy's DomainMatrix for the small one. Prints a Markdown table
(Debian: libflint-dev, python3-numpy, python3-sympy).

    bench/matrix_rank.py [--build build] [--runs 3]
"""
import ctypes
import ctypes.util
import os
import pathlib
import re
import resource
import statistics
import tempfile

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy  # noqa: E402
from in_turn import cpu_seconds, options  # noqa: E402

MOST_OF_SYMPY = 128  # rows; larger matrices take minutes


class Flint:
    """The rank of a matrix of integers below 2^62, and the processor seconds of fmpz_mat_rank."""

    class Matrix(ctypes.Structure):
        _fields_ = [("entries", ctypes.c_void_p), ("r", ctypes.c_long), ("c", ctypes.c_long), ("rows", ctypes.POINTER(ctypes.POINTER(ctypes.c_long)))]

    def __init__(self):
        self.library = ctypes.CDLL(ctypes.util.find_library("flint"))
        self.library.fmpz_mat_rank.restype = ctypes.c_long

    def rank(self, matrix):
        of, (m, n) = self.Matrix(), matrix.shape
        self.library.fmpz_mat_init(ctypes.byref(of), ctypes.c_long(m), ctypes.c_long(n))
        for i in range(m):
            for j in range(n):
                of.rows[i][j] = int(matrix[i, j])  # an fmpz of so few bits is itself
        before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        rank = self.library.fmpz_mat_rank(ctypes.byref(of))
        took = resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
        self.library.fmpz_mat_clear(ctypes.byref(of))
        return rank, took


def integers_of(matrix):
    """Integers of the same rank: binary floats times a power of two, if these are below 2^62."""
    if matrix.dtype.kind == "i":
        return matrix
    scaled = numpy.ldexp(matrix, 40)
    return scaled.astype(numpy.int64) if (scaled == numpy.rint(scaled)).all() and abs(scaled).max() < 2**62 else None


def matrices(random):
    def product(m, n, r, bound):
        return random.integers(-bound, bound + 1, (m, r)) @ random.integers(-bound, bound + 1, (r, n))

    yield "integers below 2^12", product(900, 540, 420, 7)
    yield "the same, last rows equal to others", numpy.vstack([base := random.integers(-999, 1000, (420, 540)), base, base[:60]])
    yield "integers, full rank", random.integers(-999, 1000, (900, 540))
    yield "binary64", numpy.ldexp(product(600, 360, 200, 2**20).astype(numpy.float64), -30)
    yield "integers below 2^19", product(120, 80, 40, 99)


def main():
    arguments = options(__doc__)
    flint, random = Flint(), numpy.random.default_rng(1)
    print("| matrix | m x n | rank: proved | numpy | prove [s] | check [s] | FLINT [s] | numpy [s] | sympy [s] | prove / FLINT | certificate [kB] |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name, matrix in matrices(random):
        with tempfile.TemporaryDirectory() as folder:
            file, out = pathlib.Path(folder) / "matrix.npy", pathlib.Path(folder) / "out"
            numpy.save(file, matrix)
            times, found = {key: [] for key in ("prove", "check", "flint", "numpy", "sympy")}, None
            integers = integers_of(matrix)
            for _ in range(arguments.runs):
                seconds, text = cpu_seconds([arguments.build / "attest", "matrix-rank", file, "--jobs=1", "--out", out])
                times["prove"].append(seconds)
                found = int(re.search(r"= (\d+) of", text)[1])
                times["check"].append(cpu_seconds([arguments.build / "attest-check", "--quiet", "--jobs=1", out / "matrix-rank.json"])[0])
                if integers is not None:
                    rank, seconds = flint.rank(integers)
                    assert rank == found
                    times["flint"].append(seconds)
                before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
                of_numpy = numpy.linalg.matrix_rank(matrix.astype(numpy.float64))
                times["numpy"].append(resource.getrusage(resource.RUSAGE_SELF).ru_utime - before)
                if len(matrix) <= MOST_OF_SYMPY:
                    from sympy import QQ, ZZ
                    from sympy.polys.matrices import DomainMatrix

                    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
                    assert DomainMatrix(integers.tolist(), integers.shape, ZZ).convert_to(QQ).rank() == found
                    times["sympy"].append(resource.getrusage(resource.RUSAGE_SELF).ru_utime - before)
            size = (out / "matrix-rank.json").stat().st_size / 1000
        median = {key: statistics.median(values) if values else None for key, values in times.items()}
        shown = [f"{value:.2f}" if value is not None else "" for value in median.values()]
        ratio = f"{median['prove'] / median['flint']:.2f}" if median["flint"] else ""
        print(f"| {name} | {matrix.shape[0]} x {matrix.shape[1]} | {found} | {of_numpy} | {' | '.join(shown)} | {ratio} | {size:.1f} |", flush=True)


if __name__ == "__main__":
    main()
