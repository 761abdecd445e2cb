"""attest.sampled_ranks, against elimination of fractions.

    sampled_ranks_test.py BUILD_FOLDER
"""

import itertools
import sys
from fractions import Fraction
from pathlib import Path

from ended import ended
from layers import InFolder  # sets the path to attest

import numpy

import attest

sys.path.append(str(Path(__file__).resolve().parents[1] / "checker"))
from truth import rank


class SampledRanks(InFolder):
    def test_against_elimination_of_fractions(self):
        random = numpy.random.default_rng(5)
        for trial in range(6):
            vectors = random.integers(-1, 2, size=(9, 4))
            size = 2 + trial % 3
            found = attest.sampled_ranks(vectors, size=size, count=2000, seed=trial)
            dependent = [rows for rows in itertools.combinations(range(9), size) if rank(vectors[list(rows)].tolist()) < size]
            share = len(dependent) / len(list(itertools.combinations(range(9), size)))
            self.assertEqual((found.open, found.independent + found.dependent), (0, 2000))
            self.assertAlmostEqual(found.dependent / 2000, share, delta=0.06)
            self.assertLessEqual(found.dependent_share[0], found.dependent / 2000)
            self.assertGreaterEqual(found.dependent_share[1], found.dependent / 2000)
            if found.witness:
                rows, relation = found.witness
                self.assertFalse(numpy.any(numpy.array(relation) @ vectors[rows]))
                self.assertTrue(any(set(rows) <= set(subset) for subset in dependent))

    def test_floating_point_is_exact(self):
        """Rows that are dependent up to rounding are independent."""
        random = numpy.random.default_rng(1)
        basis = random.normal(size=(3, 40))
        vectors = random.normal(size=(50, 3)) @ basis
        self.assertEqual(numpy.linalg.matrix_rank(vectors), 3)
        self.assertEqual(attest.sampled_ranks(vectors, size=10, count=50).independent, 50)
        vectors[7] = 2 * vectors[3]
        found = attest.sampled_ranks(vectors, size=50, count=2)
        self.assertEqual(found.independent, 0)
        whole = attest.sampled_ranks(vectors[:, :30], size=12, count=300)
        self.assertEqual(whole.witness[0], [3, 7])
        self.assertEqual(whole.open, 0)

    def test_numerical_ranks(self):
        """The paper's test: how many singular values of a subset are above the tolerance, for the vectors as they are."""
        random = numpy.random.default_rng(5)
        vectors = (random.normal(size=(60, 12)) @ random.normal(size=(12, 40))).astype("f4")  # of rank 12 before they were rounded
        for size, expected in ((30, 12), (8, 8), (50, 12)):
            found = attest.sampled_ranks(vectors, size=size, count=20, tolerance="1e-3")
            self.assertEqual((found.independent, found.numerical, found.numerical_open), (20 if size <= 40 else 0, {expected: 20}, 0))
        self.assertIn("numerical ranks: {12: 20}, open: 0", repr(found))
        self.assertIsNone(attest.sampled_ranks(vectors, size=8, count=1).numerical)
        # Against singular values, where these are nowhere near.
        for trial in range(30):
            m, d = random.integers(1, 9, size=2)
            vectors = random.integers(-9, 10, size=(m, d)) / random.integers(1, 9)
            values = numpy.concatenate([numpy.linalg.svd(vectors)[1], [0]])
            tolerance = float((values.max() + 1) * random.random()) or 0.5
            if min(abs(values - tolerance)) > 1e-4 * tolerance:
                found = attest.sampled_ranks(vectors, size=m, count=2, tolerance=tolerance)
                self.assertEqual((found.numerical, found.numerical_open), ({int((values > tolerance).sum()): 2}, 0))
        # At the tolerance itself nothing is said, beside it it is.
        for tolerance, numerical in ((1, {}), ("999/1000", {2: 3}), ("1001/1000", {1: 3}), (Fraction(10**12 + 1, 10**12), {})):
            found = attest.sampled_ranks([[3, 0], [0, 1]], size=2, count=3, tolerance=tolerance)
            self.assertEqual((found.numerical, found.numerical_open), (numerical, 3 - sum(numerical.values())))
        self.assertEqual(attest.sampled_ranks([[10**40, 0], [0, "1/10000000000000000000000000000000000000000"]], size=2, count=1, tolerance="1e-39").numerical, {1: 1})

    def test_effort(self):
        random = numpy.random.default_rng(2)
        vectors = random.integers(-9, 10, size=(40, 6)).astype("f8") @ random.integers(-9, 10, size=(6, 30))
        found = attest.sampled_ranks(vectors, size=10, count=20, effort=1)
        self.assertEqual((found.open, found.dependent, found.witness), (20, 0, None))
        self.assertEqual(attest.sampled_ranks(vectors, size=10, count=20).dependent, 20)

    def test_bad_arguments(self):
        for arguments, text in (({"size": 0}, "size: is 0"), ({"size": -1}, "size: is -1; an integer from 1"), ({"size": 4}, "between 1 and 3"), ({"size": 1, "count": -1}, "count: is -1; an integer from 0"),
                                ({"size": 1.5}, "size: is 1.5"), ({"size": 1, "seed": 10**5000}, "seed: is int with thousands of digits"), ({"size": 1, "effort": "much"}, "effort: is 'much'"),
                                ({"size": 1, "effort": float("nan")}, "effort: is nan"), ({"size": 1, "tolerance": 0}, "tolerance: is 0; a number above 0"), ({"size": 1, "tolerance": "x"}, "tolerance: is \"x\""),
                                ({"size": 1, "tolerance": True}, "tolerance= is True"), ({"size": 1, "tolerance": "1e-9999"}, "tolerance: is below 2^-"), ({"size": 1, "count": None}, "count: is None"), ({"size": True}, "size: is True; an integer from 1"), ({"size": 1, "progress": 3}, "progress= is 3")):
            self.refused(attest.InputError, text, attest.sampled_ranks, numpy.eye(3), **arguments)
        self.refused(attest.InputError, "vectors: has shape (3,)", attest.sampled_ranks, numpy.ones(3), size=1)
        self.refused(attest.InputError, "NaN", attest.sampled_ranks, numpy.eye(3) * numpy.nan, size=1)


if __name__ == "__main__":
    ended()
