#!/usr/bin/env python3
"""attest verify --report: the page is complete, escaped, deterministic and self-contained, and a real browser renders it.

usage: report_test.py ATTEST CASES [--screenshots DIR]
"""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

import browser

ATTEST, CASES = None, None

FINITE_LAMBDA = """format = 1
title = "Every lambda above lambda* keeps the rank"
[layer]
heads = 4
context = 3
embed_dim = 5
head_dim = 3
examples = 9
[data]
generate = { kind = "integers", bound = 9, shared_context = true, seed = 7 }
[[claim]]
statement = "finite-lambda"
lambda = "1/3"
"""

MALICIOUS = """format = 1
title = "<script>alert(1)</script> & \\"quoted\\" 'single' <img src=http://localhost/x onerror=alert(2)> \\u202Egnitirw"
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
statement = "assumption-1"
expect = "verified"
[[claim]]
statement = "assumption-2"
"""

SHIPPED = ["proposition-1/by-hand.toml", "proposition-1/three-heads-own-contexts.toml", "theorem-1/setting-2.toml", "trained/h8-t300-rank.toml",
           "rank/base-2-coincidence.toml", "kruskal-rank/petersen-graph.toml", "claim-2/tiny-epsilon.toml", "assumption-2/one-bad-context.toml"]


class Page(HTMLParser):
    """Counts elements; collects ids, addresses and text."""

    VOID = {"meta", "link", "br", "input", "img"}

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.addresses, self.open, self.unbalanced, self.words = {}, [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.ids += [v for k, v in attributes if k == "id"]
        self.addresses += [v for k, v in attributes if k in ("href", "src", "xlink:href", "action", "data")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data):
        self.words.append(data)


def plain(text):
    """A sentence without what typesetting changes."""
    for sign, by in ((">=", "≥"), ("<=", "≤"), ("->", "→"), ("−", "-"), ("⋅", "*"), (" . ", "*"), ("∑", "sum"), ("′", "'")):
        text = text.replace(sign, by)
    return re.sub(r"[\s_^{}\u2061\u2062]", "", text)


def tool(build, name, *options, **more):
    """Runs a program of the package attest."""
    return subprocess.run(["/usr/bin/python3", "-m", f"attest.{name}", *map(str, options)], env=dict(os.environ, PYTHONPATH=str(build / "python")), capture_output=True, text=True, **more)


def verify(folder, *paths, report="report.html", env=None, jobs=2):
    return subprocess.run([ATTEST, "verify", *map(str, paths), "--out", str(folder / "certificates"), "--report", str(folder / report), "--jobs", str(jobs)],
                          capture_output=True, text=True, env=env)


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="attest-report-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.own = {"finite.toml": FINITE_LAMBDA, "malicious.toml": MALICIOUS, "bad.toml": "format = 1\n[layer]\nheads = <b>none</b>\n"}
        for name, text in cls.own.items():
            (cls.folder / name).write_text(text)
        cls.paths = [CASES / path for path in SHIPPED] + [cls.folder / name for name in cls.own]
        cls.run_ = verify(cls.folder, *cls.paths)
        if not (cls.folder / "report.html").exists():
            raise AssertionError("no report: " + cls.run_.stderr)
        cls.text = (cls.folder / "report.html").read_text()
        cls.page = Page(cls.text)

    def test_status_is_that_of_the_worst_case(self):
        self.assertEqual(self.run_.returncode, 2, self.run_.stderr)  # of the bad file
        self.assertIn("bad.toml", self.run_.stderr)

    def test_every_case_is_there(self):
        self.assertEqual(self.page.tags["article"], len(self.paths))
        self.assertEqual(self.page.tags["tr"], len(self.paths) + 1)
        for path in self.paths:
            self.assertIn(path.name, self.text)
        self.assertIn("not run", self.text)

    def test_unexpected_first(self):
        rows = re.findall(r'<tr class="(case[^"]*)"', self.text)
        odd = ["odd" in row.split() for row in rows]
        self.assertEqual(odd, sorted(odd, reverse=True))
        self.assertEqual(sum(odd), 2)
        self.assertIn("unexpected: the case expects verified", self.text)

    def test_well_formed(self):
        self.assertEqual(self.page.unbalanced, [])
        self.assertEqual(self.page.open, [])
        self.assertEqual(len(self.page.ids), len(set(self.page.ids)), "ids are unique")
        self.assertIn('<html lang="en">', self.text)

    def test_everything_is_escaped(self):
        self.assertNotIn("<script>alert", self.text)
        self.assertNotIn("<img", self.text)
        self.assertNotIn("<b>", self.text)
        self.assertIn("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &#34;quoted&#34; &#39;single&#39;", self.text)

    def test_self_contained(self):
        for address in self.page.addresses:
            self.assertTrue(address.startswith(("#", "data:")), address)
        self.assertNotRegex(self.text, r"url\(|@import")
        self.assertLess(len(self.text), 1 << 20)

    def test_steps_as_explain_words_them(self):
        text = plain("".join(self.page.words))
        shown = subprocess.run([ATTEST, "explain", str(self.folder / "certificates/one-bad-context.json")], capture_output=True, text=True, check=True)
        for step in re.findall(r"^  \d+\. (.*?)  \[", shown.stdout, re.M):
            self.assertIn(plain(step), text)

    def test_formulas_are_typeset(self):
        self.assertGreater(self.page.tags["math"], 100)
        for formula in ("<msub><mi>d</mi><mi>h</mi></msub>", "<mi>rank</mi><mo>\u2061</mo>", "<mo>≥</mo>", "<mo>−</mo>"):
            self.assertIn(formula, self.text)
        # Prose that looks like a formula, with signs only.
        self.assertIn("rank at this λ = ", self.text)
        self.assertNotIn("<sub>", self.text)
        # Words are no formulas, nor is what users write.
        for formula in re.findall(r"<math>(.*?)</math>", self.text):
            self.assertNotRegex(re.sub(r"<[^>]*>", "", formula), r"\b(the|and|is|of|step|nonsense)\b")
        for title in re.findall(r"<bdi>(.*?)</bdi>", self.text):
            self.assertNotIn("<math", title)

    def test_mathml(self):
        program = "import sys; sys.path.insert(0, sys.argv[1]); from attest import pages, report; e = pages.environment(); e.filters['mathml'] = report.mathml; print(e.get_template('words.html').module.formula(sys.argv[2]))"
        for text, wanted in (("T >= d_h-1", "<mi>T</mi><mo>≥</mo><msub><mi>d</mi><mi>h</mi></msub><mo>−</mo><mn>1</mn>"),
                             ("kruskal(mixed-queries) <= min(2*n, T)", '<mi>kruskal</mi><mo>\u2061</mo><mo stretchy="false">(</mo><mi>mixed-queries</mi><mo stretchy="false">)</mo><mo>≤</mo>'
                              '<mi>min</mi><mo>\u2061</mo><mo stretchy="false">(</mo><mn>2</mn><mo>⋅</mo><mi>n</mi><mo>,</mo><mi>T</mi><mo stretchy="false">)</mo>')):
            said = subprocess.run(["/usr/bin/python3", "-c", program, Path(ATTEST).parent / "python", text], capture_output=True, text=True, check=True).stdout
            self.assertEqual(said.strip(), f"<math>{wanted}</math>")

    def test_pictures(self):
        self.assertGreaterEqual(self.page.tags["svg"], 5)
        self.assertEqual(self.page.tags["svg"], self.text.count('role="img"'))
        self.assertEqual(self.page.tags["svg"], self.text.count("aria-label="))
        texts = [text for svg in re.findall(r"<figure.*?</figure>", self.text, re.S) for text in re.findall(r"<text.*?</text>", svg, re.S)]
        self.assertTrue(any("⁻" in text for text in texts))
        self.assertFalse([text for text in texts if "^" in text])  # powers on axes are written as such
        for title in ("Rank of Z after each head", "Exact rank and binary64 rank over λ", "Saturation of the given heads"):
            self.assertIn("<strong>" + title, self.text)

    def test_same_bytes_again(self):
        paths = [CASES / "proposition-1/by-hand.toml", CASES / "trained/h8-t300-rank.toml", self.folder / "finite.toml"]
        pages = []
        for jobs in (1, 2):
            self.assertEqual(verify(self.folder, *paths, report="again.html", jobs=jobs).returncode, 0)
            pages.append((self.folder / "again.html").read_bytes())
        self.assertEqual(pages[0], pages[1])

    def test_a_program_of_its_own(self):
        """The page is made of --json --explain, by python3 -m attest.report; and of nothing else."""
        paths = [CASES / "proposition-1/by-hand.toml", self.folder / "finite.toml"]
        build, results = Path(ATTEST).parent, self.folder / "results.json"
        verify(self.folder, *paths, report="by-attest.html")
        ended = subprocess.run([ATTEST, "verify", *paths, "--out", self.folder / "certificates", "--changed", "--json", results, "--explain"], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(tool(build, "report", results, "--out", self.folder / "by-hand.html").returncode, 0)
        drop = lambda name: re.sub(r"[\d.e-]+ s\b", "", (self.folder / name).read_text())
        self.assertEqual(drop("by-attest.html"), drop("by-hand.html"))
        self.assertEqual(tool(build, "report", results).stdout, (self.folder / "by-hand.html").read_text())
        plain = self.folder / "plain.json"
        subprocess.run([ATTEST, "verify", *paths, "--out", self.folder / "certificates", "--changed", "--json", plain], check=True, capture_output=True)
        for wrong in (plain, self.folder / "finite.toml", self.folder / "none", self.folder, "/dev/zero"):
            ended = tool(build, "report", wrong, "--out", self.folder / "wrong.html")
            self.assertEqual((ended.returncode, ended.stderr.count("\n")), (2, 1), ended.stderr)
            self.assertFalse((self.folder / "wrong.html").exists())

    def test_without_the_package(self):
        """Nothing is proved before it is clear that the page cannot be made, and how it can."""
        out, none = self.folder / "nothing", self.folder / "none"
        none.mkdir()
        (none / "attest.py").write_text("raise ImportError")  # whatever is installed on this machine
        run = subprocess.run([shutil.copy(ATTEST, self.folder), "verify", CASES / "proposition-1/by-hand.toml", "--out", out, "--report", self.folder / "plain.html"],
                             capture_output=True, text=True, cwd=self.folder, env=dict(os.environ, PATH=str(self.folder), PYTHONPATH=str(none)))
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("python3-jinja2", run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1)
        self.assertFalse(out.exists())

    def test_runs_nothing_that_lies_beside_cases(self):
        folder = self.folder / "strangers"
        (folder / "attest").mkdir(parents=True)
        for name in ("attest/__init__.py", "jinja2.py", "json.py", "argparse.py"):
            (folder / name).write_text(f"open({str(folder / 'run')!r}, 'w')\nraise SystemExit(0)\n")
        shutil.copy(CASES / "proposition-1/by-hand.toml", folder)
        run = subprocess.run([ATTEST, "verify", "by-hand.toml", "--report", "r.html"], cwd=folder, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("What attest proved", (folder / "r.html").read_text())
        self.assertFalse((folder / "run").exists())

    def test_hostile_results(self):
        """Whatever stands in the JSON, it is text on the page."""
        results = self.folder / "hostile.json"
        subprocess.run([ATTEST, "verify", self.folder / "finite.toml", "--out", self.folder / "certificates", "--changed", "--json", results, "--explain"], check=True, capture_output=True)
        evil = "</script><script>alert(1)</script><!-- \" ' {{ 7 * 7 }} {% raw %} \x00\x1b[2J\x7f \ufffe \ud800"

        def poisoned(value):
            if isinstance(value, dict):
                return {key: value[key] if key in ("format", "kind", "verdict") else poisoned(value[key]) for key in value}
            return [poisoned(each) for each in value] if isinstance(value, list) else value + evil if isinstance(value, str) else value

        results.write_text(json.dumps(poisoned(json.loads(results.read_text()))))
        ended = tool(Path(ATTEST).parent, "report", results, "--out", self.folder / "hostile.html")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        text = (self.folder / "hostile.html").read_text()
        self.assertNotIn("<script>alert", text)
        self.assertNotIn("<!--", text)
        self.assertEqual(text.count("</script>"), 1)
        self.assertIn("{{ 7 * 7 }}", text)
        self.assertNotRegex(text, "[\x00-\x08\x0b-\x1f\x7f\ufffe]")
        page = Page(text)
        self.assertEqual((page.unbalanced, page.open), ([], []))

    def test_unwritable(self):
        run = verify(self.folder, CASES / "proposition-1/by-hand.toml", report="finite.toml/report.html")
        self.assertEqual(run.returncode, 2)
        self.assertIn("cannot be written", run.stderr)


# The contrast (WCAG) of every text with what is painted behind it, below the threshold.
CONTRAST = """(() => {
  const channels = c => c.match(/[\\d.]+/g).map((x, k) => c.startsWith("color(") && k < 3 ? x * 255 : Number(x));
  const light = c => { const [r, g, b] = c.map(x => x / 255).map(x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  const behind = e => { for (; e; e = e.parentElement) { const c = channels(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
  const bad = new Set();
  for (const e of document.querySelectorAll("p, a, h1, h2, h3, h4, code, li, span, summary, label, th, caption, strong, figure svg text")) {
    const svg = e.closest("svg"), style = getComputedStyle(e);
    const a = light(channels(svg ? style.fill : style.color)), b = light(behind(svg ? svg.parentElement : e));
    const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (contrast < 4.5) bad.add(e.tagName + "." + e.className + " " + contrast.toFixed(2) + " " + style.color + " " + e.textContent.slice(0, 30));
  }
  return [...bad];
})()"""


UNFOLD = "document.getElementById('unfold').click()"


class BrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        ReportTest.setUpClass()
        cls.addClassCleanup(ReportTest.doClassCleanups)
        browser.start(cls, ReportTest.folder)

    def open(self, **viewport):
        self.browser.viewport(**viewport)
        self.browser.open((ReportTest.folder / "report.html").as_uri())

    def test_renders(self):
        for name, viewport in {"desktop": dict(width=1280, height=900), "phone": dict(width=390, height=844, mobile=True),
                               "desktop-dark": dict(width=1280, height=900, dark=True), "phone-dark": dict(width=390, height=844, mobile=True, dark=True)}.items():
            with self.subTest(name):
                self.open(**viewport)
                self.assertEqual(self.browser.problems(), [])
                outside = [url for url in self.browser.requests() if not url.startswith(("file:", "data:"))]
                self.assertEqual(outside, [])
                dom = self.browser.evaluate("document.documentElement.outerHTML")
                for path in ReportTest.paths:
                    self.assertIn(path.name, dom)
                sizes = self.browser.evaluate("[...document.querySelectorAll('figure svg')].map(s => s.getBoundingClientRect()).map(r => [r.width, r.height])")
                self.assertGreaterEqual(len(sizes), 5)
                for width, height in sizes:
                    self.assertGreater(width, 250)
                    self.assertGreater(height, 100)
                # Nothing sticks out to the right, of the page or of a picture.
                self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), viewport["width"])
                self.assertEqual(self.browser.evaluate("""[...document.querySelectorAll('figure svg text')].filter(t => {
                    const r = t.getBoundingClientRect(), s = t.closest('svg').getBoundingClientRect();
                    return r.left < s.left - 1 || r.right > s.right + 1 || r.top < s.top - 1 || r.bottom > s.bottom + 1; }).map(t => t.textContent)"""), [])
                self.assertEqual(self.browser.evaluate(CONTRAST), [])
                self.assertGreater(len(self.browser.screenshot(self.shots / (name + ".png"))), 20000)

    def test_filter(self):
        self.open(width=1280, height=900)
        count = "[...document.querySelectorAll('tbody tr')].filter(r => r.offsetHeight > 0).length"
        self.assertEqual(self.browser.evaluate(count), len(ReportTest.paths))
        self.assertEqual(self.browser.evaluate("document.getElementById('f-unexpected').click(), " + count), 2)
        self.assertEqual(self.browser.evaluate("document.getElementById('f-refuted').click(), " + count), ReportTest.text.count('<tr class="case') - len(
            re.findall(r'<tr class="(?![^"]*has-refuted)', ReportTest.text)))

    def test_unfold(self):
        self.open(width=1280, height=900)
        folded = "[...document.querySelectorAll('details')].filter(d => !d.open).length"
        at_first = self.browser.evaluate(folded)
        self.assertGreater(at_first, 0)
        self.browser.evaluate(UNFOLD)
        self.assertEqual(self.browser.evaluate(folded), 0)
        self.browser.evaluate(UNFOLD)
        self.assertGreaterEqual(self.browser.evaluate(folded), at_first)
        self.browser.evaluate(UNFOLD)
        self.assertEqual(self.browser.evaluate(folded), 0)
        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 1280)
        self.browser.screenshot(self.shots / "unfolded.png")
        self.browser.viewport(width=390, height=844, mobile=True)
        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 390)
        self.browser.screenshot(self.shots / "unfolded-phone.png")

    def test_search(self):
        self.open(width=1280, height=900)
        rows = "[...document.querySelectorAll('tbody tr')].filter(r => r.offsetHeight > 0).length"
        articles = "[...document.querySelectorAll('article')].filter(r => r.offsetHeight > 0).length"
        for words, count in (("petersen", 1), ("PETERSEN  graph", 1), ("trained rank", 1), ("kruskal rank = 3", None), ("no such words", 0), ("<script>alert(1)</script>", 1), ("", len(ReportTest.paths))):
            with self.subTest(words):
                # The page looks a moment after the last key; what it has found for the words before is made unlike all.
                self.browser.evaluate("(() => { const s = document.getElementById('search'), f = document.getElementById('found'); f.textContent = 'not yet'; s.value = " +
                                      json.dumps(words) + "; s.dispatchEvent(new Event('input')); })()")
                self.assertIs(self.browser.eventually("document.getElementById('found').textContent !== 'not yet'", True), True)
                seen = self.browser.evaluate("[" + rows + ", " + articles + ", document.getElementById('found').textContent]")
                self.assertEqual(seen[0], seen[1])
                if count is not None:
                    self.assertEqual(seen[0], count)
                self.assertEqual(seen[2], f"{seen[0]} of {len(ReportTest.paths)}" if words else "")
        # Together with the choice of verdicts.
        self.browser.evaluate("(() => { const s = document.getElementById('search'); s.value = 'toml'; s.dispatchEvent(new Event('input')); document.getElementById('f-unexpected').click(); })()")
        self.assertEqual(self.browser.eventually(rows, 2), 2)

    def test_formulas_have_sizes(self):
        self.open(width=1280, height=900)
        self.browser.evaluate(UNFOLD)
        sizes = self.browser.evaluate("[...document.querySelectorAll('math')].map(m => m.getBoundingClientRect()).map(r => [r.width, r.height])")
        self.assertGreater(len(sizes), 100)
        for width, height in sizes:
            self.assertTrue(4 < width < 1280 and 4 < height < 60, (width, height))

    def test_prints_without_gaps(self):
        self.open(width=1280, height=900)
        self.assertTrue(self.browser.pdf(self.shots / "print.pdf").startswith(b"%PDF"))
        self.assertEqual(self.browser.problems(), [])
        if shutil.which("pdftoppm") is None:
            self.skipTest("pdftoppm (poppler-utils) is not installed")
        subprocess.run(["pdftoppm", "-gray", "-r", "20", self.shots / "print.pdf", ReportTest.folder / "page"], check=True)
        pages = sorted(ReportTest.folder.glob("page-*.pgm"))
        self.assertGreater(len(pages), 3)
        for page in pages[:-1]:
            width, height = map(int, page.read_bytes().split(maxsplit=3)[1:3])
            pixels = page.read_bytes()[-width * height:]
            written = [y for y in range(height) if min(pixels[y * width:(y + 1) * width]) < 200]
            self.assertGreater(max(written), 0.72 * height, page.name + " ends with a gap")
            self.assertLess(max((b - a for a, b in zip(written, written[1:])), default=0), 0.15 * height, page.name + " has a gap")

    def test_without_scripts(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.open(width=1280, height=900)
            self.assertEqual(self.browser.problems(), [])
            document = self.browser.call("DOM.getDocument")["root"]["nodeId"]
            found = self.browser.call("DOM.querySelectorAll", nodeId=document, selector="article")["nodeIds"]
            self.assertEqual(len(found), len(ReportTest.paths))
        finally:
            self.browser.call("Emulation.setScriptExecutionDisabled", value=False)


class ManyCasesTest(unittest.TestCase):
    """Beyond some hundred cases a browser reads their parts when they are looked at."""

    def test_parts_are_read_when_they_are_looked_at(self):
        program = browser.find()
        with tempfile.TemporaryDirectory() as name:
            folder, count = Path(name), 401
            for k in range(count):
                (folder / f"case-{k:03}.toml").write_text(MALICIOUS.replace('title = "', f'title = "number {k} '))
            verify(folder, folder)
            text = (folder / "report.html").read_text()
            self.assertEqual(text.count('<script type="text/html" class="later">'), count)
            self.assertEqual(text.count("</script>"), count + 1)
            page = browser.Browser(program)
            try:
                page.viewport(width=1280, height=900)
                page.open((folder / "report.html").as_uri())
                self.assertEqual(page.problems(), [])
                unread = "document.querySelectorAll('script.later').length"
                self.assertGreater(page.evaluate(unread), count - 50)
                page.evaluate("location.hash = '#case-300'")
                read = "document.querySelector('#case-300 section.claim h4')?.textContent.includes('assumption-1') ?? false"
                self.assertIs(page.eventually(read, True), True)
                in_sight = "[...document.querySelectorAll('article')].filter(a => { const r = a.getBoundingClientRect(); return r.bottom > 0 && r.top < innerHeight && a.querySelector('%s'); }).length"
                self.assertEqual(page.eventually(in_sight % "script.later", 0), 0)
                page.evaluate("new Promise(d => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(d))))")  # the page has seen it, too
                # What is in sight is unfolded at once, the rest when it comes near, all of it to be printed.
                closed = in_sight % "details:not([open]), script.later"
                self.assertEqual(page.evaluate(UNFOLD + ", " + closed), 0)
                self.assertGreater(page.evaluate(unread), count - 100)
                for where in ("document.documentElement.scrollHeight", "scrollY / 2", "0"):
                    page.evaluate(f"scrollTo(0, {where})")
                    self.assertEqual(page.eventually(closed, 0), 0)
                page.evaluate("dispatchEvent(new Event('beforeprint'))")
                self.assertEqual(page.evaluate(unread + " + document.querySelectorAll('details:not([open])').length"), 0)
                self.assertEqual(page.evaluate("document.querySelectorAll('section.claim').length"), 2 * count)
                self.assertEqual(page.problems(), [])
            finally:
                page.close()


if __name__ == "__main__":
    ATTEST, CASES = browser.arguments(__doc__, 2)
    unittest.main(verbosity=1)
