"use strict";
// The cell that the address names is marked, and arrow keys move among the cells of a map, and on to the next map.
const maps = document.getElementById("maps");
const mark = () => maps.querySelectorAll("a").forEach(a => a.classList.toggle("chosen", a.getAttribute("href") === location.hash));
addEventListener("hashchange", mark);
const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
maps.addEventListener("keydown", e => {
  const step = steps[e.key];
  if (!step || e.target.tagName !== "A") return;
  const td = e.target.parentElement, rows = [...maps.querySelectorAll("tbody tr")];
  const next = rows[rows.indexOf(td.parentElement) + step[0]]?.cells[td.cellIndex + step[1]]?.querySelector("a");
  if (!next) return;
  e.preventDefault();
  next.focus();
});
mark();
