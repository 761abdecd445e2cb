// The page of a sweep: the numbers of all cells as JSON in the page, heat maps drawn from them by a script,
// and a summary that needs no script.
#include <map>
#include <sstream>

#include "base/text.hpp"
#include "farm/explore/results.hpp"
#include "page/report_style.hpp"
#include "words/markup.hpp"

namespace attest {
namespace {

constexpr const char* kStyle = R"css(
:root { --low: #eef1f5; --high: #7fb2e5; --bad: #f3c4bf; }
@media screen and (prefers-color-scheme: dark) { :root { --low: #1d2125; --high: #2b5f93; --bad: #6b2b26; } }
#controls { align-items: end; } #controls label { display: flex; flex-direction: column; font-size: .9rem; color: var(--quiet); }
#controls label[hidden] { display: none; } select { font: inherit; color: var(--ink); background: var(--page); border: 1px solid var(--line); border-radius: .3rem; padding: .2rem .3rem; }
#maps { display: flex; flex-wrap: wrap; gap: 1rem 1.6rem; } #maps section { break-inside: avoid; } #maps h3 { margin-bottom: .2rem; }
#maps table { width: auto; } #maps th, #maps td { width: auto; border: 0; padding: 1px; text-align: center; color: var(--quiet); font-size: .9rem; }
#maps td a { display: block; min-width: 2.9rem; padding: .45rem .3rem; border-radius: .25rem; text-decoration: none; color: var(--ink);
  background: color-mix(in srgb, var(--high) calc(var(--f, 0) * 100%), var(--low)); print-color-adjust: exact; -webkit-print-color-adjust: exact; }
#maps td a.open { background: repeating-linear-gradient(45deg, var(--low) 0 .4rem, var(--bad) .4rem .8rem); }
#maps td a:focus-visible, #maps td a.chosen { outline: 3px solid var(--link); outline-offset: -1px; }
#cell { border: 1px solid var(--line); border-radius: .6rem; padding: .8rem 1rem; margin: 1rem 0; } #cell:empty { display: none; }
#cell li { margin: .2rem 0; } .scroll { overflow-x: auto; } #cell h2 { margin-top: 0; } #summary td, #summary th { width: auto; overflow-wrap: normal; }
@media print { #controls { display: none; } #maps td a { border: 1px solid var(--line); } }
)css";

constexpr const char* kScript = R"js(
"use strict";
const atlas = JSON.parse(document.getElementById("data").textContent), kept = document.body.dataset.kept === "yes";
const at = Object.fromEntries(atlas.columns.map((name, k) => [name, k]));
const get = (cell, name) => cell[at[name]];
const name = c => `${get(c, "family")}-${get(c, "contexts")}-n${get(c, "n")}-d${get(c, "d")}-H${get(c, "H")}-k${get(c, "d_h")}-T${get(c, "T")}-${get(c, "base")}-s${get(c, "seed")}`;
const byName = new Map(atlas.cells.map(c => [name(c), c]));
const range = (c, of) => [get(c, of + "_lower"), get(c, of + "_upper")];
const minus = ([a, b], [c, d]) => [a - d, b - c];
const one = (c, of) => [get(c, of), get(c, of)];
const full = c => { const m = Math.min(get(c, "T"), get(c, "H") * get(c, "d")); return [m, m]; };
const quantities = {
  "capacity": c => range(c, "capacity"), "paper's lower bound": c => one(c, "paper"), "affine hull's upper bound": c => one(c, "hull"),
  "capacity − paper's bound": c => minus(range(c, "capacity"), one(c, "paper")), "hull's bound − capacity": c => minus(one(c, "hull"), range(c, "capacity")),
  "min(T, H d) − capacity": c => minus(full(c), range(c, "capacity")),
  "rank, random weights": c => range(c, "random"), "rank, trained-like weights": c => range(c, "trained"),
  "capacity − rank, random": c => minus(range(c, "capacity"), range(c, "random")), "capacity − rank, trained-like": c => minus(range(c, "capacity"), range(c, "trained")) };
const axes = { family: "data", contexts: "contexts", base: "base", d: "d", T: "T", seed: "seed" };
const text = ([a, b]) => a === b ? String(a) : a + "–" + b;
const element = (tag, attributes = {}, ...children) => { const e = document.createElement(tag); for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v); e.append(...children); return e; };
const values = (cells, of) => [...new Set(cells.map(c => get(c, of)))].sort((a, b) => typeof a === "number" ? a - b : 0);
const controls = document.getElementById("controls"), maps = document.getElementById("maps"), panel = document.getElementById("cell");
const selects = {};
const addSelect = (key, label) => { selects[key] = element("select", { id: "s-" + key }); controls.append(element("label", {}, label, selects[key])); selects[key].onchange = () => draw(); };
for (const [key, label] of Object.entries(axes)) addSelect(key, label);
addSelect("show", "show");
for (const q of Object.keys(quantities)) selects.show.append(element("option", {}, q));
// Each select offers what those before it leave; a choice stays when it can.
const choose = wanted => { let cells = atlas.cells;
  for (const key of Object.keys(axes)) { const select = selects[key], there = values(cells, key).map(String), now = String(wanted[key] ?? select.value);
    select.replaceChildren(...there.map(v => element("option", {}, v))); if (there.includes(now)) select.value = now;
    select.parentElement.hidden = values(atlas.cells, key).length < 2; cells = cells.filter(c => String(get(c, key)) === select.value); }
  return cells; };
const draw = (wanted = {}) => { const cells = choose(wanted), of = quantities[selects.show.value];
  const all = cells.map(of), least = Math.min(0, ...all.map(v => v[0])), most = Math.max(least + 1, ...all.map(v => v[1]));
  document.getElementById("shown").textContent = selects.show.value + ", " + Object.entries(axes).filter(([k]) => !selects[k].parentElement.hidden).map(([k, label]) => label + " " + selects[k].value).join(", ") + ": columns d_h, rows n, a map for each H";
  maps.replaceChildren(...values(cells, "H").map(H => { const mine = cells.filter(c => get(c, "H") === H), columns = values(mine, "d_h");
    const head = element("tr", {}, element("th", { scope: "col" }, "n \\ d_h"), ...columns.map(k => element("th", { scope: "col" }, String(k))));
    const rows = values(mine, "n").map(n => element("tr", {}, element("th", { scope: "row" }, String(n)), ...columns.map(k => {
      const c = mine.find(x => get(x, "n") === n && get(x, "d_h") === k); if (!c) return element("td");
      const v = of(c), link = element("a", { href: "#" + name(c), "aria-label": `n ${n}, d_h ${k}, H ${H}: ${selects.show.value} ${text(v)}` }, text(v));
      link.style.setProperty("--f", ((v[0] + v[1]) / 2 - least) / (most - least)); if (v[0] !== v[1]) link.className = "open";
      return element("td", {}, link); })));
    return element("section", {}, element("h3", {}, "H = " + H), element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows))); }));
  mark(); };
const mark = () => maps.querySelectorAll("a").forEach(a => a.classList.toggle("chosen", a.getAttribute("href") === location.hash));
// What is known of the cell that the address names, and where its certificate is.
const show = () => { const id = decodeURIComponent(location.hash.slice(1)), c = byName.get(id); if (!c) { panel.replaceChildren(); mark(); return; }
  const shown = maps.querySelector(`a[href="#${CSS.escape(id)}"]`);
  if (!shown) draw(Object.fromEntries(Object.keys(axes).map(k => [k, get(c, k)])));
  const claim = (which, k, words) => { const file = id + "-" + which + ".json";
    return element("li", {}, words + "; ", kept ? element("a", { href: "cells/" + file }, `claim ${k} of ${file}`) : `claim ${k} of ${file}`); };
  panel.replaceChildren(element("h2", {}, id),
    element("p", {}, `H = ${get(c, "H")} heads, n = ${get(c, "n")}, d = ${get(c, "d")}, d_h = ${get(c, "d_h")}, T = ${get(c, "T")}, base ${get(c, "base")}; paper's lower bound ${get(c, "paper")}, affine hull's upper bound ${get(c, "hull")}`),
    element("ul", {}, claim("random", 0, "capacity " + text(range(c, "capacity"))), claim("random", 1, "rank for random weights " + text(range(c, "random"))),
      claim("random", 2, "Assumption 1 " + get(c, "assumption_1")), claim("random", 3, "Assumption 2 " + get(c, "assumption_2")),
      claim("trained", 0, "rank for trained-like weights " + text(range(c, "trained")))),
    element("p", { class: "quiet" }, "Digest of both certificates " + get(c, "certificates") + "…. They are written again by ", element("code", {}, "attest explore SWEEP.toml --cell " + id + " --out DIR"),
      ", and checked by ", element("code", {}, "attest check DIR"), "."));
  mark(); };
// Arrow keys move among the cells of a map, and on to the next map.
maps.addEventListener("keydown", e => { const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[e.key]; if (!step || e.target.tagName !== "A") return;
  const td = e.target.parentElement, rows = [...maps.querySelectorAll("tbody tr")], row = rows.indexOf(td.parentElement) + step[0], column = td.cellIndex + step[1];
  const next = rows[row]?.cells[column]?.querySelector("a"); if (next) { e.preventDefault(); next.focus(); } });
addEventListener("hashchange", show);
draw(); show();
)js";

std::string count_and_share(std::size_t count, std::size_t all) {
  return std::to_string(count) + " (" + std::to_string(all == 0 ? 0 : 100 * count / all) + " %)";
}

}  // namespace

std::string atlas_page(const Sweep& sweep, const CellResults& results, const std::string& json,
                       bool certificates) {
  struct Counts {
    std::size_t cells = 0, decided = 0, above = 0, hull = 0, random = 0, trained = 0;
  };
  std::map<std::string, Counts> counts;
  std::vector<std::string> order;
  for (const Cell& cell : sweep.cells) {
    const CellResult& r = results.at(cell.name());
    if (!r.error.empty()) continue;
    const std::string kind = cell.family + ", " + (cell.fresh ? "fresh" : "shared");
    if (counts.count(kind) == 0) order.push_back(kind);
    Counts& c = counts[kind];
    ++c.cells;
    c.decided += r.capacity.lower == r.capacity.upper;
    c.above += r.capacity.lower > r.paper;
    c.hull += r.capacity.lower == r.hull;
    c.random += r.random.lower == r.capacity.upper;
    c.trained += r.trained.lower == r.capacity.upper;
  }
  std::string data = json;
  for (std::size_t at = 0; (at = data.find('<', at)) != std::string::npos;) data.replace(at, 1, "\\u003c");
  const std::string title = escaped(sweep.title.empty() ? "An atlas of capacities" : sweep.title);
  std::ostringstream out;
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\">\n<title>"
      << title << "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>" << kReportStyle << kStyle
      << "</style>\n</head>\n<body data-kept=\"" << (certificates ? "yes" : "no")
      << "\">\n<header>\n<h1><bdi>" << title << "</bdi></h1>\n<p>" << sweep.cells.size()
      << " cells, each a data set and the shape of a layer. The capacity is the largest rank of Z over all "
         "weights of the "
         "shape; an interval where its proved bounds do not meet. Every number is proved in exact arithmetic "
         "by attest "
      << ATTEST_VERSION
      << " and has a certificate.</p>\n</header>\n<main>\n<h2>Heat maps</h2>\n<noscript><p "
         "class=\"alarm\">The heat maps need "
         "scripts; the summary below does not.</p></noscript>\n<fieldset id=\"controls\"><legend>Which "
         "cells</legend></fieldset>\n"
         "<p id=\"shown\" class=\"quiet\" aria-live=\"polite\"></p>\n<div id=\"maps\"></div>\n<div "
         "id=\"cell\" "
         "aria-live=\"polite\"></div>\n<h2>Summary</h2>\n<div class=\"scroll\" tabindex=\"0\"><table "
         "id=\"summary\">\n<thead><tr><th "
         "scope=\"col\">data, "
         "contexts</th><th scope=\"col\">cells</th><th scope=\"col\">capacity decided</th><th "
         "scope=\"col\">above the paper's "
         "bound</th><th scope=\"col\">the hull's bound is reached</th><th scope=\"col\">random weights reach "
         "the capacity</th><th "
         "scope=\"col\">trained-like weights reach it</th></tr></thead>\n<tbody>\n";
  for (const std::string& kind : order) {
    const Counts& c = counts[kind];
    out << "<tr><th scope=\"row\">" << escaped(kind) << "</th><td>" << c.cells << "</td>";
    for (const std::size_t count : {c.decided, c.above, c.hull, c.random, c.trained})
      out << "<td>" << count_and_share(count, c.cells) << "</td>";
    out << "</tr>\n";
  }
  out << "</tbody>\n</table></div>\n<ul class=\"quiet\">\n";
  for (const Family& family : families())
    if (counts.count(std::string(family.name) + ", shared") +
            counts.count(std::string(family.name) + ", fresh") >
        0)
      out << "<li><strong>" << family.name << "</strong>: " << escaped(family.says) << "</li>\n";
  out << "</ul>\n</main>\n<script type=\"application/json\" id=\"data\">" << data << "</script>\n<script>"
      << kScript << "</script>\n</body>\n</html>\n";
  return out.str();
}

}  // namespace attest
