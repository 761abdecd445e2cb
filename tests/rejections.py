#!/usr/bin/env python3
"""Every check that is not a unit test is tried once with what it should reject: rejections.py BUILD.

Needs the certificates of the shipped cases and, for one of them, what test_checker wrote into BUILD/conditions.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = None

sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/checker")]
import check_cases_readme  # noqa: E402
import check_changed  # noqa: E402
import check_explain  # noqa: E402
import check_links  # noqa: E402
import planted  # noqa: E402


def run(*command, folder=ROOT):
    """(status, output)"""
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


class Rejections(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def refused(self, *command, says):
        status, output = run(*command)
        self.assertNotEqual(status, 0, output)
        self.assertRegex(output, says)

    def test_words_for_a_step_and_for_a_theorem(self):
        # The sentence that the program has for a rule without words, as it stands there.
        before, after = re.search(r'" (\(a step[^"]*)" \+ rule \+ "([^"]*)"', (ROOT / "src/words/step_words.cpp").read_text()).groups()
        self.assertTrue(check_explain.speechless(f"  2. rank(Z) >= 3 {before}minor{after}\n"))
        self.assertTrue(check_explain.speechless("The theorems and principles in brackets:\n  hull: \n"))
        self.assertFalse(check_explain.speechless("  2. rank(Z) >= 3 [hull]\n  hull: every Z has this.\n"))

    def test_arrows(self):
        for name, line in (("src/words/a.cpp", '#include "proofs/proof.hpp"'), ("src/words/a.hpp", '#include "search/layer.hpp"'),
                           ("src/kernel/rules/b.cpp", '#include "search/layer.hpp"'), ("src/kernel/c.hpp", '  #  include "readers/npy.hpp"'),
                           ("src/answer/d.cpp", '#include "page/page.hpp"'), ("proofs/d.cpp", '#include "tools/page.hpp"'),
                           ("src/base/e.cpp", '#include "tools/page.hpp"'), ("src/kernel/f.cpp", '#include "../search/layer.hpp"')):
            with self.subTest(name):
                file = self.folder / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(line + "\n")
                self.refused(sys.executable, ROOT / "tests/check_arrows.py", self.folder, says=name + ":1: ")
                file.write_text('#include "base/text.hpp"\n')
        self.assertEqual(run(sys.executable, ROOT / "tests/check_arrows.py", self.folder)[0], 0)

    def test_unchanged_cases(self):
        line = "272 cases: 351 verified, 0 unexpected; 265 unchanged; 1.39 s"
        self.assertEqual(check_changed.unchanged(line), 265)
        self.assertEqual(check_changed.unchanged(line.replace("265 unchanged; ", "")), 0)
        (self.folder / "one.toml").write_text('[[claim]]\nexpect = "undecided"\n')
        (self.folder / "two.toml").write_text('[[claim]]\nstatement = "rank"\n')
        self.assertEqual(check_changed.decided(self.folder), 1)
        # A program that proves everything again.
        attest = self.folder / "attest"
        attest.write_text("#!/bin/sh\necho '2 cases: 0 unexpected; 1.39 s'\n")
        attest.chmod(0o755)
        self.refused(ROOT / "tests/check_changed.py", attest, self.folder, self.folder, says="1 cases are decided")

    def test_certificates(self):
        cases, certificates = self.folder / "cases", self.folder / "certificates"
        cases.mkdir()
        certificates.mkdir()
        for name in ("opposite-queries", "boundary-heads"):
            (cases / f"{name}.toml").touch()
        good = ROOT / "certificates/rank/opposite-queries.json"
        text = good.read_text().replace('"../../cases/rank/', f'"{ROOT}/cases/rank/')
        (certificates / good.name).write_text(text.replace("rank(Z(given)) >= 3", "rank(Z(given)) >= 4"))
        self.refused(ROOT / "tests/check_certificates.py", BUILD / "attest-check", certificates, cases, says="no certificate for .*boundary-heads(.|\n)*status 1: .*opposite(.|\n)*0 passed, 2 failed")
        (certificates / good.name).write_text(text.replace('"of"', '"about"', 1))
        self.refused(sys.executable, ROOT / "tests/check_schema.py", BUILD / "schema/certificate.schema.json", certificates, says="1 certificates, [1-9]")

    def test_capacities(self):
        # A program that proves one less.
        attest = self.folder / "attest"
        attest.write_text(f"""#!/bin/sh
'{BUILD}/attest' "$@"
while [ "$1" != --json ]; do shift; done
sed -i -E 's/"upper": [1-9]/"upper": 0/' "$2"
""")
        attest.chmod(0o755)
        self.refused("env", "ATTEST_CAMPAIGN=5", sys.executable, ROOT / "tests/checker/capacities.py", attest, BUILD / "attest-check",
                     says="proved, . at random weights(.|\n)*5 passed, [1-9][0-9]* failed")

    def test_both_checkers(self):
        # A checker that finds another rank.
        other = self.folder / "attest-check"
        other.write_text(f"#!/bin/sh\n'{BUILD}/attest-check' \"$@\" | sed 's/rank(Z) = 3;/rank(Z) = 4;/'\n")
        other.chmod(0o755)
        self.refused(sys.executable, ROOT / "tests/checker/both_checkers.py", BUILD / "attest-check", other, ROOT / "certificates/rank", "0",
                     says="opposite-queries.json(.|\n)*[1-9][0-9]* failed")

    def test_mutants(self):
        # A proved checker that finds another rank.
        other = self.folder / "attest-check-proved"
        other.write_text(f"""#!/bin/bash
for file; do [[ $file == *.problem || $file == -* ]] || files+=("$file"); done
'{BUILD}/attest-check' -v --ignore-expectations "${{files[@]}}" | sed 's/rank(Z) = 3;/rank(Z) = 4;/'
""")
        other.chmod(0o755)
        self.refused(sys.executable, ROOT / "tests/checker/mutants.py", BUILD / "attest-check", other, ROOT / "certificates/rank", "--mutants", "0",
                     says="the proved checker: .*rank.Z. = 4;(.|\n)*[1-9][0-9]* failed")

    def test_samples(self):
        # A checker that accepts all, and one that rejects all for one reason.
        for words in ("valid (1 claim: 1 verified)", "rejected: an index below 3"):
            other = self.folder / "attest-check"
            other.write_text(f'#!/bin/sh\nfor file; do echo "$file: {words}"; done\n')
            other.chmod(0o755)
            self.refused(sys.executable, ROOT / "tests/checker/samples.py", other, says="opposite 0: .*(.|\n)*[1-9][0-9]* failed")
        # One that decides what it did not, as it stands.
        other.write_text('#!/bin/sh\nfor file; do case $file in *certificate.json) n=1;; *) n=2;; esac; echo "$file: valid ($n claims: $n verified)"; done\n')
        self.refused(sys.executable, ROOT / "tests/checker/samples.py", "--proved", other, says="opposite 0: .*2 verified(.|\n)*[1-9][0-9]* failed")

    def test_planted_faults(self):
        for name, file, right, _ in planted.FAULTS:
            with self.subTest(name):
                self.assertEqual((ROOT / file).read_text().count(right), 1)

    def test_readme_of_cases(self):
        text = (ROOT / "cases/README.md").read_text()
        self.assertEqual(check_cases_readme.updated(text, ROOT / "cases"), (text, []))
        for old, new in ((" verified |", " refuted |"), ("1 verified", "2 verified"), (" case files with ", "0 case files with ")):
            changed = text.replace(old, new, 1)
            self.assertNotEqual(changed, text)
            self.assertEqual(check_cases_readme.updated(changed, ROOT / "cases")[0], text)
        section = re.search(r"^## \S+/\n", text, re.M).group()
        self.assertTrue(check_cases_readme.updated(text.replace(section, "## nowhere/\n"), ROOT / "cases")[1])

    def test_conditions(self):
        lines = (BUILD / "conditions").read_text().splitlines(keepends=True)
        left_out = lines[0].rsplit(":", 1)[0]
        log = self.folder / "conditions"
        log.write_text("".join(line for line in lines if not line.startswith(left_out)))
        self.refused(ROOT / "scripts/unviolated_conditions", log, says=rf"{pathlib.Path(left_out).name}:\d+: ENSURE")

    def test_format(self):
        file = self.folder / "bad.cpp"
        shutil.copy(ROOT / ".clang-format", self.folder)
        file.write_text("int main() {\n  return 0;\n}\n")
        self.assertEqual(run("clang-format", "--dry-run", "--Werror", file)[0], 0)
        file.write_text("int main ( ) {return 0;}\n")
        self.refused("clang-format", "--dry-run", "--Werror", file, says="code should be clang-formatted")

    def test_links(self):
        (self.folder / "page.md").write_text("# One\n[there](page.md#one) [here](#one) [web](https://example.org/none) `[no](link)`\n\n    [no](link)\n\n```\n[no](link)\n```\n")
        self.assertEqual(check_links.broken(self.folder), [])
        for link in ("none.md", "page.md#two", "#two", "/etc/none"):
            (self.folder / "page.md").write_text(f"# One\n\n    code\n\n[`there`]({link})\n")
            self.assertEqual(check_links.broken(self.folder), [f"page.md: {link}"])

    def test_sizes(self):
        (self.folder / "src").mkdir()
        (self.folder / "src/a.cpp").write_text("// words\n\nint a;  // more\n  \nint b;\n")
        run("git", "init", "-q", folder=self.folder)
        run("git", "add", "src", folder=self.folder)
        self.assertRegex(run(ROOT / "scripts/size", self.folder)[1], r"(?m)^ +2  in +1 files  product C\+\+")

    def test_totals(self):
        file = self.folder / "tests.xml"

        def total(*tests):
            body = "".join(f'<testcase name="{name}" status="{status}"><system-out>{output}</system-out></testcase>' for name, status, output in tests)
            file.write_text(f"<testsuite>{body}</testsuite>")
            return run(sys.executable, ROOT / "tests/total.py", file)

        doctest = "[doctest] test cases:  {} |  {} passed | {} failed | 0 skipped\n"
        for tests, line, status in (
            ([("a", "run", "some words")], "1 passed, 0 failed", 0),
            ([("a", "run", doctest.format(3, 3, 0)), ("b", "run", "9 passed, 0 failed\n")], "12 passed, 0 failed", 0),
            ([("a", "fail", doctest.format(3, 1, 2)), ("b", "fail", "7 passed, 2 failed\n")], "8 passed, 4 failed", 1),
            ([("a", "fail", doctest.format(3, 3, 0))], "3 passed, 1 failed", 1),
            ([("a", "run", doctest.format(0, 0, 0))], "0 passed, 1 failed", 1),
            ([("a", "run", "9 passed, 0 failed\nand more")], "1 passed, 0 failed", 0),
            ([("a", "notrun", "")], "0 passed, 1 failed", 1),
            ([], "0 passed, 1 failed", 1),
        ):
            with self.subTest(line):
                self.assertEqual((total(*tests)[1].splitlines()[-1], total(*tests)[0]), (line, status))
        for says, status in (("3 passed, 0 failed", 0), ("0 passed, 0 failed", 1), ("3 passed, 1 failed", 1), ("3 passed", 1), ("", 1),
                             ("3 passed, 0 failed; exit 4", 4)):
            words, _, end = says.partition("; ")
            self.assertEqual(run(sys.executable, ROOT / "tests/total.py", "--run", "sh", "-c", f"echo one; echo {words}\n{end}")[0], status)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    BUILD = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
