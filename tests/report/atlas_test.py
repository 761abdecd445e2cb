#!/usr/bin/env python3
"""attest.explore: the page of a sweep is self-contained, and a real browser shows it: heat maps, keyboard, dark mode, print.

usage: atlas_test.py BUILD_FOLDER [--screenshots DIR]
"""
import json
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import browser
from report_test import CONTRAST, Page, tool

BUILD = None

SWEEP = """format = 1
title = "A <script>alert(1)</script> </script> \\u202Esweep"
functional_dimension = true
[[grid]]
family = ["opposite-pairs", "one-hot"]
contexts = ["shared", "fresh"]
context = [2, 3]
embed_dim = [2, 3]
heads = [1, 2]
head_dim = [1, 2]
examples = 4
base = ["e", "2"]
seed = 1
"""
STACKS = """format = 1
[[stack]]
layers = [1, 2]
residual = [false, true]
context = 3
embed_dim = [2, 3]
heads = 1
head_dim = [1, 2]
sequences = 16
seed = 1
"""
CELL = "one-hot-fresh-n3-d2-H2-k1-T4-2-s1"


class AtlasTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="attest-atlas-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        (cls.folder / "s.toml").write_text(SWEEP)
        tool(BUILD, "explore", "s.toml", "--out", "atlas", "--keep", cwd=cls.folder).check_returncode()
        cls.text = (cls.folder / "atlas/atlas.html").read_text()
        cls.cells = json.loads((cls.folder / "atlas/atlas.json").read_text())["cells"]
        browser.start(cls, cls.folder)

    def open(self, cell="", width=1280, height=900, **viewport):
        self.browser.viewport(width=width, height=height, **viewport)
        self.browser.open("about:blank")  # a new fragment alone is not a new page
        self.browser.open((self.folder / "atlas/atlas.html").as_uri() + ("#" + cell if cell else ""))

    def evaluate(self, expression):
        return self.browser.evaluate(expression)

    def key(self, name, modifiers=0):
        code = {"ArrowRight": 39, "ArrowDown": 40, "ArrowLeft": 37, "ArrowUp": 38, "Enter": 13, "Tab": 9}[name]
        text = {"text": "\r"} if name == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code, modifiers=modifiers, **(text if kind == "keyDown" else {}))

    def test_self_contained_and_escaped(self):
        page = Page(self.text)
        self.assertEqual((page.unbalanced, page.open), ([], []))
        self.assertEqual(len(page.ids), len(set(page.ids)))
        for address in page.addresses:
            self.assertTrue(address.startswith(("#", "data:")), address)
        self.assertNotRegex(self.text, r"url\(|@import|<script>alert")
        self.assertEqual(self.text.count("</script>"), 2)

    def test_renders(self):
        for name, viewport in {"light": {}, "phone": dict(width=390, height=844, mobile=True), "dark": dict(dark=True),
                               "phone-dark": dict(width=390, height=844, mobile=True, dark=True)}.items():
            with self.subTest(name):
                self.open(CELL, **viewport)
                self.assertEqual(self.browser.problems(), [])
                self.assertEqual([url for url in self.browser.requests() if not url.startswith(("file:", "data:", "about:"))], [])
                self.assertLessEqual(self.evaluate("document.documentElement.scrollWidth"), viewport.get("width", 1280))
                self.assertEqual(self.evaluate("document.querySelectorAll('#maps section').length"), 2)
                self.assertEqual(self.evaluate(CONTRAST), [])
                self.assertGreater(len(self.browser.screenshot(self.shots / ("atlas-" + name + ".png"))), 10000)

    def test_every_cell_has_a_place_with_its_numbers_and_leads_to_its_certificate(self):
        self.open()
        self.choose("show", "capacity")
        for cell in self.cells[::7] + self.cells[-1:]:
            family, contexts, n, d, heads, k, examples, base, seed, lower, upper = cell[:11]
            name = f"{family}-{contexts}-n{n}-d{d}-H{heads}-k{k}-T{examples}-{base}-s{seed}"
            self.evaluate(f"new Promise(done => {{ addEventListener('hashchange', () => setTimeout(done), {{once: true}}); location.hash = '#{name}'; }})")
            self.assertEqual(self.evaluate(f"document.querySelector('#maps a.chosen').textContent"), str(lower) if lower == upper else f"{lower}–{upper}")
            links = self.evaluate("[...document.querySelectorAll('#cell a')].map(a => a.getAttribute('href'))")
            self.assertEqual(len(links), 6)
            for link in links:
                self.assertIn(name, link)
                certificate = json.loads((self.folder / "atlas" / link).read_text())
                self.assertEqual(certificate["format"], "attest-certificate/3")
            panel, (least, most) = self.evaluate("document.getElementById('cell').textContent"), cell[-2:]
            self.assertIn("--cell " + name, panel)
            self.assertIn(f"functional dimension {least}{'' if least == most else f'–{most}'}; claim 0 of {name}-any.json", panel)

    def test_keyboard(self):
        self.open()
        self.evaluate("document.querySelector('#maps a').focus()")
        first = self.evaluate("document.activeElement.getAttribute('href')")
        self.assertIn("-n2-", first)
        self.key("ArrowRight")
        self.assertIn("-k2-", self.evaluate("document.activeElement.getAttribute('href')"))
        self.key("ArrowDown")
        self.assertIn("-n3-", self.evaluate("document.activeElement.getAttribute('href')"))
        self.key("ArrowLeft")
        self.key("ArrowUp")
        self.assertEqual(self.evaluate("document.activeElement.getAttribute('href')"), first)
        self.key("ArrowUp")  # there is nothing above the first map
        self.assertEqual(self.evaluate("document.activeElement.getAttribute('href')"), first)
        self.key("Enter")
        self.assertEqual(self.browser.eventually("document.querySelector('#cell h2')?.textContent", first[1:]), first[1:])
        self.assertNotEqual(self.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "none")

    def test_controls(self):
        self.open()
        shown = "[...document.querySelectorAll('#maps a')].map(a => a.textContent)"
        before = self.evaluate(shown)
        self.choose("show", "paper's lower bound")
        self.assertNotEqual(self.evaluate(shown), before)
        self.assertEqual(self.evaluate("[...document.querySelectorAll('#controls label')].filter(l => !l.hidden).length"), 5)  # T and seed have one value
        for value in self.evaluate("[...document.getElementById('s-show').options].map(o => o.value)"):
            self.choose("show", value)
            self.assertEqual(len(self.evaluate(shown)), len(before))
            self.assertTrue(all(re.fullmatch(r"-?\d+(–-?\d+)?", text) for text in self.evaluate(shown)))

    def choose(self, select, value):
        self.evaluate(f"(() => {{ const s = document.getElementById('s-{select}'); s.value = {json.dumps(value)}; s.onchange(); }})()")

    def test_starts_with_the_most_different_values(self):
        self.open()
        texts = "new Set([...document.querySelectorAll('#maps a')].map(a => a.textContent)).size"
        started = self.evaluate(texts)
        quantities = self.evaluate("[...document.getElementById('s-show').options].map(o => o.value)")
        found = set()
        for contexts in ("shared", "fresh"):
            for quantity in quantities:
                for select, value in (("family", "opposite-pairs"), ("contexts", contexts), ("base", "e"), ("d", "3"), ("show", quantity)):
                    self.choose(select, value)
                found.add(self.evaluate(texts))
        self.assertGreaterEqual(started, max(found))
        self.assertGreater(len(found), 1)

    def test_panel_follows_the_data_or_goes(self):
        self.open(CELL)
        heading = "document.querySelector('#cell h2')?.textContent ?? ''"
        self.assertEqual(self.evaluate(heading), CELL)
        self.choose("base", "e")
        moved = CELL.replace("-2-s1", "-e-s1")
        self.assertEqual((self.evaluate(heading), self.evaluate("location.hash")), (moved, "#" + moved))
        self.assertEqual(self.evaluate("document.querySelector('#maps a.chosen').getAttribute('href')"), "#" + moved)
        self.choose("show", "paper's lower bound")  # the same data: it stays
        self.assertEqual(self.evaluate(heading), moved)
        # Where the other data have no such cell it goes.
        self.evaluate("(() => { for (const c of [...atlas.cells]) if (get(c, 'base') === '2' && get(c, 'n') === 3) atlas.cells.splice(atlas.cells.indexOf(c), 1); })()")
        self.choose("base", "2")
        self.assertEqual((self.evaluate(heading), self.evaluate("location.hash")), ("", ""))

    def test_lines_up(self):
        for viewport in ({}, dict(width=390, height=844, mobile=True)):
            self.open(CELL, **viewport)
            off = self.evaluate("""[...document.querySelectorAll('#maps tbody tr')].map(row => { const middle = e => {
                const range = document.createRange(); range.selectNodeContents(e); const box = range.getBoundingClientRect(); return box.top + box.height / 2; };
                return Math.abs(middle(row.cells[0]) - middle(row.cells[1].querySelector('a'))); })""")
            self.assertLess(max(off), 2)
            lines = self.evaluate("""[...document.querySelectorAll('#summary td')].map(td => { const range = document.createRange();
                range.selectNodeContents(td); return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size; })""")
            self.assertEqual(set(lines), {1})

    def test_says_where_certificates_are(self):
        self.open(CELL)
        self.assertIn("certificates.tar.xz", self.evaluate("document.getElementById('cell').textContent"))
        bare = self.folder / "atlas/bare.html"  # a sweep without --keep
        bare.write_text(self.text.replace('data-kept="yes"', 'data-kept="no"'))
        self.browser.open(bare.as_uri() + "#" + CELL)
        self.assertEqual(self.evaluate("document.querySelectorAll('#cell a').length"), 0)
        self.assertNotIn("certificates.tar.xz", self.evaluate("document.getElementById('cell').textContent"))
        self.assertIn("--cell " + CELL, self.evaluate("document.getElementById('cell').textContent"))

    def test_stacks(self):
        """The dimensions of stacks beside the formula: a map for each number of layers, rows d, columns d_h."""
        (self.folder / "t.toml").write_text(STACKS)
        tool(BUILD, "explore", "t.toml", "--out", "stacks", "--keep", cwd=self.folder).check_returncode()
        page = self.folder / "stacks/atlas.html"
        parsed = Page(page.read_text())
        self.assertEqual((parsed.unbalanced, parsed.open), ([], []))
        self.browser.viewport(width=1280, height=900)
        self.browser.open(page.as_uri() + "#stack-residual-L2-n3-d3-H1-k2-S16-s1")
        self.assertEqual(self.browser.problems(), [])
        self.assertEqual(self.evaluate(CONTRAST), [])
        self.assertGreater(len(self.browser.screenshot(self.shots / "stacks.png")), 10000)
        self.assertEqual(self.evaluate("document.querySelector('#maps a.chosen').textContent"), "34, 34")
        panel = self.evaluate("document.getElementById('cell').textContent")
        self.assertIn("the formula says 34", panel)
        self.assertIn("functional dimension 34; claim 0 of stack-residual-L2-n3-d3-H1-k2-S16-s1-any.json", panel)
        self.assertTrue((self.folder / "stacks" / self.evaluate("document.querySelector('#cell a').getAttribute('href')")).exists())
        shown = "[...document.querySelectorAll('#maps a')].map(a => a.textContent).join(' ')"
        for residual, numbers in {"no": "7 8 14 17 10 12 19 25", "yes": "14 16 28 34"}.items():
            self.choose("residual", residual)
            for quantity in ("functional dimension", "the formula"):
                self.choose("show", quantity)
                self.assertEqual(self.evaluate(shown), numbers)
            self.choose("show", "the formula − functional dimension")
            self.assertEqual(set(self.evaluate(shown).split()), {"0"})
        self.assertEqual(self.evaluate("[...document.querySelectorAll('#summary tbody th')].map(th => th.textContent)"), ["1", "2", "2, residual connections"])

    def test_unknown_cell(self):
        self.open("no-such-cell")
        self.assertEqual(self.browser.problems(), [])
        self.assertEqual(self.evaluate("document.getElementById('cell').textContent"), "")

    def test_prints(self):
        self.open(CELL)
        self.assertTrue(self.browser.pdf(self.shots / "atlas.pdf").startswith(b"%PDF"))
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        self.assertEqual(self.evaluate("document.getElementById('controls').offsetHeight"), 0)
        self.assertGreater(self.evaluate("document.getElementById('maps').offsetHeight"), 50)
        self.browser.call("Emulation.setEmulatedMedia", media="")

    def test_without_scripts(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.open()
            self.assertEqual(self.browser.problems(), [])
            document = self.browser.call("DOM.getDocument")["root"]["nodeId"]
            self.assertEqual(len(self.browser.call("DOM.querySelectorAll", nodeId=document, selector="#summary tbody tr")["nodeIds"]), 4)
        finally:
            self.browser.call("Emulation.setScriptExecutionDisabled", value=False)


if __name__ == "__main__":
    (BUILD,) = browser.arguments(__doc__, 1)
    unittest.main(verbosity=1)
