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
