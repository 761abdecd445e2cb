"""Arrays and numbers in memory: exact, or refused in words.

    arrays_test.py BUILD_FOLDER
"""

import decimal
import json
import mmap
import threading
from fractions import Fraction

from ended import ended
from layers import layer, long_layer, InFolder  # sets the path to attest

import numpy

import attest


class Arrays(InFolder):
    def digest(self, **changed):
        return json.loads(attest.rank(**{**layer(dtype="f8"), **changed}).certificate)["case"]["digest"]

    def test_memory_layouts_do_not_matter(self):
        e = layer(dtype="f8")["queries"]
        expected = self.digest()
        frozen = e.copy()
        frozen.flags.writeable = False
        misaligned = numpy.frombuffer(b"x" + e.tobytes(), dtype="u1")[1:].view("f8").reshape(e.shape)
        self.assertFalse(misaligned.flags.aligned)
        for same in (numpy.asfortranarray(e), numpy.repeat(e, 2, axis=0)[::2], e[::-1][::-1], e.astype(">f8"), frozen, misaligned, e.tolist(), memoryview(e),
                     numpy.broadcast_to(e, e.shape)):
            self.assertEqual(self.digest(queries=same), expected)

    def test_types(self):
        small = numpy.arange(120).reshape(20, 6) % 5 - 2
        expected = self.digest(queries=small.astype("f8"))
        for kind in ("f4", "f2", "i8", "i4", "i2", "i1", ">i4", ">f2"):
            self.assertEqual(self.digest(queries=small.astype(kind)), expected, kind)
        flags = small > 0
        self.assertEqual(self.digest(queries=flags), self.digest(queries=flags.astype("u1")))

    def test_memory_that_others_can_write_is_copied_first(self):
        e = layer(dtype="f8")["queries"]
        shared = numpy.frombuffer(mmap.mmap(-1, e.nbytes), dtype="f8").reshape(e.shape)
        shared[:] = e
        numpy.save(self.folder / "e.npy", e)
        for same in (shared, numpy.load(self.folder / "e.npy", mmap_mode="r"), numpy.load(self.folder / "e.npy", mmap_mode="c")):
            self.assertEqual(self.digest(queries=same), self.digest())

    def test_arrays_are_those_of_the_call(self):
        """Another thread writes while the question is asked: the answer is about the arrays before."""
        arrays = long_layer()
        before = arrays["queries"].copy()
        results = []
        asked = threading.Event()
        thread = threading.Thread(target=lambda: results.append(attest.rank(**arrays, progress=lambda *_: asked.set(), out=self.folder)))
        thread.start()
        self.assertTrue(asked.wait(60))
        arrays["queries"][:] = 0
        thread.join()
        self.assertEqual(results[0].lower, 1000)
        numpy.testing.assert_array_equal(numpy.load(self.folder / "queries.npy"), before)
        self.refused(attest.InputError, "has changed", results[0].save, self.folder / "again")

    def test_other_containers(self):
        e = layer(dtype="f8")["queries"]

        class Interface:
            def __array__(self, dtype=None):
                return e

        class Capsule:
            def __dlpack__(self, stream=None):
                return e.__dlpack__()

            def __dlpack_device__(self):
                return e.__dlpack_device__()

        class Device(Capsule):
            device = "cuda:0"

            def __dlpack_device__(self):
                return (2, 0)

        class CudaArray:
            __cuda_array_interface__ = {}
            device = "cuda:1"

        self.assertEqual(self.digest(queries=Interface()), self.digest())
        self.assertEqual(self.digest(queries=Capsule()), self.digest())
        self.refused(attest.InputError, "queries: the array lies in the memory of cuda:0", self.digest, queries=Device())
        self.refused(attest.InputError, "queries: the array lies in the memory of cuda:1", self.digest, queries=CudaArray())

    def test_bad_arrays(self):
        e = layer(dtype="f8")["queries"]
        for wrong, text in ((e.astype("c16"), 'queries: dtype "<c16" is not supported; real numbers: array.real'), (numpy.zeros((20, 6), "M8[s]"), "is not supported; supported are f8"), (numpy.zeros((20, 6), [("a", "f8")]), 'one field of a structured array: array["NAME"]'),
                            (e[:, :0], "queries: "), (numpy.array(1.0), "queries: has shape ()"), (e[0], "an array of 2 dimensions"),
                            (numpy.ma.masked_array(e), "masked"), ([[1, 2], [3]], "queries: index [1]: is a row of 1, and [0] is a row of 2; all rows of one length"), ({"a": e}, "queries"),
                            (object(), "is no exact number"),
                            (e[:10], "does not fit the other arrays")):
            self.refused(attest.InputError, text, self.digest, queries=wrong)
        self.refused(attest.InputError, "queries: {'a': ", self.digest, queries={"a": e})  # names are what weights have

        class Frame:  # of columns with names, as pandas has them
            columns = keys = staticmethod(lambda: "abcdef")
            __array__ = staticmethod(lambda dtype=None, copy=None: numpy.asarray(e, dtype))

        self.assertEqual(self.digest(queries=Frame()), self.digest(queries=e))
        # The way out that rounds nothing.
        large = numpy.array([[[2**63 + 1, 1]], [[2**63, 1]]], "u8")
        numpy.save(self.folder / "large.npy", large)
        ask = lambda contexts: attest.rank(contexts=contexts, queries=[[1, 0], [0, 1]], key=[[[1], [0]]], query=[[[1], [1]]])
        self.refused(attest.InputError, "give numpy.load of it to the Python module", ask, self.folder / "large.npy")
        self.assertEqual(ask(numpy.load(self.folder / "large.npy")), 2)
        # Each kind of file that is not read names the way out that works.
        for held, way, out in ((large.astype("g"), "give numpy.load of it to", numpy.load), (large.astype(str), "give numpy.load of it to", numpy.load),
                               (large.astype(object), "give numpy.load(FILE, allow_pickle=True) to", lambda file: numpy.load(file, allow_pickle=True)),
                               (numpy.array([[[2**52 + 1, 1]], [[2**52, 1]]], "c16"), "real numbers: array.real, where", lambda file: numpy.load(file).real)):
            numpy.save(self.folder / "other.npy", held)
            self.refused(attest.InputError, way, ask, self.folder / "other.npy")
            self.assertEqual(ask(out(self.folder / "other.npy")), 2)
        for held in (large.astype("c16"), numpy.zeros((2, 1, 2), "M8[s]")):
            numpy.save(self.folder / "other.npy", held)
            self.assertNotIn("numpy.load", self.refused(attest.InputError, "is not supported", ask, self.folder / "other.npy"))
        key = layer()["key"].transpose(0, 2, 1)
        self.refused(attest.InputError, f"key: has shape {key.shape}, which does not fit the other arrays as key=: it is transposed", self.digest, key=key)
        for entry, text in ((numpy.nan, "queries: index [3, 1]: the entry is not a number (NaN)"), (numpy.inf, "queries: index [3, 1]: the entry is infinite")):
            e[3, 1] = entry
            for kind in ("f8", "f4", ">f8", "f2"):
                self.refused(attest.InputError, text, self.digest, queries=e.astype(kind))

    def test_entries_are_exact_or_refused(self):
        """numpy makes floats of lists, and rounds what is none."""
        identity = {"queries": [[1, 0], [0, 1]], "key": [[[1], [0]]], "query": [[[1], [1]]]}
        big, third = 2**60 + 1, Fraction(1, 3)
        self.assertEqual(float(big), 2**60)
        rank_of = lambda entry, beside, other=1: attest.rank(contexts=[[[entry, other]], [[beside, other]]], **identity, check=True)
        for entry, beside, other in ((big, 2**60, 1.0), (2**63 + 1, 2**63, 1), (big, 2**60, 1), (-(2**63) - 1, -(2**63), 0.5), (2**200 + 1, 2**200, 1), (third, float(third), 1),
                                     ("1/3", float(third), 1.0), ("0.1", 0.1, 1), ("0x1p-2000", 0, 1), (decimal.Decimal("0.1"), 0.1, 1), (decimal.Decimal("1E-400"), 0, 1),
                                     (numpy.longdouble(1) + numpy.longdouble(2) ** -60, 1.0, 1), (numpy.uint64(2**63 + 1), numpy.uint64(2**63), 1), (numpy.int64(2**53 + 1), 2.0**53, 1),
                                     (True, False, 1.5)):
            result = rank_of(entry, beside, other)
            self.assertEqual((result.lower, result.upper, result.verdict, result.notes), (2, 2, "verified", []), entry)
            self.assertEqual(rank_of(entry, entry, other).upper, 1, entry)
            self.assertEqual(rank_of(beside, beside, other).upper, 1, entry)
        # The same as what a file says exactly, whatever holds them; also in arrays of objects, texts and long doubles.
        e = layer(dtype="f8")["queries"]
        expected = self.digest()
        for same in (e.astype(object), e.astype("g"), [[Fraction(x) for x in row] for row in e.tolist()], numpy.array([[x.hex() for x in row] for row in e.tolist()]),
                     numpy.array([[x.hex().encode() for x in row] for row in e.tolist()]), [tuple(decimal.Decimal(x) for x in row) for row in e.tolist()], list(e), [list(row) for row in e]):
            self.assertEqual(self.digest(queries=same), expected)
        small = numpy.arange(120).reshape(20, 6)
        for kind in ("u2", "u4", "u8", ">u8", "O", "g", "U", "S"):
            self.assertEqual(self.digest(queries=small.astype(kind)), self.digest(queries=small.astype("i8")), kind)
        rounded = numpy.array([2**63 + 1] * 120, "u8").reshape(20, 6)
        self.assertNotEqual(self.digest(queries=rounded), self.digest(queries=rounded.astype("f8")))
        # They are kept with the certificate, in the case file.
        arrays = {**layer(), "queries": [[Fraction(k, 3 + t) for k in range(6)] for t in range(20)]}
        result = attest.rank(**arrays, out=self.folder / "o")
        self.assertEqual(sorted(path.name for path in (self.folder / "o").iterdir()), ["contexts.npy", "key.npy", "query.npy", "rank.json", "rank.toml"])
        self.assertIn('queries = [["0", "1/3", "2/3", "1", "4/3", "5/3"], ["0", "1/4", ', result.case)
        self.assertIn("valid", attest.check(result.path))
        again = attest.rank(**arrays)
        self.assertEqual(again.certificate, result.certificate)
        self.assertIn("valid", attest.check(again.save(self.folder / "p")))
        readout = [[Fraction(1, k + 3)] for k in range(18)]
        turned = [attest.jacobian_rank(**layer(), **{name: value}) for name, value in (("readout", readout), ("readout_linear", [[row[0] for row in readout]]))]
        self.assertEqual(len({json.loads(result.certificate)["case"]["digest"] for result in turned}), 1)
        self.assertIn("valid", turned[1].check())
        for entry, text in ((1j, "1j is no exact number; integers, floats, Fraction"), ("1/0", "has a zero denominator"), ("one", "is not an exact number"), ("1\n2", "no exact number"),
                            (decimal.Decimal("NaN"), '"NaN" is not an exact number'), (None, "None is no exact number"), ("1e999999", "exponent beyond"), (b"1", "no exact number")):
            self.refused(attest.InputError, "contexts: index [1, 0, 0]: ", rank_of, third, entry)
            self.refused(attest.InputError, text, rank_of, third, entry)
        self.refused(attest.InputError, "contexts: index [1, 0, 0]: the entry is not a number (NaN)", rank_of, 1, float("nan"))
        self.refused(attest.InputError, "weights['w']: has numbers that are neither binary floats nor 64-bit integers", attest.rank, **{k: layer()[k] for k in ("contexts", "queries")},
                     weights={"w": [third]}, layout="torch", heads=3)

    def test_numbers_are_exact_or_refused(self):
        a = layer()
        digest = lambda **more: json.loads(attest.rank(**a, **more).certificate)["case"]["digest"]
        tenth, near = digest(logit_scale="1/10"), digest(logit_scale=Fraction(0.1))
        for same in ("0.1", Fraction(1, 10), decimal.Decimal("0.1"), numpy.array("0.1"), numpy.array(Fraction(1, 10))):
            self.assertEqual(digest(logit_scale=same), tenth)
        for same in (0.1, numpy.float64(0.1), numpy.array(0.1), numpy.longdouble(0.1), decimal.Decimal(0.1)):
            self.assertEqual(digest(logit_scale=same), near)
        self.assertNotEqual(digest(logit_scale=numpy.longdouble("0.1")), near)
        self.assertEqual(digest(logit_scale=numpy.array(2)), digest(logit_scale=numpy.uint8(2)))
        self.assertEqual(digest(logit_scale=10**5000), digest(logit_scale="1e5000"))
        for wrong, text in ((1j, "logit_scale= is 1j; give a rational"), (True, "logit_scale= is True"), ("", "attest.rank: logit_scale= is empty; a rational"), (numpy.bool_(True), "logit_scale= is True"), ([1, 2], "logit_scale= is [1, 2]"),
                            (numpy.ones(2), "logit_scale= is an array of shape (2,)"), (object(), "logit_scale= is <object")):
            self.refused(attest.InputError, text, attest.rank, **a, logit_scale=wrong)
        data = {k: a[k] for k in ("contexts", "queries")}
        self.assertEqual(attest.capacity(**data, heads=numpy.array(2)).lower, attest.capacity(**data, heads=2).lower)
        for wrong in (3, 0.5, Fraction(1, 2)):
            self.refused(attest.InputError, f"queries= is {wrong!r}; give an array: queries, (T, d)", attest.rank, **{**a, "queries": wrong})
        for wrong in (1, "no", 0, numpy.ones(2)):
            self.refused(attest.InputError, "check= is ", attest.rank, **a, check=wrong)
        self.assertEqual(attest.rank(**a, check=numpy.bool_(True)).data["checked"], True)

    def test_numbers_of_sympy(self):
        try:
            import sympy
        except ImportError:
            self.skipTest("it needs python3-sympy")
        contexts = [[[sympy.Rational(1, 3), sympy.Integer(1)]], [[1 / 3, 1]]]
        ask = lambda contexts: attest.rank(contexts=contexts, queries=sympy.eye(2), key=[[[1], [0]]], query=[[[1], [1]]], logit_scale=sympy.Rational(1, 7))
        self.assertEqual((ask(contexts).lower, ask(contexts).upper), (2, 2))
        for wrong in (sympy.sqrt(2), sympy.pi, sympy.oo, sympy.nan, sympy.I):
            self.refused(attest.InputError, f"contexts: index [0, 0, 0]: {wrong!r} is no exact number; integers, floats", ask, [[[wrong, 1]], [[0, 1]]])
        # What the message offers: a float of as many digits as one likes, or a text.
        for right in (sympy.sqrt(2).evalf(50), sympy.pi.evalf(), "1.41421356"):
            self.assertEqual(ask([[[right, 1]], [[0, 1]]]).verdict, "verified")
        # The binary number that it is: 0.1 of 53 bits is the float, and of 40 digits another number.
        for digits, rank in ((15, 1), (40, 2)):
            self.assertEqual(attest.matrix_rank([[sympy.Float("0.1", digits), 1], [0.1, 1]]), rank)
            self.assertEqual(attest.matrix_rank([[sympy.Float("0.1", digits), 1], ["0.1", 1]]), 2)
        self.assertEqual(attest.matrix_rank(sympy.Matrix([[sympy.Float(3) / 2, 3], [1, 2]])), 1)
        notes = lambda digits: attest.rank(contexts=contexts, queries=sympy.eye(2), key=[[[1], [0]]], query=[[[1], [1]]], logit_scale=sympy.Float("0.1", digits)).notes
        self.assertEqual(notes(15), ['logit_scale is the float 0x1.999999999999ap-4, not exactly 0.1; give "0.1" for that'])

    def test_numbers_of_mpmath(self):
        try:
            import mpmath
        except ImportError:
            self.skipTest("it needs python3-mpmath")
        with mpmath.workprec(200):
            third = mpmath.mpf(1) / 3
            sign, mantissa, exponent, _ = third._mpf_
            exactly = Fraction(int(mantissa)) / 2**-exponent
            for entry in (exactly, f"0x{mantissa:x}p{exponent}", third):
                self.assertEqual(attest.matrix_rank([[third, 1], [entry, 1]]), 1)
                self.assertEqual(attest.matrix_rank([[-third, 1], [entry, -1]]), 1)
            for entry in (Fraction(1, 3), 1 / 3, "1/3", exactly + Fraction(1, 2**300)):
                self.assertEqual(attest.matrix_rank([[third, 1], [entry, 1]]), 2)
            for small in (mpmath.mpf(2) ** -1074, mpmath.mpf(2) ** -1075, mpmath.mpf(2) ** 1023, mpmath.mpf(2) ** 1024):
                self.assertEqual(attest.matrix_rank([[small, small], [1, 1]]), 1)
                self.assertEqual(attest.matrix_rank([[small, 0], [1, 1]]), 2)
            self.assertEqual(attest.matrix_rank([[mpmath.mpf(0), 0], [1, 1]]), 1)
            self.assertEqual(attest.matrix_rank(mpmath.matrix([[1, 2], [third, third]])), 2)
            self.assertEqual(attest.matrix_rank(mpmath.matrix([[1, 2], [third, 2 * third]])), 1)
            for wrong, text in ((mpmath.inf, "is infinite"), (-mpmath.inf, "is infinite"), (mpmath.nan, "is not a number (NaN)"), (mpmath.mpc(1, 2), "is no exact number"),
                                (mpmath.mpf(10) ** 10**10, "has an exponent beyond +-100000"), (mpmath.pi, "is no exact number")):
                self.refused(attest.InputError, text, attest.matrix_rank, [[wrong, 1], [1, 1]])

    def test_errors_are_in_the_words_of_python(self):
        a = layer()
        for change, argument, text in (
            ({"heads": 7}, "key", "key: has 3 heads, but heads= says 7; heads= only for arrays that do not show it"),
            ({"head_dim": 9}, "key", "key: has the head dimension 2, but head_dim= says 9; "),
            ({"queries": a["key"]}, "queries", "queries: has shape (3, 6, 2), which does not fit queries=: (T, d); an array of 2 dimensions"),
            ({"queries": a["queries"][:5]}, "contexts", "contexts: has shape (20, 4, 6), which does not fit the other arrays as contexts=; shape (5, 4, 6)"),
            ({"logit_scale": 0}, "", "attest.rank: logit_scale is 0; write "),
            ({"logit_scale": "1/sqrt(dh)"}, "", 'attest.rank: logit_scale is "1/sqrt(dh)"; write '),
            ({"base": 3}, "base", 'attest.rank: base= is "3"; e or 2; see help(attest.rank)'),
            ({"heads": 0}, "heads", 'attest.rank: heads= is "0"; an integer from 1 to 1099511627776; see help'),
            ({"heads": -1}, "heads", 'attest.rank: heads= is "-1"; '),
            ({"heads": True}, "", "heads= is True; give an integer"),
            ({"base": True}, "", "base= is True; give e or 2"),
            ({"key": ""}, "key", "attest.rank: key= is empty; "),
            ({"out": ""}, "out", "attest.rank: out= is empty; "),
            ({"out": 5}, "", "out= is 5; give the name of a folder"),
            ({"out": "a\0b"}, "", "out: 'a\\x00b' is no text of Unicode without NUL; "),
            ({"positions": True}, "", 'positions= is True; "last"'),
            ({"positions": []}, "positions", "attest.rank: positions= is empty; "),
            ({"timeout": "nan"}, "timeout", 'attest.rank: timeout= is "nan"; '),
            ({"memory": "-1"}, "memory", 'attest.rank: memory= "-1" is not an amount; '),
            ({"work": "10k"}, "work", "attest.rank: work= "),
            ({"layout": "torch"}, "layout", "attest.rank: layout= requires weights=; "),
            ({"key_bias": a["queries"]}, "key_bias", "key_bias: has shape (20, 6), which does not fit the other arrays as key_bias="),
            ({"out": True}, "", "out= is True; "),
            ({"contexts": a["contexts"] * numpy.float32("nan")}, "contexts", "contexts: index [0, 0, 0]: the entry is not a number (NaN); every entry must be finite")):
            with self.assertRaises(attest.InputError) as caught:
                attest.rank(**{**a, **change})
            self.assertTrue(str(caught.exception).startswith(text), caught.exception)
            self.assertEqual(caught.exception.argument, argument)
            self.assertNotIn("--", str(caught.exception))
        self.assertEqual([getattr(caught.exception, field) for field in ("file", "place", "wrong", "right")],
                         ["contexts", "index [0, 0, 0]", "the entry is not a number (NaN)", "every entry must be finite"])
        file = self.folder / "q.npy"
        file.write_text("nothing")
        with self.assertRaises(attest.InputError) as caught:
            attest.rank(**{**a, "queries": file})
        self.assertEqual(caught.exception.file, str(file))
        self.refused(attest.InputError, "tolerance=", attest.numerical_rank, contexts=[["1e400", 0]], logits=[[[0]]])
        nothing = attest.numerical_rank(contexts=[[0, 0]], logits=[[[0]]])
        self.assertEqual(nothing, 0)
        self.assertIn("the tolerance is 0x1p-1074, the least number of binary64", nothing.notes[-1])
        self.refused(attest.InputError, "classes: has shape (2,), which does not fit the other arrays as classes=; shape (20,)", attest.accuracy, **a, classes=[0, 1])
        self.refused(TypeError, "did you mean 'queries'", attest.rank, **{**a, "querie": 1})
        for name in ("json", "rows"):
            self.refused(TypeError, f"has no argument '{name}'", attest.rank, **a, **{name: True})
        self.assertEqual(attest.rank(**a, logit_scale=0.1).notes, ['logit_scale is the float 0x1.999999999999ap-4, not exactly 0.1; give "0.1" for that'])
        self.refused(attest.InputError, "out", attest.rank, **a, out="-")
        self.refused(attest.InputError, "no text of Unicode", attest.rank, **{**a, "key": "\udcff.npy"})
        for wrong in (5, "yes"):
            self.refused(attest.InputError, f"progress= is {wrong!r}; a function", attest.rank, **a, progress=wrong)
        self.assertEqual(attest.rank(**a, progress=False), 18)
        self.assertEqual(attest.rank(**a, logit_scale=0.125, timeout=0.5e3, heads=None).lower, 18)


if __name__ == "__main__":
    ended()
