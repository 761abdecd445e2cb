#!/usr/bin/env python3
"""No certificate that attest writes is rejected by attest-check: random small cases of all input forms, with many zeros, equal
tokens and examples, and thresholds on ties, so that what holds exactly occurs.

usage: campaign.py ATTEST ATTEST_CHECK [FIRST]   ATTEST_CAMPAIGN: how many cases (2000); case number i is the same in every run.
The last line reads "N passed, N failed", one test for each certificate."""
import collections
import os
import pathlib
import random
import re
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

KINDS = ["plain"] * 6 + ["sink", "sigmoid", "stack", "stack", "free"]  # of layers; free: behind others, and all of any weights


def literal(value):
    return "[" + ", ".join(map(literal, value)) + "]" if isinstance(value, list) else f'"{value}"'


class Case:
    def __init__(self, number, kinds=KINDS):
        self.r = random.Random(f"attest {number}")
        self.entries = NUMBERS[self.r.choice(list(NUMBERS))]
        self.H, self.n, self.d, self.d_h, self.T, self.d_out = (self.r.choice(x) for x in (
            [1, 1, 2, 3], [1, 2, 2, 3, 4], [1, 2, 3], [1, 2], [1, 2, 3, 4, 6], [1, 1, 2, 3]))
        self.sections = {"layer": {}, "data": {}, "weights": {}}
        self.ragged = self.projected = False
        self.kind = self.r.choice(kinds)
        self.before = []

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
            if self.chance(20):
                data["window"] = self.r.choice([1, 2])
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
        if self.kind == "sink" and self.chance(50):
            table["sink"] = literal(self.array(1, H)[0])
        if form == "factors":
            table["key"], table["query"] = literal(self.array(H, d, d_h)), literal(self.array(H, d, d_h))
            for key in ("key_bias", "query_bias"):
                if self.chance(30) and not (key == "key_bias" and self.kind in ("sink", "sigmoid")):
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

    def layers_before(self):
        d, free = self.d, self.kind == "free"
        for _ in range(self.r.choice([1, 1, 2])):
            kind = "attention" if free else self.r.choice(["attention", "attention", "mlp", "rmsnorm"])
            table = {"kind": f'"{kind}"'}
            if kind == "attention":
                heads, d_h = self.r.choice([1, 1, 2]), self.r.choice([1, 2])
                table |= {"heads": heads, "residual": self.r.choice(["true", "true", "false"])}
                if free:
                    table["head_dim"] = d_h
                elif self.chance(50):
                    table["combined"] = literal(self.array(heads, d, d))
                else:
                    table |= {key: literal(self.array(heads, d, d_h)) for key in ("key", "query")}
                if not free and self.chance(70):
                    table["value"] = literal(self.array(heads, d, d, dead=40))
                if self.chance(20):
                    table["causal"] = self.r.choice(["true", "false"])
            elif kind == "mlp":
                m = self.r.choice([1, 2, 3])
                table |= {"activation": self.r.choice(['"relu"', '"silu"', '"tanh"']), "residual": self.r.choice(["true", "false"]),
                          "weight_1": literal(self.array(d, m)), "weight_2": literal(self.array(m, d, dead=40))}
                for key, size in (("bias_1", m), ("bias_2", d)):
                    if self.chance(30):
                        table[key] = literal(self.array(1, size)[0])
            else:
                table["epsilon"] = self.r.choice(['"1e-6"', "1"])
                if self.chance(40):
                    table["gain"] = literal(self.array(1, d)[0])
            self.before.append(table)
        self.given_stack = not free and self.chance(50)

    def claims(self):
        r = self.r
        thresholds = ["1/2", "1/3", "1/4", "1", "99/100", "2/3"]
        sums = self.kind not in ("sink", "sigmoid")  # coefficients sum to 1
        if self.kind == "free":
            return r.sample(["capacity", "functional-dimension", "capacity at_least=%d" % r.randrange(1, 4)], r.choice([2, 3]))
        found = ["rank", "rank value=%d" % r.randrange(4), "injective"]
        if sums:
            found += ["saturation threshold=" + r.choice(thresholds), "saturation threshold=" + r.choice(thresholds),
                      "numerical-rank tolerance=" + r.choice(thresholds), "accuracy epsilon=" + r.choice(["1", "1/2", "1/3", "2", "1/1024"]),
                      "accuracy classes=[%s]" % ", ".join(str(r.randrange(max(2, self.d_out))) for _ in range(self.T))]
            if not self.projected:
                found.append("injective-almost-surely")
        if self.kind == "stack":
            found += ["kruskal-rank", "general-position"]
            if self.given_stack:
                found += ["capacity", "capacity at_least=%d" % r.randrange(1, 4)]
            elif all(layer["kind"] == '"attention"' for layer in self.before):
                found.append("functional-dimension")
            return r.sample(found, min(len(found), r.choice([3, 5, 8])))
        found += ["memorizes", "memorizes bias=true", "rank bias=true", "rank head=%d" % r.randrange(self.H)]
        if "value" in self.sections["weights"]:
            found += ["output-rank", "output-rank head=%d" % r.randrange(self.H), "output-memorizes", "output-memorizes bias=true"]
        if not self.projected:
            found += ["capacity", "any-coefficients", "kruskal-rank", "general-position", "capacity which=true"]
            if sums:
                found += ["memorizable", "jacobian-rank", "functional-dimension", "unfittable-labels",
                          'unfittable-labels labels="integer"']
            if not self.ragged:
                found += ["assumption-1", "assumption-3"]
                if sums:
                    found += ["proposition-1", "proposition-4", "theorem-1", "remark-1", "finite-lambda", "words-and-positions sequences=%s" % [
                        [r.randrange(3) for _ in range(self.n)] for _ in range(self.T)]]
                    if self.d_out <= self.d:
                        found.append("skip-connection")
        if not self.ragged:
            found.append("assumption-2")
        if sums:
            found.append("affine-hull-bound")
            if not self.ragged:
                found += ["proposition-2", "proposition-5"]
        return r.sample(found, min(len(found), r.choice([3, 5, 8])))

    def text(self):
        r = self.r
        stacked, sums = self.kind in ("stack", "free"), self.kind != "sink"
        weights = r.choice(["factors", "factors", "combined", "generated"] + ["logits", "projected"] * (not stacked))
        self.projected = weights in ("logits", "projected")
        self.data("hidden" if stacked else r.choice(["own", "own", "shared", "hidden"]))
        if self.projected and "hidden" in self.sections["data"] and weights == "projected":
            n, T = self.n, self.T
            self.sections["data"]["labels"] = literal(self.array(T, self.d_out))
        if self.kind != "free":
            self.weights(weights)
            self.whole()
        if stacked:
            self.layers_before()
        self.sections["layer"] = {
            "heads": self.H, "context": self.n, "embed_dim": self.d, "head_dim": self.d_h, "examples": self.T, "output_dim": self.d_out,
            "base": '"e"' if stacked else r.choice(['"e"', '"2"']),
            "logit_scale": r.choice(["1", "1", '"1/2"', "-1", "3", '"1/sqrt(4)"', '"-2/3"'] + ['"1/sqrt(2)"'] * sums)}
        if self.kind == "free" or stacked and self.given_stack:
            self.sections["layer"]["layers_before"] = '"free"' if self.kind == "free" else '"given"'
        if self.kind == "sink":
            self.sections["layer"]["sink"] = "true"
        elif self.kind == "sigmoid":
            self.sections["layer"]["coefficients"] = '"sigmoid"'
        lines = ["format = 1"]
        for name, table in self.sections.items():
            lines += [f"[{name}]"] * bool(table) + [f"{key} = {value}" for key, value in table.items()]
        for table in self.before:
            lines += ["[[before]]"] + [f"{key} = {value}" for key, value in table.items()]
        for claim in self.claims():
            name, *rest = claim.split(" ", 1)
            lines += ["[[claim]]", f'statement = "{name}"']
            for argument in rest:
                key, value = argument.split("=", 1)
                lines.append(f"{key} = {value if key not in ('threshold', 'tolerance', 'epsilon') else literal(value)}")
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
            checked = subprocess.run([checker, "-v", "--ignore-expectations", *certificates], capture_output=True, text=True)
            for line in checked.stdout.replace("\n    ", " ").splitlines():  # long lines are broken
                if "  claim " in line:
                    statement, verdict = line.split("  claim ")[1].split(" ", 1)[1].split(" (", 1)
                    totals[statement + " " + verdict.split("): ")[-1].split(";")[0]] += 1
                elif ": valid (" in line:
                    passed += 1
                elif ": limit: " in line:  # such as powers of 2 beyond 2^36 binary digits, multiplied out
                    totals["(certificates beyond a limit of the checker)"] += 1
                elif not re.match(r"\d+ certificates?: ", line):
                    print(line)
                    bad += 1
    for what, number in sorted(totals.items()):
        print(f"{number:8d} {what}")
    print(f"{passed} passed, {bad} failed")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
