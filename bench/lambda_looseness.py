#!/usr/bin/env python3
"""How loose the bounds of finite-lambda are: lambda_looseness.py CERTIFICATES [--cases FOLDER] [--zeros]

CERTIFICATES is a folder that `attest verify cases/finite-lambda --out CERTIFICATES` has written. Prints a Markdown table from these. With
--zeros also where the minor changes its sign as a function of one lambda for all heads, on a grid of 8 points for each octave: computed with
150 digits from the weights in the certificate and the data of the case; evidence, not proof."""
import argparse
import json
import math
import pathlib
import re
import sys
import tomllib
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 150


def number(value):
    """An exact number as in case files."""
    text = str(value).lower()
    if "0x" not in text:
        return Fraction(text)
    sign = -1 if text.startswith("-") else 1
    mantissa, _, exponent = text.replace("0x", "").lstrip("+-").partition("p")
    whole, _, rest = mantissa.partition(".")
    return sign * Fraction(int(whole + rest, 16), 16 ** len(rest)) * Fraction(2) ** int(exponent or 0)


def decimal(x):
    return f"{float(x):.4g}"


def power(x):
    """x as a power of two where it is one."""
    e = math.floor(math.log2(x))
    return f"2^{e}" if Fraction(2) ** e == x else decimal(x)


def step(claim, of):
    return next((s for s in claim.values() if s.get("of") == of), None)


def construction(claim):
    return next(s["layer"]["heads"] for s in claim.values() if s["rule"] == "let" and "heads" in s["layer"])


def stars(claim):
    """lambda* by B.2 of each head that has one: (head, upper end), from the label of the tail rank."""
    found = re.findall(r"head (\d+): lambda\* in (\[([^ ]+) \+/- ([^\]]+)\]|[^ ]+)", step(claim, "tail_rank").get("label", ""))
    return [(int(head), Fraction(mid) + Fraction(rad) if mid else Fraction(exact)) for head, exact, mid, rad in found]


def sweep(claim):
    """(lambda, exact rank, rank in binary64) for each lambda that was tried."""
    entries = []
    for k, s in claim.items():
        if s["rule"] == "let" and "rescaled" in s["layer"]:
            rank = max(int(f["fact"].split()[-1]) for f in claim.values() if f.get("of") == f"rank(Z({k}))")
            entries.append((number(s["layer"]["rescaled"]["lambda"]), rank, int(s["label"].split()[-1])))
    return sorted(entries)


def row(name, claim):
    tail = step(claim, "tail_rank")
    target = len(tail["rows"])
    positive = [entry for entry in sweep(claim) if entry[0] > 0]
    full = [x for x, exact, _ in positive if exact >= target]
    binary64 = [x for x, _, rank in positive if rank >= target]
    gaps = binary64 and len(binary64) < sum(min(binary64) <= x <= max(binary64) for x, _, _ in positive)
    heads = [f"{decimal(star)} (head {head})" for head, star in stars(claim)]
    return [name, str(target), ", ".join(heads) or "not needed", decimal(number(tail["lambda"])) if heads else "not needed",
            f"{len(full)} of {len(positive)}", power(min(full)) if full else "never",
            f"{power(min(binary64))} to {power(max(binary64))}{', with gaps' if gaps else ''}" if binary64 else "never",
            str(min(rank for _, _, rank in positive))]


# The generators of docs/case-files.md.
def generated(kind, count, seed, stream, bound):
    mask, state = (1 << 64) - 1, 256 * seed + stream

    def word():
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    def below(b):
        while (x := word()) >= (1 << 64) // b * b:
            pass
        return x % b

    if kind == "integers":
        return [Fraction(below(2 * bound + 1) - bound) for _ in range(count)]
    if kind == "uniform-f64":
        return [Fraction(word() >> 11, 1 << 53) for _ in range(count)]
    raise ValueError(f"data of the kind {kind}")


def data(case):
    """The contexts of all examples and the queries."""
    layer = case["layer"]
    T, n, d = layer["examples"], layer["context"], layer["embed_dim"]
    if "generate" in case["data"]:
        g = case["data"]["generate"]
        shared = g.get("shared_context", False)
        tokens = generated(g["kind"], n * d * (1 if shared else T), g["seed"], 1, g.get("bound"))
        queries = generated(g["kind"], T * d, g["seed"], 2, g.get("bound"))
        contexts = [[tokens[i:i + d] for i in range(k, k + n * d, d)] for k in range(0, len(tokens), n * d)]
        return contexts * (T if shared else 1), [queries[k:k + d] for k in range(0, T * d, d)]
    contexts = case["data"]["contexts"]
    if not isinstance(contexts[0][0], list):
        contexts = [contexts] * T
    return [[[number(x) for x in token] for token in c] for c in contexts], [[number(x) for x in q] for q in case["data"]["queries"]]


def dot(a, b):
    return sum((x * y for x, y in zip(a, b)), Fraction(0))


def vector(v):
    return [Fraction(int(x), int(v["den"])) for x in v["num"]]


def real(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def sign_of_determinant(m):
    sign = 1
    for k in range(len(m)):
        p = max(range(k, len(m)), key=lambda i: abs(m[i][k]))
        if m[p][k] == 0:
            return 0
        if p != k:
            m[p], m[k], sign = m[k], m[p], -sign
        sign = -sign if m[k][k] < 0 else sign
        for i in range(k + 1, len(m)):
            factor = m[i][k] / m[k][k]
            for j in range(k, len(m)):
                m[i][j] -= factor * m[k][j]
    return sign


def zeros(case, claim):
    """Pairs of neighbours of the grid, from 2^-10 to twice the largest bound, between which the minor changes its sign."""
    contexts, queries = data(case)
    d, log_b = case["layer"]["embed_dim"], Decimal(2).ln() if case["layer"].get("base") == "2" else Decimal(1)
    heads, tail = construction(claim), step(claim, "tail_rank")
    rows, cols = tail["rows"], tail["cols"]
    logits = {}  # of W*, and their slope in lambda
    for h, head in enumerate(heads):
        for t in rows:
            star = [Fraction(0)] * d
            for key, query in zip(head["key"], head["query"]):
                factor = dot(vector(query), queries[t])
                star = [a + factor * b for a, b in zip(star, vector(key))]
            slope = Fraction(0)
            u = [Fraction(0)] * d
            if "separator" in head:
                slope, u = dot(vector(head["separator"]["v"]), queries[t]), vector(head["separator"]["u"])
            logits[t, h] = [(dot(token, star), slope * dot(token, u)) for token in contexts[t]]

    def sign(lam):
        minor = []
        for t in rows:
            blocks = {}
            for h in {c // d for c in cols}:
                values = [y + lam * x for y, x in logits[t, h]]
                weights = [(real(max(v - max(values), Fraction(-10) ** 5)) * log_b).exp() for v in values]
                total = sum(weights)
                blocks[h] = [sum(w / total * real(token[j]) for w, token in zip(weights, contexts[t])) for j in range(d)]
            minor.append([blocks[c // d][c % d] for c in cols])
        return sign_of_determinant(minor)

    top = max([star for _, star in stars(claim)] + [number(tail["lambda"])])
    grid = [Fraction(2) ** e * Fraction(k, 8) for e in range(-10, math.ceil(math.log2(top)) + 2) for k in range(8, 16)]
    signs = [sign(lam) for lam in grid]
    return [(a, b) for a, b, s, t in zip(grid, grid[1:], signs, signs[1:]) if s != t]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("certificates", type=pathlib.Path)
    parser.add_argument("--cases", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "cases" / "finite-lambda")
    parser.add_argument("--zeros", action="store_true")
    options = parser.parse_args()
    found = []
    for file in sorted(options.certificates.rglob("*.json")):
        certificate = json.loads(file.read_text())
        for content in certificate["claims"]:
            claim = {number: certificate["steps"][number] for number in content["steps"]}
            if content["statement"] == "finite-lambda" and step(claim, "tail_rank"):
                found.append((file.stem, claim))
    if not found:
        print("no certificate with a bound of finite-lambda", file=sys.stderr)
        return 1
    head = ["case", "rank", "lambda* by B.2", "L for all heads", "full exact rank at", "the least of these", "full binary64 rank from, to", "least binary64 rank"]
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    for name, claim in found:
        print("| " + " | ".join(row(name, claim)) + " |")
    if options.zeros:
        print("\n| case | L for all heads | the minor changes its sign between |\n|---|---|---|")
        for name, claim in found:
            if not stars(claim):
                continue
            pairs = zeros(tomllib.loads((options.cases / f"{name}.toml").read_text()), claim)
            print(f"| {name} | {decimal(number(step(claim, 'tail_rank')['lambda']))} | "
                  + (", ".join(f"{decimal(a)} and {decimal(b)}" for a, b in pairs) or "never") + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
