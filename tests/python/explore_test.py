"""attest.explore: grids, what goes on after a kill, shards, limits, and what hostile files do to it.

    explore_test.py BUILD_FOLDER
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from ended import ended

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
ATTEST = BUILD / "attest"
SWEEP = """format = 1
title = "Small & <b>tiny</b>"
[[grid]]
family = ["general-position", "opposite-pairs", "vocabulary", "affine-bag", "moment-curve", "near-duplicate", "one-hot", "translates"]
contexts = ["shared", "fresh"]
context = 2
embed_dim = 2
heads = [1, 2]
head_dim = [1, 2]
examples = 4
base = "e"
seed = 1
"""
STACKS = """format = 1
[[stack]]
layers = [1, 2]
residual = [false, true]
context = [2, 3]
embed_dim = 2
heads = 1
head_dim = [1, 3]
sequences = 12
seed = 1
"""
CELLS = 64  # of two cases each
MANY = SWEEP.replace("seed = 1", "seed = [1, 2, 3, 4]")


class ExploreTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="attest-explore-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.write(SWEEP)

    def write(self, text, name="s.toml"):
        (self.folder / name).write_text(text)

    def command(self, *options, sweep="s.toml", out="o"):
        return dict(args=["/usr/bin/python3", "-m", "attest.explore", sweep, "--out", out, *options], cwd=self.folder, env=dict(os.environ, PYTHONPATH=str(BUILD / "python")))

    def explore(self, *options, status=0, sweep="s.toml", out="o"):
        ended = subprocess.run(**self.command(*options, sweep=sweep, out=out), capture_output=True, text=True)
        self.assertEqual(ended.returncode, status, ended.stdout + ended.stderr)
        self.err = ended.stderr
        return ended.stdout

    def root(self, out="o"):
        return json.loads((self.folder / out / "manifest.json").read_text())["root"]

    def lines(self, out="o", shard="1-of-1"):
        return (self.folder / out / f"results-{shard}.jsonl").read_text().splitlines()

    def cells(self, out="o"):
        atlas = json.loads((self.folder / out / "atlas.json").read_text())
        return [dict(zip(atlas["columns"], cell)) for cell in atlas["cells"]]

    def test_a_sweep(self):
        said = self.explore()
        self.assertEqual(self.err, "")
        self.assertIn("64 cells, 64 run now, 0 of other shards missing, 0 not run\n", said)
        self.assertIn("root " + self.root(), said)
        self.assertEqual(len(self.lines()), 2 * CELLS)
        self.assertEqual(len((self.folder / "o/atlas.csv").read_text().splitlines()), CELLS + 1)
        self.assertNotIn("<b>tiny", (self.folder / "o/atlas.html").read_text())
        # Known by hand: opposite queries with two shared tokens (findings, 9): 1 + min(H, N).
        for cell in self.cells():
            if (cell["family"], cell["contexts"], cell["H"]) == ("opposite-pairs", "shared", 2):
                self.assertEqual(cell["capacity_lower"], 3)
        name = "one-hot-fresh-n2-d2-H2-k1-T4-e-s1"
        one = self.explore("--cell", name, out="c")
        mine = [line for line in map(json.loads, self.lines()) if line["case"].startswith(name + "-")]
        self.assertEqual(len(mine), 2)
        for line in mine:
            self.assertIn("sha256 " + line["sha256"], one)
        subprocess.run([ATTEST, "check", self.folder / "c"], check=True, capture_output=True)
        self.explore("--cell", name.replace("s1", "s2"), status=2)
        self.assertIn(name, self.err)

    def test_functional_dimensions(self):
        plain = SWEEP.replace("examples = 4", "examples = 8").replace("heads = [1, 2]", "heads = 1")
        self.write(plain)
        self.explore()
        self.assertNotIn("functional_lower", self.cells()[0])
        self.write(plain.replace("[[grid]]", "functional_dimension = true\n[[grid]]"))
        self.assertIn("32 cells, 32 run now", self.explore())
        self.assertEqual(len(self.lines()), 3 * 32)  # what is there already is not run again
        self.assertIn("an open set of labels, which is not all labels", " ".join((self.folder / "o/atlas.html").read_text().split()))
        for cell in self.cells():
            self.assertGreaterEqual(cell["functional_lower"], cell["capacity_lower"])
            if cell["family"] == "general-position":  # 2 + 2 and 2 + 2 directions for a shared context, 3 + 2 and 4 + 2 for contexts of their own
                expected = 4 if cell["contexts"] == "shared" else 5 if cell["d_h"] == 1 else 6
                self.assertEqual((cell["functional_lower"], cell["functional_upper"]), (expected, expected))

    def test_stacks(self):
        self.write(STACKS)
        self.assertIn("12 cells, 12 run now", self.explore())  # a stack of one layer has no residual connections
        for cell in self.cells():  # by hand: 7 and 8 for a layer, 10 and 12 for two, 14 and 16 with residual connections
            small = 7 if cell["L"] == 1 else 10 if cell["residual"] == "no" else 14
            expected = small if cell["d_h"] == 1 else {7: 8, 10: 12, 14: 16}[small]
            self.assertEqual((cell["functional_lower"], cell["functional_upper"], cell["formula"]), (expected,) * 3)
        self.assertIn("Conjecture 3.10", (self.folder / "o/atlas.html").read_text())
        self.write(STACKS.replace("sequences = 12", "sequences = 1"))  # the dimension is that of their outputs, not the formula's
        self.explore(out="few")
        for cell in self.cells("few"):
            self.assertLessEqual(cell["functional_upper"], 2 * cell["n"])

    def test_killed_at_any_time_it_goes_on(self):
        self.write(MANY)
        self.explore(out="whole")
        recorded = 0
        for k in range(4):
            run = subprocess.Popen(**self.command("--keep"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(0.4 + 0.3 * k)
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
            now = len(self.lines()) if (self.folder / "o/results-1-of-1.jsonl").exists() else 0
            self.assertGreaterEqual(now, recorded)
            recorded = now
        if recorded:  # a torn line is none
            file = self.folder / "o/results-1-of-1.jsonl"
            file.write_text(file.read_text()[:-9])
        self.explore("--keep")
        self.assertEqual(self.root(), self.root("whole"))
        self.assertIn(" 0 run now", self.explore("--keep"))
        subprocess.run([ATTEST, "check", self.folder / "o/cells"], check=True, capture_output=True)
        for name in ("atlas.csv", "atlas.json", "manifest.json"):
            self.assertEqual((self.folder / "o" / name).read_bytes(), (self.folder / "whole" / name).read_bytes())
        self.write(SWEEP)  # a smaller sweep finds its cells
        self.assertIn("64 cells, 0 run now", self.explore("--keep"))

    def test_shards(self):
        self.explore(out="whole")
        for shard in ("2/3", "3/3", "1/3"):
            self.explore("--shard", shard)
        self.assertEqual(sum(len(self.lines(shard=f"{k}-of-3")) for k in (1, 2, 3)), 2 * CELLS)
        for name in ("atlas.csv", "atlas.json", "atlas.html", "manifest.json"):
            self.assertEqual((self.folder / "o" / name).read_bytes(), (self.folder / "whole" / name).read_bytes())
        self.assertIn(" 0 run now", self.explore("--shard", "1/2"))
        # The same shard twice at a time.
        runs = [subprocess.Popen(**self.command(out="twice"), stdout=subprocess.DEVNULL) for _ in range(2)]
        self.assertEqual([run.wait() for run in runs], [0, 0])
        self.explore(out="twice")
        self.assertEqual(self.root("twice"), self.root())
        for wrong in ("0/3", "4/3", "1/0", "/", "1", "a/b", "-1/3", "1/3x", "1/99999999999999999999"):
            self.explore(f"--shard={wrong}", status=2)

    def test_a_limit_leaves_cells_out_and_more_of_it_finishes_the_sweep(self):
        self.explore("--memory", "40K", status=3)
        self.assertIn("memory", self.err)
        self.explore()
        self.assertEqual(len(self.cells()), CELLS)

    def test_bad_sweeps(self):
        for what, by in (("format = 1", "format = 2"), ("format = 1", "format = true"), ("format = 1", ""), ("heads = [1, 2]", "heads = [1, 1]"), ("heads = [1, 2]", "heads = []"),
                         ("heads = [1, 2]", "heads = 0"), ("heads = [1, 2]", "heads = true"), ("heads = [1, 2]", 'heads = "2"'), ("heads = [1, 2]", "heads = 1.5"), ("heads = [1, 2]", ""),
                         ("heads = [1, 2]", "heeds = [1, 2]"), ("context = 2", "context = 256"), ("context = 2", "context = 99999999999999999999"), ("seed = 1", "seed = -1"),
                         ('base = "e"', 'base = "3"'), ('"one-hot"', '"one-hit"'), ('"one-hot"', '"trained"'), ("[[grid]]", "[grid]"), ("title", 'trained = "none.safetensors"\ntitle'),
                         ("title", 'trained = "/dev/zero"\ntitle'), ("title", 'trained = "../x"\ntitle'), ("[[grid]]", 'functional_dimension = "yes"\n[[grid]]'), ("title", "a = " + "[" * 5000 + "\ntitle"),
                         ("seed = 1", f"seed = {list(range(1000))}\n[[grid]]\nfamily = 'one-hot'")):
            with self.subTest(by=by[:40]):
                self.write(SWEEP.replace(what, by, 1))
                self.explore(status=2)
                self.assertIn("s.toml", self.err)
                self.assertEqual(self.err.count("\n"), 1)
                self.assertFalse((self.folder / "o").exists())
        for what, by in (("layers = [1, 2]", "layers = 5"), ("layers = [1, 2]", ""), ("residual = [false, true]", 'residual = "yes"'), ("residual = [false, true]", "residual = [true, true]"),
                         ("context = [2, 3]", "context = 1"), ("sequences = 12", "examples = 12"), ("seed = 1", 'seed = 1\nbase = "e"'), ("[[stack]]", "[stack]"),
                         ("[[stack]]", "functional_dimension = true\n[[stack]]"), ("[[stack]]", "[[grid]]\n[[stack]]")):
            with self.subTest(by=by):
                self.write(STACKS.replace(what, by, 1))
                self.explore(status=2)
        self.write('format = 1\nevil\x1b[2J = 1\n')
        self.explore(status=2)
        self.assertNotIn("\x1b", self.err)

    def test_results_that_are_not_this_sweeps_damaged_contradictory_or_no_file(self):
        self.explore()
        file = self.folder / "o/results-1-of-1.jsonl"
        good = file.read_text()
        line = next(line for line in good.splitlines() if "-random" in line)
        found = json.loads(line)

        def refused(text, says, where=file):
            where.write_text(text)
            self.explore(status=2)
            self.assertIn(says, self.err)
            self.assertEqual(where.read_text(), text)

        refused(good.replace('"attest":"', '"attest":"0.', 1), "is of attest")
        refused(good.replace('"trained":"', '"trained":"00', 1), "another trained layer")
        for wrong in ("nonsense", "{}", "[]", "[" * 100000, json.dumps({**found, "sha256": "0"}), json.dumps({**found, "found": {}}), json.dumps({**found, "case": 1}),
                      *(json.dumps({**found, "found": {**found["found"], key: value}}) for key, value in (("capacity", [3, 2]), ("capacity", [-1, 2]), ("rank", [1]), ("hull", "7"),
                                                                                                          ("hull", True), ("assumption_1", "disproved")))):
            refused(good + wrong + "\n", "line 129")
        other = json.dumps({**found, "found": {**found["found"], "hull": 0}})
        refused(good + other + "\n", "contradicts")
        file.write_text(good + line + "\n")  # the same twice is what it is
        self.explore()
        elsewhere = self.folder / "elsewhere"
        elsewhere.write_text("precious")
        for make in (lambda: file.symlink_to("../elsewhere"), lambda: os.mkfifo(file), file.mkdir):
            file.unlink()
            make()
            self.explore(status=2)
            if file.is_dir():
                file.rmdir()
        self.assertEqual(elsewhere.read_text(), "precious")

    def test_results_are_written_into_regular_files_only(self):
        (self.folder / "o").mkdir()
        (self.folder / "o/atlas.csv").symlink_to("../s.toml")
        self.explore(status=2)
        self.assertEqual((self.folder / "s.toml").read_text(), SWEEP)

    def test_says_how_far_it_is_when_asked(self):
        self.explore("--progress")
        self.assertIn("cases: 128 of 128", self.err)


if __name__ == "__main__":
    ended()
