"""The questions in Python: the answers are those of the program, and their certificates are kept and checked.

    answers_test.py BUILD_FOLDER
"""

import ast
import decimal
import inspect
import json
import re
import subprocess
from fractions import Fraction

from ended import ended
from layers import BUILD, ATTEST, CHECK, layer, long_layer, program, without_times, InFolder  # sets the path to attest

import numpy

import attest


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

    def test_labels_and_the_values_as_they_are(self):
        def given(a, labels, value, **more):
            result = attest.memorizes(**a, labels=numpy.array(labels), value=value, **more)
            text = " ".join(repr(result).split())
            says = result.data["values_as_given"]
            self.assertIn(f"; with the values as they are: {says} output-memorizes", text)
            self.assertEqual(result["output-memorizes"].data["conclusion"], {"yes": "proved", "no": "refuted"}[says])
            return result.data["conclusion"], says

        def ask(a, labels, value):
            """By the rank of the outputs without and with the labels as further coordinates of the tokens, which one head passes on."""
            labels = numpy.array(labels)
            T, (n, d), (H, _, v), y = len(labels), a["contexts"].shape[-2:], value.shape, labels.shape[1]
            wide = {"contexts": numpy.concatenate([numpy.broadcast_to(a["contexts"], (T, n, d)), numpy.broadcast_to(labels[:, None], (T, n, y))], 2),
                    "queries": numpy.pad(a["queries"], ((0, 0), (0, y))), "value": numpy.pad(value, ((0, 0), (0, y), (0, y))),
                    **{name: numpy.pad(a[name], ((0, 0), (0, y), (0, 0))) for name in ("key", "query")}}
            wide["value"][0, d:, v:] = numpy.eye(y)
            return "yes" if attest.output_rank(**a, value=value) == attest.output_rank(**wide).lower else "no"

        random, a = numpy.random.default_rng(3), layer(T=18)
        H, d = a["key"].shape[:2]
        narrow, wide = numpy.ones((H, d, 1), "f4"), random.normal(size=(H, d, d)).astype("f4")
        labels = random.integers(-9, 10, size=(18, 2))
        self.assertEqual((given(a, labels[:, :1], narrow), ask(a, labels[:, :1], narrow)), (("proved", "no"), "no"))
        self.assertEqual((given(a, labels, wide), ask(a, labels, wide)), (("proved", "yes"), "yes"))
        self.assertEqual((given(a, 0 * labels[:, :1], narrow), ask(a, 0 * labels[:, :1], narrow)), (("proved", "yes"), "yes"))
        more = layer()
        labels = random.integers(-9, 10, size=(20, 1))
        self.assertEqual((given(more, labels, wide), ask(more, labels, wide)), (("refuted", "no"), "no"))
        # Of rank 3: examples 0 and 3 are equal. Values that lose nothing, and such that do.
        four = {**a, "contexts": a["contexts"][[0, 1, 2, 0]], "queries": a["queries"][[0, 1, 2, 0]]}
        for value in (wide, narrow):
            self.assertEqual((given(four, [[5], [1], [2], [5]], value), ask(four, [[5], [1], [2], [5]], value)), (("proved", "yes"), "yes"))
            self.assertEqual((given(four, [[5], [1], [2], [6]], value), ask(four, [[5], [1], [2], [6]], value)), (("refuted", "no"), "no"))
        one_head = {**four, "key": four["key"][:1], "query": four["query"][:1]}
        tokens = numpy.zeros((1, d, 1), "f4")  # what the head puts out is 0
        self.assertEqual((given(one_head, [[5], [1], [2], [5]], tokens), ask(one_head, [[5], [1], [2], [5]], tokens)), (("proved", "no"), "no"))
        # With value biases the outputs have a direction that Z need not have, so that labels can be fitted that Z does not fit.
        ones = numpy.ones((4, 1), int)
        opposite = {"contexts": [[[1], [1]], [[-1], [-1]]], "queries": [[1], [1]], "key": [[[1]]], "query": [[[1]]]}
        self.assertEqual(given(opposite, ones[:2], [[[0]]], value_bias=[[1]]), ("refuted", "yes"))
        self.assertEqual(given(opposite, [[0], [1]], [[[0]]], value_bias=[[0]]), ("refuted", "no"))
        # A read-out with a bias.
        self.assertEqual(given(opposite, [[0], [1]], [[[1]]], bias=True), ("proved", "yes"))
        self.assertEqual(given(opposite, ones[:2], [[[0]]], bias=True), ("proved", "yes"))
        self.assertEqual(given(four, [[5], [1], [2], [6]], wide, bias=True), ("refuted", "no"))

    def test_what_proofs_found_besides(self):
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

    def test_what_is_kept_is_kept_in_regular_files(self):
        (self.folder / "rank.json").symlink_to("/dev/null")
        self.refused(attest.InputError, "rank.json: is not a regular file", attest.rank, **layer(), out=self.folder, check=True)

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
        self.refused(attest.CertificateError, "the case expects verified", attest.check, path)
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

    def test_a_guess_that_is_wrong_is_searched_for(self):
        # What is checked may be guessed: that all rows are independent in the columns of the first heads, that none of the
        # coefficients is saturated where none of a sample is, and that the first head tells all examples apart.
        random = numpy.random.default_rng(3)
        T, n, d, H = 1100, 3, 600, 4
        a = {"contexts": random.normal(size=(T, n, d)).astype("f4"), "queries": random.normal(size=(T, d)).astype("f4"),
             "key": random.normal(size=(H, d, 2)).astype("f4") / 50, "query": random.normal(size=(H, d, 2)).astype("f4") / 50}
        a["key"][1], a["query"][1] = a["key"][0], a["query"][0]
        a["queries"][17] *= 1000
        dead = a | {"contexts": a["contexts"][0], "key": a["key"] * numpy.array([0, 1, 1, 1], "f4")[:, None, None]}
        for name, of, number in (("rank", a, T), ("saturation", a, None), ("injective", dead, T)):
            question = getattr(attest, name)
            found, checked = question(**of), question(**of, check=True)
            self.assertEqual([(claim.lower, claim.upper) for claim in found.claims], [(claim.lower, claim.upper) for claim in checked.claims])
            self.assertEqual(found.certificate, checked.certificate)
            self.assertTrue(all(claim.data["checked"] for claim in checked.claims))
            self.assertEqual((found.lower, found.upper), (number or found.lower,) * 2)
            self.assertGreater(found.lower, 0)

    def test_the_capacity_beside_the_rank(self):
        a = layer(T=30, d=3, H=2, d_h=1)
        result = attest.rank(**a, trainable=True)
        self.assertEqual([claim.statement for claim in result.claims], ["rank", "capacity"])
        self.assertEqual([(claim.lower, claim.upper) for claim in result.claims], [(6, 6)] * 2)
        self.assertIn("valid", attest.check(result.save(self.folder)))

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
        for name in (path.with_suffix(".toml").name, path.name):
            (self.folder / name).symlink_to(path)
            self.refused(attest.InputError, "is not a regular file", result.save, self.folder)
            (self.folder / name).unlink()
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


if __name__ == "__main__":
    ended()
