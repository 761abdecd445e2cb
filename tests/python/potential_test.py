"""attest.potential and `attest potential`: what a layer could still learn, against ranks that are known.

    potential_test.py BUILD_FOLDER
"""

import inspect
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
sys.path.insert(0, str(BUILD / "python"))

import numpy

import attest
from attest import potentials


def integers(source, *shape):
    return numpy.array([source.randint(-5, 5) for _ in range(int(numpy.prod(shape)))], dtype=numpy.int64).reshape(shape)


def layer(source, T=12, n=3, d=4, H=2, d_h=2, shared=True):
    contexts = integers(source, n, d) if shared else integers(source, T, n, d)
    return {"contexts": contexts, "queries": integers(source, T, d), "key": integers(source, H, d, d_h), "query": integers(source, H, d, d_h)}


def rows(potential):
    return {row["layer"]: row for row in potential}


class Potential(unittest.TestCase):
    def test_a_shared_context(self):
        """H (n - 1) + 1 for queries that are no multiples of each other: with T = 12, n = 3 it is 5, 7 with one head more, and with a sink, as
        of one more token 0, 6."""
        given = layer(random.Random(1))
        found = attest.potential(**given)
        by_layer = rows(found)
        self.assertEqual(list(by_layer), ["trained weights", "as built", "one head more", "with a sink", *(["with query biases"] if "with query biases" in by_layer else []), "d_h = 1"])
        self.assertEqual([(row["lower"], row["upper"]) for row in (by_layer["as built"], by_layer["one head more"], by_layer["with a sink"], by_layer["d_h = 1"])],
                         [(5, 5), (7, 7), (6, 6), (5, 5)])
        self.assertEqual(found.bottleneck["says"], "all 12 examples vary in 2 directions: 2 heads give at most 5")
        self.assertIsNone(found.bottleneck["examples"])
        rank = attest.rank(**given)
        self.assertEqual((found.rank.lower, found.rank.upper), (rank.lower, rank.upper))
        self.assertEqual(found.gap, (5 - rank.upper, 5 - rank.lower))
        self.assertEqual((by_layer["one head more"]["gain_lower"], by_layer["d_h = 1"]["gain_upper"]), (2, 0))
        self.assertRegex(repr(found), r"trained weights +\d+ +-?\d")
        self.assertIn("of 12 examples; all 12", repr(found))

    def test_a_part_is_the_bottleneck(self):
        """Of eight examples four lie in one plane through 0."""
        given = layer(random.Random(2), T=8, d=5, H=1, shared=False)
        given["contexts"][:4, :, 2:] = 0
        found = attest.potential(**{name: given[name] for name in ("contexts", "queries")}, heads=1, head_dim=2)
        self.assertEqual([row["layer"] for row in found][:2], ["as built", "one head more"])
        self.assertEqual((found.capacity.lower, found.rank, found.gap), (5, None, None))
        self.assertEqual(found.bottleneck["says"], "the width: 1 head of 5 dimensions gives at most 5")
        wide = attest.potential(contexts=given["contexts"], queries=given["queries"], heads=2, head_dim=2)
        self.assertEqual(wide.capacity.upper, 8)
        self.assertEqual(wide.bottleneck["says"], "nothing holds all 8 examples back: 2 heads can give 8")
        given["contexts"][:4, :, 1:] = 0
        part = attest.potential(contexts=given["contexts"], queries=given["queries"], heads=1, head_dim=2)
        self.assertEqual(part.capacity.upper, 5)
        both = attest.potential(contexts=given["contexts"], queries=given["queries"], heads=2, head_dim=2)
        self.assertEqual(both.capacity.upper, 6)
        self.assertEqual(both.bottleneck["says"], "the tokens of these 4 examples span 1 dimension: 2 heads give at most 2; the 4 others add at most 4: 6")
        self.assertEqual(both.bottleneck["examples"], [0, 1, 2, 3])

    def test_equal_examples(self):
        given = layer(random.Random(3), T=5, shared=False)
        for name in ("contexts", "queries"):
            given[name][4] = given[name][3]
        self.assertEqual(attest.potential(**given).bottleneck["says"], "only 4 of all 5 examples are different")
        same = {name: [given[name][0]] * 5 if name in ("contexts", "queries") else given[name] for name in given}
        self.assertEqual(attest.potential(**same).bottleneck["says"], "all 5 examples are equal: at most 1")
        one = {name: [given[name][0]] if name in ("contexts", "queries") else given[name] for name in given}
        self.assertRegex(attest.potential(**one).bottleneck["says"], "^nothing holds the example back: ")

    def test_every_bound_has_a_sentence_with_its_number(self):
        source = random.Random(7)
        for _ in range(60):
            T, n, d, H = (source.randint(1, most) for most in (9, 4, 4, 3))
            contexts, queries = integers(source, T, n, d), integers(source, T, d)
            if source.random() < 0.4:
                contexts = contexts[0]
            queries[T // 2] = queries[0]
            answer = attest.capacity(contexts=contexts, queries=queries, heads=H, head_dim=1, **source.choice([{}, {"sink": True}, {"coefficients": "sigmoid"}]))
            says = potentials.bottleneck(answer)["says"]
            self.assertIn(str(answer.upper if answer.lower == answer.upper else answer.lower), re.findall(r"\d+", says), answer)

    def test_what_there_is_already_is_not_asked(self):
        given = layer(random.Random(4), d_h=1)
        self.assertNotIn("d_h = 1", rows(attest.potential(**given)))
        self.assertNotIn("with a sink", rows(attest.potential(**given, sink=True)))
        self.assertNotIn("with a sink", rows(attest.potential(**given, coefficients="sigmoid")))
        with self.assertRaisesRegex(TypeError, "no argument 'tolerance'"):
            attest.potential(**given, tolerance=1)
        with self.assertRaisesRegex(attest.InputError, "queries"):
            attest.potential(contexts=given["contexts"])

    def test_what_a_read_out_behind_the_values_can_use(self):
        """d_v >= min(d, k times the heads that share a matrix) for k labels; fewer dimensions let d_v heads of each group have any read-out for one label;
        fixed values put out H d_v numbers."""
        given = layer(random.Random(5), T=12, d=4, H=4, shared=False)
        for dimension, sharing, says in ((4, 4, "any number of labels of an example; fixed before the labels, at most 12"), (2, 1, "up to 2 labels of an example; fixed before the labels, at most 8"),
                                         (2, 2, "1 label of an example; "), (3, 2, "1 label of an example; "), (1, 2, "use 8 of it at least, the capacity of 2 heads, for 1 label of an example; all of it with 2 dimensions; "),
                                         (3, 4, "use 12 of it at least, the capacity of 3 heads, for 1 label of an example; all of it with 4 dimensions; ")):
            value = numpy.repeat(integers(random.Random(6), 4 // sharing, 4, dimension), sharing, axis=0)
            found = attest.potential(**given, value=value)
            self.assertIn(says, found.values)
            self.assertIn(f"that {sharing} heads share" if sharing > 1 else f"of {dimension} dimensions: ", found.values)
            self.assertEqual(found.data["values"], found.values)
        self.assertIsNone(attest.potential(**given).values)
        with self.assertRaisesRegex(attest.InputError, "value= has shape"):
            attest.potential(**given, value=value[0])

    def test_value_biases_add_what_coefficients_sum_to(self):
        """Two tokens x and -x around a query 0: Z = 0 for all weights, and with a value bias what the head puts out is that bias."""
        given = {"contexts": numpy.array([[[1], [-1]]] * 3), "queries": numpy.zeros((3, 1), int), "heads": 1, "head_dim": 1}
        value, bias = numpy.ones((1, 1, 1), int), numpy.ones((1, 1), int)
        for biases, sink, most in (({}, {}, 0), ({"value_bias": 0 * bias}, {}, 0), ({"value_bias": bias}, {}, 1), ({"value_bias": bias}, {"sink": True}, 1)):
            found = attest.potential(**given, **biases, **sink, value=value)
            self.assertTrue(found.values.endswith(f"fixed before the labels, at most {most}"), found.values)
        weights = {"key": numpy.ones((1, 1, 1), int), "query": numpy.ones((1, 1, 1), int)}
        self.assertEqual(attest.output_rank(**{name: given[name] for name in ("contexts", "queries")}, **weights, value=value, value_bias=bias), 1)
        wide = {"contexts": numpy.zeros((3, 2, 1), int), "queries": numpy.ones((3, 1), int), "heads": 2, "head_dim": 1}
        self.assertIn("at most 2", attest.potential(**wide, value=numpy.ones((2, 1, 1), int), value_bias=numpy.ones((2, 1), int), sink=True).values)
        with self.assertRaisesRegex(attest.InputError, "value_bias= has shape .1, 2.; .H, d_v., which is .1, 1."):
            attest.potential(**given, value=value, value_bias=[[1, 2]])
        with self.assertRaisesRegex(attest.InputError, "value_bias= requires value="):
            attest.potential(**given, value_bias=bias)

    def test_the_command_prints_the_same(self):
        given = layer(random.Random(1))
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for key, array in given.items():
                numpy.save(folder / f"{key}.npy", array)
            command = [BUILD / "attest", "potential", *(f"--{key}={folder / key}.npy" for key in given), "--check"]
            ended = subprocess.run([*command, f"--out={folder / 'out'}"], capture_output=True, text=True)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))
            self.assertEqual(ended.stdout.rstrip(), repr(attest.potential(**given)))
            found = json.loads(subprocess.run([*command, "--json", f"--out={folder / 'out'}"], capture_output=True, text=True, check=True).stdout)
            self.assertEqual(found["format"], "attest-potential/1")
            for row in found["rows"]:
                self.assertTrue((folder / "out" / row["certificate"]).is_file())
            checked = subprocess.run([BUILD / "attest-check", *(folder / "out").rglob("*.json")], capture_output=True, text=True)
            self.assertEqual(checked.returncode, 0, checked.stdout)
        for wrong, says in ((["--contexts=x.npy"], "queries"), (["--contexts"], "contexts"), (["--nothing"], "nothing")):
            ended = subprocess.run([BUILD / "attest", "potential", *wrong], capture_output=True, text=True)
            self.assertEqual(ended.returncode, 2)
            self.assertIn(says, ended.stderr)
        # In the words of the command, on one line that names the file, what is wrong and what would be right.
        with tempfile.TemporaryDirectory() as folder:
            numpy.save(f"{folder}/c.npy", numpy.ones((2, 2, 3)))
            for queries, heads, says in ((5, 1, "c.npy: has shape (2, 2, 3), which does not fit the other arrays as --contexts; shape (5, 2, 3)"), (2, "x", '--heads is "x"; '),
                                         (2, "1:2", "--heads is '1:2', and this is about one layer; one number"), (2, 0, "attest potential --help")):
                numpy.save(f"{folder}/q.npy", numpy.ones((queries, 3)))
                ended = subprocess.run([BUILD / "attest", "potential", "--contexts=c.npy", "--queries=q.npy", f"--heads={heads}"], capture_output=True, text=True, cwd=folder)
                self.assertEqual((ended.returncode, ended.stdout, ended.stderr.count("\n")), (2, "", 1))
                self.assertIn(says, ended.stderr)
                self.assertNotRegex(ended.stderr, r"attest\.|\w=|Traceback|range")
        # And in Python's, in the name of what was asked.
        given = {"contexts": numpy.ones((2, 2, 3)), "queries": numpy.ones((2, 3))}
        for change, says in (({"logits": numpy.zeros((2, 1, 2))}, "attest.potential: logits= excludes queries=; one of the two; see help(attest.potential)"),
                             ({"logits": numpy.zeros((2, 1, 2)), "queries": None}, "attest.potential: there are no queries; queries=, or hidden= and positions=; see help(attest.potential)"),
                             ({"heads": 1.5}, 'attest.potential: heads= is "1.5"; an integer from 1 to 1099511627776; see help(attest.potential)'),
                             ({}, "attest.potential: the number of heads is missing; "), ({"heads": 1, "queries": numpy.ones((5, 3))}, "contexts: has shape")):
            with self.assertRaises(attest.InputError) as caught:
                attest.potential(**{**given, **change})
            self.assertTrue(str(caught.exception).startswith(says), caught.exception)
            self.assertNotRegex(str(caught.exception), r"attest\.(rank|capacity)")
            self.assertIn(caught.exception.file, ("attest.potential", "contexts"))
        parameters = inspect.signature(attest.potential).parameters
        self.assertLessEqual({"model", "contexts", "key", "logit_scale", "coefficients", "timeout"}, set(parameters))
        self.assertNotIn("arguments", parameters)
        self.assertIn("--contexts", subprocess.run([BUILD / "attest", "potential", "--help"], capture_output=True, text=True, check=True).stdout)


@unittest.skipUnless(__import__("importlib").util.find_spec("torch"), "needs torch")
class Torch(unittest.TestCase):
    def test_a_trained_layer(self):
        """A layer of torch that is trained here: shared tokens, so that the capacity is less than T."""
        import torch

        torch.manual_seed(1)
        torch.set_num_threads(1)
        attention = torch.nn.MultiheadAttention(8, 2, batch_first=True, bias=False)

        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.attention, self.readout = attention, torch.nn.Linear(8, 3)

            def forward(self, queries, tokens):
                return self.readout(self.attention(queries, tokens, tokens)[0][:, 0])

        model, tokens, queries = Model(), torch.randn(1, 4, 8).expand(20, 4, 8).contiguous(), torch.randn(20, 1, 8)
        classes = torch.randint(3, (20,))
        optimizer = torch.optim.Adam(model.parameters(), 0.02)
        for _ in range(60):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(queries, tokens), classes).backward()
            optimizer.step()
        found = attest.potential(model, (queries, tokens), "attention")
        self.assertEqual((found.capacity.lower, found.capacity.upper, found.examples), (7, 7, 20))
        self.assertEqual(found.bottleneck["says"], "all 20 examples vary in 3 directions: 2 heads give at most 7")
        self.assertEqual(rows(found)["one head more"]["lower"], 10)
        self.assertLessEqual(found.rank.upper, 7)

    def test_query_biases_and_shared_values(self):
        """As in models of today: the queries have a bias, two heads share their keys and values. With shared tokens and queries that are all opposite to
        others a capacity without biases would be less."""
        import torch

        torch.manual_seed(2)

        class Grouped(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.q, self.k, self.v, self.o = (torch.nn.Linear(*sizes, bias=bias) for *sizes, bias in ((4, 8, True), (4, 4, False), (4, 4, False), (8, 4, False)))

            def forward(self, queries, tokens):
                heads = lambda y, H: y.view(*y.shape[:2], H, 2).transpose(1, 2)
                q, k, v = heads(self.q(queries), 4), *(heads(project(tokens), 2).repeat_interleave(2, 1) for project in (self.k, self.v))
                return self.o((torch.softmax(q @ k.transpose(-1, -2), -1) @ v).transpose(1, 2).reshape(*queries.shape[:2], 8))

        half = torch.randn(3, 1, 4)
        queries, tokens = torch.cat([half, -half]), torch.randn(1, 2, 4).expand(6, 2, 4).contiguous()
        with tempfile.TemporaryDirectory() as folder:
            found = attest.potential(Grouped(), (queries, tokens), "")
            self.assertEqual({row["query_bias"] for row in found}, {True})
            self.assertNotIn("with query biases", rows(found))
            self.assertIn("values of 2 dimensions that 2 heads share", found.values)
            for more in ({"value": [[[1]]]}, {"contexts": tokens}, {"heads": 2}):
                with self.assertRaisesRegex(attest.InputError, f"{list(more)[0]}= is given beside a model"):
                    attest.potential(Grouped(), (queries, tokens), "", **more)
            captured = attest.torch.capture(Grouped(), (queries, tokens), "")
            self.assertEqual(captured.values, (2, 2))
            note = "values of 2 dimensions that 2 heads share: trained with the read-out, they let it use all of it, for 1 label of an example; fixed before the labels, at most 5"
            self.assertIn(note, attest.capacity(**captured.data()).notes)
            self.assertEqual(found.values, note)
            self.assertNotIn(note, found.notes)
            captured.values = (1, 2)
            self.assertIn("let it use 3 of it at least, the capacity of 2 heads, for 1 label of an example", attest.capacity(**captured.data()).notes[-1])
            without = attest.capacity(**{name: value for name, value in captured.data().items() if name != "query_bias"})
            self.assertEqual((found.capacity.lower, without.upper), (5, 4))
            survey = attest.torch.survey(Grouped(), (queries, tokens), out=folder)
            (cell,) = survey.find("capacity")
            self.assertEqual((cell["lower"], cell["upper"], cell["query_bias"]), (5, 5, True))
            self.assertTrue(survey.layers[0]["shape"]["query_bias"])


if __name__ == "__main__":
    result = unittest.main(argv=sys.argv[:1], exit=False).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    raise SystemExit(failed != 0)
