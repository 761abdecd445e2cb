#!/usr/bin/python3
"""How the time of a rank grows with T, n, d and H: build/bench_rank for layers of which one size is doubled again and
again, and elimination as a share of the machine's dgemm rate. Prints what it measured and draws it with gnuplot.

    cmake --build build --target bench_rank && python3 bench/growth.py [--svg docs/performance-growth.svg]
"""

import argparse
import pathlib
import re
import subprocess
import sys

BASE = {"T": 750, "n": 32, "d": 384, "H": 6, "d_h": 64}
FACTORS = (0.25, 0.5, 1, 2, 4)
COLOURS = {"T": "#0072b2", "n": "#d55e00", "d": "#009e73", "H": "#cc79a7"}


def layers():
    """Of each size the layers in which it is a multiple of that of BASE, without those of too few entries."""
    return {name: [{**BASE, name: int(BASE[name] * f)} for f in FACTORS if BASE[name] * f >= 3] for name in COLOURS}


def measured(bench):
    """Seconds of the rank by sizes, and (m, n, share) of the eliminations."""
    sizes = {tuple(layer.values()) for group in layers().values() for layer in group}
    numbers = [str(x) for layer in sorted(sizes) for x in layer]
    out = "".join(subprocess.run([bench, *more], check=True, capture_output=True, text=True).stdout for more in ([], numbers))
    print(out, end="")
    shares = [(int(m), int(n), int(s)) for m, n, s in re.findall(r"elimination (\d+) x (\d+):.*, (\d+) % of dgemm", out)]
    layer = re.compile(r"T=(\d+) n=(\d+) d=(\d+) H=(\d+) d_h=(\d+): rank \d+, hull ([0-9.]+) s, rank ([0-9.]+) s")
    return {tuple(map(int, found[:5])): float(found[5]) + float(found[6]) for found in layer.findall(out)}, shares


def script(seconds, shares):
    text = "set encoding utf8\nset terminal svg size 760,330 dynamic noenhanced font 'sans-serif,13'\nset multiplot layout 1,2\n"
    text += "set border 3\nset tics nomirror out\nset key top left Left reverse\nset logscale xy\nset xlabel 'multiple of the size'\n"
    text += "set xtics ('1/4' 0.25, '1/2' 0.5, '1' 1, '2' 2, '4' 4)\nset xrange [0.2:5]\nset ylabel 'CPU seconds'\nset title 'rank of a layer'\n"
    plots = []
    for name, group in layers().items():
        text += f"${name} << EOD\n" + "".join(f"{layer[name] / BASE[name]} {seconds[tuple(layer.values())]}\n" for layer in group) + "EOD\n"
        plots.append(f"${name} with linespoints lw 2 pt 7 ps 0.6 lc rgb '{COLOURS[name]}' title '{name} = {BASE[name]}'")
    text += "plot " + ", ".join(plots) + "\n"
    text += "unset logscale\nset logscale x\nset xrange [*:*]\nset xtics auto\nset key off\nset yrange [0:100]\nset title 'elimination of m rows'\n"
    text += "set xlabel 'm'\nset ylabel '% of the rate of dgemm'\n$share << EOD\n" + "".join(f"{m} {share}\n" for m, _, share in shares) + "EOD\n"
    return text + "plot $share with linespoints lw 2 pt 7 ps 0.6 lc rgb '#0072b2'\nunset multiplot\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default="build/bench_rank")
    parser.add_argument("--svg", type=pathlib.Path)
    options = parser.parse_args()
    seconds, shares = measured(options.bench)
    if options.svg:
        svg = subprocess.run(["gnuplot", "-d"], input=script(seconds, shares), check=True, capture_output=True, text=True).stdout
        options.svg.write_text(svg)


if __name__ == "__main__":
    sys.exit(main())
