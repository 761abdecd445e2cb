"""Every block of Python in README.md and docs runs as it stands, and every program of the sources that they name is found there."""

import contextlib
import io
import os
import re
import subprocess
import sys
import types
from pathlib import Path

from ended import ended
from layers import BUILD, InFolder, layer  # sets the path to attest

import numpy
import torch

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


class Model(torch.nn.Module):
    """With an attention module at encoder.layer.0.attention.self, and a read-out."""

    def __init__(self):
        super().__init__()
        nest = lambda **modules: torch.nn.ModuleDict(modules)
        self.encoder = nest(layer=torch.nn.ModuleList([nest(attention=nest(self=torch.nn.MultiheadAttention(8, 2, batch_first=True)))]))
        self.readout = torch.nn.Linear(8, 3)

    def forward(self, x):
        attention = self.encoder["layer"][0]["attention"]["self"]
        return self.readout(attention(x, x, x)[0][:, -1])


def readers_own():
    """What a reader of the pages has: a model, inputs, libraries that attest does not need, files of weights."""
    torch.manual_seed(0)
    data = layer(d=8, H=12, d_h=2)
    state = {f"encoder.layer.0.attention.self.{name}.{kind}": numpy.ones((24, 8)[: 2 if kind == "weight" else 1], "f4") for name in ("query", "key") for kind in ("weight", "bias")}
    return {"model": Model().eval(), "inputs": torch.randn(6, 4, 8), "where": "encoder.layer.0.attention.self", "labels": numpy.array([0, 1, 2, 0, 1, 2]), "torch": torch, "numpy": numpy,
            "E": data["contexts"], "e": data["queries"], "pandas": types.SimpleNamespace(DataFrame=list),
            "safetensors": types.SimpleNamespace(numpy=types.SimpleNamespace(load_file=lambda name: state))}


class Documented(InFolder):
    def test_blocks(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        for page in PAGES:
            names = readers_own()
            exec("import attest, attest.torch", names)
            for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.S):
                with self.subTest(page=page.name, begins=block.split("\n")[0]), contextlib.redirect_stdout(io.StringIO()):
                    exec(block, names)

    def test_programs(self):
        named = {name for page in PAGES for name in re.findall(r"python3 -m (examples\.\w+)", page.read_text())}
        self.assertLessEqual({"examples.from_pytorch", "examples.survey"}, named)
        run = subprocess.run([sys.executable, "-c", f"import {', '.join(sorted(named))}"], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(BUILD / "python")}, capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stderr), (0, ""))


if __name__ == "__main__":
    ended()
