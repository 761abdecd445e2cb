"""examples/train_figures.py against the formulas; examples/paper_figures.py: what docs/paper-tests.md says of curves and layers.

    paper_figures_test.py BUILD_FOLDER
"""

import csv
import importlib.util
import pathlib
import sys
import tempfile
import unittest

from ended import ended

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.argv[1:2] = []
sys.path.insert(0, str(SOURCE / "examples"))

import numpy
import torch

import paper_figures
import train_figures

torch.set_num_threads(1)
LAYERS = [{"H": 2, "n": 3, "dh": 5, "T": 40, "seed": 1}, {"H": 3, "n": 7, "dh": 64, "T": 50, "seed": 2}, {"H": 1, "n": 1, "dh": 9, "T": 30, "seed": 1}]


class Training(unittest.TestCase):
    def test_a_group_computes_the_formulas_of_each_layer(self):
        """In binary64, token by token; and what pads a layer stays 0 while it is trained."""
        for shared in (True, False):
            data = train_figures.Data([1, 2], 50, 7, shared, "cpu")
            group = train_figures.Group(LAYERS, data, 100)
            group.draw()
            for _ in range(5):
                group.step()
            i = torch.stack([torch.arange(11) * 2 % layer["T"] for layer in LAYERS])
            scores, coefficients = group.forward(i)
            for j, layer in enumerate(LAYERS):
                p = {name: value[j].detach().double() for name, value in group.p.items()}
                seed, H, n, dh = [1, 2].index(layer["seed"]), layer["H"], layer["n"], layer["dh"]
                for b, t in enumerate(i[j].tolist()):
                    tokens = (data.contexts[seed] if shared else data.contexts[seed, t])[:n].double()
                    x = torch.cat([data.queries[seed, t].double()[None], tokens]) @ p["embedding"] + p["embedding_bias"] + train_figures.positions(n + 1).double()
                    out = torch.zeros(64, dtype=torch.double)
                    for h in range(H):
                        a = ((x[1:] @ p["key"][h, :dh].T) @ (p["query"][h, :, :dh].T @ x[0]) / 8).softmax(0)
                        out += (a @ (x[1:] @ p["value"][:, h])) * p["output"][h]
                        self.assertLess((a - coefficients[j, b, h, :n].double()).abs().max(), 1e-5)
                    self.assertEqual(float(coefficients[j, b, :, n:].detach().abs().sum()), 0)
                    self.assertLess((out @ p["decoder"] + p["decoder_bias"][0] - scores[j, b].double()).abs().max(), 1e-4)
                for pad in (p["key"][H:], p["key"][:, dh:], p["query"][H:], p["query"][..., dh:], p["value"][:, H:], p["output"][H:]):
                    self.assertFalse(pad.any())

    def test_the_rate_warms_up_and_decays(self):
        group = train_figures.Group(LAYERS[:1], train_figures.Data([1, 2], 50, 7, True, "cpu"), 100)
        group.draw()
        rates = []
        for _ in range(100):
            group.step()
            rates.append(float(group.rate))
        self.assertAlmostEqual(max(rates), 1e-3, places=6)
        self.assertEqual(rates.index(max(rates)), 4)
        self.assertLess(rates[-1], 1e-8)

    def test_a_layer_is_trained_and_saved(self):
        layers = [{"figure": "x", "H": 4, "n": 8, "dh": 8, "T": 40, "seed": 1}, {"figure": "x", "H": 4, "n": 2, "dh": 8, "T": 40, "seed": 2}]
        torch.manual_seed(0)
        group = train_figures.Group(layers, train_figures.Data([1, 2], 40, 8, True, "cpu"), 1000)
        before = group.evaluate()
        group.train()
        after = group.evaluate()
        self.assertGreater(after[0][0], 0.9)
        self.assertLess(after[0][1], before[0][1])
        with tempfile.TemporaryDirectory() as folder:
            group.save(0, folder + "/layer.npz")
            with numpy.load(folder + "/layer.npz") as saved, numpy.load(SOURCE / "cases/trained/figure3-h4-t550.npz") as shipped:
                self.assertEqual(sorted(saved.files), sorted(shipped.files))
                self.assertEqual({name: array.ndim for name, array in saved.items()}, {name: array.ndim for name, array in shipped.items()})
            self.assertAlmostEqual(1 - paper_figures.saturated(folder + "/layer.npz").all(1).mean(), after[0][3], places=3)

    def test_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            train_figures.main([folder, "3", "--share", "50", "--steps", "5"])
            with open(folder + "/curves.csv") as own, open(paper_figures.FOLDER / "curves.csv") as shipped:
                rows, expected = list(csv.DictReader(own)), [row for row in csv.DictReader(shipped) if row["figure"] == "3"]
            self.assertEqual(rows[0].keys(), expected[0].keys())
            self.assertEqual(sorted((row["H"], row["dh"], row["seed"]) for row in rows), sorted((row["H"], row["dh"], row["seed"]) for row in expected))


class Page(unittest.TestCase):
    def test_the_tables_are_those_of_the_data(self):
        page = (SOURCE / "docs/paper-tests.md").read_text()
        for name, text in paper_figures.tables().items():
            begin = f"<!-- paper {name} -->\n"
            self.assertEqual(page[page.index(begin) + len(begin) : page.index(f"<!-- end paper {name} -->")], text + "\n", name)

    def test_a_line_is_told_from_a_curve(self):
        slope, r2, count = paper_figures.fit({x: [x / 10, x / 10] for x in range(1, 8)} | {12: [1.0]})
        self.assertEqual((round(slope, 9), round(r2, 9), count), (0.1, 1, 7))
        self.assertLess(paper_figures.fit({x: [(x % 2) / 2] for x in range(1, 8)})[1], 0.1)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib is not installed")
    def test_plots(self):
        with tempfile.TemporaryDirectory() as folder:
            shipped = sorted(file.name for file in paper_figures.FOLDER.glob("*.png"))
            paper_figures.plots(pathlib.Path(folder))
            self.assertEqual(sorted(file.name for file in pathlib.Path(folder).glob("*.png")), shipped)


if __name__ == "__main__":
    ended()
