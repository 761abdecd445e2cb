#!/usr/bin/env python3
"""How a browser takes a report of many cases: report_page.py [--cases 5000] [--attest PROGRAM] [--page FILE]

Writes small cases, runs `attest verify --report` and opens the page in a headless Chromium: time to load, the longest time for which
the page did not answer, search, the way to the last case, and unfolding everything. --page measures a page that is there."""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/report"))
import browser  # noqa: E402

CASE = """format = 1
title = "Number {k}: four queries in the plane"
[layer]
heads = 2
context = 2
embed_dim = 2
head_dim = 1
examples = 4
[data]
generate = {{ kind = "integers", bound = 9, shared_context = true, seed = {k} }}
[weights]
generate = {{ kind = "integers", bound = 9, seed = {k} }}
[[claim]]
statement = "rank"
[[claim]]
statement = "capacity"
[[claim]]
statement = "assumption-1"
"""
# Longest interval between two turns of the event loop, from now until `stop`.
WATCH = "window.stall = 0; { let last = performance.now(); window.timer = setInterval(() => { const now = performance.now(); stall = Math.max(stall, now - last); last = now; }, 5); }"


def measured(page, words, action, settle=300):
    """Milliseconds of the action until the next frame, and the longest stall."""
    page.evaluate(WATCH)
    spent = page.evaluate("(async () => { const start = performance.now(); " + action + "; await new Promise(d => requestAnimationFrame(() => setTimeout(d))); return performance.now() - start; })()")
    stall = page.evaluate(f"new Promise(d => setTimeout(d, {settle})).then(() => (clearInterval(timer), stall))")
    print(f"{words:40} {spent:8.0f} ms, longest stall {stall:6.0f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--attest", default=str(ROOT / "build/attest"))
    parser.add_argument("--page", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        file = options.page or folder / "report.html"
        if options.page is None:
            (folder / "cases").mkdir()
            for k in range(options.cases):
                (folder / "cases" / f"{k:05}.toml").write_text(CASE.format(k=k))
            start = time.perf_counter()
            subprocess.run([options.attest, "verify", folder / "cases", "--out", folder / "certificates", "--report", file, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            print(f"attest verify: {time.perf_counter() - start:.1f} s")
        page = browser.Browser(browser.find(), timeout=300)
        page.viewport(width=1280, height=900)
        page.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        start = time.perf_counter()
        page.open(file.resolve().as_uri())
        rows = page.evaluate("document.querySelectorAll('tbody tr').length")
        print(f"{rows} cases, {file.stat().st_size / 1e6:.1f} MB, loaded and answering after {time.perf_counter() - start:.2f} s, longest stall {page.evaluate('clearInterval(timer), stall'):.0f} ms")
        measured(page, "search, first (builds the index)", "search.value = 'number 42'; look()")
        measured(page, "search, second", "search.value = 'number 421 plane'; look()")
        measured(page, "search, cleared", "search.value = ''; look()")
        measured(page, "only refuted claims", "document.getElementById('f-refuted')?.click()")
        measured(page, "all claims", "document.getElementById('f-all').click()")
        measured(page, "to the last case", f"location.hash = '#case-{rows}'", 1000)
        measured(page, "scroll to the middle", "scrollTo(0, document.documentElement.scrollHeight / 2)", 1000)
        measured(page, "unfold all proofs", "button.click()", 1000)
        measured(page, "from there to the end", "scrollTo(0, document.documentElement.scrollHeight)", 1000)
        measured(page, "fold all proofs", "button.click()", 1000)
        page.close()


if __name__ == "__main__":
    main()
