"""What tests of the Python module share: small layers, and a folder for each test."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build").resolve()
if not os.environ.get("ATTEST_INSTALLED"):
    sys.path.insert(0, str(BUILD / "python"))

import numpy

import attest

ATTEST, CHECK = str(BUILD / "attest"), str(BUILD / "attest-check")


def layer(T=20, n=4, d=6, H=3, d_h=2, seed=0, dtype="f4"):
    random = numpy.random.default_rng(seed)
    return {
        "contexts": random.normal(size=(T, n, d)).astype(dtype),
        "queries": random.normal(size=(T, d)).astype(dtype),
        "key": random.normal(size=(H, d, d_h)).astype(dtype),
        "query": random.normal(size=(H, d, d_h)).astype(dtype),
    }


def long_layer(T=1000):
    """Most of a second of work."""
    return layer(T=T, n=64, d=512, H=32, d_h=32)


def slow_question(**more):
    """Most of a minute of work, for what must happen before the answer."""
    return attest.numerical_rank(**long_layer(), tolerance="1/1000", **more)


def program(question, arguments, folder, *more):
    """What the command line gives on the same arrays: (status, stdout, stderr)."""
    line = [ATTEST, question]
    for name, value in arguments.items():
        if isinstance(value, numpy.ndarray):
            numpy.save(folder / f"{name}.npy", value)
            value = f"{name}.npy"
        line.append(f"--{name.replace('_', '-')}={value}")
    done = subprocess.run([*line, *more], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def without_times(claims):
    return [{k: v for k, v in claim.items() if k != "seconds"} for claim in claims]


def children():
    tasks = pathlib.Path("/proc/self/task").iterdir()
    return [int(pid) for task in tasks for pid in (task / "children").read_text().split()]


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def refused(self, kind, text, function, *args, **kwargs):
        with self.assertRaises(kind) as caught:
            function(*args, **kwargs)
        self.assertIn(text, str(caught.exception))
        return str(caught.exception)
