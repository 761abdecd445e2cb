#!/usr/bin/env python3
"""Prints the tables of docs/explore.md from the shipped pages; with --details also counts by family, and the dimension of every stack."""
import collections
import json
import lzma
import pathlib
import re
import sys


def load(page):
    """The cells of a page, as dictionaries, and the text that atlas.json holds."""
    text = (lzma.open if page.suffix == ".xz" else open)(page, "rt", encoding="utf-8", newline="").read()
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1)
    atlas = json.loads(data)
    return [dict(zip(atlas["columns"], cell)) for cell in atlas["cells"]], data.replace("\\u003c", "<")


def assumptions(cell):
    return cell["assumption_1"] == cell["assumption_2"] == "verified"


def full(cell):
    return min(cell["T"], cell["H"] * cell["d"])


def decided(cell):
    return cell["capacity_lower"] == cell["capacity_upper"]


def name(c):
    return f"{c['family']}-{c['contexts']}-n{c['n']}-d{c['d']}-H{c['H']}-k{c['d_h']}-T{c['T']}-{c['base']}-s{c['seed']}"


def conjecture(says, cells, holds, fails):
    """A row: in how many cells it is proved true, proved false, and open; the first that refutes it."""
    proved, refuted = [c for c in cells if holds(c)], [c for c in cells if fails(c)]
    where = "`" + name(refuted[0]) + "`" if refuted else ""
    print(f"| {says} | {len(cells)} | {len(proved)} | {len(refuted)} | {len(cells) - len(proved) - len(refuted)} | {where} |")


def same_but_for(cells, axis):
    """Cells in groups that differ in nothing but the axis."""
    rest = [key for key in ("family", "contexts", "n", "d", "H", "d_h", "T", "base", "seed") if key != axis]
    groups = collections.defaultdict(list)
    for cell in cells:
        groups[tuple(cell[key] for key in rest)].append(cell)
    return [group for group in groups.values() if len(group) > 1]


def by_kind(cells):
    kinds = collections.defaultdict(list)
    for cell in cells:
        kinds[cell["family"], cell["contexts"]].append(cell)
    return kinds


def differences(cell):
    """The rank of the differences of the tokens of a context, under Assumption 2."""
    if cell["contexts"] == "shared" or cell["family"] == "translates":
        return min(cell["n"] - 1, cell["d"])
    return cell["d"] - (cell["family"] in ("affine-bag", "moment-curve"))


def generic(cell):
    """The bound of Theorem J, when exponents are as independent as the ranks of differences and queries allow; at most T."""
    d, H, d_h = (cell[key] for key in ("d", "H", "d_h"))
    v, tokens = differences(cell), min(cell["n"], d) if cell["contexts"] == "shared" else d
    m = min(d_h, v, d)
    return min(cell["T"], H * m * (v + d - m) + (H - 1) * v + tokens)


def slopes(group, axis):
    """Of functional dimensions along an axis: (least, most) slope between neighbours."""
    group = sorted(group, key=lambda c: c[axis])
    return [((b["functional_lower"] - a["functional_upper"]) / (b[axis] - a[axis]), (b["functional_upper"] - a["functional_lower"]) / (b[axis] - a[axis]))
            for a, b in zip(group, group[1:])]


def groups_table(says, groups, holds, fails):
    proved, refuted = [g for g in groups if holds(g)], [g for g in groups if fails(g)]
    where = "`" + name(refuted[0][0]) + "`" if refuted else ""
    print(f"| {says} | {len(groups)} | {len(proved)} | {len(refuted)} | {len(groups) - len(proved) - len(refuted)} | {where} |")


def settled(cell):
    return cell["functional_lower"] == cell["functional_upper"]


def equal(group):
    """All functional dimensions are the same."""
    return all(map(settled, group)) and len({c["functional_lower"] for c in group}) == 1


def different(group):
    return max(c["functional_lower"] for c in group) > min(c["functional_upper"] for c in group)


def functional_by_family(kinds):
    rows = []
    print("| data | contexts | cells | decided | above the capacity | T | groups over d_h | d_h matters | it does not | open |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for (family, contexts), mine in sorted(kinds.items()):
        groups = same_but_for(mine, "d_h")
        counts = [sum(map(test, mine)) for test in (settled, lambda c: c["functional_lower"] > c["capacity_upper"], lambda c: c["functional_lower"] == c["T"])]
        counts += [len(groups), sum(map(different, groups)), sum(map(equal, groups))]
        rows.append([len(mine), *counts, counts[3] - counts[4] - counts[5]])
        print(f"| {family} | {contexts} | " + " | ".join(map(str, rows[-1])) + " |")
    totals = [sum(column) for column in zip(*rows)]
    share = lambda part, whole: f"{totals[part]} ({100 * totals[part] / totals[whole]:.1f} %)"
    print("| all | | " + " | ".join([str(totals[0]), *(share(k, 0) for k in (1, 2, 3)), str(totals[4]), *(share(k, 4) for k in (5, 6, 7))]) + " |")


def functional(cells):
    """What all functional dimensions were held against."""
    print("| statement | cells or groups | true | false | open | first that refutes it |")
    print("|---|---|---|---|---|---|")
    good = [c for c in cells if assumptions(c)]
    over_d_h, over_H = same_but_for(cells, "d_h"), same_but_for(cells, "H")
    is_generic = dict(holds=lambda c: c["functional_lower"] == c["functional_upper"] == generic(c), fails=lambda c: c["functional_upper"] < generic(c) or c["functional_lower"] > generic(c))
    conjecture("(10) Assumptions 1 and 2: it is min(T, H m (v + d - m) + (H - 1) v + rank(tokens)), m = min(d_h, v)", good, **is_generic)
    enough = lambda c: c["d_h"] >= (min(c["n"] - 1, c["d"]) if c["contexts"] == "shared" else c["d"])
    groups_table("(11) d_h >= min(n - 1, d) for shared contexts, d_h >= d for others: larger ones change nothing",
                 [g for g in ([c for c in g if enough(c)] for g in over_d_h) if len(g) > 1], equal, different)
    groups_table("(12) Assumptions 1 and 2, v >= 2, d_h = 1 stays below T: larger ones change it",
                 [g for g in same_but_for(good, "d_h") if min(g, key=lambda c: c["d_h"])["functional_upper"] < g[0]["T"] and differences(g[0]) > 1], different, equal)
    def concave(axis):
        return dict(holds=lambda g: all(a[0] >= b[1] for a, b in zip(slopes(g, axis), slopes(g, axis)[1:])),
                    fails=lambda g: any(a[1] < b[0] for a, b in zip(slopes(g, axis), slopes(g, axis)[1:])))
    groups_table("(13) heads have diminishing returns", over_H, **concave("H"))
    groups_table("(14) key dimensions have diminishing returns", over_d_h, **concave("d_h"))
    groups_table("(15) the base changes nothing", same_but_for(cells, "base"), equal, different)


def stacks(cells, details):
    """The tables of dimensions of stacks; where the formula says something else it stands behind in brackets."""
    found = {}
    for c in cells:
        least, most, formula = (str(c[key]) for key in ("functional_lower", "functional_upper", "formula"))
        found[c["L"], c["residual"], c["H"], c["d"], c["d_h"]] = (least if least == most else f"{least} to {most}") + ("" if least == most == formula else f" ({formula})")
    print("| d | " + " | ".join(map(str, range(3, 11))) + " |")
    print("|---|" + "---|" * 8)
    print("| L = 2, a = 2 | " + " | ".join(found[2, "no", 1, d, 2] for d in range(3, 11)) + " |")
    print()
    if details:
        print("| L | residual | H | d = 1 | d = 2: a = 1, 2 | d = 3: a = 1, 2, 3 | d = 4: a = 1, 2, 3, 4 |")
        print("|---|---|---|---|---|---|---|")
    for key in sorted({key[:3] for key in found}) if details else ():
        print("| " + " | ".join(map(str, key)) + " | " + " | ".join(", ".join(found[(*key, d, a)] for a in range(1, d + 1)) for d in range(1, 5)) + " |")
    if details:
        print()
    print("| stacks | cells | decided | the formula |")
    print("|---|---|---|---|")
    of = {"one head, no residual connections": lambda c: c["H"] == 1 and c["residual"] == "no", "the others": lambda c: c["H"] > 1 or c["residual"] == "yes"}
    for says, has in of.items():
        mine = [c for c in cells if has(c)]
        counts = [len(mine), sum(c["functional_lower"] == c["functional_upper"] for c in mine), sum(c["functional_lower"] == c["formula"] for c in mine)]
        print(f"| {says} | " + " | ".join(map(str, counts)) + " |")


def by_family(kinds):
    print("| data | contexts | cells | decided | above the paper's bound | below it | min(T, H d) | hull's bound | random reach it | trained-like reach it |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for (family, contexts), mine in sorted(kinds.items()):
        counts = [sum(map(test, mine)) for test in (
            decided, lambda c: c["capacity_lower"] > c["paper"], lambda c: c["capacity_upper"] < c["paper"], lambda c: c["capacity_lower"] == full(c),
            lambda c: c["capacity_lower"] == c["hull"], lambda c: c["random_lower"] == c["capacity_upper"], lambda c: c["trained_lower"] == c["capacity_upper"])]
        print(f"| {family} | {contexts} | {len(mine)} | " + " | ".join(map(str, counts)) + " |")


def main():
    here = pathlib.Path(__file__).resolve().parent
    cells, _ = load(here / "atlas.html.xz")
    details = "--details" in sys.argv[1:]
    if details:
        by_family(by_kind(cells))
        print()
        functional_by_family(by_kind(cells))
        print()

    good = [c for c in cells if assumptions(c)]
    print("| statement | cells | true | false | open | first cell that refutes it |")
    print("|---|---|---|---|---|---|")
    conjecture("(1) Assumptions 1 and 2: the capacity is at least the paper's bound", good, lambda c: c["capacity_lower"] >= c["paper"], lambda c: c["capacity_upper"] < c["paper"])
    conjecture("(2) Assumptions 1 and 2: it is the paper's bound", good, lambda c: c["capacity_lower"] == c["capacity_upper"] == c["paper"], lambda c: c["capacity_lower"] > c["paper"])
    tight = dict(holds=lambda c: c["capacity_lower"] == c["capacity_upper"] == c["paper"], fails=lambda c: c["capacity_lower"] > c["paper"])
    conjecture("(2a) the same, shared contexts, d_h >= n", [c for c in good if c["contexts"] == "shared" and c["d_h"] >= c["n"]], **tight)
    conjecture("(2b) the same, shared contexts, d_h < n, paper's bound below T", [c for c in good if c["contexts"] == "shared" and c["d_h"] < c["n"] and c["paper"] < c["T"]], **tight)
    conjecture("(2c) the same, fresh contexts, paper's bound below T", [c for c in good if c["contexts"] == "fresh" and c["paper"] < c["T"]], **tight)
    conjecture("(3) Assumptions 1 and 2: it is the hull's bound", good, lambda c: c["capacity_lower"] == c["hull"], lambda c: c["capacity_upper"] < c["hull"])
    conjecture("(4) Assumptions 1 and 2, fresh contexts: it is min(T, H d)", [c for c in good if c["contexts"] == "fresh"], lambda c: c["capacity_lower"] == full(c), lambda c: c["capacity_upper"] < full(c))
    conjecture("(5) random weights reach the capacity", cells, lambda c: c["random_lower"] == c["capacity_upper"], lambda c: c["random_upper"] < c["capacity_lower"])
    conjecture("(6) the same for d_h >= 2", [c for c in cells if c["d_h"] >= 2], lambda c: c["random_lower"] == c["capacity_upper"], lambda c: c["random_upper"] < c["capacity_lower"])
    conjecture("(7) trained-like weights reach the capacity", cells, lambda c: c["trained_lower"] == c["capacity_upper"], lambda c: c["trained_upper"] < c["capacity_lower"])
    conjecture("(8) the same for fresh contexts", [c for c in cells if c["contexts"] == "fresh"], lambda c: c["trained_lower"] == c["capacity_upper"], lambda c: c["trained_upper"] < c["capacity_lower"])
    two = [c for c in cells if c["family"] == "opposite-pairs" and c["contexts"] == "shared" and c["n"] == 2]
    conjecture("(9) opposite pairs, two shared tokens: it is min(T, 1 + min(H, T/2))", two,
               lambda c: c["capacity_lower"] == c["capacity_upper"] == min(c["T"], 1 + min(c["H"], c["T"] // 2)),
               lambda c: c["capacity_lower"] > min(c["T"], 1 + min(c["H"], c["T"] // 2)) or c["capacity_upper"] < min(c["T"], 1 + min(c["H"], c["T"] // 2)))
    print()

    print("| the capacity does not depend on | groups of cells | all decided and equal | different | open |")
    print("|---|---|---|---|---|")
    for axis in ("d_h", "base"):
        groups = same_but_for(cells, axis)
        same = [g for g in groups if all(map(decided, g)) and len({c["capacity_lower"] for c in g}) == 1]
        other = [g for g in groups if max(c["capacity_lower"] for c in g) > min(c["capacity_upper"] for c in g)]
        print(f"| {axis} | {len(groups)} | {len(same)} | {len(other)} | {len(groups) - len(same) - len(other)} |")

    print()
    functional(cells)
    print()
    stacks(load(here / "stacks.html.xz")[0], details)


if __name__ == "__main__":
    main()
