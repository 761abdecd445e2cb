"""Figures 2, 3 and 4 of the paper at its size: plots and linear fits of docs/paper-tests.md, from docs/paper-figures/curves.csv
(examples/train_figures.py writes such rows) and the layers of Figure 3 in cases/trained.

    python3 -m examples.paper_figures docs       # writes the plots (needs matplotlib) and the tables
    python3 -m examples.paper_figures tables     # prints the tables
"""

import collections
import csv
import pathlib
import sys

import numpy

SOURCE = pathlib.Path(__file__).resolve().parents[1]
FOLDER = SOURCE / "docs" / "paper-figures"
PANELS = {  # the axis, and what the panel shows
    "2a": ("H", "Figure 2(a): heads, n = 32, d_h = 64"),
    "2b": ("n", "Figure 2(b): tokens, H = 20, d_h = 64"),
    "2c": ("dh", "Figure 2(c): key dimension, H = 30, n = 32"),
    "4h": ("H", "Figure 4: heads, n = 32, contexts of their own"),
    "4n": ("n", "Figure 4: tokens, H = 20, contexts of their own"),
}
NAMES = {"H": "heads H", "n": "tokens n", "dh": "key dimension d_h"}
REACHED = 0.999  # beyond, a layer has nothing left to memorize, and a line cannot go on
SATURATED = 0.99


def curves(file=FOLDER / "curves.csv"):
    """{panel: {T: {x: accuracies of the seeds}}}"""
    found = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
    with open(file, newline="") as rows:
        for row in csv.DictReader(rows):
            if row["figure"] in PANELS:
                found[row["figure"]][int(row["T"])][int(row[PANELS[row["figure"]][0]])].append(float(row["accuracy"]))
    return found


def fit(points):
    """(slope, R^2, number of points) of the least-squares line through the mean accuracies below REACHED."""
    x, y = numpy.array([(x, numpy.mean(values)) for x, values in sorted(points.items()) if numpy.mean(values) < REACHED]).T
    line = numpy.polyfit(x, y, 1)
    residue, spread = ((y - numpy.polyval(line, x)) ** 2).sum(), ((y - y.mean()) ** 2).sum()
    return line[0], 1 - residue / spread, len(x)


def table(head, rows):
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *rows])


def accuracy_table(panel):
    """Mean accuracies of the seeds."""
    sizes = curves()[panel]
    axis = sorted({x for points in sizes.values() for x in points})
    return table(["T", *(f"{NAMES[PANELS[panel][0]].split()[-1]} = {x}" for x in axis)],
                 [[T, *(f"{numpy.mean(points[x]):.3f}" if x in points else "" for x in axis)] for T, points in sorted(sizes.items())])


def fit_table():
    rows = []
    for panel in ("2a", "2b", "4h", "4n"):
        for T, points in sorted(curves()[panel].items()):
            slope, r2, count = fit(points)
            rows.append([panel[0] + f"({panel[1]})" if panel[0] == "2" else f"4, over {PANELS[panel][0]}", T, count, f"{slope * T:.0f}", f"{r2:.3f}"])
    return table(["figure", "T", "points", "examples right per head or token", "R^2"], rows)


def saturated(file):
    """(T, H) of a layer whose logits are divided by sqrt(64): whether a coefficient of the head exceeds 0.99, in binary64."""
    with numpy.load(file) as layer:
        contexts, queries, key, query = (layer[name].astype("f8") for name in ("contexts", "queries", "key", "query"))
    logits = numpy.einsum("nd,hdk,hek,te->thn", contexts, key, query, queries, optimize=True) / 8
    weights = numpy.exp(logits - logits.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True)).max(-1) > SATURATED


def layers():
    return sorted((SOURCE / "cases/trained").glob("figure3-h?-t*.npz"))


def saturation_table():
    rows = []
    for file in layers():
        each = saturated(file)
        rows.append([file.stem, *each.shape, f"{each.mean():.3f}", f"{(~each).any(1).mean():.3f}"])
    return table(["layer", "T", "H", "saturated (head, example)", "examples with a head that is not"], rows)


def tables():
    return {**{f"figure-{panel}": accuracy_table(panel) for panel in PANELS}, "fits": fit_table(), "figure-3": saturation_table()}


def plots(folder=FOLDER):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"font.size": 8, "axes.spines.top": False, "axes.spines.right": False})
    for name, panels in (("figure-2", ("2a", "2b", "2c")), ("figure-4", ("4h", "4n"))):
        figure, axes = plt.subplots(1, len(panels), figsize=(3.2 * len(panels), 2.5), sharey=True, layout="constrained")
        for ax, panel in zip(axes, panels):
            for T, points in sorted(curves()[panel].items()):
                x = sorted(points)
                (line,) = ax.plot(x, [numpy.mean(points[k]) for k in x], marker="o", markersize=3, linewidth=1, label=f"T = {T:,}")
                ax.plot([k for k in x for _ in points[k]], [value for k in x for value in points[k]], ".", markersize=2, color=line.get_color())
            ax.set(title=PANELS[panel][1], xlabel=NAMES[PANELS[panel][0]], ylim=(0, 1.02))
            ax.legend(frameon=False, fontsize=7)
        axes[0].set_ylabel("share of examples that are right")
        figure.savefig(folder / f"{name}.png", dpi=110, metadata={"Software": None})
    files = layers()
    figure, axes = plt.subplots(len(files), 1, figsize=(9.6, 0.6 + 1.1 * len(files)), layout="constrained", squeeze=False)
    for ax, file in zip(axes[:, 0], files):
        each = saturated(file)
        order = numpy.argsort(each.sum(1), kind="stable")
        ax.imshow(each[order].T, aspect="auto", interpolation="nearest", cmap="Greys", vmin=0, vmax=1.4)
        ax.set(title=f"{file.stem}: dark where the largest coefficient exceeds 0.99", ylabel="head", xlabel="examples, by the number of saturated heads")
    figure.savefig(folder / "figure-3.png", dpi=110, metadata={"Software": None})


def main(command=""):
    if command == "tables":
        for name, text in tables().items():
            print(name, text, sep="\n\n", end="\n\n")
    elif command == "docs":
        plots()
        page = SOURCE / "docs" / "paper-tests.md"
        text = page.read_text()
        for name, part in tables().items():
            begin, end = f"<!-- paper {name} -->\n", f"<!-- end paper {name} -->"
            first, last = text.index(begin) + len(begin), text.index(end)
            text = text[:first] + part + "\n" + text[last:]
        page.write_text(text)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
