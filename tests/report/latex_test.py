#!/usr/bin/env python3
"""attest explain --latex: LaTeX compiles what it writes, whatever names say; docs/paper.md: each line does what it says; CITATION.cff.

usage: latex_test.py ATTEST CERTIFICATES (those of all shipped cases)
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ATTEST, CERTIFICATES = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
SOURCE = Path(__file__).resolve().parents[2]

HOSTILE = r"""format = 1
title = '\input{/etc/passwd} $x^2$ #1 %comment {open ~^_& \end{document} ``q` <<x>> <% raise %> 漢字 naïve Ł ß ¿? -- --- "q" ∑ \write18{ls}'
[layer]
heads = 2
context = 2
embed_dim = 2
head_dim = 1
examples = 3
[data]
contexts = [["1/3", "-2"], ["0", "123456789012345678901234567890"]]
queries = [[1, 2], [2, 5], [2, 4]]
[[claim]]
statement = "assumption-1"
[[claim]]
statement = "capacity"
"""


def run(*arguments, status=0, cwd=SOURCE):
    ended = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, cwd=cwd, errors="replace")
    if ended.returncode != status:
        raise AssertionError(f"{arguments} ended with {ended.returncode}: {ended.stderr[-2000:]}{ended.stdout[-2000:]}")
    return ended


class Latex(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="attest-latex-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)

    def typeset(self, text):
        """The text of the PDF that pdflatex makes, which stops at the first error and runs no program."""
        self.assertTrue(text.isascii())
        (self.folder / "theorem.tex").write_text(text)
        run("pdflatex", "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", "theorem.tex", cwd=self.folder)
        return run("pdftotext", "-layout", self.folder / "theorem.pdf", "-").stdout

    def test_a_theorem_with_data_proof_version_and_digests(self):
        file = CERTIFICATES / "rank/opposite-queries.json"
        tex = run(ATTEST, "explain", file, "--latex").stdout
        page = self.typeset(tex)
        digest, version = json.loads(file.read_text())["case"]["digest"], run(ATTEST, "--version").stdout.split()[1]
        words = re.sub(r"\s+", " ", page)
        for part in ("Theorem 1 (rank)", "For these data the following holds", "For these data the following is false", "Proof.", "contexts of shape (2, 2): (1, 0); (0, 1)",
                     "-3, 1", f"attest {version}", "Mahdavi"):
            self.assertIn(part, words)
        for number in (digest, __import__("hashlib").sha256(file.read_bytes()).hexdigest()):
            self.assertIn(number, re.sub(r"\s", "", page))
        self.assertEqual(tex.count(r"\begin{theorem}"), 4)
        self.assertEqual(run(ATTEST, "explain", file, "--latex", "--claim", 0).stdout.count(r"\begin{theorem}"), 1)
        self.assertEqual(tex, run(ATTEST, "explain", file, "--latex").stdout)

    def test_nothing_is_said_twice(self):
        for name, finding in (("rank/opposite-queries", "are linearly dependent"), ("finite-lambda/by-hand", "= 825/16384 is enough"), ("jacobian-rank/an-open-set-of-labels", "That is: ")):
            for arguments in ([], ["--latex"]):
                said = run(ATTEST, "explain", CERTIFICATES / f"{name}.json", "--claim", 0, *arguments).stdout
                self.assertEqual(re.sub(r"\s+", " ", said).count(finding), 1, (name, arguments))

    def test_all_shipped_certificates(self):
        # Checking the trained accuracies takes seconds; cases/accuracy has the same steps.
        files = [file for file in sorted(CERTIFICATES.rglob("*.json")) if not (file.parent.name == "trained" and file.stem.endswith("-accuracy"))]
        page = self.typeset(run(ATTEST, "explain", *files, "--latex").stdout)
        self.assertGreater(page.count("Certificate."), len(files) - 1)
        for verdict in ("holds", "is false", "fails", "is not decided"):
            self.assertRegex(page, rf"(hypothesis of the )?following\s+{verdict}")

    def test_nothing_in_a_name_is_a_command(self):
        case = self.folder / "h%$_{x}~^#&.toml"
        case.write_text(HOSTILE)
        run(ATTEST, "verify", case, "--out", self.folder, status=1)
        page = self.typeset(run(ATTEST, "explain", self.folder / "h%$_{x}~^#&.json", "--latex", status=1).stdout)
        words = re.sub(r"\s", "", page)
        for part in (r"\input{/etc/passwd}", "$x", "#1%comment{open", r"\end{document}", "<<x>><%raise%>", "U+6F22", "U+5B57", "123456789012345678901234567890", "h%$", r"\write18{ls}"):
            self.assertIn(part, words)
        self.assertNotIn("root:", page)

    def test_nobody_reads_it(self):
        command = shlex.join([str(ATTEST), "explain", str(CERTIFICATES / "rank/opposite-queries.json"), "--latex"])
        ended = subprocess.run(["bash", "-c", f"{command} | :; exit ${{PIPESTATUS[0]}}"], capture_output=True, text=True)
        self.assertNotIn("Traceback", ended.stderr)

    def test_what_the_checker_rejects_is_no_theorem(self):
        certificate = json.loads((CERTIFICATES / "rank/opposite-queries.json").read_text())
        certificate["case"]["path"] = str(os.path.relpath(SOURCE / "cases/rank/opposite-queries.toml", self.folder))
        certificate["steps"][0]["fact"] = "rank(Z(given)) >= 4"
        (self.folder / "lie.json").write_text(json.dumps(certificate))
        ended = run(ATTEST, "explain", self.folder / "lie.json", "--latex", status=1)
        self.assertEqual(ended.stdout, "")
        self.assertIn("lie.json: rejected: ", ended.stderr)
        self.assertEqual(ended.stderr.count("\n"), 1)
        self.assertIn("excludes", run(ATTEST, "explain", self.folder / "lie.json", "--latex", "--unchecked", status=2).stderr)


class Page(unittest.TestCase):
    def lines(self, table):
        text = (SOURCE / "docs/paper.md").read_text()
        part = text[text.index(f"<!-- {table} -->") : text.index(f"<!-- end {table} -->")]
        rows = re.findall(r"^\| (.+?) \| `attest (.+?)` \| (.+?) \|$", part, re.M)
        self.assertEqual(len(rows), part.count("\n") - 3)
        return rows

    def check(self, answer, printed):
        """What the answer quotes is in what was printed."""
        text = re.sub(r"\n +", " ", printed)
        quoted = re.findall("`(.+?)`", answer)
        for words in quoted:
            self.assertIn(words, text)
        return quoted

    def test_statements(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(SOURCE / "cases", f"{folder}/cases")
            for _, command, answer in self.lines("commands"):
                with self.subTest(command):
                    self.assertTrue(self.check(answer, run(ATTEST, *shlex.split(command), cwd=folder).stdout))
            explain = re.search("`attest (explain .+?) > theorem.tex`", (SOURCE / "docs/paper.md").read_text())[1]
            self.assertIn(r"\end{document}", run(ATTEST, *shlex.split(explain), cwd=folder).stdout)

    def test_questions(self):
        for _, command, answer in self.lines("questions"):
            with self.subTest(command):
                words = shlex.split(command.replace("F:", "cases/trained/trained-h4-t400.safetensors:"))
                ended = subprocess.run([ATTEST, *words], capture_output=True, text=True, cwd=SOURCE)
                self.assertIn(ended.returncode, (0, 3), ended.stderr)  # 3: the budget of Assumptions 1 and 3
                self.check(answer, ended.stdout)

    def test_what_the_page_says_is_checked(self):
        with self.assertRaises(AssertionError):
            self.check("verified: `capacity = 4`", "verified  capacity = 3")
        self.check("verified: `capacity = 3`", "verified  capacity =\n    3")

    def test_citation(self):
        text = (SOURCE / "CITATION.cff").read_text()
        version = re.search(r"project\(attest VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text())[1]
        self.assertEqual(re.findall(r"^version: (\S+)$", text, re.M), [version])
        for key in ("cff-version: 1.2.0", "message:", "title:", "authors:", "license: Apache-2.0"):
            self.assertRegex(text, rf"(?m)^{key}")


if __name__ == "__main__":
    result = unittest.main(argv=sys.argv[:1] + sys.argv[3:], exit=False).result
    bad = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - bad} passed, {bad} failed")
    sys.exit(1 if bad else 0)
