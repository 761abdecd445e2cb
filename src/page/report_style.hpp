// The style sheet and the few lines of script of the report. The page works without the script.
#pragma once

namespace attest {

inline constexpr const char* kReportStyle = R"css(
:root { color-scheme: light dark; --page: #fff; --card: #f6f7f9; --ink: #1b1f24; --quiet: #555d66; --line: #d4d8dd; --link: #0b57a4;
  --verified: #17692f; --refuted: #6d35a8; --inapplicable: #4d565f; --undecided: #7d5200; --alarm: #b3261e; }
@media screen and (prefers-color-scheme: dark) {
  :root { --page: #14171a; --card: #1d2125; --ink: #e6e8ea; --quiet: #a9b1b9; --line: #3a4047; --link: #7ab8f5;
    --verified: #6fd08c; --refuted: #cda6f7; --inapplicable: #b3bbc3; --undecided: #e6b75c; --alarm: #ff8a80; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 1rem 1rem 4rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; margin: .5rem 0; } h2 { font-size: 1.3rem; margin: 2.5rem 0 .5rem; } h3 { font-size: 1.1rem; margin: 0; line-height: 1.35; }
h4 { font-size: 1rem; margin: 0; }
p { margin: .4rem 0; } a { color: var(--link); } code { font: .85em/1.4 ui-monospace, "DejaVu Sans Mono", monospace; }
.quiet { color: var(--quiet); font-size: .9rem; }
.totals { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; padding: 0; margin: .6rem 0; list-style: none; }
fieldset { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; padding: .3rem .8rem .5rem; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; }
legend { color: var(--quiet); font-size: .9rem; padding: 0 .3rem; } label { white-space: nowrap; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; color: var(--quiet); font-size: .9rem; padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .6rem .45rem 0; border-top: 1px solid var(--line); font-weight: normal; }
thead th { border: 0; color: var(--quiet); font-size: .9rem; } tbody th { width: 60%; }
td ul { list-style: none; margin: 0; padding: 0; }
/* Rows that nobody sees are not laid out; that needs columns of fixed widths. */
main > table { table-layout: fixed; } main > table thead th:first-child { width: 60%; } main > table td ul { content-visibility: auto; contain-intrinsic-size: auto 4.6rem; }
.v { font-weight: 600; white-space: nowrap; }
.v::before { content: "●"; font-size: .75em; margin-right: .3em; vertical-align: .1em; }
.verified { color: var(--verified); } .refuted { color: var(--refuted); } .inapplicable { color: var(--inapplicable); } .undecided { color: var(--undecided); }
.alarm { color: var(--alarm); font-weight: 600; }
.alarm::before { content: "▲ "; }
tr.odd th { border-left: .3rem solid var(--alarm); padding-left: .6rem; } article.odd { border-color: var(--alarm); border-width: 2px; }
article { border: 1px solid var(--line); border-radius: .6rem; padding: .8rem 1rem; margin: 1rem 0; scroll-margin-top: .5rem; }
.claim { border-top: 1px solid var(--line); margin-top: .8rem; padding-top: .7rem; }
.up { float: right; font-size: .85rem; margin-left: 1rem; }
.result { font-weight: 600; }
summary { cursor: pointer; color: var(--link); width: fit-content; }
ol { padding-left: 1.6rem; margin: .4rem 0; } li { margin: .25rem 0; } td li { margin: 0; }
.theorem { color: var(--quiet); font-size: .85rem; white-space: nowrap; }
.lines { list-style: none; padding-left: 1rem; margin: .2rem 0; border-left: 2px solid var(--line); font-size: .92rem; }
figure { margin: .8rem 0; padding: .7rem .8rem; background: var(--card); border-radius: .5rem; max-width: 38rem; }
figure svg { display: block; width: 100%; max-width: 36rem; height: auto; font-family: system-ui, "Noto Sans", "DejaVu Sans", sans-serif; }
figure svg image { image-rendering: pixelated; }
figcaption strong { display: block; } figcaption p, figcaption details { font-size: .9rem; margin: .3rem 0; }
body:has(#f-unexpected:checked) .case:not(.odd), body:has(#f-verified:checked) .case:not(.has-verified), body:has(#f-refuted:checked) .case:not(.has-refuted),
body:has(#f-inapplicable:checked) .case:not(.has-inapplicable), body:has(#f-undecided:checked) .case:not(.has-undecided) { display: none; }
math { font-family: math, "Latin Modern Math", "STIX Two Math", "Noto Sans Math", "DejaVu Serif", serif; }
input[type=search] { font: inherit; width: 16rem; max-width: 100%; color: var(--ink); background: var(--page); border: 1px solid var(--line); border-radius: .3rem; padding: .1rem .4rem; }
#search-label { white-space: normal; } article { content-visibility: auto; contain-intrinsic-size: auto 14rem; } .missed { display: none; }
@media (max-width: 40rem) { body { padding: .6rem .6rem 3rem; } article { padding: .7rem .7rem; } figure { padding: .5rem .3rem; } figcaption { padding: 0 .3rem; }
  main > table thead th:first-child { width: 54%; } td { font-size: .9rem; } .v { white-space: normal; } }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } fieldset, .up, #unfold { display: none; } h3, h4, summary { break-after: avoid; }
  p, li { orphans: 2; widows: 2; } main > table td ul { content-visibility: visible; } #search-label { white-space: normal; } article { content-visibility: visible; break-inside: auto; padding: .4rem .6rem; margin: .5rem 0; }
  figure { border: 1px solid var(--line); background: none; break-inside: avoid; display: grid; grid-template-columns: 16rem 1fr; gap: .8rem; max-width: none; padding: .3rem .5rem; margin: .4rem 0; }
  figure svg { max-width: 16rem; } figure:not(:has(svg)) { display: block; }
  summary { color: inherit; list-style: none; } a { color: inherit; text-decoration: none; } }
)css";

inline constexpr const char* kReportScript = R"js(
const each = (selector, what, of = document) => of.querySelectorAll(selector).forEach(what);
// Parts of cases that are still text: read when they come near, are led to, unfolded or printed.
const articles = [...document.querySelectorAll("article")], sight = new Set();
const read = article => each("script.later", s => s.replaceWith(document.createRange().createContextualFragment(s.textContent)), article);
// On a page of many cases what is in sight is unfolded at once, and the rest when it comes near: all of it together would take seconds.
const button = document.getElementById("unfold"), settled = new Set(), many = document.querySelector("script.later") !== null;
let unfolded = null;
const settle = part => { read(part); if (unfolded === null || settled.has(part)) return; settled.add(part); each("details", d => d.open = unfolded, part); };
const near = new IntersectionObserver(seen => seen.forEach(e => { if (e.isIntersecting) { sight.add(e.target); settle(e.target); } else sight.delete(e.target); }), { rootMargin: "600px" });
articles.forEach(a => near.observe(a));
const led = () => { const there = document.getElementById(location.hash.slice(1)); if (there?.matches("article")) { settle(there); there.scrollIntoView(); } };
addEventListener("hashchange", led); led();
button.hidden = false;
button.onclick = () => { unfolded = !unfolded; settled.clear();
  [document.querySelector("header"), ...(many ? sight : articles)].forEach(settle);
  button.setAttribute("aria-pressed", unfolded); button.textContent = unfolded ? "Fold all" : "Unfold all"; };
let folded = [];
addEventListener("beforeprint", () => { articles.forEach(read); folded = [...document.querySelectorAll("details:not([open])")]; folded.forEach(d => d.open = true); });
addEventListener("afterprint", () => folded.forEach(d => d.open = false));
// The search goes through paths, titles, claims and verdicts, which the table has.
const rows = [...document.querySelectorAll("tbody tr")], search = document.getElementById("search"), found = document.getElementById("found");
document.getElementById("search-label").hidden = false;
let texts, waiting;
const look = () => { texts ??= rows.map(r => r.textContent.toLowerCase().replaceAll("\u2212", "-").replaceAll(/[\u2061\u2062]/g, ""));
  const words = search.value.toLowerCase().split(/\s+/).filter(w => w);
  let count = 0;
  rows.forEach((row, k) => { const hit = words.every(w => texts[k].includes(w)); count += hit;
    if (row.classList.contains("missed") === hit) { row.classList.toggle("missed", !hit); document.getElementById(row.dataset.case).classList.toggle("missed", !hit); } });
  found.textContent = words.length ? `${count} of ${rows.length}` : ""; };
search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(look, 120); });
)js";

}  // namespace attest
