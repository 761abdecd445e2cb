const atlas = JSON.parse(document.getElementById("data").textContent);
const kept = document.body.dataset.kept === "yes";
const at = Object.fromEntries(atlas.columns.map((column, k) => [column, k]));
const get = (cell, column) => cell[at[column]];
const stacks = "L" in at;
const name = c => stacks ? `stack${get(c, "residual") === "yes" ? "-residual" : ""}-L${get(c, "L")}-n${get(c, "n")}-d${get(c, "d")}` +
  `-H${get(c, "H")}-k${get(c, "d_h")}-S${get(c, "S")}-s${get(c, "seed")}` : `${get(c, "family")}-${get(c, "contexts")}-n${get(c, "n")}-d${get(c, "d")}-H${get(c, "H")}-k${get(c, "d_h")}` +
  `-T${get(c, "T")}-${get(c, "base")}-s${get(c, "seed")}`;
const byName = new Map(atlas.cells.map(c => [name(c), c]));

// What is shown of a cell: intervals, and words in place of these.
const range = (c, of) => [get(c, of + "_lower"), get(c, of + "_upper")];
const one = (c, of) => [get(c, of), get(c, of)];
const full = c => { const m = Math.min(get(c, "T"), get(c, "H") * get(c, "d")); return [m, m]; };
const minus = ([a, b], [c, d]) => [a - d, b - c];
const quantities = stacks ? {
  "functional dimension and the formula": c => [...range(c, "functional"), `${text(range(c, "functional"))}, ${get(c, "formula")}`],
  "functional dimension": c => range(c, "functional"),
  "the formula": c => one(c, "formula"),
  "the formula − functional dimension": c => minus(one(c, "formula"), range(c, "functional")) } : {
  "capacity": c => range(c, "capacity"),
  "paper's lower bound": c => one(c, "paper"),
  "affine hull's upper bound": c => one(c, "hull"),
  "capacity − paper's bound": c => minus(range(c, "capacity"), one(c, "paper")),
  "hull's bound − capacity": c => minus(one(c, "hull"), range(c, "capacity")),
  "min(T, H d) − capacity": c => minus(full(c), range(c, "capacity")),
  "rank, random weights": c => range(c, "random"),
  "rank, trained-like weights": c => range(c, "trained"),
  "capacity − rank, random": c => minus(range(c, "capacity"), range(c, "random")),
  "capacity − rank, trained-like": c => minus(range(c, "capacity"), range(c, "trained")) };
if ("functional_lower" in at && !stacks) Object.assign(quantities, {
  "functional dimension": c => range(c, "functional"),
  "functional dimension − capacity": c => minus(range(c, "functional"), range(c, "capacity")),
  "T − functional dimension": c => minus(one(c, "T"), range(c, "functional")) });
const text = ([a, b, words]) => words ?? (a === b ? String(a) : a + "–" + b);

// The data of a map, its rows and columns; and there is one for each value of `each`.
const [axes, row, column, each] = stacks ? [{ residual: "residual connections", n: "n", H: "H", S: "sequences", seed: "seed" }, "d", "d_h", "L"]
  : [{ family: "data", contexts: "contexts", base: "base", d: "d", T: "T", seed: "seed" }, "n", "d_h", "H"];
const dataOf = c => Object.fromEntries(Object.keys(axes).map(key => [key, get(c, key)]));
const values = (cells, of) => [...new Set(cells.map(c => get(c, of)))].sort((a, b) => typeof a === "number" ? a - b : 0);

const element = (tag, attributes = {}, ...children) => {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
};
const controls = document.getElementById("controls"), panel = document.getElementById("cell");
const selects = {};
for (const [key, label] of [...Object.entries(axes), ["show", "show"]]) {
  selects[key] = element("select", { id: "s-" + key });
  selects[key].onchange = () => { draw(); follow(); };
  controls.append(element("label", {}, label, selects[key]));
}
selects.show.append(...Object.keys(quantities).map(q => element("option", {}, q)));

// Each select offers what those before it leave; a choice stays when it can.
const choose = wanted => {
  let cells = atlas.cells;
  for (const key of Object.keys(axes)) {
    const select = selects[key], there = values(cells, key).map(String), now = String(wanted[key] ?? select.value);
    select.replaceChildren(...there.map(v => element("option", {}, v)));
    if (there.includes(now)) select.value = now;
    select.parentElement.hidden = values(atlas.cells, key).length < 2;
    cells = cells.filter(c => String(get(c, key)) === select.value);
  }
  return cells;
};

const draw = (wanted = {}) => {
  const cells = choose(wanted), of = quantities[selects.show.value], all = cells.map(of);
  const least = Math.min(0, ...all.map(v => v[0])), most = Math.max(least + 1, ...all.map(v => v[1]));
  const box = (c, n, k, H) => {
    if (!c) return element("td");
    const v = of(c);
    const link = element("a", { href: "#" + name(c), "aria-label": `${row} ${n}, ${column} ${k}, ${each} ${H}: ${selects.show.value} ${text(v)}` }, text(v));
    link.style.setProperty("--f", ((v[0] + v[1]) / 2 - least) / (most - least));
    if (v[0] !== v[1]) link.className = "open";
    return element("td", {}, link);
  };
  const map = H => {
    const mine = cells.filter(c => get(c, each) === H), columns = values(mine, column);
    const find = (n, k) => mine.find(c => get(c, row) === n && get(c, column) === k);
    const head = [`${row} \\ ${column}`, ...columns].map(label => element("th", { scope: "col" }, String(label)));
    const rows = values(mine, row).map(n =>
      element("tr", {}, element("th", { scope: "row" }, String(n)), ...columns.map(k => box(find(n, k), n, k, H))));
    return element("section", {}, element("h3", {}, each + " = " + H),
      element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)));
  };
  const chosen = Object.entries(axes).filter(([key]) => !selects[key].parentElement.hidden).map(([key, label]) => label + " " + selects[key].value);
  document.getElementById("shown").textContent = [selects.show.value, ...chosen].join(", ") + `: columns ${column}, rows ${row}, a map for each ${each}`;
  maps.replaceChildren(...values(cells, each).map(map));
  mark();
};

const inMaps = id => maps.querySelector(`a[href="#${CSS.escape(id)}"]`);

// What is known of the cell that the address names, and where its certificate is.
const show = () => {
  const id = decodeURIComponent(location.hash.slice(1)), c = byName.get(id);
  panel.replaceChildren();
  if (c) {
    if (!inMaps(id)) draw(dataOf(c));
    const claim = (which, k, words) => {
      const file = `${id}-${which}.json`, label = `claim ${k} of ${file}`;
      return element("li", {}, words + "; ", kept ? element("a", { href: "cells/" + file }, label) : label);
    };
    const dimension = () => claim("any", 0, "functional dimension " + text(range(c, "functional")));
    panel.append(element("h2", {}, id), ...stacks ? [
      element("p", {}, `L = ${get(c, "L")} layers of H = ${get(c, "H")} heads, ${get(c, "residual") === "yes" ? "with" : "without"} residual connections, ` +
        `d = ${get(c, "d")}, d_h = ${get(c, "d_h")}, on ${get(c, "S")} sequences of n = ${get(c, "n")} tokens; the formula says ${get(c, "formula")}`),
      element("ul", {}, dimension())] : [
      element("p", {}, `H = ${get(c, "H")} heads, n = ${get(c, "n")}, d = ${get(c, "d")}, d_h = ${get(c, "d_h")}, T = ${get(c, "T")}, ` +
        `base ${get(c, "base")}; paper's lower bound ${get(c, "paper")}, affine hull's upper bound ${get(c, "hull")}`),
      element("ul", {}, claim("random", 0, "capacity " + text(range(c, "capacity"))),
        claim("random", 1, "rank for random weights " + text(range(c, "random"))),
        claim("random", 2, "Assumption 1 " + get(c, "assumption_1")),
        claim("random", 3, "Assumption 2 " + get(c, "assumption_2")),
        claim("trained", 0, "rank for trained-like weights " + text(range(c, "trained"))),
        ..."functional_lower" in at ? [dimension()] : [])]);
    if (kept) panel.append(element("p", { class: "quiet" }, "The links lead into the folder ", element("code", {}, "cells"),
      " beside this page. Where it is not there, as beside the atlas that attest ships, unpack ", element("code", {}, stacks ? "stacks.tar.xz" : "certificates.tar.xz"), " first."));
    panel.append(element("p", { class: "quiet" }, `Digest of the certificates ${get(c, "certificates")}…. They are written again by `,
      element("code", {}, `python3 -m attest.explore SWEEP.toml --cell ${id} --out DIR`), ", and checked by ", element("code", {}, "attest check DIR"), "."));
  }
  mark();
};

// After other data were chosen, the panel goes to the cell at the same place in their maps, or away.
const follow = () => {
  const c = byName.get(decodeURIComponent(location.hash.slice(1)));
  if (!c || inMaps(name(c))) return;
  const same = [...maps.querySelectorAll("a")].map(a => byName.get(a.getAttribute("href").slice(1)))
    .find(x => [row, column, each].every(key => get(x, key) === get(c, key)));
  history.replaceState(null, "", same ? "#" + name(same) : location.pathname + location.search);
  show();
};

// The data and the quantity with the most different values, the first of them: the page is to start with something to see.
const liveliest = () => {
  const groups = new Map();
  for (const c of atlas.cells) {
    const key = JSON.stringify(dataOf(c));
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(c);
  }
  let best = { spread: -1 };
  for (const [key, cells] of groups)
    for (const [quantity, of] of Object.entries(quantities)) {
      const spread = new Set(cells.map(c => text(of(c)))).size;
      if (spread > best.spread) best = { spread, quantity, data: JSON.parse(key) };
    }
  return best;
};

addEventListener("hashchange", show);
const start = liveliest();
if (start.quantity) selects.show.value = start.quantity;
draw(start.data);
show();
