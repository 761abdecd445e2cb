#!/usr/bin/env python3
"""Capacities of random degenerate cases against the rank of Z modulo a prime at random weights, by an elimination of its own:
vocabularies, repeated and permuted examples, parallel, opposite and zero queries, incidences, translates, mixed lengths; the
largest rank for any number of heads against the rank with T heads. Every certificate is checked.

usage: capacities.py ATTEST ATTEST_CHECK [FIRST]   ATTEST_CAMPAIGN: how many cases (300); case number i is the same in every run.
The last line reads "N passed, N failed"; more than one undecided case in 500, or one with a single head, is a failure."""
import collections
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

TOGETHER = 200  # cases in one folder
P = (1 << 61) - 1


def rank(rows):
    rows, found = [row[:] for row in rows], 0
    for col in range(len(rows[0])):
        pivot = next((i for i in range(found, len(rows)) if rows[i][col]), None)
        if pivot is None:
            continue
        rows[pivot], rows[found] = rows[found], rows[pivot]
        inverse = pow(rows[found][col], -1, P)
        for i in range(found + 1, len(rows)):
            if rows[i][col]:
                factor = rows[i][col] * inverse % P
                rows[i] = [(a - factor * b) % P for a, b in zip(rows[i], rows[found])]
        found += 1
    return found


def generic_rank(examples, heads, r):
    """b^(W_jk) are random numbers mod P: <W, E e^T> becomes a product of their powers."""
    d = len(examples[0][1])
    z = [[] for _ in examples]
    for _ in range(heads):
        g = [[r.randrange(2, P) for _ in range(d)] for _ in range(d)]
        for row, (tokens, query) in zip(z, examples):
            weights = []
            for x in tokens:
                weight = 1
                for j, k in itertools.product(range(d), range(d)):
                    if x[j] * query[k]:
                        weight = weight * pow(g[j][k], x[j] * query[k], P) % P
                weights.append(weight)
            inverse = pow(sum(weights) % P, -1, P)
            row += [sum(w * x[j] for w, x in zip(weights, tokens)) * inverse % P for j in range(d)]
    return rank(z)


class Case:
    def __init__(self, number):
        r = self.r = random.Random(f"capacity {number}")
        self.H, self.n, self.d, self.T = r.choice([1, 1, 2, 3]), r.randint(1, 4), r.randint(1, 3), r.randint(2, 9)
        bound = r.choice([1, 1, 2])
        vector = lambda: [r.randint(-bound, bound) for _ in range(self.d)]
        kind = r.choice(["shared", "fresh", "vocabulary", "incidence", "translates", "mixed"])
        n, T, d = self.n, self.T, self.d
        if kind == "shared":
            contexts = [[vector() for _ in range(n)]] * T
        elif kind == "translates":
            base = [vector() for _ in range(n)]
            contexts = [[[a + b for a, b in zip(x, shift)] for x in base] for shift in (vector() for _ in range(T))]
        elif kind in ("vocabulary", "incidence"):
            size = r.randint(2, 5)
            words = [vector() for _ in range(size)] if kind == "vocabulary" else \
                [[int(i % d == j) + (i // d) * int(i // d % d == j) for j in range(d)] for i in range(size)]
            contexts = [[r.choice(words) for _ in range(n)] if kind == "vocabulary" or n > size else r.sample(words, n)
                        for _ in range(T)]
        else:
            contexts = [[vector() for _ in range(n)] for _ in range(T)]
        if kind == "mixed" or r.random() < .15:
            contexts = [context[:r.randint(1, n)] for context in contexts]
        directions = [vector() for _ in range(r.choice([1, 1, 2, 3, T]))]
        factors = r.choice([[1], [1, -1], [1, 2, -1, 0], [1, 1, 2]])
        queries = [[r.choice(factors) * x for x in r.choice(directions)] for _ in range(T)]
        for t in range(1, T):
            if r.random() < .2:
                other = r.randrange(t)
                contexts[t] = r.sample(contexts[other], len(contexts[other]))
                if r.random() < .7:
                    queries[t] = queries[other]
        self.kind, self.examples = kind, list(zip(contexts, queries))

    def text(self):
        filled = [c + [[0] * self.d] * (self.n - len(c)) for c, _ in self.examples]
        mask = [[int(i < len(c)) for i in range(self.n)] for c, _ in self.examples]
        lines = ["format = 1", "[layer]", f"heads = {self.H}", f"context = {self.n}", f"embed_dim = {self.d}",
                 f"head_dim = {self.r.randint(1, 3)}", f"examples = {self.T}", f'base = "{self.r.choice(["e", "e", "2"])}"', "[data]",
                 f"contexts = {filled}", f"queries = {[q for _, q in self.examples]}"]
        if not all(map(all, mask)):
            lines.append(f"mask = {mask}")
        lines += ["[[claim]]", 'statement = "capacity"', "[[claim]]", 'statement = "memorizable"']
        return "\n".join(lines) + "\n"


def rounds(make, change=None):
    """For cases made of numbers, as the command line has it: the case, its file and what attest says of it. Certificates, after `change` of
    each, are checked; yields (None, how many are valid, how many are not) as well."""
    attest, checker = sys.argv[1:3]
    first, count = int(sys.argv[3]) if len(sys.argv) > 3 else 0, int(os.environ.get("ATTEST_CAMPAIGN", "300"))
    for start in range(first, first + count, TOGETHER):
        with tempfile.TemporaryDirectory() as folder:
            cases, out = pathlib.Path(folder, "cases"), pathlib.Path(folder, "out")
            cases.mkdir()
            made = {f"{i}.toml": make(i) for i in range(start, min(start + TOGETHER, first + count))}
            for name, case in made.items():
                (cases / name).write_text(case.text())
            subprocess.run([attest, "verify", cases, "--out", out, "--jobs", "1", "--json", out / "results"], capture_output=True)
            results = json.loads((out / "results").read_text())["cases"]
            for name, case in made.items() if change else ():
                path = (out / name).with_suffix(".json")
                path.write_text(json.dumps(change(case, json.loads(path.read_text()))))
            checked = subprocess.run([checker, "-v", "--ignore-expectations", *sorted(out.glob("*.json"))], capture_output=True, text=True)
            valid = checked.stdout.count(": valid (")
            yield None, valid, len(made) - valid
            for line in checked.stdout.replace("\n    ", " ").splitlines() + checked.stderr.splitlines():
                if "  claim " not in line and ": valid (" not in line and not re.match(r"\d+ certificates?: ", line):
                    print(line)
            for result in results:
                name = pathlib.Path(result["path"]).name
                yield made[name], name, result["claims"]


def main():
    totals, passed, bad, dropped, undecided = collections.Counter(), 0, 0, 0, collections.defaultdict(list)
    for case, name, claims in rounds(Case):
        if case is None:
            passed, bad = passed + name, bad + claims
            continue
        for claim in claims:
            statement = claim["statement"]
            found = claim["capacity" if statement == "capacity" else "largest_rank"]
            heads = case.H if statement == "capacity" else case.T + 1
            true = generic_rank(case.examples, heads, random.Random(name))
            key = f"H = {case.H}" if statement == "capacity" else "any H"
            totals[key] += 1
            dropped += true < min(case.T, heads * case.d)
            if not found["lower"] <= true <= found["upper"]:
                print(f"{name}: {statement}: {found} proved, {true} at random weights")
                bad += 1
            if found["lower"] < found["upper"]:
                undecided[key].append((name, found["lower"], found["upper"], true))
    for key in sorted(totals):
        print(f"{key}: {totals[key]} cases, {len(undecided[key])} undecided {undecided[key][:12]}")
        bad += len(undecided[key]) * 500 > totals[key] * (key != "H = 1") and len(undecided[key]) > (key != "H = 1")
    print(f"{dropped} below min(T, H d)")
    print(f"{passed} passed, {bad} failed")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
