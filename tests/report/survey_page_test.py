#!/usr/bin/env python3
"""attest.survey: its page is self-contained, and a real browser shows it: heat maps, what proves each number, keyboard, dark mode,
phone, print, and all of it without scripts.

usage: survey_page_test.py BUILD_FOLDER [--screenshots DIR]
"""
import json
import random
import shutil
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

import browser
from report_test import CONTRAST, Page, tool

BUILD = None


def npy(shape, draw):
    count = 1
    for size in shape:
        count *= size
    header = repr({"descr": "<f8", "fortran_order": False, "shape": shape}).ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{count}d", *(draw() for _ in range(count)))


def dump(folder, seed, scale, heads=3):
    """A layer whose heads saturate more with the scale."""
    draw = random.Random(seed)
    folder.mkdir(parents=True)
    for name, shape, size in (("contexts", (12, 4, 6), 1), ("queries", (12, 6), 1), ("key", (heads, 6, 2), scale), ("query", (heads, 6, 2), scale)):
        (folder / f"{name}.npy").write_bytes(npy(shape, lambda: draw.gauss(0, size)))


class SurveyPageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="attest-survey-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        for k in range(3):
            dump(cls.folder / f"dumps/model.layers.{k}.self_attention_with_a_long_name", k, 0.4 + k)
        dump(cls.folder / "dumps/<script>alert(1) %2f#?\u202Elayer", 9, 2, heads=2)
        dead = cls.folder / "dumps/<script>alert(1) %2f#?\u202Elayer/key.npy"
        keys = bytearray(dead.read_bytes())
        keys[128:128 + 6 * 2 * 8] = bytes(6 * 2 * 8)
        dead.write_bytes(keys)
        (cls.folder / "dumps/refused").mkdir()
        (cls.folder / "dumps/refused.options").write_text('{"refused": "<b>its kernel is its own</b>"}')
        ended = tool(BUILD, "survey", "dumps", cwd=cls.folder)
        if ended.returncode != 2:  # one is refused
            raise AssertionError(ended.stderr)
        cls.page = cls.folder / "survey/survey.html"
        cls.text = cls.page.read_text()
        cls.survey = json.loads((cls.folder / "survey/survey.json").read_text())
        browser.start(cls, cls.folder)

    def open(self, cell="", width=1280, height=900, **viewport):
        self.browser.viewport(width=width, height=height, **viewport)
        self.browser.open("about:blank")
        self.browser.open(self.page.as_uri() + ("#" + cell if cell else ""))

    def evaluate(self, expression):
        return self.browser.evaluate(expression)

    def key(self, name):
        code = {"ArrowRight": 39, "ArrowDown": 40, "ArrowLeft": 37, "ArrowUp": 38, "Enter": 13}[name]
        for kind in ("keyDown", "keyUp"):
            text = {"text": "\r"} if name == "Enter" and kind == "keyDown" else {}
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code, **text)

    def test_self_contained_and_escaped(self):
        page = Page(self.text)
        self.assertEqual((page.unbalanced, page.open), ([], []))
        self.assertEqual(len(page.ids), len(set(page.ids)))
        for address in page.addresses:
            self.assertTrue(address.startswith(("#", "data:", "layers/")), address)
        self.assertNotRegex(self.text, r"url\(|@import|<script>alert|<b>its")
        self.assertEqual(self.text.count("</script>"), 1)

    def test_renders(self):
        for name, viewport in {"light": {}, "phone": dict(width=390, height=844, mobile=True), "dark": dict(dark=True),
                               "phone-dark": dict(width=390, height=844, mobile=True, dark=True)}.items():
            with self.subTest(name):
                self.open("c0", **viewport)
                self.assertEqual(self.browser.problems(), [])
                self.assertEqual([url for url in self.browser.requests() if not url.startswith(("file:", "data:", "about:"))], [])
                self.assertLessEqual(self.evaluate("document.documentElement.scrollWidth"), viewport.get("width", 1280))
                self.assertEqual(self.evaluate("[...document.querySelectorAll('#maps h3')].map(h => h.textContent)"), ["Layers", "rank of Z, by head", "saturated, by head", "rank of Z without the head, by head"])
                self.assertEqual(self.evaluate(CONTRAST), [])
                self.assertGreater(len(self.browser.screenshot(self.shots / ("survey-" + name + ".png"))), 10000)

    def test_every_number_has_a_place_and_leads_to_its_certificate(self):
        self.open()
        cells = self.survey["cells"]
        self.assertEqual(self.evaluate("document.querySelectorAll('#maps a').length"), len(cells))
        for k, cell in enumerate(cells):
            shown = self.evaluate(f"document.getElementById('m{k}').textContent")
            number = str(cell["lower"]) if cell["lower"] == cell["upper"] else f"{cell['lower']}–{cell['upper']}"
            self.assertEqual(shown, number + (f" of {cell['ceiling']}" if cell["ceiling"] is not None else ""))
            label = self.evaluate(f"document.getElementById('m{k}').getAttribute('aria-label')")
            self.assertIn(cell["layer"].split("\u202E")[0], label)
            link = self.evaluate(f"decodeURIComponent(document.querySelector('#c{k} a[href^=layers]').getAttribute('href'))")
            self.assertEqual(link, cell["certificate"])
            certificate = json.loads((self.folder / "survey" / link).read_text())
            self.assertLess(cell["claim"], len(certificate["claims"]))
        self.assertEqual({cell["head"] for cell in cells}, {None, 0, 1, 2})

    def test_shades_are_shares_of_the_ceiling(self):
        self.open()
        found = self.evaluate("""[...document.querySelectorAll('#maps section:nth-of-type(3) tbody a')].map(a => [+a.textContent.split(" of ")[0], +a.textContent.split(" of ")[1], +getComputedStyle(a).getPropertyValue('--f')])""")
        self.assertGreater(len(set(number for number, *_ in found)), 2)
        for number, ceiling, shade in found:
            self.assertAlmostEqual(shade, number / ceiling, 4)

    def test_keyboard(self):
        self.open()
        self.evaluate("document.querySelector('#maps a').focus()")
        focus = "document.activeElement.id"
        first = self.evaluate(focus)
        self.key("ArrowRight")
        self.assertNotEqual(self.evaluate(focus), first)
        self.key("ArrowDown")
        self.key("ArrowLeft")
        self.key("ArrowUp")
        self.assertEqual(self.evaluate(focus), first)
        self.key("ArrowUp")
        self.assertEqual(self.evaluate(focus), first)
        self.assertNotEqual(self.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "none")
        self.key("Enter")
        self.assertEqual(self.browser.eventually("location.hash", "#c" + first[1:]), "#c" + first[1:])
        self.assertEqual(self.evaluate("[...document.querySelectorAll('.detail')].filter(d => d.offsetHeight).map(d => d.id)"), ["c" + first[1:]])
        self.assertEqual(self.browser.eventually("document.querySelector('#maps a.chosen')?.id", first), first)

    def test_says_what_was_not_asked(self):
        self.open()
        self.assertIn("its kernel is its own", self.evaluate("document.querySelector('main ul').textContent"))
        self.assertEqual(self.evaluate("document.querySelector('main ul').textContent").count("there are no values"), 1)  # once for all layers

    def test_says_what_it_means(self):
        """A head without keys is named, and tolerances are decimals."""
        self.open()
        self.assertIn("Head 0 is dead", self.evaluate("document.getElementById('findings').textContent"))
        self.assertNotRegex(self.evaluate("[...document.querySelectorAll('#findings, .detail > .words, main ul')].map(e => e.textContent).join()"), r"0x[0-9a-f.]+p|\d{7}/")

    def test_prints(self):
        self.open("c0")
        self.assertTrue(self.browser.pdf(self.shots / "survey.pdf").startswith(b"%PDF"))
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        self.assertGreater(self.evaluate("document.getElementById('maps').offsetHeight"), 50)
        self.browser.call("Emulation.setEmulatedMedia", media="")

    def test_without_scripts(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.open("c3")
            self.assertEqual(self.browser.problems(), [])
            document = self.browser.call("DOM.getDocument")["root"]["nodeId"]
            count = lambda selector: len(self.browser.call("DOM.querySelectorAll", nodeId=document, selector=selector)["nodeIds"])
            self.assertEqual(count("#maps a"), len(self.survey["cells"]))
            self.assertEqual(count(".detail:target"), 1)
        finally:
            self.browser.call("Emulation.setScriptExecutionDisabled", value=False)


if __name__ == "__main__":
    (BUILD,) = browser.arguments(__doc__, 1)
    unittest.main(verbosity=1)
