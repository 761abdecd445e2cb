#!/usr/bin/env python3
"""Capacities of random degenerate cases whose queries that move something are pairwise no multiples of each other, or with query biases
only different: contexts of mixed lengths, queries in a plane, repeated tokens, queries 0, sinks, sigmoid coefficients. Each has to be
decided, and to be the rank modulo a prime for random coefficients, by an elimination of its own. Of softmax layers the certificate
gets a step `coefficients` more, for heads that point at random tokens, which the program of docs/certificate.md accepts too. All
certificates are checked.

usage: nonparallel.py ATTEST ATTEST_CHECK [FIRST]   ATTEST_CAMPAIGN: how many cases (300); case number i is the same in every run.
The last line reads "N passed, N failed"."""
import collections
import itertools
import pathlib
import random
import re
import sys

import numpy

from capacities import P, rank, rounds

Q = 8388593  # of steps
DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs/certificate.md"
PROGRAM = re.sub("^    ", "", re.search("A reader can redo it in numpy.*?\n\n((?:    [^\n]*\n)+)", DOCUMENT.read_text(), re.S)[1], flags=re.M)


def pivots(rows):
    """Rows and columns of a largest minor that is not 0 modulo Q."""
    rows, found, cols = [(k, row[:]) for k, row in enumerate(rows)], [], []
    for col in range(len(rows[0][1])):
        pivot = next(((k, row) for k, row in rows if row[col]), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        found.append(pivot[0])
        cols.append(col)
        inverse = pow(pivot[1][col], -1, Q)
        rows = [(k, [(a - row[col] * inverse * b) % Q for a, b in zip(row, pivot[1])]) for k, row in rows]
    return found, cols


def parallel(a, b):
    return all(x * v == y * u for (x, u), (y, v) in itertools.product(zip(a, b), repeat=2))


class Case:
    def __init__(self, number):
        r = random.Random(f"non-parallel {number}")
        self.kind, self.biased = r.choice(["softmax", "softmax", "sink", "sigmoid"]), r.random() < .3
        self.H, self.d, self.T, self.n, self.d_h = r.randint(1, 4), r.randint(1, 4), r.randint(1, 12), r.randint(1, 4), r.randint(1, 3)
        d, bound = self.d, r.choice([1, 1, 2, 4])
        plane = [[r.randint(-2, 2) for _ in range(d)] for _ in range(2)]
        flat, spread = r.random() < .4, r.choice([1, 1, 3])

        def vector(rows=None):
            if rows is None:
                return [r.randint(-bound, bound) for _ in range(d)]
            a, b = r.randint(-6, 6), r.randint(-6, 6)
            return [a * x + b * y for x, y in zip(*rows)]

        words = [vector(plane if r.random() < .2 else None) for _ in range(r.randint(1, 2 * self.n))]
        shared = [r.choice(words) for _ in range(self.n)]
        self.examples, moving = [], []
        for _ in range(self.T):
            way = r.choice(["shared", "words", "words", "fresh", "equal"])
            tokens = shared if way == "shared" else [vector() if way == "fresh" else r.choice(words) for _ in range(r.randint(1, self.n))]
            tokens = tokens[:1] * len(tokens) if way == "equal" else tokens
            query = self.query(tokens, moving, lambda: [spread * x for x in vector(plane if flat else None)], r)
            if query is None:  # there is no other direction
                tokens, query = tokens[:1] if self.kind == "softmax" else [[0] * d], [0 if self.kind == "softmax" else 1] * d
            self.examples.append((tokens, query))
        self.random = r

    def moves(self, tokens, query):
        varied = any(x != tokens[0] for x in tokens) if self.kind == "softmax" else any(map(any, tokens))
        return varied and (self.biased or any(query))

    def query(self, tokens, moving, draw, r):
        """One that is allowed."""
        for _ in range(60):
            query = [0] * self.d if r.random() < .15 else draw()
            if not self.moves(tokens, query):
                return query
            if not any(query == q if self.biased else parallel(query, q) for q in moving):
                moving.append(query)
                return query
        return None

    def sink_at_0(self):
        """Whether a sink moves what has the query 0."""
        return self.kind == "sink" and any(any(map(any, tokens)) and not self.moves(tokens, query) for tokens, query in self.examples)

    def rank(self):
        rows, sinks = [], [self.random.randrange(P) if self.kind == "sink" else 0 for _ in range(self.H)]
        for tokens, query in self.examples:
            row = []
            for sink in sinks:
                alpha = [self.random.randrange(P) for _ in tokens] if self.moves(tokens, query) else [pow(len(tokens) + sink, -1, P)] * len(tokens)
                if self.kind == "softmax":  # they sum to one
                    scale = pow(sum(alpha), -1, P)
                    alpha = [a * scale % P for a in alpha]
                row += [sum(a * x[j] for a, x in zip(alpha, tokens)) % P for j in range(self.d)]
            rows.append(row)
        return rank(rows)

    def text(self):
        n = max(len(tokens) for tokens, _ in self.examples)
        lines = ["format = 1", "[layer]", f"heads = {self.H}", f"context = {n}", f"embed_dim = {self.d}", f"head_dim = {self.d_h}",
                 f"examples = {self.T}"] + ["query_bias = true"] * self.biased
        lines += {"softmax": [], "sink": ["sink = true"], "sigmoid": ['coefficients = "sigmoid"']}[self.kind]
        lines += ["[data]", f"contexts = {[c + [[0] * self.d] * (n - len(c)) for c, _ in self.examples]}",
                  f"queries = {[q for _, q in self.examples]}"]
        if any(len(c) < n for c, _ in self.examples):
            lines.append(f"mask = {[[int(i < len(c)) for i in range(n)] for c, _ in self.examples]}")
        return "\n".join([*lines, "[[claim]]", 'statement = "capacity"']) + "\n"

    def pointing(self):
        """A step `coefficients` for heads that point at random tokens, after the reader's program has accepted it."""
        X = [numpy.array([x + [0] * self.biased for x in tokens]) for tokens, _ in self.examples]  # a bias is one more coordinate
        e = [numpy.array(query + [1] * self.biased) for _, query in self.examples]
        tokens = [[self.random.randrange(len(x)) for _ in range(self.H)] for x in X]
        S = [[int(v) % Q for i in chosen for v in (x[i] if q.any() else x.sum(0))] for x, q, chosen in zip(X, e, tokens)]
        rows, cols = pivots(S)
        step = {"rule": "coefficients", "of": "capacity", "p": Q, "rows": rows, "cols": cols, "tokens": [tokens[t] for t in rows],
                "fact": f"capacity >= {len(rows)}"}
        if rows:
            exec(PROGRAM, {"numpy": numpy, "itertools": itertools, "step": step, "X": X, "e": e})
        return step


def pointed(case, certificate):
    """The certificate of a softmax with a step more, that its claim names."""
    if case.kind == "softmax":
        certificate["claims"][0]["steps"].append(len(certificate["steps"]))
        certificate["steps"].append(case.pointing())
    return certificate


def main():
    totals, passed, bad = collections.Counter(), 0, 0
    for case, name, claims in rounds(Case, pointed):
        if case is None:
            bad += claims
            continue
        found, true = claims[0]["capacity"], case.rank()
        kind = case.kind + (", query biases" if case.biased else "") + (", query 0" if case.sink_at_0() else "")
        totals[kind] += 1
        totals["below min(T, H d)"] += true < min(case.T, case.H * case.d)
        if not found["lower"] == true == found["upper"]:
            print(f"{name} ({kind}): {found} proved, {true} for random coefficients")
            bad += 1
        else:
            passed += 1
    for key, number in sorted(totals.items()):
        print(f"{key}: {number}")
    print(f"{passed} passed, {bad} failed")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
