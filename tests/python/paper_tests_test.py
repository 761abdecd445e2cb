"""examples/paper_tests.py: against 200 digits, and what docs/paper-tests.md says of the shipped layers.

    paper_tests_test.py BUILD_FOLDER
"""

import importlib.util
import os
import pathlib
import sys
import tempfile
import unittest
from fractions import Fraction

from ended import ended

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build").resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
if not os.environ.get("ATTEST_INSTALLED"):
    sys.path.insert(0, str(BUILD / "python"))
sys.path.insert(0, str(SOURCE / "examples"))

import mpmath
import numpy
import torch

import attest
import paper_tests

torch.set_num_threads(1)
LAYER = SOURCE / "cases/trained/trained-h8-t300.safetensors"


def rows(name):
    """The cells of a table of the page, without head."""
    text = (SOURCE / "docs/paper-tests.md").read_text()
    part = text[text.index(f"<!-- {name} -->") : text.index(f"<!-- end {name} -->")]
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in part.splitlines()[3:]]


def scores(layer, t, scale):
    """With 200 digits."""
    mpmath.mp.dps = 200
    number = lambda x: mpmath.mpf(float(x))
    E, e = layer["contexts"], layer["queries"][t]
    E = E[t] if E.ndim == 3 else E
    H, d, d_h = layer["key"].shape
    total = [mpmath.mpf(0)] * layer["output"].shape[1]
    for h in range(H):
        projected = [mpmath.fsum(number(layer["query"][h, j, k]) * number(e[j]) for j in range(d)) for k in range(d_h)]
        logits = [mpmath.fsum(number(x[j]) * number(layer["key"][h, j, k]) * projected[k] for j in range(d) for k in range(d_h)) / mpmath.sqrt(scale) for x in E]
        powers = [mpmath.exp(x) for x in logits]
        values = [mpmath.fsum(number(x[j]) * number(layer["value"].reshape(H, d)[h, j]) for j in range(d)) for x in E]
        mean = mpmath.fdot(powers, values) / mpmath.fsum(powers)
        total = [s + mean * number(o) for s, o in zip(total, layer["output"][h])]
    return [mpmath.fdot([number(w) for w in row], total) + number(b) for row, b in zip(layer["decoder.weight"], layer["decoder.bias"])]


class Tables(unittest.TestCase):
    def test_every_row_has_a_cell_for_every_size(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "small.npz"
            numpy.savez(file, contexts=numpy.eye(3, 5), queries=numpy.vander([1, 2, 3, 4, 5, 6], 5))
            self.assertEqual(paper_tests.curve_table([file], (2, 5, 6, 7), 20).splitlines()[2], "| small | 20 | 20 | 0 | k > T |")


class Accuracy(unittest.TestCase):
    def test_the_certified_accuracy_is_that_of_200_digits(self):
        for options in ({}, {"shared": False}):
            layer = paper_tests.trained(24, 2, 3, n=4, d=6, classes=5, steps=60, **options)
            best = [max(range(5), key=scores(layer, t, 6).__getitem__) for t in range(24)]
            right = sum(b == label for b, label in zip(best, layer["labels"]))
            self.assertEqual(paper_tests.certified_accuracy(layer, 6), (right, right))
            # However well it was trained: a third of the labels wrong, none, all.
            layer["labels"] = (numpy.array(best) + (numpy.arange(24) % 3 == 0)) % 5
            self.assertEqual(paper_tests.certified_accuracy(layer, 6), (16, 16))
            layer["labels"] = numpy.array(best)
            self.assertEqual(paper_tests.certified_accuracy(layer, 6), (24, 24))
            layer["labels"] = (layer["labels"] + 1) % 5
            self.assertEqual(paper_tests.certified_accuracy(layer, 6), (0, 0))

    def test_ties_that_the_weights_show_are_not_right(self):
        layer = paper_tests.trained(4, 1, 2, n=2, d=4, classes=3, steps=1)
        layer["decoder.weight"] = numpy.repeat(layer["decoder.weight"][:1], 3, axis=0)
        layer["decoder.bias"] = numpy.zeros(3, "f4")
        self.assertEqual(paper_tests.certified_accuracy(layer, 4), (0, 0))
        layer["decoder.bias"] = numpy.array([0, 0, 2.0**-120], "f4")  # far below rounding, and still decided
        layer["labels"] = numpy.full(4, 2)
        self.assertEqual(paper_tests.certified_accuracy(layer, 4), (4, 4))


class Assumptions(unittest.TestCase):
    def test_witnesses(self):
        random = numpy.random.default_rng(0)
        arrays = {"contexts": random.random((30, 3, 8), dtype="f4"), "queries": random.random((30, 8), dtype="f4")}
        row = paper_tests.assumptions(arrays, 200)
        self.assertEqual(row[:3] + [row[5]], [30, 3, 8, "30 of 30 contexts"])
        for cell in (row[3], row[4], row[6]):
            self.assertEqual(cell, "200 of 200; dependent < 1.8 %")
        arrays["queries"][:] = arrays["queries"][0]  # as [CLS] before the first layer
        arrays["contexts"][7, 2] = 2 * arrays["contexts"][7, 0]
        row = paper_tests.assumptions(arrays, 50)
        self.assertRegex(row[4], r"^0 of 50; e\d+ - e\d+ = 0$")
        self.assertEqual((row[5], row[6]), ("29 of 30 contexts", "50 of 50; dependent < 7.1 %"))
        arrays["contexts"] = random.random((9, 8), dtype="f4")  # n > d
        self.assertEqual(paper_tests.assumptions(arrays, 5)[5], "0 of 1 contexts")

    @unittest.skipUnless(importlib.util.find_spec("sklearn"), "scikit-learn is not installed")
    def test_a_vision_transformer_on_images(self):
        """The rows of the paper's Table 1: all queries are equal behind the embedding, and nowhere else."""
        layers, accuracy = paper_tests.digits(steps=3, most=40)
        self.assertTrue(0 <= accuracy <= 1)
        for name, arrays in layers.items():
            self.assertEqual((arrays["contexts"].shape, arrays["queries"].shape), ((40, 17, 32), (40, 32)))
            self.assertTrue((arrays["contexts"][:, 0] == arrays["queries"]).all())
            row = paper_tests.assumptions({"contexts": arrays["contexts"], "queries": arrays["queries"]}, 20)
            self.assertEqual(row[4].startswith("0 of 20; e"), name == "embedding", row)
            self.assertEqual(row[5], "40 of 40 contexts")
        cells = rows("digits")
        self.assertEqual([row[0] for row in cells], list(layers))
        self.assertEqual([row[5].startswith("0 of 5000") for row in cells], [True, False, False, False])

    def test_the_numerical_test(self):
        random = numpy.random.default_rng(4)
        low = (random.normal(size=(50, 5)) @ random.normal(size=(5, 24))).astype("f4")
        row = paper_tests.numerical({"contexts": random.random((8, 24), dtype="f4"), "queries": low}, 30)
        self.assertEqual((row[:2], row[3:]), ([8, 24], ["5 in 30", "5 in 30", "8 in 1"]))
        bound = 2.0**-23 * 24 * numpy.linalg.svd(low.astype("f8"))[1][0]
        self.assertAlmostEqual(float(row[2]) / bound, 1, delta=0.05)

    def test_numbers_that_are_too_wide_for_words(self):
        random = numpy.random.default_rng(2)
        arrays = {"contexts": random.normal(size=(3, 6)), "queries": random.normal(size=(9, 6))}
        self.assertIsNone(paper_tests.mixed(**arrays))
        self.assertEqual(paper_tests.assumptions(arrays, 50)[6], "verified; Kruskal rank of these vectors = 6")
        arrays["queries"][4] = arrays["queries"][1]
        self.assertEqual(paper_tests.assumptions(arrays, 50)[6], "refuted; Kruskal rank of these vectors = 1")

    def test_files_that_do_not_fit(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "dump.npz"
            good = {"contexts": numpy.eye(3), "queries": numpy.eye(3)}
            for change, says in (({"queries": None}, "there is no array 'queries'"), ({"queries": numpy.ones(3)}, "they must be (n, d)"),
                                 ({"queries": numpy.full((4, 3), numpy.nan)}, "not a number")):
                numpy.savez(file, **{name: array for name, array in (good | change).items() if array is not None})
                with self.assertRaises(SystemExit) as caught:
                    paper_tests.main("assumptions", str(file))
                self.assertIn(str(file), str(caught.exception))
                self.assertIn(says, str(caught.exception))
            for name, says in (("none.npz", "cannot be read (No such file"), ("a.npy", "ends neither in .npz")):
                with self.assertRaises(SystemExit) as caught:
                    paper_tests.main("layers", str(pathlib.Path(folder) / name))
                self.assertIn(says, str(caught.exception))

    def test_vectors_that_are_0(self):
        arrays = {"contexts": numpy.zeros((2, 3)), "queries": numpy.ones((5, 3))}
        self.assertEqual(paper_tests.numerical(arrays, 5)[3:], ["1 in 5", "1 in 5", "0 in 1"])
        self.assertEqual(paper_tests.numerical({"contexts": numpy.eye(2, 3), "queries": numpy.zeros((5, 3))}, 5)[3:], ["0 in 5", "0 in 5", "2 in 1"])

    def test_upper_halves_of_binary32(self):
        head = b'{"queries":{"dtype":"BF16","shape":[1,3],"data_offsets":[0,6]}}'
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "dump.safetensors"
            file.write_bytes(len(head).to_bytes(8, "little") + head + b"\x80\x3f\x40\xc0\x00\x00")
            self.assertEqual(paper_tests.load(file)["queries"].tolist(), [[1, -3, 0]])

    def test_mixed_queries_are_exact(self):
        random = numpy.random.default_rng(1)
        contexts, queries = random.random((5, 3, 4), dtype="f4") - numpy.float32(0.5), random.random((5, 4), dtype="f4")
        mixed = paper_tests.mixed(contexts, queries)
        exact = [[3 * Fraction(float(queries[t, j])) + sum(Fraction(float(x)) for x in contexts[t, :, j]) for j in range(4)] for t in range(5)]
        ratios = {Fraction(int(m)) / x for row, whole in zip(exact, mixed) for x, m in zip(row, whole)}
        self.assertEqual(len(ratios), 1)
        self.assertIsNone(paper_tests.mixed(contexts * numpy.float32(2.0**-100), queries))
        small = paper_tests.mixed(numpy.array([[1, 2], [3, 5]]), numpy.array([[1, 1], [0, 2]]))
        numpy.testing.assert_array_equal(small, [[6, 9], [4, 11]])

    def test_files(self):
        arrays = paper_tests.load(LAYER)
        with tempfile.TemporaryDirectory() as folder:
            numpy.savez(folder + "/a.npz", **arrays)
            for name, array in paper_tests.load(folder + "/a.npz").items():
                numpy.testing.assert_array_equal(array, arrays[name])


class Page(unittest.TestCase):
    def test_what_the_page_says_of_a_shipped_layer(self):
        arrays = paper_tests.load(LAYER)
        row = next(row for row in rows("table-1") if row[0] == LAYER.stem)
        self.assertEqual(row[1:], [str(cell) for cell in paper_tests.assumptions(arrays)])
        row = next(row for row in rows("layers") if row[0] == LAYER.stem)
        rank = attest.rank(**{name: arrays[name] for name in ("contexts", "queries", "key", "query")}, logit_scale="1/sqrt(d)")
        self.assertEqual((row[9], row[11]), (paper_tests.interval(rank), "249"))
        certified = paper_tests.certified_accuracy({**arrays, **{name: arrays[name][:5] for name in ("queries", "labels")}}, 64)
        best = [max(range(100), key=scores(arrays, t, 64).__getitem__) for t in range(1)]
        self.assertEqual((certified, best[0]), ((5, 5), arrays["labels"][0]))
        self.assertEqual(row[7], "1.000")

    def test_experiments(self):
        T, n, d, H, d_h, accuracy, certified, floating, rank, capacity, promised = paper_tests.measured(paper_tests.trained(20, 2, 3, n=4, d=6, classes=5, steps=50))
        self.assertEqual((T, n, d, H, d_h, rank, capacity, promised), (20, 4, 6, 2, 3, "7", "7", 5))
        self.assertEqual(accuracy, certified)
        for name in ("figure-2a", "figure-2c", "figure-4"):
            for row in rows(name):
                T, n, d, H, d_h, promised = (int(row[k]) for k in (0, 1, 2, 3, 4, 10))
                self.assertEqual(promised, min(T, H * (min(n, d_h) - 1) + 1))
                self.assertEqual(int(row[9]), min(T, H * d if name == "figure-4" else H * (n - 1) + 1))
                self.assertLessEqual(int(row[8]), int(row[9]))


if __name__ == "__main__":
    ended()
