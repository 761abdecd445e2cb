#!/usr/bin/env python3
"""Checks docs/atlas: the page is that of the manifest and the sweep, docs/explore.md has its tables, and a sample of its cells comes out again.

usage: check_atlas.py BUILD_FOLDER
"""
import argparse
import hashlib
import json
import lzma
import pathlib
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs/atlas"))
import findings  # noqa: E402

OPTIONS = None
SHARDS = 300  # one of so many parts is the sample


def explore(*options):
    """Runs attest.explore."""
    subprocess.run(["/usr/bin/python3", "-m", "attest.explore", *options], env=dict(os.environ, PYTHONPATH=str(OPTIONS.build / "python")), check=True, capture_output=True)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


class AtlasTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cells, cls.json = findings.load(ROOT / "docs/atlas/atlas.html.xz")
        cls.manifest = json.loads((ROOT / "docs/atlas/manifest.json").read_text())
        cls.by_name = {findings.name(cell): cell for cell in cls.cells}
        cls.digests, cls.kept = {}, None
        with tarfile.open(ROOT / "docs/atlas/certificates.tar.xz") as archive:
            for member in archive:
                text = archive.extractfile(member).read() if member.isfile() else b"no file"
                cls.digests[member.name] = sha256(text)
                if cls.kept is None and "-d3-H2-" in member.name and member.name.endswith("-random.json"):
                    cls.kept = (member.name, text)

    def test_page_is_the_manifests(self):
        self.assertEqual(sha256(self.json.encode()), self.manifest["atlas.json"])
        self.assertEqual(sha256((ROOT / "docs/atlas/sweep.toml").read_bytes()), self.manifest["sweep"])
        self.assertEqual(len(self.cells), self.manifest["cells"])
        self.assertEqual(len(self.by_name), len(self.cells))
        self.assertGreaterEqual(len(self.cells), 20000)

    def test_functional_dimensions(self):
        """The read-out alone gives the capacity, and there are T outputs."""
        for name, cell in self.by_name.items():
            self.assertLessEqual(cell["capacity_lower"], cell["functional_lower"], name)
            self.assertLessEqual(cell["functional_lower"], cell["functional_upper"], name)
            self.assertLessEqual(cell["functional_upper"], cell["T"], name)

    def test_stacks(self):
        """The page of stacks is its manifest's and its sweep's, and the formula holds in every cell; all of them come out again, and what is packed is valid."""
        folder = ROOT / "docs/atlas"
        cells, text = findings.load(folder / "stacks.html.xz")
        manifest = json.loads((folder / "stacks.json").read_text())
        self.assertEqual(sha256(text.encode()), manifest["atlas.json"])
        self.assertEqual(sha256((folder / "stacks.toml").read_bytes()), manifest["sweep"])
        self.assertEqual(len(cells), manifest["cells"])
        for c in cells:
            a, d, L, H = min(c["d_h"], c["d"]), c["d"], c["L"], c["H"]
            formula = L * H * (a * (2 * d - a) + d * d) - (0 if c["residual"] == "yes" else (L - 1) * d * d)
            self.assertEqual((c["functional_lower"], c["functional_upper"], c["formula"]), (formula,) * 3, c)
        self.assertEqual([c["formula"] for c in cells[:8]], [25, 40, 57, 76, 97, 120, 145, 172])  # Figure 3
        with tempfile.TemporaryDirectory() as out, tarfile.open(folder / "stacks.tar.xz") as archive:
            explore(folder / "stacks.toml", "--out", out, "--keep")
            again, _ = findings.load(pathlib.Path(out, "atlas.html"))
            drop = lambda c: {key: value for key, value in c.items() if key != "certificates"}
            self.assertEqual(list(map(drop, again)), list(map(drop, cells)))
            leaves, kept = [], sorted(member.name for member in archive)
            self.assertEqual(kept, sorted(f"cells/{path.name}" for path in pathlib.Path(out, "cells").glob("*.json")))
            for name in kept:
                packed = archive.extractfile(name).read()
                pathlib.Path(out, name).write_bytes(packed)
                leaves.append(f"{pathlib.Path(name).name.removesuffix('-any.json')} {sha256(packed)}\n")
            self.assertEqual(sha256("".join(sorted(leaves)).encode()), manifest["root"])
            subprocess.run([OPTIONS.attest, "check", pathlib.Path(out, "cells")], check=True, capture_output=True)

    def test_every_cell_leads_to_its_certificates(self):
        """The archive has the three files that the page's cell leads to, and no others, with the digests of the page and the root of the manifest."""
        digests, leaves = dict(self.digests), []
        for name, cell in self.by_name.items():
            leaf = " ".join([name, *(digests.pop(f"cells/{name}-{weights}.json") for weights in ("random", "trained", "any"))]) + "\n"
            self.assertTrue(sha256(leaf.encode()).startswith(cell["certificates"]), name)
            leaves.append(leaf)
        self.assertEqual(digests, {})
        self.assertEqual(sha256("".join(sorted(leaves)).encode()), self.manifest["root"])
        with lzma.open(ROOT / "docs/atlas/atlas.html.xz", "rt", encoding="utf-8") as page:
            self.assertIn('data-kept="yes"', page.read())
        # What --cell writes is valid, and the same bytes as long as attest has not changed.
        path, text = self.kept
        with tempfile.TemporaryDirectory() as out:
            name = path[len("cells/"):-len("-random.json")]
            explore(ROOT / "docs/atlas/sweep.toml", "--cell", name, "--out", out)
            again = pathlib.Path(out, path[len("cells/"):])
            if json.loads(text)["attest"] == json.loads(again.read_text())["attest"]:
                self.assertEqual(json.loads(again.read_text())["case"], json.loads(text)["case"])
            again.write_bytes(text)
            subprocess.run([OPTIONS.attest, "check", again], check=True, capture_output=True)

    def test_the_tables_of_the_documentation(self):
        printed = subprocess.run([sys.executable, ROOT / "docs/atlas/findings.py"], check=True, capture_output=True, text=True).stdout
        text = (ROOT / "docs/explore.md").read_text()
        for table in printed.strip().split("\n\n"):
            self.assertIn(table, text, "docs/atlas/findings.py prints the tables for docs/explore.md")

    def test_a_sample_comes_out_again(self):
        """The numbers are the same, or sharper; certificates may be written otherwise by a later attest, and then docs/atlas/make runs the sweep again."""
        with tempfile.TemporaryDirectory() as out:
            explore(ROOT / "docs/atlas/sweep.toml", "--out", out, "--shard", f"7/{SHARDS}")
            lines = pathlib.Path(out, f"results-7-of-{SHARDS}.jsonl").read_text().splitlines()
            self.assertGreater(len(lines), len(self.cells) / SHARDS)  # three for each cell, less the sample's luck
            same, seen = 0, set()
            for line in map(json.loads, lines):
                name, weights = line["case"].rsplit("-", 1)
                cell, found = self.by_name[name], line["found"]
                seen.add(weights)
                with self.subTest(line["case"]):
                    for key, shipped in {"random": {"capacity": "capacity", "rank": "random"}, "trained": {"rank": "trained"},
                                         "any": {"functional_dimension": "functional"}}[weights].items():
                        self.assertGreaterEqual(found[key][0], cell[shipped + "_lower"])
                        self.assertLessEqual(found[key][1], cell[shipped + "_upper"])
                    if weights == "random":
                        for key in ("paper", "hull"):
                            self.assertEqual(found[key], cell[key])
                        for key in ("assumption_1", "assumption_2"):
                            self.assertEqual(found[key], cell[key])
                same += self.digests[f"cells/{line['case']}.json"] == line["sha256"]
            self.assertEqual(seen, {"random", "trained", "any"})
            print(f"{len(lines)} cases again, {same} with the same certificates", file=sys.stderr)

    def test_a_cell_is_written_and_checked(self):
        with tempfile.TemporaryDirectory() as out:
            name = findings.name(self.cells[len(self.cells) // 2])
            explore(ROOT / "docs/atlas/sweep.toml", "--cell", name, "--out", out)
            subprocess.run([OPTIONS.attest, "check", out], check=True, capture_output=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    OPTIONS, rest = parser.parse_known_args()
    OPTIONS.build = OPTIONS.build.resolve()
    OPTIONS.attest = str(OPTIONS.build / "attest")
    unittest.main(argv=[sys.argv[0], *rest])
