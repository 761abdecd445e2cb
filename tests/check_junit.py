#!/usr/bin/env python3
"""attest verify --junit agrees with tests/junit.xsd, for the shipped cases and for hostile names, titles and failures: check_junit.py ATTEST CASES.XML

CASES.XML is what `attest verify cases/ --junit CASES.XML` wrote."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
ATTEST, SHIPPED = None, None

CASE = """format = 1
title = "<b>]]>&amp; \\uFFFE \\u202E"
[layer]
heads = 1
context = 2
embed_dim = 2
head_dim = 1
examples = 2
[data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 2], [2, 4]]
[[claim]]
statement = "kruskal-rank"
value = 1
[[claim]]
statement = "kruskal-rank"
at_least = 2
[[claim]]
statement = "assumption-1"
expect = "refuted"
"""


def valid(file):
    """None, or what xmllint says."""
    run = subprocess.run(["xmllint", "--noout", "--nonet", "--schema", HERE / "junit.xsd", file], capture_output=True, text=True)
    return None if run.returncode == 0 else run.stderr


class JunitTest(unittest.TestCase):
    def test_shipped_cases(self):
        self.assertIsNone(valid(SHIPPED))
        root = ElementTree.parse(SHIPPED).getroot()
        self.assertEqual(int(root.get("tests")), len(list(root.iter("testcase"))))
        self.assertEqual(int(root.get("failures")), 0)
        for case in root.iter("testcase"):
            self.assertIsNotNone(case.get("time"))
            self.assertTrue(case.find("system-out").text.startswith(("verified", "refuted", "inapplicable", "undecided")))

    def test_hostile_names_and_all_kinds_of_outcome(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for file in (b"plain.toml", b"a&<\">'.toml", b"tab\tfeed\n.toml", b"\xff\xfe.toml", "\uFFFE\uFFFF\u202E\u0085.toml".encode(), b"\xed\xa0\x80.toml", b"bad.toml"):
                pathlib.Path(os.fsdecode(os.fsencode(folder) + b"/" + file)).write_text("nonsense" if file == b"bad.toml" else CASE)
            run = subprocess.run([ATTEST, "verify", ".", "--junit", "j.xml"], cwd=folder, capture_output=True)
            self.assertEqual(run.returncode, 2)
            self.assertIsNone(valid(folder / "j.xml"))
            root = ElementTree.parse(folder / "j.xml").getroot()
            suites = {suite.get("name"): suite for suite in root}
            plain = suites["./plain.toml"]
            self.assertEqual([len(list(plain.iter(kind))) for kind in ("testcase", "failure", "error")], [3, 1, 0])
            self.assertEqual(plain[1].get("name"), "kruskal-rank: Kruskal rank >= 2")
            self.assertIn("Kruskal rank = 1", plain[1].find("failure").get("message"))
            self.assertEqual(len(suites["./bad.toml"].findall("testcase/error")), 1)
            for count, kind in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
                for element in (root, *root):
                    self.assertEqual(int(element.get(count)), len(list(element.iter(kind))))

    def test_the_schema_refuses(self):
        good = '<testsuites name="a" tests="1" failures="0" errors="0" time="0.100"><testsuite name="b" tests="1" failures="0" errors="0" time="0.100"><testcase name="c" classname="b" time="0.1"/></testsuite></testsuites>'
        with tempfile.TemporaryDirectory() as name:
            file = pathlib.Path(name, "j.xml")
            file.write_text(good)
            self.assertIsNone(valid(file))
            for old, new in (('time="0.1"', 'time="1e-05"'), ('time="0.1"', 'time="nan"'), (' name="c"', ""), ("<testcase", "<test"), ('tests="1"', 'tests="-1"'), ("</testsuites>", "")):
                file.write_text(good.replace(old, new, 1))
                self.assertIsNotNone(valid(file), new)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    ATTEST, SHIPPED = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
