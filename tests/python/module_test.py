"""The Python module `attest`: the same answers, certificates and errors as the program's, from arrays in
memory; and what a host process must not notice.

    module_test.py BUILD_FOLDER
"""

import ast
import ctypes
import decimal
import inspect
import itertools
import json
import mmap
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
from fractions import Fraction

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build").resolve()
if not os.environ.get("ATTEST_INSTALLED"):
    sys.path.insert(0, str(BUILD / "python"))

import numpy

import attest
from attest.progress import Shown

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


class Answers(InFolder):
    def test_the_same_claims_and_certificate_as_the_program(self):
        arrays = layer()
        data = {k: arrays[k] for k in ("contexts", "queries")}
        for question, arguments in (("rank", arrays), ("rank", {**arrays, "base": 2}), ("rank", {**arrays, "logit_scale": Fraction(1, 8)}),
                                    ("capacity", {**data, "heads": 2, "head_dim": 3}), ("capacity", {**data, "heads": "1:2", "which": True}),
                                    ("jacobian_rank", {**arrays, "readout": layer(H=18)["key"][:, 0]}), ("functional_dimension", {**data, "heads": 1, "head_dim": 1, "output_dim": 2}),
                                    ("assumptions", data)):
            name = question.replace("_", "-")
            status, out, err = program(name, arguments, self.folder, "--json", "--out", "o")
            self.assertEqual(status, 0, err)
            result = getattr(attest, question)(**arguments)
            self.assertEqual(without_times(json.loads(out)), without_times([claim.data for claim in result.claims]))
            self.assertEqual((self.folder / "o" / f"{name}.json").read_text(), result.certificate)
            self.assertEqual(repr(result) + "\n", program(name, arguments, self.folder)[1])
        self.assertIn("\nsaturation (threshold = 99/100, head = 0): proved; ", repr(attest.saturation(**arrays)))

    def test_what_was_asked_for_is_printed(self):
        a = layer()
        result = attest.rank(**a, float=True, after_heads=True, check=True)
        self.assertEqual((result.data["binary64_rank"], result.data["rank_after_heads"][-1], result.data["checked"]), (18, 18, True))
        for text in ("rank: proved; rank(Z) = 18 of ", "; checked\n", "numpy.linalg.matrix_rank says 18", "rank of the first h heads"):
            self.assertIn(text, repr(result))
        self.assertTrue(" ".join(repr(attest.memorizes(**a)).split()).startswith("memorizes: no, 18 of 20 dimensions (19 with a bias), even with values and read-out trained anew; rank(Z) = 18 of 20"))
        self.assertTrue(" ".join(repr(attest.memorizes(**a, bias=True)).split()).startswith("memorizes with a bias: no, 19 of 20 dimensions, even with values and read-out trained anew; rank [Z 1] = 19 of 20"))
        self.assertIn("note: without labels=: any labels", repr(attest.memorizes(**a)))
        self.assertTrue(" ".join(repr(attest.memorizes(**layer(T=18))).split()).startswith("memorizes: yes, with values and read-out trained anew; rank(Z) = 18 of 18 memorizes with a bias: yes"))
        self.assertNotIn("claimed", repr(attest.memorizes(**a)))

    def test_the_values_as_they_are_beside_those_trained_anew(self):
        a = layer(T=18)
        value = numpy.ones((*a["key"].shape[:2], 1), dtype="f4")
        result = attest.memorizes(**a, value=value)
        text, rank = " ".join(repr(result).split()), result["output-rank"].lower
        self.assertLess(rank, 18)
        self.assertTrue(text.startswith(f"memorizes: yes, with values and read-out trained anew; with the values as they are: no, {rank} of 18 dimensions; "), text)
        # A bias of the read-out beside the outputs is another question.
        self.assertIn(f"; with the values as they are and no bias: no, {rank} of 18 dimensions; ", " ".join(repr(attest.memorizes(**a, value=value, bias=True)).split()))
        # Of weights as a model stores them, where the file has values.
        source = numpy.random.default_rng(1)
        model = {"in_proj_weight": source.normal(size=(12, 4)), "out_proj.weight": source.normal(size=(4, 4))}
        arrays = {"contexts": source.normal(size=(5, 3, 4)), "queries": source.normal(size=(5, 4))}
        self.assertIn("; with the values as they are: no, 4 of 5 dimensions; ", " ".join(repr(attest.memorizes(**arrays, weights=model, layout="torch", heads=2)).split()))
        model = {name: source.normal(size=(2, 4, 2)) for name in ("key", "query")}
        without = repr(attest.memorizes(**arrays, weights=model, layout="heads"))
        self.assertEqual(without.count("values as they are"), 1)
        self.assertIn("note: without value= nothing is said of the values as they are", without)
        self.assertLessEqual(max(map(len, without.split("\n"))), 120)
        # What a proof found besides, as data.
        found = attest.assumptions(contexts=[[[1, 0], [0, 1]], [[1, 1], [1, 1]]], queries=[[1, 0], [2, 0]])
        self.assertEqual(found["assumption-2"].findings, [{"kind": "dependent-tokens", "example": 1, "tokens": [0, 1], "says": "example 1 breaks Assumption 2: tokens 0 and 1 are equal"}])
        self.assertEqual(found["assumption-1"].findings[0]["says"], "queries 0 and 1 are parallel")
        self.assertTrue(found["assumption-2"].answer.startswith("not every context has rank n = 2"))

    def test_outputs_biases_sinks_and_sigmoid_coefficients(self):
        a = layer(n=3, d=4, dtype="f8")
        value, value_bias, sink = numpy.zeros((3, 4, 2)), numpy.zeros((3, 2)), numpy.array([0.5, 0, -1])
        value[:2, 0, 0], value[2, :, :], value_bias[0, 1] = 1, 1, 2
        logits = numpy.einsum("tnd,hdk,hek,te->thn", *(a[k] for k in ("contexts", "key", "query", "queries")), optimize=True)
        powers = numpy.exp(logits)
        for more, alpha in (({}, powers / powers.sum(-1, keepdims=True)),
                            ({"sink": True, "sink_logits": sink}, powers / (powers.sum(-1) + numpy.exp(sink))[..., None]),
                            ({"coefficients": "sigmoid"}, powers / (1 + powers))):
            z = alpha @ a["contexts"]
            outputs = numpy.einsum("thd,hdk->thk", z, value) + alpha.sum(-1, keepdims=True) * value_bias
            wanted = [numpy.linalg.matrix_rank(m.reshape(20, -1)) for m in (outputs, outputs[:, 0], outputs[:, 1], outputs[:, 2])]
            result = attest.output_rank(**a, **more, value=value, value_bias=value_bias, per_head=True, check=True)
            self.assertEqual([(claim.lower, claim.upper) for claim in result.claims], [(rank, rank) for rank in wanted], more)
            self.assertEqual(attest.rank(**a, **more).lower, numpy.linalg.matrix_rank(z.reshape(20, -1)))
        self.refused(TypeError, "rank() has no argument 'value'", attest.rank, **a, value=value)
        self.refused(TypeError, "no argument 'value'", attest.assumptions, contexts=a["contexts"], queries=a["queries"], value=value)
        self.refused(attest.InputError, "there are no values", attest.output_rank, **a)
        self.refused(attest.InputError, "sink_logits= requires sink=", attest.rank, **a, sink_logits=sink)
        few = {**layer(T=13, n=3, d=4), "labels": numpy.ones((13, 1))}
        self.assertEqual(attest.memorizes(**few, bias=True).verdict, "verified")
        self.assertEqual(attest.memorizes(**few).verdict, "refuted")

    def test_a_rejected_certificate_is_no_answer(self):
        (self.folder / "rank.json").symlink_to("/dev/null")
        self.refused(attest.CertificateError, "rank.json: rejected by the checker: ", attest.rank, **layer(), out=self.folder, check=True)

    def test_which_examples(self):
        contexts, queries = [[1, 0], [0, 1]], [[1, 2], [1, 2], [-1, -2], [0, 0], [3, 1]]
        result = attest.capacity(contexts=contexts, queries=queries, heads=2, head_dim=1, which=True, worth=[0, 1, 0, 0, 2], check=True)
        self.assertEqual((result.verdict, result.lower, result.which, result.conflicts), ("verified", 3, [1, 2, 4], {0: [1], 3: [1, 2]}))
        self.assertEqual((result.heads, attest.capacity(contexts=contexts, queries=queries, heads=2).which), (None, None))

    def test_capacity_by_heads(self):
        result = attest.capacity(contexts=[[1, 0], [0, 1]], queries=[[1, 0], [0, 1], [1, 1]], heads=range(1, 3))
        self.assertEqual([(claim.heads, claim.lower) for claim in result.claims[:2]], [(1, 2), (2, 3)])
        self.refused(attest.InputError, "heads= is", attest.capacity, contexts=[[1]], queries=[[1]], heads="2:1")

    def test_numerical_rank(self):
        """Singular values that are not near the tolerance are counted as numpy counts them."""
        arrays = layer(dtype="f8")
        alpha = numpy.einsum("tnd,hdk,hek,te->thn", *(arrays[k] for k in ("contexts", "key", "query", "queries")), optimize=True)
        alpha = numpy.exp(alpha - alpha.max(-1, keepdims=True))
        z = (alpha / alpha.sum(-1, keepdims=True) @ arrays["contexts"]).reshape(20, -1)
        values = numpy.linalg.svd(z, compute_uv=False)
        for tolerance in ("0.5", 2, Fraction(1, 1000), decimal.Decimal("0.1")):
            result = attest.numerical_rank(**arrays, tolerance=tolerance)
            self.assertEqual((result.lower, result.upper), (int((values > float(tolerance)).sum()),) * 2)
            for value in result.claims[0].data["singular_values"]:
                self.assertLess(value["lower"], values[value["index"]] * (1 + 1e-9))
                self.assertGreater(value["upper"], values[value["index"]] * (1 - 1e-9))
            self.assertIn("verified", result.check())
        self.refused(attest.InputError, "tolerance", attest.numerical_rank, **arrays, tolerance=0)
        # A float is the binary number that it is, and where that is not what is typed the answer says so.
        result = attest.numerical_rank(**arrays, tolerance=1e-9)
        self.assertEqual(result.data["arguments"], attest.numerical_rank(**arrays, tolerance=Fraction(1e-9)).data["arguments"])
        self.assertEqual(result.notes, ['tolerance is the float 0x1.12e0be826d695p-30, not exactly 1e-09; give "1e-09" for that'])
        self.assertEqual(attest.numerical_rank(**arrays, tolerance=0.25).notes, [])
        # By default the rule of numpy.linalg.matrix_rank, with the largest singular value rounded up to binary32.
        standard = attest.numerical_rank(**arrays)
        tolerance = float.fromhex(re.search('tolerance = "(.*)"', standard.case)[1])
        self.assertIn(f"the tolerance is {standard.case.split('tolerance = ')[1].strip()[1:-1]}, max(T, H d) 2^-52 times", standard.notes[0])
        self.assertIn("tolerance= says otherwise", standard.notes[0])
        largest = tolerance / max(z.shape) * 2**52
        self.assertEqual(largest, numpy.float32(largest))
        self.assertTrue(values[0] * (1 - 1e-15) <= largest <= values[0] * (1 + 2e-7))
        self.assertEqual(standard.lower, numpy.linalg.matrix_rank(z))

    def test_attributes(self):
        result = attest.rank(**layer())
        self.assertEqual((result.statement, result.verdict, result.lower, result.upper), ("rank", "verified", 18, 18))
        self.assertIsNone(result.path)
        several = attest.assumptions(**{k: v for k, v in layer().items() if k in ("contexts", "queries")})
        self.assertEqual(several["assumption-2"].verdict, "verified")
        self.assertRaises(KeyError, lambda: several["assumption-9"])

    def test_truth_and_equality_are_the_answer(self):
        a, few = layer(), layer(T=12)
        self.assertFalse(attest.memorizes(**a))
        self.assertTrue(attest.memorizes(**few))
        self.assertTrue(attest.memorizes(**a) == False and attest.memorizes(**few) == True and attest.memorizes(**a) != True)
        same = {**a, "queries": numpy.repeat(a["queries"][:1], 20, 0), "contexts": a["contexts"][0]}
        self.assertFalse(attest.injective(**same))
        self.assertTrue(attest.injective(**a))
        rank = attest.rank(**a)
        self.assertTrue(rank == 18 and rank != 17 and rank == 18.0 and 18 == rank and rank == numpy.int64(18) and rank == Fraction(18))
        self.assertFalse(rank == 0 or rank == "18" or rank is None or rank == attest.rank(**a))
        self.assertEqual({rank: 1}[rank], 1)
        self.refused(ValueError, "rank is a number, neither true nor false: compare it, as with == 18", bool, rank)
        self.refused(ValueError, "rank is a number, neither true nor false", lambda: rank == True)
        self.assertTrue(rank == decimal.Decimal(18) and rank == 18 + 0j and rank == numpy.array(18) and rank == numpy.float32(18))
        self.assertFalse(rank == decimal.Decimal(17) or rank == 18 + 1j or rank == float("nan") or rank == numpy.array(17))
        self.assertTrue(attest.injective(**a) == numpy.bool_(True) and attest.injective(**same) == numpy.bool_(False) and attest.injective(**a) != numpy.bool_(False))
        self.refused(ValueError, "rank is a number, neither true nor false", lambda: rank == numpy.bool_(True))
        self.refused(ValueError, "memorizes is true or false, no number", lambda: attest.memorizes(**a) == 18)
        several = attest.assumptions(**{k: a[k] for k in ("contexts", "queries")})
        self.assertTrue(several["assumption-2"])
        # One of several that hold is no answer to whether they hold.
        for ask in (bool, lambda result: result == True, lambda result: result != numpy.bool_(True)):
            self.refused(ValueError, 'see ["assumption-1"]', ask, several)
        self.refused(ValueError, "kruskal-rank is a number", bool, several["kruskal-rank"])
        # What the proof leaves open is no answer.
        undecided = attest.rank(**long_layer(), timeout=0.05)
        self.assertLess(undecided.lower, undecided.upper)
        self.assertFalse(undecided == undecided.upper + 1)
        self.refused(ValueError, f"rank lies between {undecided.lower} and {undecided.upper}; whether it is {undecided.upper} is not decided", lambda: undecided == undecided.upper)
        for other in (undecided.upper + 0j, decimal.Decimal(undecided.upper)):
            self.refused(ValueError, "is not decided", lambda: undecided == other)
        self.assertFalse(undecided == undecided.upper + 1j)
        self.refused(ValueError, "memorizes is undecided, neither true nor false", bool, attest.memorizes(**long_layer(), timeout=0.05))

    def test_shown_in_notebooks(self):
        html = attest.memorizes(**layer())._repr_html_()
        self.assertEqual(html.count("<tr>"), 2)
        for text in ("refuted", "memorizes: no, 18 of 20 dimensions", "<li>without labels=: any labels"):
            self.assertIn(text, html)
        self.assertNotIn("<script", attest.Claim({"statement": "x", "verdict": "verified"}, "<script>")._repr_html_())

    def test_matrix_rank(self):
        self.assertEqual(attest.matrix_rank([[1, 2], [2, 4]]), 1)
        self.assertEqual(attest.matrix_rank(matrix=numpy.eye(3)), 3)
        # Integers of any size, floats as the binary numbers that they are, fractions: numpy says 1, 2, 1 and 1.
        large = [[2**60, 2**60 + 1], [2**60 + 1, 2**60 + 2]]
        tenths = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]]
        for matrix, rank in ((large, 2), (tenths, 3), ([[10**40, 1], [1, 0]], 2), ([[Fraction(1, 3), 1], ["2/3", 2]], 1)):
            result = attest.matrix_rank(matrix)
            self.assertEqual((result, result.verdict), (rank, "verified"))
            self.assertIn("valid", result.check())
        self.assertEqual([numpy.linalg.matrix_rank(numpy.array(matrix, float)) for matrix in (large, tenths)], [1, 2])
        result = attest.matrix_rank([[1, 2, 3], [4, 5, 6], [7, 8, 9]], nullspace=True)
        self.assertIn(result.nullspace, ([[1, -2, 1]], [[-1, 2, -1]]))
        self.assertIsNone(attest.matrix_rank([[1]]).nullspace)
        random = numpy.random.default_rng(1)
        product = random.integers(-99, 100, (40, 20)) @ random.integers(-99, 100, (20, 30))
        result = attest.matrix_rank(product, nullspace=True)
        self.assertEqual(result, 20)
        self.assertIn('"rule": "hadamard"', result.certificate)
        basis = numpy.array(result.nullspace, dtype=object)
        self.assertEqual(basis.shape, (10, 30))
        self.assertFalse((product.astype(object) @ basis.T).any())
        self.assertIn("valid", result.check())
        for wrong, says in (([[1, 2], [3]], "rows of one length"), ([[float("nan")]], "not a number"), ([[float("inf")]], "finite"), ([1, 2], "an array of 2 dimensions"), ("missing.npy", "missing.npy: cannot be read: there is no such file; give an existing, readable file")):
            self.refused(attest.InputError, says, attest.matrix_rank, wrong)
        self.refused(attest.InputError, "there is no matrix", attest.matrix_rank)
        self.refused(TypeError, "takes matrix once", attest.matrix_rank, [[1]], matrix=[[1]])
        self.refused(TypeError, "keyword arguments only", attest.rank, [[1]])

    def test_signatures(self):
        for name in attest.questions:
            function = getattr(attest, name)
            parameters = inspect.signature(function).parameters
            options = set(re.findall(r"^  (?:-\w,)?--([a-z-]+)", subprocess.run([ATTEST, name.replace("_", "-"), "--help"], capture_output=True, text=True).stdout, re.M))
            self.assertEqual({keyword.replace("_", "-") for keyword in parameters}, options - {"json", "help", "rows", "basis"} | {"progress"}, name)
            for keyword, parameter in parameters.items():
                self.assertEqual(parameter.kind, inspect.Parameter.POSITIONAL_OR_KEYWORD if keyword == "matrix" else inspect.Parameter.KEYWORD_ONLY)
                self.assertIn(f"    {keyword}", function.__doc__ + "    progress")
        defaults = {keyword: parameter.default for keyword, parameter in inspect.signature(attest.saturation).parameters.items()}
        self.assertEqual([defaults[keyword] for keyword in ("contexts", "check", "threshold", "base", "memory", "progress")], [None, False, "0.99", "e", "8G", None])
        self.assertEqual(inspect.signature(attest.assumptions).parameters["samples"].default, 5000)
        a = layer()
        self.assertEqual(attest.rank(**a, base="e", memory="8G", check=False, out=None, progress=None).certificate, attest.rank(**a).certificate)

    def test_stubs_say_what_the_module_has(self):
        stub = ast.parse((BUILD / "python/attest/__init__.pyi").read_text())
        functions = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
        self.assertEqual(set(functions), {*attest.questions, "sampled_ranks", "potential"})
        for name, node in functions.items():
            parameters = inspect.signature(getattr(attest, name)).parameters
            self.assertEqual([argument.arg for argument in node.args.args + node.args.kwonlyargs], list(parameters))
            self.assertEqual([ast.literal_eval(default) for default in node.args.defaults + node.args.kw_defaults if default], [p.default for p in parameters.values() if p.default is not p.empty])
        names = {alias.asname or alias.name for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names} | set(functions) | {node.name for node in stub.body if isinstance(node, ast.ClassDef)}
        self.assertLessEqual(set(attest.__all__), names)
        self.assertTrue((BUILD / "python/attest/py.typed").exists())

    def test_every_question_of_the_program_is_a_function(self):
        for name in attest.questions:
            self.assertIn("matrix" if name == "matrix_rank" else "contexts", getattr(attest, name).__doc__)
            self.assertIn(name.replace("_", "-"), subprocess.run([ATTEST, "--help"], capture_output=True, text=True).stdout)

    def test_a_mapping_of_weights(self):
        random = numpy.random.default_rng(3)
        a = layer()
        weights = {"in_proj_weight": random.normal(size=(18, 6)).astype("f4"), "in_proj_bias": random.normal(size=18).astype(">f4"), "other": numpy.ones(2)}
        result = attest.rank(contexts=a["contexts"], queries=a["queries"], weights=weights, layout="torch", heads=3)
        self.assertIn("1/sqrt(d_h)", result.notes[0])
        self.assertIn("valid", result.check())
        numpy.savez(self.folder / "w.npz", **weights)
        status, out, _ = program("rank", {"contexts": a["contexts"], "queries": a["queries"], "weights": "w.npz", "layout": "torch", "heads": 3}, self.folder, "--json", "--out", "o")
        digest = lambda text: json.loads(text)["case"]["digest"]
        self.assertEqual(digest((self.folder / "o/rank.json").read_text()), digest(result.certificate))
        self.refused(attest.InputError, "in_proj_weight", attest.rank, contexts=a["contexts"], queries=a["queries"], weights={"x": numpy.ones(2)}, layout="torch", heads=3)

    def test_labels(self):
        a = layer()
        labels = numpy.arange(20).reshape(20, 1)
        refuted = attest.memorizes(**a, labels=labels)
        self.assertEqual((refuted.verdict, refuted.lower), ("refuted", 18))
        self.assertIn("1 refuted", refuted.check())
        path = refuted.save(self.folder)
        self.refused(attest.CertificateError, "expected verified", attest.check, path)
        self.assertIn("valid", attest.check(path, ignore_expectations=True))
        self.assertEqual(attest.memorizes(**layer(T=12), labels=labels[:12]).verdict, "verified")

    def test_jacobians(self):
        a = layer(T=30, d=3, H=2, d_h=1)
        data = {k: a[k] for k in ("contexts", "queries")}
        readout = numpy.arange(1, 7, dtype="f4").reshape(6, 1)
        # Contexts of their own: H (2 d - 1) + H d directions, at these weights as at almost all.
        given, largest = attest.jacobian_rank(**a, readout=readout), attest.functional_dimension(**data, heads=2, head_dim=1)
        for result, number in ((given, "jacobian_rank"), (largest, "functional_dimension")):
            self.assertEqual((result.verdict, result.lower, result.upper), ("verified", 16, 16))
            self.assertEqual(result.data[number], {"lower": 16, "upper": 16})
            self.assertEqual(result.data["parameters"]["memorized"], 30)
            self.assertIn("valid", result.check())
        self.assertIn("and no weights without biases do better", repr(given))
        self.assertIn("other weights, also near these, may do better", repr(attest.jacobian_rank(**{**a, "key": 0 * a["key"]}, readout=readout)))
        self.assertIn("almost no labels are fitted or approximated, which is not none", largest.data["meaning"])
        self.assertIn("an open set of labels, which is not all labels", attest.functional_dimension(**data, heads=4).data["meaning"])
        self.assertEqual(attest.functional_dimension(**data, heads=2, head_dim=1, output_dim=2).upper, 22)
        # The whole layer's read-out is that of values, outputs and read-out.
        value = numpy.stack([numpy.eye(3, dtype="f4")] * 2)
        self.assertEqual(attest.jacobian_rank(**a, value=value, output=readout.reshape(2, 3, 1)).lower, 16)
        self.refused(attest.InputError, "readout has shape (5, 1)", attest.jacobian_rank, **a, readout=readout[:5])
        self.refused(attest.InputError, "heads", attest.functional_dimension, **data)
        self.refused(attest.InputError, "there are no weights", attest.jacobian_rank, **data, readout=readout)

    def test_what_training_can_fit(self):
        a = layer(T=30, d=3, H=2, d_h=1)
        result = attest.memorizes(**a, labels=numpy.arange(30).reshape(30, 1), trainable=True)
        self.assertEqual([claim.statement for claim in result.claims], ["memorizes", "capacity", "functional-dimension"])
        self.assertEqual([result[name].data[number] for name, number in (("memorizes", "rank"), ("capacity", "capacity"), ("functional-dimension", "functional_dimension"))],
                         [{"lower": k, "upper": k} for k in (6, 6, 16)])
        self.assertIn("it decides nothing about these labels", repr(result))
        self.assertIn("valid", attest.check(result.save(self.folder), ignore_expectations=True))
        self.assertRaises(KeyError, lambda: attest.memorizes(**a, trainable=False)["capacity"])

    def test_accuracy(self):
        random = numpy.random.default_rng(5)
        a = layer(dtype="f8")
        H, d, d_h = a["key"].shape
        T = len(a["queries"])
        contexts = numpy.broadcast_to(a["contexts"], (T, *a["contexts"].shape[-2:]))
        logits = numpy.einsum("tnd,hdk,hek,te->thn", contexts, a["key"], a["query"], a["queries"], optimize=True)
        powers = numpy.exp(logits - logits.max(-1, keepdims=True))
        means = numpy.einsum("thn,tnd->thd", powers / powers.sum(-1, keepdims=True), contexts)
        rest = {"value": (H, d, 2), "value_bias": (H, 2), "output": (H, 2, d), "output_bias": d, "readout": (d, 3), "readout_bias": 3}
        rest = {name: random.normal(size=size) for name, size in rest.items()}
        outputs = numpy.einsum("thk,hkm->tm", numpy.einsum("thd,hdk->thk", means, rest["value"]) + rest["value_bias"], rest["output"]) + rest["output_bias"]
        scores = (outputs + a["queries"]) @ rest["readout"] + rest["readout_bias"]
        classes = scores.argmax(1)
        classes[::3] = (classes[::3] + 1) % 3
        right = int((scores.argmax(1) == classes).sum())
        result = attest.accuracy(**a, **rest, skip=True, classes=classes)
        self.assertEqual((result.verdict, result.lower, result.upper), ("verified", right, right))
        self.assertIn("valid", result.check())
        self.assertIn("are right, by enclosures of the scores", result.explain())
        added = attest.accuracy(**a, **rest, skip_vectors=a["queries"], classes=classes)
        self.assertEqual(json.loads(added.certificate)["case"]["digest"], json.loads(result.certificate)["case"]["digest"])
        turned = {**rest, "readout_linear": rest["readout"].T}
        turned.pop("readout")
        self.assertEqual(attest.accuracy(**a, **turned, skip=True, labels=scores, epsilon="1e-9").lower, T)
        self.assertEqual(attest.accuracy(**a, **turned, labels=scores, epsilon="1e-9").upper, 0)
        self.refused(attest.InputError, "nothing says what is right", attest.accuracy, **a, **rest)
        self.refused(attest.InputError, "classes[0] is 3; the classes are the integers 0 to 2", attest.accuracy, **a, **rest, classes=classes + 3 - classes[0])
        self.refused(attest.InputError, "output has shape", attest.accuracy, **a, **{**rest, "output": rest["output"][:, :1]}, classes=classes)
        self.refused(attest.InputError, "if it is transposed", attest.accuracy, **a, **{**rest, "readout": rest["readout"].T, "readout_bias": numpy.ones(d)}, classes=classes)

    def test_files_and_arrays_together(self):
        a = layer()
        numpy.save(self.folder / "queries.npy", a["queries"])
        result = attest.rank(**{**a, "queries": str(self.folder / "queries.npy")}, out=self.folder / "o")
        self.assertEqual(result.lower, 18)
        self.assertIn("valid", attest.check(result.path))
        result = attest.rank(**{**a, "queries": self.folder / "queries.npy"})
        self.refused(attest.InputError, "out=FOLDER", result.save, self.folder / "p")
        # A file and an array of the same name are not confused.
        numpy.save(self.folder / "contexts.npy", a["queries"] + 1)
        changed = attest.rank(**{**a, "queries": self.folder / "contexts.npy"})
        self.assertEqual(json.loads(changed.certificate)["case"]["digest"], json.loads(attest.rank(**{**a, "queries": a["queries"] + 1}).certificate)["case"]["digest"])


class Forms(InFolder):
    def test_hidden_vectors(self):
        random = numpy.random.default_rng(7)
        hidden = random.normal(size=(3, 4, 6)).astype("f4")
        mask = numpy.ones((3, 4), "u1")
        mask[1, 2:] = 0
        weights = {k: v for k, v in layer().items() if k in ("key", "query")}
        for arguments, typed in (({"positions": [0, 1]}, "0,1"), ({"positions": 0}, "0"), ({"positions": "all", "mask": mask, "causal": True}, "all"), ({"positions": "last", "causal": False}, "last")):
            result = attest.rank(hidden=hidden, **arguments, **weights)
            self.assertIn("valid", result.check())
            flags = ["--causal"] if arguments.pop("causal", False) else []
            status, out, err = program("rank", {"hidden": hidden, **arguments, "positions": typed, **weights}, self.folder, "--json", "--out", "o", *flags)
            self.assertEqual(json.loads((self.folder / "o/rank.json").read_text())["case"]["digest"], json.loads(result.certificate)["case"]["digest"], err)
        # Which example is which position of which sequence.
        self.assertEqual(attest.rank(hidden=hidden, positions=[0, 3], **weights).examples, [(0, 0), (0, 3), (1, 0), (1, 3), (2, 0), (2, 3)])
        self.assertEqual(attest.rank(hidden=hidden, positions="last", mask=mask, **weights).examples, [(0, 3), (1, 1), (2, 3)])
        self.assertEqual(attest.rank(hidden=hidden, positions="all", mask=mask, causal=True, **weights).examples, [(s, p) for s in range(3) for p in range(4) if mask[s, p]])
        self.assertIsNone(attest.rank(**layer()).examples)
        self.refused(attest.InputError, "positions", attest.rank, hidden=hidden, positions=[1, 0], **weights)
        self.assertEqual(attest.rank(hidden=hidden, positions=numpy.array([0, 1]), **weights).lower, attest.rank(hidden=hidden, positions=[0, 1], **weights).lower)
        for wrong in (0.5, [0.5], object()):
            self.refused(attest.InputError, "positions= is ", attest.rank, hidden=hidden, positions=wrong, **weights)
        self.refused(attest.InputError, "mask", attest.rank, hidden=hidden, positions="all", mask=mask[:2], **weights)

    def test_logits_and_projections(self):
        random = numpy.random.default_rng(8)
        a = layer()
        logits = random.normal(size=(20, 3, 4))
        self.assertIn("valid", attest.rank(contexts=a["contexts"], logits=logits).check())
        projected = attest.rank(contexts=a["contexts"], projected_queries=random.normal(size=(20, 2, 3)), projected_keys=random.normal(size=(20, 4, 1, 3)))
        self.assertEqual(projected.lower, 12)


class Certificates(InFolder):
    def test_saved_with_the_arrays_they_are_valid(self):
        result = attest.rank(**layer())
        path = result.save(self.folder / "new" / "folder")
        done = subprocess.run([CHECK, path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        numpy.testing.assert_array_equal(numpy.load(path.parent / "queries.npy"), layer()["queries"])
        self.assertIn("valid", result.check())
        self.assertIn("Proof", result.explain())
        self.assertIn("Proof", attest.explain(path))

    def test_out_keeps_everything(self):
        result = attest.rank(**layer(), out=self.folder / "o")
        self.assertEqual(subprocess.run([CHECK, result.path], capture_output=True).returncode, 0)
        self.assertEqual(result.path.read_text(), result.certificate)
        self.assertIn("valid", result.check())

    def test_false_ones_are_rejected(self):
        path = attest.rank(**layer()).save(self.folder)
        path.write_text(path.read_text().replace(">= 18", ">= 19"))
        self.refused(attest.CertificateError, "rejected", attest.check, path)
        self.refused(attest.CertificateError, "", attest.check, self.folder / "nothing.json")
        self.refused(attest.InputError, "there is no certificate", attest.check)
        self.refused(attest.InputError, "nothing.json", attest.explain, self.folder / "nothing.json")

    def test_arrays_that_changed_since_are_not_saved_as_if_they_were_the_same(self):
        arrays = layer()
        result = attest.rank(**arrays)
        arrays["queries"][0, 0] += 1
        self.refused(attest.InputError, "has changed", result.save, self.folder)
        self.assertFalse((self.folder / "rank.json").exists())


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
        for wrong, text in ((e.astype("c16"), 'queries: dtype "<c16" is not supported; supported are f8'), (numpy.zeros((20, 6), "M8[s]"), "is not supported"), (numpy.zeros((20, 6), [("a", "f8")]), "is not supported"),
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


class Host(InFolder):
    """What happens to the interpreter's process: nothing."""

    def test_limits_are_of_the_question(self):
        limits = {k: resource.getrlimit(getattr(resource, k)) for k in dir(resource) if k.startswith("RLIMIT_")}
        arrays = long_layer()
        self.refused(attest.LimitError, "bytes of memory", attest.rank, **arrays, memory="20M")
        self.refused(attest.LimitError, "the limit is 10 (work=)", attest.rank, **arrays, work=10)
        little = attest.rank(**layer(T=400, n=200, d=200), memory="30M")
        self.assertEqual(little.verdict, "undecided")
        self.assertIn("there is not enough memory", little.data["reason"])
        self.assertEqual(attest.rank(**arrays, timeout=0.05).verdict, "undecided")
        self.assertEqual(limits, {k: resource.getrlimit(getattr(resource, k)) for k in limits})
        self.assertEqual(attest.rank(**layer()).lower, 18)

    def test_signals_interrupt_it(self):
        class Alarm(Exception):
            pass

        def ring(*_):
            raise Alarm

        def send(number):
            while not children():
                time.sleep(0.001)
            os.kill(os.getpid(), number)

        # Programs in the background of a script ignore SIGINT.
        for number, handler, raised in ((signal.SIGALRM, ring, Alarm), (signal.SIGINT, signal.default_int_handler, KeyboardInterrupt)):
            old = signal.signal(number, handler)
            self.addCleanup(signal.signal, number, old)
            sender = threading.Thread(target=send, args=(number,))
            sender.start()
            self.assertRaises(raised, slow_question)
            sender.join()
            self.assertEqual(children(), [])

    def test_questions_need_no_temporary_files(self):
        old = tempfile.tempdir, os.environ.get("TMPDIR")
        tempfile.tempdir = os.environ["TMPDIR"] = str(self.folder / "nowhere")
        try:
            self.assertEqual(attest.rank(**layer(), check=True).lower, 18)
        finally:
            tempfile.tempdir = old[0]
            os.environ.pop("TMPDIR")
            os.environ.update({"TMPDIR": old[1]} if old[1] else {})

    def test_progress(self):
        def of(question, **arguments):
            seen = []
            result = question(**arguments, progress=lambda phase, done, total: seen.append((phase, done, total)))
            for phase in {phase for phase, _, _ in seen} if len(result.claims) == 1 else ():  # each claim begins anew
                counts = [done for own, done, _ in seen if own == phase]
                self.assertEqual(counts, sorted(counts), phase)
            for phase, done, total in seen:
                self.assertTrue(total is None or 0 <= done <= total, (phase, done, total))
            return result, {(phase, total) for phase, _, total in seen}

        # A phase of less than a tenth of a second may go by unseen: of more examples it takes longer.
        def shows(phase, question, arguments, T=400):
            for examples in (T, 2 * T, 4 * T):
                result, seen = of(question, **arguments(examples))
                if (phase, examples) in seen:
                    return result, examples
            self.fail(f"{phase} is not among {seen}")

        some = lambda T: layer(T=T, n=16, d=48, H=8, d_h=8)
        result, T = shows("rows of Z", attest.rank, long_layer, T=1000)
        self.assertEqual(result.lower, T)
        shows("rows of Z", attest.rank, lambda T: {**long_layer(T), "timeout": 1000}, T=1000)  # in a process of the child's
        shows("diagonally dominant matrices", attest.numerical_rank, lambda T: {**some(T), "tolerance": "1/1000", "timeout": 60}, T=384)
        shows("coefficients", attest.saturation, some)
        result, T = shows("outputs", attest.accuracy, lambda T: {**some(T), "labels": numpy.zeros((T, 384)), "epsilon": "100"})
        self.assertEqual(result.lower, T)
        shows("rows of Z", attest.memorizes, lambda T: {**long_layer(T), "labels": numpy.zeros((T, 1))}, T=1000)
        attest.rank(**layer(), progress=True)

    def test_what_progress_raises_ends_the_question(self):
        class Enough(Exception):
            pass

        def stop(phase, done, total):
            raise Enough(phase)

        self.assertRaises(Enough, attest.rank, **long_layer(), progress=stop)
        self.assertRaises(Enough, slow_question, progress=stop)
        self.assertEqual(children(), [])
        self.assertRaises(TypeError, slow_question, progress=lambda: None)

    def test_progress_in_notebooks(self):
        shown = []

        class ZMQInteractiveShell:
            pass

        class Handle:
            def update(self, data, raw):
                shown.append(data["text/plain"])

        def display(data, raw, display_id):
            shown.append(data["text/plain"])
            return Handle()

        notebook, displays = types.ModuleType("IPython"), types.ModuleType("IPython.display")
        notebook.get_ipython, displays.display = ZMQInteractiveShell, display
        sys.modules.update({"IPython": notebook, "IPython.display": displays})
        self.addCleanup(lambda: [sys.modules.pop(name) for name in ("IPython", "IPython.display")])
        clock = iter((0, 0.1, 0.1, 0.2, 0.7, 0.7, 0.7, 1.4, 1.4, 1.4))
        line = Shown("rank", bars=lambda: None, clock=lambda: next(clock))
        line("reading", 0, None)
        for done in (1, 2, 3):
            line("rows of Z", done, 9)
        line.end()
        self.assertEqual(shown, ["attest rank: 0 s, reading", "attest rank: 1 s, rows of Z 2 of 9", "attest rank: 1 s, rows of Z 3 of 9"])

        bars = []

        class Bar:
            def __init__(self, total, desc, leave):
                self.n, self.total, self.open = 0, total, True
                bars.append((desc, total, self))

            def update(self, more):
                self.n += more

            def close(self):
                self.open = False

        line = Shown("rank", bars=lambda: Bar)
        line("reading", 0, None)
        line("rows of Z", 4, 9)
        line("rows of Z", 9, 9)
        line.end()
        self.assertEqual([(desc, total, bar.n, bar.open) for desc, total, bar in bars], [("attest rank: reading", None, 0, False), ("attest rank: rows of Z", 9, 9, False)])

    def test_other_threads_run(self):
        ticks = [0]
        stop = threading.Event()

        def tick():
            while not stop.is_set():
                ticks[0] += 1
                time.sleep(0.001)

        class Enough(Exception):
            pass

        last = [None]

        def progress(*_):
            # Between two calls nothing of this thread's runs but the extension.
            if last[0] is not None and ticks[0] - last[0] > 10:
                raise Enough
            last[0] = ticks[0]

        thread = threading.Thread(target=tick)
        thread.start()
        try:
            self.assertRaises(Enough, slow_question, progress=progress, timeout=60)
        finally:
            stop.set()
            thread.join()

    def test_two_questions_at_once(self):
        ranks = {}
        threads = [threading.Thread(target=lambda H=H: ranks.__setitem__(H, attest.rank(**layer(H=H)).lower)) for H in (1, 2, 3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(ranks, {1: 6, 2: 12, 3: 18})

    def test_a_child_that_dies_is_an_error(self):
        def kill(*_):
            for pid in children():
                os.kill(pid, signal.SIGKILL)

        self.refused(RuntimeError, "its process was ended by signal 9", slow_question, progress=kill)

    def test_hosts_that_ignore_or_reap_children(self):
        old = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        self.addCleanup(signal.signal, signal.SIGCHLD, old)
        self.assertEqual(attest.rank(**layer()).lower, 18)
        self.assertEqual(signal.getsignal(signal.SIGCHLD), signal.SIG_IGN)

    def test_output_of_the_host_is_not_repeated(self):
        code = "import sys; sys.path[:0] = sys.argv[1:]; import ctypes, attest; c = ctypes.CDLL(None); c.printf(b'once\\n'); attest.rank(contexts=[[1, 2], [3, 4]], queries=[[1, 2]], key=[[[1], [2]]], query=[[[1], [2]]], timeout=60); print('end')"
        done = subprocess.run([sys.executable, "-c", code, *sys.path[:1]], capture_output=True, text=True)
        self.assertEqual((done.stdout.count("once"), done.stdout.count("end"), done.stderr), (1, 1, ""))

    def test_without_the_compiled_half_it_says_what_to_do(self):
        """As after a build of the programs alone, or for another Python."""
        copy = self.folder / "attest"
        copy.mkdir()
        for source in (BUILD / "python" / "attest").glob("*.py"):
            (copy / source.name).write_bytes(source.read_bytes())
        done = subprocess.run([sys.executable, "-c", "import attest"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.splitlines()[-1], "^ImportError: attest: the library .*libattest.so cannot be loaded .*cmake --build build --target attest_python")

    def test_without_numpy(self):
        """Lists, buffers and files do; what needs numpy says so."""
        code = """
import array, sys
sys.modules["numpy"] = None
sys.path[:0] = sys.argv[1:]
import attest
rank = attest.rank(contexts=[[[2**60 + 1, 1.0]], [[2**60, 1.0]]], queries=memoryview(array.array("d", [1, 0, 0, 1])).cast("B").cast("d", (2, 2)), key=[[[1], [0]]], query=[[[1], [1]]], check=True)
assert rank == 2 and "valid" in rank.check()
try:
    attest.rank(contexts=object(), queries=[[1]])
except attest.InputError as error:
    print(error)
"""
        done = subprocess.run([sys.executable, "-c", code, *sys.path[:1]], capture_output=True, text=True)
        self.assertRegex(done.stdout + done.stderr, "^contexts: cannot be read as an array .*, as .*python3.* has no numpy; give nested lists\n$")

    def test_from_other_threads_and_after_forks(self):
        """A child of the host's own can ask too, and a thread that ends does not end the questions of others."""
        pid = os.fork()
        if pid == 0:
            os._exit(0 if attest.rank(**layer()).lower == 18 else 1)
        self.assertEqual(os.waitpid(pid, 0)[1], 0)

    def test_large_environments(self):
        """Numbers of GMP elsewhere in the process are left alone."""
        gmp = ctypes.CDLL("libgmp.so.10")
        get = getattr(gmp, "__gmp_get_memory_functions")
        before, after = ([ctypes.c_void_p() for _ in range(3)] for _ in range(2))
        get(*map(ctypes.byref, before))
        attest.rank(**layer())
        get(*map(ctypes.byref, after))
        self.assertEqual([p.value for p in before], [p.value for p in after])


class SampledRanks(InFolder):
    def test_against_elimination_of_fractions(self):
        random = numpy.random.default_rng(5)
        for trial in range(6):
            vectors = random.integers(-1, 2, size=(9, 4))
            size = 2 + trial % 3
            found = attest.sampled_ranks(vectors, size=size, count=2000, seed=trial)
            dependent = [rows for rows in itertools.combinations(range(9), size) if rank(vectors[list(rows)]) < size]
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


def rank(matrix):
    rows, found = [[Fraction(int(x)) for x in row] for row in matrix], 0
    for column in range(len(rows[0])):
        pivot = next((i for i in range(found, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][column] / rows[found][column]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[found])]
        found += 1
    return found


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=1).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
