#!/usr/bin/env python3
"""No certificate that attest writes is rejected by attest-check: random small cases of all input forms, with many zeros, equal
tokens and examples, and thresholds on ties, so that what holds exactly occurs.

usage: campaign.py ATTEST ATTEST_CHECK [FIRST]   ATTEST_CAMPAIGN: how many cases (2000); case number i is the same in every run.
The last line reads "N passed, N failed", one test for each certificate."""
import collections
import os
import pathlib
import random
import subprocess
import sys
import tempfile

TOGETHER = 200  # cases in one folder
NUMBERS = {  # entries: many zeros, and what binary floats hold exactly or do not
    "bits": ["0", "0", "1"],
    "signs": ["0", "0", "1", "-1"],
    "halves": ["0", "1", "-1", "1/2", "-3/4", "2"],
    "thirds": ["0", "1/3", "-2/3", "1", "5/7"],
    "large": ["0", "1000000007", "-0x1.8p40", "0x1p-40", "12345/6789"],
}


def literal(value):
    return "[" + ", ".join(map(literal, value)) + "]" if isinstance(value, list) else f'"{value}"'


class Case:
    def __init__(self, number):
        self.r = random.Random(f"attest {number}")
        self.entries = NUMBERS[self.r.choice(list(NUMBERS))]
        self.H, self.n, self.d, self.d_h, self.T, self.d_out = (self.r.choice(x) for x in (
            [1, 1, 2, 3], [1, 2, 2, 3, 4], [1, 2, 3], [1, 2], [1, 2, 3, 4, 6], [1, 1, 2, 3]))
        self.sections = {"layer": {}, "data": {}, "weights": {}}
        self.ragged = self.projected = False

    def chance(self, percent):
        return self.r.randrange(100) < percent

    def array(self, *shape, dead=0, entries=None):
        """Entries, in `dead` of a hundred arrays with a last coordinate that is 0 everywhere."""
        last, zero = self.r.randrange(shape[-1]), self.chance(dead)

        def make(rest):
            if len(rest) > 1:
                rows = [make(rest[1:]) for _ in range(rest[0])]
                return [self.r.choice(rows) for _ in rows] if self.chance(20) else rows
            return ["0" if zero and j == last else self.r.choice(entries or self.entries) for j in range(rest[0])]
        return make(shape)

    def data(self, form):
        data, T, n, d = self.sections["data"], self.T, self.n, self.d
        if form == "hidden":
            self.ragged = True
            sequences = self.r.choice([1, 2, 3])
            kept = [[int(i == 0 or self.chance(75)) for i in range(n)] for _ in range(sequences)]
            data["hidden"] = literal(self.array(sequences, n, d, dead=40))
            data["causal"] = self.r.choice(["true", "false"])
            positions = self.r.choice(['"all"', '"last"', "[0]"])
            data["positions"], data["mask"] = positions, literal(kept)
            self.T = sum(map(sum, kept)) if positions == '"all"' else sequences
        else:
            data["contexts"] = literal(self.array(n, d, dead=40) if form == "shared" else self.array(T, n, d, dead=40))
            if self.chance(15):
                self.ragged = True
                data["mask"] = literal([[int(i == 0 or self.chance(60)) for i in range(n)] for _ in range(T)])
            if not self.projected:
                data["queries"] = literal(self.array(T, d))
        data["labels"] = literal(self.array(self.T, self.d_out))

    def weights(self, form):
        table, H, n, d, d_h = self.sections["weights"], self.H, self.n, self.d, self.d_h
        if form == "factors":
            table["key"], table["query"] = literal(self.array(H, d, d_h)), literal(self.array(H, d, d_h))
            for key in ("key_bias", "query_bias"):
                if self.chance(30):
                    table[key] = literal(self.array(H, d_h))
        elif form == "combined":
            table["combined"] = literal(self.array(H, d, d))
        elif form == "generated":
            table["generate"] = '{ kind = "integers", bound = 2, seed = %d }' % self.r.randrange(1000)
        elif form == "logits":
            table["logits"] = literal(self.array(self.T, H, n))
        else:
            table["projected_queries"] = literal(self.array(self.T, H, d_h))
            hidden = "hidden" in self.sections["data"]
            blocks = self.sequences() if hidden else self.T
            table["projected_keys"] = literal(self.array(blocks, n, self.r.choice([1, H]), d_h))

    def sequences(self):
        return self.sections["data"]["mask"].count("], [") + 1

    def whole(self):
        """Of the layer behind the heads; nothing when the sizes would not fit."""
        table, H, d = self.sections["weights"], self.H, self.d
        width = H * d
        if self.chance(50):
            d_v = self.r.choice([1, 2])
            table["value"], width = literal(self.array(H, d, d_v, dead=30)), H * d_v
            if self.chance(40):
                table["value_bias"] = literal(self.array(H, d_v))
        if self.chance(40):
            m = self.r.choice([1, 2, 3])
            table["output"], width = literal(self.array(1, width, m, dead=30)[0]), m
            if self.chance(40):
                table["output_bias"] = literal(self.array(1, m)[0])
        if self.chance(30):
            table["skip"] = literal(self.array(self.T, width))
        if width != self.d_out or self.chance(50):
            table["readout"] = literal(self.array(1, width, self.d_out, dead=30)[0])
        if self.chance(40):
            table["readout_bias"] = literal(self.array(1, self.d_out)[0])

    def claims(self):
        r = self.r
        thresholds = ["1/2", "1/3", "1/4", "1", "99/100", "2/3"]
        found = ["rank", "rank value=%d" % r.randrange(4), "memorizes", "injective", "saturation threshold=" + r.choice(thresholds),
                 "saturation threshold=" + r.choice(thresholds), "numerical-rank tolerance=" + r.choice(thresholds),
                 "accuracy epsilon=" + r.choice(["1", "1/2", "1/3", "2", "1/1024"]),
                 "accuracy classes=[%s]" % ", ".join(str(r.randrange(max(2, self.d_out))) for _ in range(self.T))]
        if not self.projected:
            found += ["capacity", "memorizable", "any-coefficients", "kruskal-rank", "general-position"]
            if not self.ragged:
                found += ["assumption-1", "assumption-3", "proposition-1", "proposition-4", "theorem-1", "remark-1", "finite-lambda"]
                if self.d_out <= self.d:
                    found.append("skip-connection")
        found.append("affine-hull-bound")
        if not self.ragged:
            found += ["assumption-2", "proposition-2", "proposition-5"]
        return r.sample(found, min(len(found), r.choice([3, 5, 8])))

    def text(self):
        r = self.r
        weights = r.choice(["factors", "factors", "combined", "generated", "logits", "projected"])
        self.projected = weights in ("logits", "projected")
        self.data(r.choice(["own", "own", "shared", "hidden"]))
        if self.projected and "hidden" in self.sections["data"] and weights == "projected":
            n, T = self.n, self.T
            self.sections["data"]["labels"] = literal(self.array(T, self.d_out))
        self.weights(weights)
        self.whole()
        self.sections["layer"] = {
            "heads": self.H, "context": self.n, "embed_dim": self.d, "head_dim": self.d_h, "examples": self.T, "output_dim": self.d_out,
            "base": r.choice(['"e"', '"2"']),
            "logit_scale": r.choice(["1", "1", '"1/2"', "-1", "3", '"1/sqrt(2)"', '"1/sqrt(4)"', '"-2/3"'])}
        lines = ["format = 1"]
        for name, table in self.sections.items():
            lines += [f"[{name}]"] + [f"{key} = {value}" for key, value in table.items()]
        for claim in self.claims():
            name, *rest = claim.split(" ", 1)
            lines += ["[[claim]]", f'statement = "{name}"']
            for argument in rest:
                key, value = argument.split("=", 1)
                lines.append(f"{key} = {value if key in ('value', 'classes') else literal(value)}")
        return "\n".join(lines) + "\n"


def main():
    attest, checker = sys.argv[1:3]
    first, count = int(sys.argv[3]) if len(sys.argv) > 3 else 0, int(os.environ.get("ATTEST_CAMPAIGN", "2000"))
    totals, bad, passed = collections.Counter(), 0, 0
    for start in range(first, first + count, TOGETHER):
        with tempfile.TemporaryDirectory() as folder:
            cases, out = pathlib.Path(folder, "cases"), pathlib.Path(folder, "out")
            cases.mkdir()
            texts = {i: Case(i).text() for i in range(start, min(start + TOGETHER, first + count))}
            for i, text in texts.items():
                (cases / f"{i}.toml").write_text(text)
            proved = subprocess.run([attest, "verify", cases, "--out", out, "--jobs", "1", "--timeout", "20"], capture_output=True, text=True)
            for line in proved.stderr.splitlines():
                print("attest:", line)
                bad += 1
            certificates = sorted(out.glob("*.json"))
            checked = subprocess.run([checker, "--ignore-expectations", *certificates], capture_output=True, text=True)
            for line in checked.stdout.splitlines():
                if "  claim " in line:
                    statement, verdict = line.split("  claim ")[1].split(" ", 1)[1].split(" (", 1)
                    totals[statement + " " + verdict.split("): ")[-1].split(";")[0]] += 1
                elif ": valid (" in line:
                    passed += 1
                elif ": limit: " in line:  # such as powers of 2 beyond 2^36 binary digits, multiplied out
                    totals["(certificates beyond a limit of the checker)"] += 1
                else:
                    print(line)
                    bad += 1
    for what, number in sorted(totals.items()):
        print(f"{number:8d} {what}")
    print(f"{passed} passed, {bad} failed")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
