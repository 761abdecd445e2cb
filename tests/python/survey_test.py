"""attest.torch.survey and attest.survey: every number of a model that is trained here, against an evaluation with 80 digits; what
killed, forged and bad input leaves.

    survey_test.py BUILD_FOLDER
"""

import contextlib
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import unittest.mock

from ended import ended

import captures
from captures import BUILD, example, exact_logits, exact_z, rank_of

import jsonschema
import mpmath
import numpy
import torch

import attest
import attest.torch
from attest import findings

mpmath.mp.dps = 80
TINY = mpmath.mpf(10) ** -50
ATTEST = str(BUILD / "attest")
SURVEY = ["/usr/bin/env", f"PYTHONPATH={BUILD / 'python'}", "/usr/bin/python3", "-m", "attest.survey"]


def different(rows):
    found = []
    for row in rows:
        if not any(max(abs(x - y) for x, y in zip(row, other)) < TINY for other in found):
            found.append(row)
    return len(found)


def saturated(captured, threshold):
    """Of each head, how many examples have a coefficient above it."""
    counts = [0] * captured.heads
    for logits, *_ in exact_logits(captured):
        for h, head in enumerate(logits):
            powers = [mpmath.exp(x) for x in head]
            counts[h] += max(powers) / mpmath.fsum(powers) > threshold
    return counts


def singular_values_above(rows, tolerance):
    gram = mpmath.matrix([[mpmath.fdot(a, b) for b in zip(*rows)] for a in zip(*rows)])
    return sum(value > tolerance**2 for value in mpmath.eigsy(gram, eigvals_only=True))


def head_outputs(means, W):
    W = [[mpmath.mpf(float(x)) for x in column] for column in W.T]
    return [[mpmath.fdot(row, column) for column in W] for row in means]


def generic(captured, seed=7, more=0):
    """The same data with random weights of so many heads more: the rank of their Z is the largest, as ranks of analytic functions are almost everywhere."""
    random = numpy.random.default_rng(seed)
    data = dict(captured.data())
    H, d_h = data.pop("heads") + more, data.pop("head_dim")
    d = data["hidden" if "hidden" in data else "contexts"].shape[-1]
    weights = {name: torch.tensor(random.normal(size=(H, d, d_h))) for name in ("key", "query")}
    return exact_z({**data, **weights, "logit_scale": "1"})


OTHERS = ("capacity_one_head_more", "capacity_with_a_sink", "capacity_with_query_biases")
SCHEMA = jsonschema.Draft202012Validator(json.loads(subprocess.run([ATTEST, "schema", "survey"], capture_output=True, text=True, check=True).stdout))


class Trained(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="attest-survey-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.example = example("survey")
        cls.model, cls.words = cls.example.trained()
        with contextlib.redirect_stdout(io.StringIO()):
            cls.survey = cls.example.main(cls.folder / "all")

    def number(self, layer, quantity, head=None):
        (row,) = self.survey.find(quantity, layer, head)
        self.assertEqual(row["lower"], row["upper"])
        return row["lower"]

    def test_every_number_is_that_of_80_digits(self):
        compared = 0
        ranks, saturations = set(), set()
        for layer in self.survey.layers:
            name = layer["name"]
            captured = attest.torch.capture(self.model, self.words, name, positions="all")
            self.assertEqual(layer["shape"], {"heads": 4, "context": 5, "embed_dim": 8, "head_dim": layer["shape"]["head_dim"], "examples": 80, "query_bias": False})
            self.assertEqual(layer["one_token"], 16)  # the first position of each sequence
            rows = exact_z(captured)
            rank = rank_of(rows, TINY)
            ranks.add(rank)
            self.assertEqual(self.number(name, "rank"), rank)
            self.assertEqual(self.number(name, "different_outputs"), different(rows))
            self.assertEqual(self.number(name, "capacity"), rank_of(generic(captured), TINY))
            counts = saturated(captured, mpmath.mpf("0.7"))
            saturations.update(counts)
            self.assertEqual(self.number(name, "saturated"), sum(counts))
            self.assertEqual([self.number(name, "saturated", h) for h in range(4)], counts)
            blocks = [[row[h * 8 : h * 8 + 8] for row in rows] for h in range(4)]
            self.assertEqual([self.number(name, "rank", h) for h in range(4)], [rank_of(block, TINY) for block in blocks])
            outputs = [head_outputs(block, W) for block, W in zip(blocks, captured["value"])]
            self.assertEqual([self.number(name, "output_rank", h) for h in range(4)], [rank_of(block, TINY) for block in outputs])
            self.assertEqual(self.number(name, "output_rank"), rank_of([sum(parts, []) for parts in zip(*outputs)], TINY))
            d_v = captured["value"].shape[-1]
            self.assertEqual([self.survey.find("output_rank", name, h)[0]["ceiling"] for h in (None, 0, 1, 2, 3)], [min(80, 4 * d_v), *[min(80, d_v)] * 4])
            (row,) = self.survey.find("numerical_rank", name)
            tolerance = next(note for note in layer["notes"] if note.startswith("the tolerance is "))
            tolerance = mpmath.mpf(float.fromhex(tolerance.split()[3].rstrip(",")))
            self.assertEqual(row["lower"], singular_values_above(rows, tolerance))
            (row,) = self.survey.find("rank", name)
            hull = min(80, 4 * 8, 4 * (rank_of([[*map(mpmath.mpf, map(float, x)), mpmath.mpf(1)] for x in captured["hidden"].reshape(-1, 8)], TINY) - 1) + 1)
            self.assertTrue(rank <= row["any_coefficients_lower"] <= row["any_coefficients_upper"] <= hull)
            for h in range(4):
                self.assertEqual(self.number(name, "rank_without_head", h), rank_of([row[:h * 8] + row[h * 8 + 8:] for row in rows], TINY))
            # Layers like it are asked about where they could have more.
            others = [row for quantity in OTHERS for row in self.survey if row["layer"] == name and row["quantity"] == quantity]
            capacity = self.number(name, "capacity")
            self.assertEqual(len(others), 3 if capacity < different(rows) else 0)
            for row in others:
                self.assertLessEqual(capacity, row["lower"])
                self.assertLessEqual(row["upper"], row["ceiling"])
                if row["quantity"] == "capacity_one_head_more":
                    self.assertEqual((row["lower"], row["upper"]), (rank_of(generic(captured, more=1), TINY),) * 2)
            compared += len([row for row in self.survey if row["layer"] == name]) - len(others)
        self.assertEqual(compared + len([row for row in self.survey if row["quantity"] in OTHERS]), len(self.survey))
        self.assertEqual(compared, 4 * (6 + 4 * 4))
        self.assertTrue(len(ranks) > 1 and len(saturations) > 2, (ranks, saturations))

    def test_every_certificate_was_checked_and_is_there(self):
        self.assertTrue(all(row["checked"] for row in self.survey))
        certificates = {self.survey.folder / row["certificate"] for row in self.survey}
        others = sum(row["quantity"] in OTHERS for row in self.survey)
        self.assertEqual(len(certificates), 4 * (6 + 4) + others)
        self.assertIn("valid", attest.check(*certificates))
        for row in self.survey:
            certificate = json.loads((self.survey.folder / row["certificate"]).read_text())
            self.assertIn("steps", certificate["claims"][row["claim"]])
        ended = subprocess.run([ATTEST, "check", self.survey.folder / "layers"], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stdout[-2000:])  # verdicts that were found are those that are expected

    def test_what_is_returned_is_the_file_and_prints(self):
        written = json.loads((self.survey.folder / "survey.json").read_text())
        self.assertEqual(written["cells"], list(self.survey))
        SCHEMA.validate(written)
        wrong = [{**written, "format": "attest-survey/2"}, {**written, "more": 1}, {**written, "layers": [{"name": "a"}]}]
        cell = written["cells"][0]
        wrong += [{**written, "cells": [{**cell, key: value}]} for key, value in (("lower", 1.5), ("lower", None), ("head", "1"), ("verdict", "true"), ("more", 1), ("claim", -1))]
        wrong += [{**written, "cells": [{k: v for k, v in cell.items() if k != key}]} for key in ("lower", "words", "certificate")]
        for survey in wrong:
            self.assertFalse(SCHEMA.is_valid(survey))
        shown = repr(self.survey)
        self.assertRegex(shown, r"^ +rank of Z +rank of the outputs .*capacity")
        self.assertNotRegex(shown, r"\d{6,}/")  # tolerances that nobody reads
        self.assertEqual(self.survey.page.read_text()[:15], "<!DOCTYPE html>")
        self.assertFalse(any("--" in line for layer in self.survey.layers for line in layer["notes"]))

    def test_capacity_of_the_last_positions_too(self):
        survey = attest.torch.survey(self.model, self.words, out=self.folder / "last", ask=("rank", "capacity"))
        self.assertEqual({row["quantity"] for row in survey}, {"rank", "capacity"})
        others = attest.torch.survey(self.model, self.words, out=self.folder / "others", ask=("capacity", "capacity_one_head_more", "capacity_with_a_sink", "capacity_with_query_biases"))
        for layer in others.layers:
            (built,), (more,), (sink,) = (others.find(quantity, layer["name"]) for quantity in ("capacity", "capacity_one_head_more", "capacity_with_a_sink"))
            self.assertLessEqual(built["lower"], more["upper"])
            self.assertLessEqual(built["lower"], sink["upper"])
            self.assertIn(str(built["upper"]), built["bottleneck"])
            self.assertTrue(all(row["checked"] for row in (built, more, sink)))
            biases = others.find("capacity_with_query_biases", layer["name"])  # of a layer without them; with them it is the capacity
            self.assertEqual(len(biases), 0 if built["query_bias"] else 1)
            self.assertTrue(all(built["lower"] <= row["upper"] and row["checked"] for row in biases))
        self.assertIn("capacity with one head more", repr(others))
        SCHEMA.validate(json.loads((self.folder / "others/survey.json").read_text()))
        for wrong in (("rnk",), ("rank", "layer.9")):
            with self.assertRaisesRegex(attest.InputError, "the survey has no .*; it has "):
                survey.find(*wrong)
        for layer in survey.layers:
            captured = attest.torch.capture(self.model, self.words, layer["name"])
            self.assertEqual(survey.find("rank", layer["name"])[0]["upper"], rank_of(exact_z(captured), TINY))
            self.assertEqual(survey.find("capacity", layer["name"])[0]["lower"], rank_of(generic(captured), TINY))

    def test_what_others_would_add_to_a_layer_with_query_biases(self):
        torch.manual_seed(2)
        survey = attest.torch.survey(torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), torch.randn(12, 3, 4), out=self.folder / "biased")
        self.assertEqual([survey.find(quantity)[0]["lower"] for quantity in ("capacity", "capacity_one_head_more", "capacity_with_a_sink")], [8, 12, 8])
        self.assertEqual([layer["not_asked"] for layer in survey.layers], [[]])

    def test_what_cannot_be_captured_is_said_and_does_not_stop_the_others(self):
        model = captures.Wrapped(captures.Hidden("rope"), captures.Hidden("dropout"))
        torch.manual_seed(1)
        out = self.folder / "refused"
        survey = attest.torch.survey(model, torch.randn(3, 4, 12), out=out, ask="rank")
        self.assertEqual([layer["name"] for layer in survey.layers], ["blocks.0", "blocks.1"])
        self.assertEqual({row["layer"] for row in survey}, {"blocks.0"})
        self.assertIn("dropout", survey.layers[1]["not_asked"][0])
        self.assertIn("not asked", repr(survey))
        self.assertIn("dropout", survey.page.read_text())
        # What lies there of another model is no part of it, and arrays of another form are gone.
        survey = attest.torch.survey(captures.Hidden("", heads=2), torch.randn(3, 4, 12), out=out, ask="rank")
        self.assertEqual([layer["name"] for layer in survey.layers], ["Hidden"])
        (out / "layers/Hidden/logits.npy").write_bytes(b"no array")
        model = torch.nn.Sequential(torch.nn.ModuleDict({"a b": captures.Hidden(""), "a_b": captures.Hidden("rope")}))
        model.forward = lambda x: model[0]["a_b"](model[0]["a b"](x))
        survey = attest.torch.survey(model, torch.randn(3, 4, 12), out=out, ask="rank")
        self.assertEqual([layer["name"] for layer in survey.layers], ["0.a_b", "0.a_b_"])
        survey = attest.torch.survey(captures.Hidden("alibi"), torch.randn(3, 4, 12), out=out, ask="rank")
        self.assertEqual([row["head"] for row in survey], [None, 0, 1])
        with self.assertRaisesRegex(attest.InputError, "no attention module can be captured:\nHidden: .*dropout"):
            attest.torch.survey(captures.Hidden("dropout"), torch.randn(3, 4, 12), out=out)
        with self.assertRaisesRegex(attest.InputError, "no softmax"):
            attest.torch.survey(torch.nn.Linear(3, 3), torch.randn(2, 3), out=out)


def dump(folder, seed=0, T=20, n=4, d=6, H=3, d_h=2, **more):
    random = numpy.random.default_rng(seed)
    folder.mkdir(parents=True)
    shapes = {"contexts": (T, n, d), "queries": (T, d), "key": (H, d, d_h), "query": (H, d, d_h)}
    arrays = {name: random.normal(size=shape) for name, shape in shapes.items()} | more
    for name, array in arrays.items():
        numpy.save(folder / f"{name}.npy", array)
    return arrays



class Untrained(unittest.TestCase):
    def test_a_model_of_a_known_layout_has_ceilings_and_something_to_do(self):
        torch.manual_seed(0)
        model = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2)
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            # 2 heads of 4 value dimensions: of few examples all are memorized, of many the width holds back.
            for count, most, says in ((3, 3, ["any labels of these 3 examples", "Each of the 2 heads is redundant for these examples"]),
                                      (24, 8, ["The values keep 8 of the 16 dimensions of Z", "No head is redundant for these examples: without any one of the 2 the rank falls by 8."])):
                survey = attest.torch.survey(model, torch.randn(count, 4, 8), out=f"{folder}/{count}", ask=["rank", "output-rank", "capacity", "rank-without-head"])
                self.assertEqual([row["ceiling"] for row in survey.find("output_rank", head=None)], [most] * 2)
                self.assertEqual({row["ceiling"] for row in survey if row["quantity"] == "output_rank" and row["head"] is not None}, {min(count, 4)})
                self.assertNotIn(None, [row["ceiling"] for row in survey])
                page = survey.page.read_text()
                for sentence in says:
                    self.assertIn(sentence, " ".join(re.sub("<[^>]*>", "", page).split()))
                self.assertIn("query biases where the layer has them", " ".join(page.split()))


class Folders(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="attest-survey-"))
        self.addCleanup(shutil.rmtree, self.folder, True)

    def survey(self, *options, status=0):
        ended = subprocess.run([*SURVEY, "dumps", *options], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(ended.returncode, status, ended.stderr + ended.stdout)
        self.said = ended.stdout + ended.stderr
        if status == 2 and not (self.folder / "survey/survey.json").exists():
            return None
        found = json.loads((self.folder / "survey/survey.json").read_text())
        SCHEMA.validate(found)
        return found

    def test_folders_and_safetensors(self):
        arrays = dump(self.folder / "dumps/h.10")
        dump(self.folder / "dumps/h.2", 1)
        attest._library.call("write", attest._Arguments({"x": {"name": "x", "kind": "model", "says": ""}}, {"x": arrays}).arrays, folder=str(self.folder / "dumps"), texts={})
        os.rename(self.folder / "dumps/x.safetensors", self.folder / "dumps/file.safetensors")
        (self.folder / "dumps/h.2.options").write_text('{"logit_scale": "1/2", "heads": 3, "notes": ["from a dump"]}')
        (self.folder / "dumps/readme.txt").write_text("no layer")
        found = self.survey()
        self.assertEqual([layer["name"] for layer in found["layers"]], ["file", "h.2", "h.10"])
        self.assertIn("from a dump", found["layers"][1]["notes"])
        self.assertIn('logit_scale = "1/2"', (self.folder / "survey/layers/h.2/rank.toml").read_text())
        of = lambda name: [(row["quantity"], row["head"], row["lower"], row["upper"]) for row in found["cells"] if row["layer"] == name]
        self.assertEqual(of("file"), of("h.10"))
        rank = attest.rank(**arrays)
        self.assertIn(("rank", None, rank.lower, rank.upper), of("file"))
        capacity = attest.capacity(contexts=arrays["contexts"], queries=arrays["queries"], heads=3, head_dim=2)
        self.assertIn(("capacity", None, capacity.lower, capacity.upper), of("h.10"))  # heads from the weights
        self.assertEqual(self.survey("--layer", "h.2", "--ask", "rank,injective")["layers"][0]["name"], "h.2")

    def test_goes_on_and_believes_nobody(self):
        dump(self.folder / "dumps/a")
        dump(self.folder / "dumps/b", 1)
        found = self.survey()
        self.assertEqual({row["certificate"].rpartition("/")[2] for row in found["cells"] if row["quantity"] == "capacity"}, {"rank.json"})  # one case for both
        first = {file: file.read_bytes() for file in (self.folder / "survey/layers").rglob("*.json")}
        self.assertIn("0 of them answered before", self.said)
        self.survey("--jobs", "1")
        self.assertIn("20 questions, 20 of them answered before", self.said)
        # A forged certificate, one of other arrays, and arrays that have changed.
        forged = self.folder / "survey/layers/a/rank.json"
        certificate = json.loads(forged.read_text())
        for step in certificate["steps"]:
            if step["rule"] == "minor":
                step["rows"], step["cols"] = step["rows"][:-1], step["cols"][:-1]
        forged.write_text(json.dumps(certificate))
        shutil.copy(self.folder / "survey/layers/b/saturation.json", self.folder / "survey/layers/a/saturation.json")
        self.survey()
        self.assertIn("20 questions, 18 of them answered before", self.said)
        self.assertEqual(first, {file: file.read_bytes() for file in first})
        numpy.save(self.folder / "dumps/b/key.npy", numpy.ones((3, 6, 2)))
        found = self.survey()
        self.assertIn("20 questions, 13 of them answered before", self.said)  # capacities of other layers do not depend on keys
        self.assertEqual([row["verdict"] for row in found["cells"]].count("undecided"), 0)

    def test_a_killed_run_goes_on(self):
        for k in range(12):
            dump(self.folder / f"dumps/{k}", k, T=150, n=8, d=12, H=8)
        run = subprocess.Popen([*SURVEY, "dumps", "--jobs", "1"], cwd=self.folder, stdout=subprocess.DEVNULL, start_new_session=True)
        done = lambda: len(list((self.folder / "survey/layers").rglob("*.json"))) if (self.folder / "survey").exists() else 0
        for _ in range(600):
            if done() >= 8:
                break
            time.sleep(0.05)
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
        before = done()
        self.assertTrue(8 <= before < 180, before)
        found = self.survey()
        self.assertRegex(self.said, f"180 questions, ({before - 1}|{before}|{before + 1}) of them answered before")
        self.assertEqual(len({row["layer"] for row in found["cells"]}), 12)

    def test_says_how_far_it_is_on_a_terminal_alone(self):
        for k in range(3):
            dump(self.folder / f"dumps/{k}", k, T=150, n=8, d=12, H=8)
        self.survey("--jobs", "1")
        self.assertNotIn("questions: ", self.said)
        shutil.rmtree(self.folder / "survey")
        subprocess.run(["script", "-qec", shlex.join([*SURVEY, "dumps", "--jobs", "1"]), "typescript"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        self.assertRegex((self.folder / "typescript").read_text(), r"questions: \d+ of 36")

    def test_ctrl_c_ends_it_with_its_children(self):
        for k in range(8):
            dump(self.folder / f"dumps/{k}", k, T=300, n=8, d=24, H=16)
        program = "import sys; sys.path.insert(0, sys.argv[1]); import attest; print(1, flush=True); attest.survey('dumps', out='survey')"
        run = subprocess.Popen(["/usr/bin/python3", "-c", program, BUILD / "python"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(run.stdout.readline(), "1\n")
        while not list((self.folder / "survey").glob("layers/*/*.json")):
            time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        self.assertIn("KeyboardInterrupt", run.communicate()[1])  # returns when all that has its outputs has ended
        done = len(list((self.folder / "survey").glob("layers/*/*.json")))
        time.sleep(1)
        self.assertEqual(len(list((self.folder / "survey").glob("layers/*/*.json"))), done)
        self.assertLess(done, 8 * 21)

    def test_bad_input(self):
        self.survey(status=2)
        self.assertIn("is no folder", self.said)
        (self.folder / "dumps").mkdir()
        self.survey(status=2)
        self.assertIn("holds no layers", self.said)
        dump(self.folder / "dumps/good")
        dump(self.folder / "dumps/nan", key=numpy.full((3, 6, 2), numpy.nan))
        dump(self.folder / "dumps/shape", key=numpy.ones((3, 5, 2)))
        dump(self.folder / "dumps/unknown", keys=numpy.ones(3))
        dump(self.folder / "dumps/options")
        dump(self.folder / "dumps/float")
        dump(self.folder / "dumps/nested")
        (self.folder / "dumps/few").mkdir()
        numpy.save(self.folder / "dumps/few/contexts.npy", numpy.ones((2, 2, 2)))
        (self.folder / "dumps/options.options").write_text('{"threshold": true}')
        (self.folder / "dumps/float.options").write_text('{"logit_scale": 0.1}')
        (self.folder / "dumps/nested.options").write_text('{"notes": ' + 400_000 * "[" + 400_000 * "]" + "}")
        found = self.survey("--ask", "rank", status=2)
        said = {layer["name"]: layer["not_asked"] for layer in found["layers"]}
        self.assertEqual(said["good"], [])
        for name, wrong in {"nan": "nan", "shape": "does not fit", "unknown": '"keys" is no array of a layer', "options": "threshold", "float": "text such as", "nested": "nested deeper", "few": "there are no queries"}.items():
            self.assertIn(wrong, said[name][0])
            self.assertEqual(len(said[name]), 1)
        self.assertEqual({row["layer"] for row in found["cells"]}, {"good"})
        self.survey("--ask", "rnk", status=2)
        self.survey("--layer", "nobody", status=2)
        self.assertIn("does not hold all layers", self.said)
        dump(self.folder / "dumps/good.safetensors")  # a folder of that name is a layer like any other
        shutil.rmtree(self.folder / "dumps/good.safetensors")
        (self.folder / "dumps/good.safetensors").write_bytes(b"\0" * 20)
        found = self.survey("--layer", "good", status=2)

    def test_what_is_no_array_is_not_copied(self):
        secret = self.folder / "secret"
        secret.write_text("nobody's business")
        numpy.save(self.folder / "elsewhere.npy", numpy.ones((3, 6, 2)))
        for name in ("text", "folder", "fifo", "gone", "array"):
            dump(self.folder / f"dumps/{name}")
            os.remove(self.folder / f"dumps/{name}/key.npy")
        os.symlink(secret, self.folder / "dumps/text/key.npy")
        os.mkdir(self.folder / "dumps/folder/key.npy")
        os.mkfifo(self.folder / "dumps/fifo/key.npy")
        os.symlink(self.folder / "nowhere", self.folder / "dumps/gone/key.npy")
        os.symlink(self.folder / "elsewhere.npy", self.folder / "dumps/array/key.npy")  # as caches of models link them
        found = self.survey("--ask", "rank", status=2)
        for layer in found["layers"]:
            self.assertEqual((self.folder / "survey/layers" / layer["name"] / "key.npy").exists(), layer["name"] == "array")
            self.assertEqual(layer["not_asked"] == [], layer["name"] == "array")
            self.assertTrue(layer["name"] == "array" or "dumps" in layer["not_asked"][0], layer["not_asked"])

    def test_arguments(self):
        dump(self.folder / "dumps/a")
        ask = lambda **more: attest.survey(self.folder / "dumps", out=self.folder / "survey", **more)
        for wrong in (dict(jobs=0), dict(ask="rnk"), dict(layers=["b"]), dict(threshold="one", ask="saturation"), dict(memory="much"), dict(tolerance=float("nan"))):
            if "threshold" in wrong or "tolerance" in wrong:
                self.assertTrue(ask(**wrong).layers[0]["not_asked"], wrong)
            else:
                with self.assertRaises(attest.InputError, msg=wrong):
                    ask(**wrong)
        (row,) = ask(ask="numerical_rank", tolerance=0.1)
        self.assertIn("tolerance = 0.1 (rounded)", row["words"])  # the binary number, which the case has
        self.assertIn('tolerance = "0x1.999999999999ap-4"', (self.folder / "survey" / row["certificate"]).with_suffix(".toml").read_text())
        (row,) = ask(ask="numerical_rank", tolerance=numpy.float32(0.5))
        self.assertIn("tolerance = 1/2", row["words"])

    def test_what_takes_minutes_is_asked_by_name_of_large_layers(self):
        dump(self.folder / "dumps/a")
        whole = attest.survey(self.folder / "dumps", out=self.folder / "whole")
        shape = whole.layers[0]["shape"]
        size = shape["examples"] * shape["heads"] * shape["embed_dim"]
        asked = {row["quantity"] for row in whole}
        for limit, left in ((size, set()), (size - 1, {"numerical_rank", "rank_without_head"})):
            with unittest.mock.patch.object(attest.surveys, "LARGE", limit):
                found = attest.survey(self.folder / "dumps", out=self.folder / f"to-{limit}")
                self.assertEqual(asked - {row["quantity"] for row in found}, left)
                self.assertEqual(len([why for why in found.layers[0]["not_asked"] if "it is asked when it is named" in why]), len(left))
                self.assertEqual(found.status, whole.status)
                named = attest.survey(self.folder / "dumps", out=self.folder / f"named-{limit}", ask=["numerical-rank", "rank-without-head"])
                self.assertEqual({row["quantity"] for row in named}, {"numerical_rank", "rank_without_head"})

    def test_a_question_that_knows_no_sinks_is_not_asked_about_a_layer_with_them(self):
        arrays = dump(self.folder / "dumps/a")
        (self.folder / "dumps/a.options").write_text('{"sink": true}')
        found = self.survey()
        self.assertEqual({row["quantity"] for row in found["cells"]} & {"saturated", "numerical_rank"}, set())
        self.assertEqual(len([line for line in found["layers"][0]["not_asked"] if "is not asked about layers with sink=" in line]), 2)
        rank = attest.rank(**arrays, sink=True)
        self.assertIn((rank.lower, rank.upper), [(row["lower"], row["upper"]) for row in found["cells"] if row["quantity"] == "rank" and row["head"] is None])

    def test_what_would_help_is_not_what_cannot(self):
        advice = lambda found: {name: " ".join(each["do"] for each in found["findings"] if name in each["layers"]) for name in (layer["name"] for layer in found["layers"])}
        says = lambda found, name: " ".join(each["says"] for each in found["findings"] if name in each["layers"])
        eye, one = numpy.eye(2), numpy.ones((2, 2, 1))
        dump(self.folder / "dumps/equal", contexts=eye, queries=numpy.ones((3, 2)), key=one, query=one)
        dump(self.folder / "dumps/zero", contexts=0 * eye, queries=eye, key=one, query=one)
        dump(self.folder / "dumps/same", contexts=numpy.ones((2, 2)), queries=eye, key=one, query=one)
        dump(self.folder / "dumps/line", contexts=numpy.array([[1.0, 0], [2, 0]]), queries=numpy.array([[1.0, 0], [2, 1], [3, 1]]), key=one[:1], query=one[:1])
        dump(self.folder / "dumps/single", contexts=numpy.array([[[1.0, 0]], [[0, 1]], [[1, 1]]]), queries=numpy.ones((3, 2)), key=one, query=one)
        dump(self.folder / "dumps/wide", T=9, H=1, d=2, d_h=1)
        found = self.survey()
        do = advice(found)
        self.assertIn("others would help, nothing else", do["equal"])
        for name in ("zero", "same"):
            self.assertIn("no training of it, and no more heads", do[name])
        self.assertIn("and one head more gives 2", do["line"])
        self.assertIn("The width H d is the bottleneck: one head more gives 4.", do["wide"])
        self.assertIn("The capacity is 2 as built, with one head more 4, a sink ", says(found, "wide"))
        few = attest.survey(self.folder / "dumps", out=self.folder / "few", ask=["rank", "capacity"])
        self.assertIn("The width H d is the bottleneck: more heads may help (ask capacity-one-head-more).", advice({"layers": few.layers, "findings": few.findings})["wide"])
        # One token has no choice, which no weights change.
        single = next(layer for layer in found["layers"] if layer["name"] == "single")
        self.assertEqual(single["one_token"], 3)
        self.assertIn("have a context of one token", says(found, "single"))
        self.assertIn("survey it on longer contexts", do["single"])
        self.assertNotIn("weight on one token", says(found, "single"))
        # Half of the weight is not nearly all; nothing is above 1, not even the coefficient of an only token.
        dump(self.folder / "dumps/even", contexts=numpy.array([[[1.0, 0], [0, 1]]] * 3 + [[[1, 0], [1, 0]]]), queries=numpy.array([[1.0, 0]] * 4), key=numpy.array([[[1.0], [0]]]), query=one[:1],
             mask=numpy.array([[1.0, 1]] * 3 + [[1, 0]]))
        for threshold, counted, said, advised in (("0.4", "3 of 3", "puts more than 0.4 of its weight on one token for more than half of the examples that have a choice (3 of 3)", "which this does not show"),
                                                  ("0.9", "0 of 3", None, ""), ("1", "0 of 3", None, "")):
            found = self.survey("--ask", "saturation", "--threshold", threshold, "--layer", "even")
            self.assertEqual(("weight on one token" in says(found, "even"), said is None or said in says(found, "even")), (said is not None, True))
            self.assertIn(advised, advice(found)["even"])
            self.assertNotIn("hardly learn", advice(found)["even"])
            map_of = next(table for table in findings.page(found)["maps"] if table["title"] == "Layers")
            self.assertEqual(f"{map_of['rows']['even']['saturated']['text']} of {map_of['rows']['even']['saturated']['ceiling']}", counted)
        # What is said to help does, and what is said not to does not.
        more = self.survey("--ask", "rank,capacity,capacity-one-head-more")
        gain = {name: [next(row["lower"] for row in more["cells"] if row["layer"] == name and row["quantity"] == quantity and row["head"] is None) for quantity in ("capacity", "capacity_one_head_more")] for name in do}
        for name, (built, further) in gain.items():
            self.assertEqual(name in ("line", "wide"), further > built, (name, built, further))
        self.assertIn(f"one head more gives {gain['line'][1]}", advice(more)["line"])
        # With a sink the coefficient of one token is not 1.
        (self.folder / "dumps/single.options").write_text('{"sink": true}')
        self.assertNotIn("whose coefficient is 1", says(self.survey("--layer", "single"), "single"))

    def test_limits(self):
        dump(self.folder / "dumps/a", T=300, n=8, d=20, H=20)
        found = self.survey("--ask", "rank", "--work", "1K", status=3)
        self.assertIn("work", str(found))
        self.survey("--ask", "rank")
        self.assertIn("0 of them answered before", self.said)


if __name__ == "__main__":
    ended()
