#!/usr/bin/env python3
"""A reviewer's test for every sentence of docs/statements.md: pairs of cases that differ in one small thing, so that a sentence is
true of one and false of the other.

usage: sentences.py ATTEST ATTEST_CHECK [ATTEST_CHECK_PROVED]
The verdicts must differ as the table says, for the hypothesis that it names, in the checker and in the proved checker; and the
certificate of the first case, with the digest of the second, must convince neither of them that the first's verdict holds there. Every
hypothesis of every statement has a row, and every conclusion that its hypotheses do not imply. The last line is "N passed, N failed".
"""
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import normalize_case as normalize  # noqa: E402

# Two heads see the two unit vectors through three queries: Z has rank 3 = H (n - 1) + 1 = T.
BASE = {
    "layer.heads": 2, "layer.context": 2, "layer.embed_dim": 2, "layer.head_dim": 2, "layer.examples": 3,
    "data.contexts": [[1, 0], [0, 1]],
    "data.queries": [[1, 0], [0, 1], [1, 1]],
    "data.labels": [[1], [2], [4]],
    "weights.key": [[[1, 0], [0, 1]], [[1, 0], [0, 2]]],
    "weights.query": [[[1, 0], [0, 1]], [[1, 0], [0, 1]]],
}
EQUAL_HEADS = {"weights.key": [[[1, 0], [0, 1]], [[1, 0], [0, 1]]]}
EQUAL_EXAMPLES = {"data.queries": [[1, 0], [0, 1], [1, 0]]}
PARALLEL_QUERIES = {"data.queries": [[1, 0], [0, 1], [2, 0]]}
DEPENDENT_TOKENS = {"data.contexts": [[1, 0], [2, 0]]}
NO_WEIGHTS = {"weights.key": None, "weights.query": None}
NARROW_KEYS = NO_WEIGHTS | {"layer.head_dim": 1}
OWN_CONTEXTS = {"data.contexts": [[[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 0], [0, 1]]]}
ANOTHER_CONTEXT = {"data.contexts": [[[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 0], [0, 2]]]}
PAIRS_OF_LABELS = {"layer.output_dim": 2, "layer.value_dim": 2, "data.labels": [[1, 1], [2, 0], [4, 1]]}
FOUR_EXAMPLES = {"layer.examples": 4, "data.queries": [[1, 0], [0, 1], [1, 1], [1, 2]], "data.labels": [[1], [2], [4], [8]]}
PRESCRIBED = {"subset": [0, 1], "coefficients": [["1/4", "3/4"], ["2/3", "1/3"]]}
NEAR = {"subset": [0], "coefficients": [["1/4", "3/4"]], "epsilon": "1/100"}
ONE_NEURON = {"layer.examples": 5, "data.queries": [[1, 0], [0, 1], [1, 1], [1, 2], [1, 3]], "data.labels": [[0], [0], [0], [0], [1]]}
LARGE = {"example": 0, "w_star": [[0, 0], [5, 0]], "w_prime": [[1, 0], [0, 0]], "epsilon": "1e-9"}
SCORES = {"weights.readout": [[1], [1], [1], [1]]}
SUMS = NO_WEIGHTS | {
    "layer.heads": 1, "layer.embed_dim": 4, "layer.examples": 4, "data.labels": None,
    "data.contexts": [[[1, 0, 1, 0], [1, 0, 0, 1]], [[1, 0, 1, 0], [0, 1, 0, 1]], [[0, 1, 1, 0], [1, 0, 0, 1]], [[0, 1, 1, 0], [0, 1, 0, 1]]],
    "data.queries": [[1, 0, 0, 1], [0, 1, 0, 1], [1, 0, 0, 1], [0, 1, 0, 1]]}
VALUES = {"layer.value_dim": 1, "weights.value": [[[1], [0]], [[0], [1]]]}
WIDE_VALUES = {"layer.value_dim": 2, "weights.value": [[[1, 0], [0, 1]], [[1, 0], [0, 1]]]}
ONE_HEAD = NO_WEIGHTS | {"layer.heads": 1} | {key: ONE_NEURON[key] for key in ("layer.examples", "data.queries", "data.labels")}

# Questions for a number: (statement, of the base, what is changed, the number before, after, further arguments)
NUMBERS = [
    ("rank", {}, EQUAL_HEADS, 3, 2, {}),
    ("capacity", {}, EQUAL_EXAMPLES, 3, 2, {}),
    ("any-coefficients", NO_WEIGHTS, DEPENDENT_TOKENS, 3, 2, {}),
    ("saturation", {}, {"data.queries": [[1, 0], [0, 1], [1, 2]]}, 1, 2, {"threshold": "4/5"}),
    ("saturation", {}, {"data.queries": [[1, 0], [0, 1], [1, 2]]}, 2, 3, {"threshold": "7/10", "head": 0}),
    ("numerical-rank", {}, EQUAL_HEADS, 3, 2, {"tolerance": "1/100"}),
    ("accuracy", SCORES, {"weights.readout": [[1], [1], [-9], [1]]}, 3, 1, {"classes": [1, 1, 1]}),
    ("accuracy", SCORES, {"data.labels": [[1], [2], [5]]}, 3, 2, {"epsilon": "5/2"}),
    ("kruskal-rank", {}, PARALLEL_QUERIES, 2, 1, {}),
    ("output-rank", VALUES, {"weights.value": [[[1], [0]], [[0], [0]]]}, 2, 1, {}),
    ("matrix-rank", {}, {"matrix": [[1, 2], [2, 4]]}, 2, 1, {"matrix": [[1, 2], [2, 5]]}),
    ("words-and-positions", SUMS, {"layer.heads": 2}, 3, 4, {"sequences": [[0, 0], [0, 1], [1, 0], [1, 1]]}),
    ("jacobian-rank", SCORES, EQUAL_EXAMPLES, 3, 2, {}),
    ("functional-dimension", {}, EQUAL_EXAMPLES, 3, 2, {}),
]
# The proved checker says of these that they are not covered.
NOT_PROVED = {"matrix-rank", "output-rank", "output-memorizes", "words-and-positions", "injective-almost-surely"}

# (statement, what the change makes false: the conclusion, or this hypothesis, of the base, change, arguments of the claim)
CLAIMS = [
    ("memorizes", "conclusion", {}, EQUAL_HEADS, {}),
    ("memorizes", "value-dimension", PAIRS_OF_LABELS, {"layer.value_dim": 1}, {}),
    ("output-memorizes", "conclusion", WIDE_VALUES, {"weights.value": [[[1, 0], [0, 0]], [[0, 0], [0, 0]]]}, {}),
    ("injective", "conclusion", {}, EQUAL_EXAMPLES, {}),
    ("injective-almost-surely", "conclusion", {}, EQUAL_EXAMPLES, {}),
    ("memorizable", "conclusion", {}, EQUAL_EXAMPLES, {}),
    ("unfittable-labels", "examples", ONE_HEAD, {"layer.heads": 2}, {}),
    ("unfittable-labels", "examples", ONE_HEAD, {"layer.heads": 2}, {"labels": "integer"}),
    ("general-position", "conclusion", {}, PARALLEL_QUERIES, {}),
    ("assumption-1", "conclusion", {}, PARALLEL_QUERIES, {}),
    ("assumption-2", "conclusion", {}, DEPENDENT_TOKENS, {}),
    ("assumption-3", "conclusion", {}, EQUAL_EXAMPLES, {}),
    ("lemma-2", "independent", {}, {"vectors": [[1, 2], [2, 4]]}, {"vectors": [[1, 2], [2, 5]], "c": 1}),
    ("lemma-2", "conclusion", {}, {"c": "-1/2"}, {"vectors": [[1, 2], [2, 5]], "c": "1/2"}),
    ("lemma-3", "assumption-1", {}, PARALLEL_QUERIES, {}),
    ("lemma-3", "assumption-2", {}, DEPENDENT_TOKENS, {}),
    ("lemma-4", "distinct-entries", {}, {"w_prime": [[0, 1], [0, 0]]}, LARGE),
    ("lemma-5", "perturbation", {}, {"b": [[2, 0], [0, 0]]}, {"a": [[2, 0], [0, 1]], "b": [[2, 0], [0, "1/2"]]}),
    ("claim-1", "subset-size", {}, NARROW_KEYS, PRESCRIBED),
    ("claim-1", "subset-queries", {}, {"data.queries": [[1, 0], [2, 0], [1, 1]]}, PRESCRIBED),
    ("claim-1", "subset-contexts", {}, DEPENDENT_TOKENS, PRESCRIBED),
    ("claim-2", "subset-size", {}, NARROW_KEYS, NEAR),
    ("claim-2", "assumption-1", {}, PARALLEL_QUERIES, NEAR),
    ("claim-2", "assumption-2", {}, DEPENDENT_TOKENS, NEAR),
    ("proposition-1", "assumption-1", {}, PARALLEL_QUERIES, {}),
    ("proposition-1", "assumption-2", {}, DEPENDENT_TOKENS, {}),
    ("proposition-2", "shared-context", OWN_CONTEXTS, ANOTHER_CONTEXT, {}),
    ("proposition-3", "integer-inputs", ONE_NEURON, {"data.contexts": [[1, 0], [0, "1/2"]]}, {"neurons": 1}),
    ("proposition-3", "examples", ONE_NEURON, {"neurons": 2}, {"neurons": 1}),
    ("proposition-3", "assumption-1", ONE_NEURON, {"data.queries": [[1, 0], [0, 1], [1, 1], [1, 2], [2, 4]]}, {"neurons": 1}),
    ("proposition-3", "assumption-2", ONE_NEURON, DEPENDENT_TOKENS, {"neurons": 1}),
    ("proposition-3", "examples", ONE_NEURON, {"neurons": 2}, {"neurons": 1, "labels": "transcendental"}),
    ("relu-memorizes", "conclusion", ONE_NEURON, {"data.labels": [[0], [0], [0], [1], [0]]}, {"neurons": 1}),
    ("proposition-4", "assumption-2", {}, DEPENDENT_TOKENS, {}),
    ("proposition-4", "assumption-3", {}, EQUAL_EXAMPLES, {}),
    ("proposition-5", "constant-sum", {}, {"data.contexts": [[1, 0], [0, 2]]}, {}),
    ("finite-lambda", "assumption-1", {}, PARALLEL_QUERIES, {}),
    ("finite-lambda", "assumption-2", {}, DEPENDENT_TOKENS, {}),
    ("finite-lambda", "assumption-1", {}, PARALLEL_QUERIES, {"lambda": 3}),
    ("theorem-1", "assumption-1", {}, PARALLEL_QUERIES, {}),
    ("theorem-1", "assumption-2", {}, DEPENDENT_TOKENS, {}),
    ("theorem-1", "examples", {}, FOUR_EXAMPLES, {}),
    ("theorem-1", "value-dimension", PAIRS_OF_LABELS, {"layer.value_dim": 1}, {}),
    ("remark-1", "assumption-2", {}, DEPENDENT_TOKENS, {}),
    ("skip-connection", "assumption-1", {}, PARALLEL_QUERIES, {}),
    ("skip-connection", "assumption-2", {}, DEPENDENT_TOKENS, {}),
    ("skip-connection", "examples", {}, FOUR_EXAMPLES, {}),
    ("skip-connection", "value-dimension", PAIRS_OF_LABELS, {"layer.value_dim": 1}, {}),
    ("positional-encoding", "conclusion", {}, NO_WEIGHTS | {
        "layer.embed_dim": 1, "data.contexts": None, "data.queries": None}, {}),
]

# What their hypotheses imply, or what holds of all data: no case makes them false.
THEOREMS = {"affine-hull-bound", "lemma-1", "lemma-3", "lemma-4", "lemma-5", "claim-1", "claim-2", "proposition-1", "proposition-2",
            "proposition-3", "proposition-4", "proposition-5", "finite-lambda", "theorem-1", "remark-1", "skip-connection", "unfittable-labels"}


def literal(value):
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


class Pair:
    """Two cases, with the verdicts that are expected of the first claim, and the hypothesis that fails in the second."""

    def __init__(self, statement, clause, base, change, arguments, verdicts):
        self.name = f"{statement}, {clause}, {', '.join(f'{k} = {v}' for k, v in change.items())}"
        self.statement, self.clause, self.verdicts = statement, clause, verdicts
        own = {key for key in change if "." not in key}
        second = {**arguments, **{key: change[key] for key in own}}
        self.texts = [self.text(BASE | base, arguments),
                      self.text(BASE | base | {key: change[key] for key in change if key not in own}, second)]

    def text(self, case, arguments):
        lines, of_layer = ["format = 1"], not self.statement.startswith("lemma-") or self.statement in ("lemma-3", "lemma-4")
        for section, keys in itertools.groupby(sorted(case.items()) if of_layer else [], lambda item: item[0].split(".")[0]):
            lines += [f"[{section}]"] * (section != "weights" or case["weights.key"] is not None)
            lines += [f"{key.split('.')[1]} = {literal(value)}" for key, value in keys if value is not None]
        return "\n".join([*lines, "[[claim]]", f'statement = "{self.statement}"',
                          *(f"{key} = {literal(value)}" for key, value in arguments.items())]) + "\n"


def pairs():
    out = []
    for statement, base, change, before, after, arguments in NUMBERS:
        more, less = ("at_least", "at_most") if before > after else ("at_most", "at_least")
        for key, number, verdicts in (("value", before, ("verified", "refuted")), ("value", after, ("refuted", "verified")),
                                      (more, before, ("verified", "refuted")), (less, after, ("refuted", "verified"))):
            out.append(Pair(statement, key, base, change, {**arguments, key: number}, verdicts))
    for statement, clause, base, change, arguments in CLAIMS:
        out.append(Pair(statement, clause, base, change, arguments,
                        ("verified", "refuted" if clause == "conclusion" else "inapplicable")))
    return out


def clauses():
    """{statement: names of its hypotheses} of docs/statements.md."""
    page = (ROOT / "docs/statements.md").read_text().split("## Theorems")[0]
    return {name: set(re.findall(r"`([\w-]+)`: (?:with|unless|`)", body.partition("* Hypotheses: ")[2].partition("* Conclusion:")[0]))
            for name, body in re.findall(r"^### `([\w-]+)`(.*?)(?=^### |\Z)", page, flags=re.M | re.S)}


def complete(all_pairs):
    """What has no row."""
    tried = {(pair.statement, pair.clause) for pair in all_pairs} | {(name, "conclusion") for name, *_ in NUMBERS}
    missing = [f"{name}: {clause}" for name, hypotheses in clauses().items()
               for clause in [*hypotheses, *(["conclusion"] if name not in THEOREMS else [])] if (name, clause) not in tried]
    return missing


class Checker:
    """What a program says of certificates: the verdict of the first claim, or why there is none."""

    def __init__(self, command, takes_problem):
        self.command, self.takes_problem = command, takes_problem

    def verdicts(self, certificates):
        arguments = [word for path in certificates
                     for word in ([path.with_suffix(".problem"), path] if self.takes_problem else [path])]
        text = subprocess.run([self.command, "-v", *arguments], capture_output=True, text=True).stdout
        found, waiting = {}, None
        for line in text.replace("\n    ", " ").splitlines():  # long lines are broken
            claim = re.search(r"  claim 0 [\w-]+(?: \(.*?\))?: ([a-z ]+)", line)
            if claim:
                waiting = claim[1]
            elif ": " in line:
                found[line.split(": ")[0]], waiting = waiting or line.split(": ")[1], None
        return [found.get(str(path), "nothing") for path in certificates]


def main():
    attest, checkers = sys.argv[1], [Checker(sys.argv[2], False)] + [Checker(name, True) for name in sys.argv[3:4]]
    all_pairs = pairs()
    failures = [f"no row: {what}" for what in complete(all_pairs)]
    passed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for k, pair in enumerate(all_pairs):
            for which, text in zip("ab", pair.texts):
                (folder / f"{k}{which}.toml").write_text(text)
        run = subprocess.run([attest, "verify", folder, "--out", folder, "--json", "-", "--jobs", "1"], capture_output=True, text=True)
        claims = {pathlib.Path(case["path"]).stem: case["claims"][0] for case in json.loads(run.stdout)["cases"] if "claims" in case}
        failures += run.stderr.splitlines()
        forged = []
        for k, pair in enumerate(all_pairs):
            for which in "ab":
                problem = normalize.Case(folder / f"{k}{which}.toml").json()
                (folder / f"{k}{which}.problem").write_text(json.dumps(problem))
            certificate = json.loads((folder / f"{k}a.json").read_text())
            certificate["case"] = {"path": f"{k}b.toml", "digest": problem["digest"]}
            forged.append(folder / f"{k}f.json")
            forged[-1].write_text(json.dumps(certificate))
            (folder / f"{k}f.problem").write_text(json.dumps(problem))

        def expect(good, pair, what):
            nonlocal passed
            passed += bool(good)
            failures.extend([] if good else [f"{pair.name}: {what}"])

        for k, pair in enumerate(all_pairs):
            fails = {key for key, state in claims[f"{k}b"].get("hypotheses", {}).items() if state == "fails"}
            expect(pair.verdicts[1] != "inapplicable" or pair.clause in fails, pair, f"fails: {fails}")
        for checker in checkers:
            asked = [k for k, pair in enumerate(all_pairs) if not (checker.takes_problem and pair.statement in NOT_PROVED)]
            found = [checker.verdicts([folder / f"{k}{which}.json" for k in asked]) for which in "abf"]
            for k, *verdicts, of_forged in zip(asked, *found):
                pair = all_pairs[k]
                expect(tuple(verdicts) == pair.verdicts, pair, f"{checker.command}: {verdicts}, expected {pair.verdicts}")
                expect(of_forged != pair.verdicts[0], pair, f"{checker.command}: the other certificate is believed")
    print("\n".join(failures))
    print(f"{len(all_pairs)} pairs, {len(checkers)} checkers")
    print(f"{passed} passed, {len(failures)} failed")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
