#!/usr/bin/env python3
"""Forged certificates of shipped cases and of samples, judged by the proved checker.

usage: mutants.py ATTEST_CHECK ATTEST_CHECK_PROVED CERTIFICATES [--mutants N] [--first SEED]
The steps of one claim, the others without theirs, are changed at random (forging.py): other numbers, steps of other certificates and
theorems more, steps less, other moduli, stronger facts; what attest-check asks for is put in place of what it refuses. It also gets each
claim without each of its steps, and with all that is proved of the case in other claims. What attest-check answers to what it accepts is
what the function says that Coq proves to be sound, each fact and each number; and where it accepts nothing the proved checker says
nothing that contradicts the certificate as it was. The last line is "N passed, N failed".
"""
import argparse
import collections
import concurrent.futures
import copy
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import forging
import samples

SHORT = 20_000       # bytes of a certificate and of its problem
SUBSETS = 3_000_000  # most that a step of such a certificate is about
TOGETHER = 100       # certificates for one process
REPAIRS = 6


class Claim:
    """A claim of a certificate with the steps of all claims apart."""
    def __init__(self, path, problem, content, k):
        self.name, self.case = f"{path} claim {k}", path.parent / content["case"]["path"]
        self.problem, self.content, self.k, self.steps = problem, content, k, content["claims"][k]["steps"]
        self.stack, self.projected = (word in problem.read_text() for word in ('"before"', '"projected_keys"'))

    def write(self, steps, place):
        claims = [{**claim, "steps": steps if k == self.k else []} for k, claim in enumerate(self.content["claims"])]
        case = {**self.content["case"], "path": os.path.relpath(self.case, place.parent)}
        place.write_text(forging.forgeries.written({**self.content, "case": case, "claims": claims}))

    def elsewhere(self):
        """With the steps of the other claims; behind a stack these may be about other weights."""
        steps = copy.deepcopy(self.steps)
        if self.stack or len(self.content["claims"]) > 20:
            return steps
        for k, claim in enumerate(self.content["claims"]):
            if k != self.k:
                first = len(steps)
                steps += [forging.forgeries.renumbered(step, lambda number, first=first: first + number) for step in claim["steps"]]
        return steps

    def without(self, k):
        """Without a step and all that refer to it."""
        kept = {}
        for old, step in enumerate(self.steps):
            refers = []
            forging.forgeries.renumbered(step, lambda number: refers.append(number) or number)
            if old != k and all(number in kept or number == old for number in refers):  # a `let` names itself
                kept[old] = len(kept)
        return [forging.forgeries.renumbered(self.steps[old], kept.__getitem__) for old in kept]


def claims_of(folders, scratch):
    """Of short certificates, and not of all that are alike: of a sweep the narrowest."""
    for path in sorted(path for folder in folders for path in folder.rglob("*.json") if path.name != "rejections.json"):
        wider = path.stem.startswith("width-") and path != min(path.parent.glob("width-*.json"))
        if wider or path.parent.name in samples.SHOWN_IN_PART or path.stat().st_size > SHORT:
            continue
        content = forging.forgeries.apart(json.loads(path.read_text()))
        problem = forging.normalize.Case(path.parent / content["case"]["path"]).json()
        text = json.dumps(problem)
        examples = (problem["layer"] or {}).get("examples", 0)
        if len(text) > SHORT or any(math.comb(examples, step["k"]) > SUBSETS for *_, step in forging.forgeries.steps_of(content) if "k" in step):
            continue
        place = scratch / f"{len(list(scratch.iterdir()))}.problem"
        place.write_text(text)
        yield from (Claim(path, place, content, k) for k in range(len(content["claims"])))


def answers(command, words):
    """{certificate: what is said of each claim that has one, and of the whole}"""
    text = subprocess.run([*command, "-v", "--ignore-expectations", *map(str, words)], capture_output=True, text=True, errors="replace").stdout
    found, waiting = {}, {}
    for line in text.replace("\n    ", " ").splitlines():
        if claim := re.match(r".*?  claim (\d+) (.*)", line):
            waiting[int(claim[1])] = claim[2]
        else:
            found[line.partition(": ")[0]], waiting = {**waiting, None: line}, {}
    return found


def asked(pool, command, items, problems=False):
    """What is said of all; again of each alone of which nothing is, as one that ends the process leaves out those behind it."""
    out = {}
    for size in TOGETHER, 1:
        items = [(claim, changed, place) for claim, changed, place in items if str(place) not in out]
        batches = [[word for claim, _, place in items[k:k + size] for word in [claim.problem] * problems + [place]] for k in range(0, len(items), size)]
        for said in pool.map(lambda batch: answers(command, batch), batches):
            out.update(said)
    return {**{str(place): {None: ""} for _, _, place in items}, **out}


VERDICT = re.compile(r"[\w-]+ \(.*?\): (verified|refuted|inapplicable|undecided)")


def decided(line):
    found = VERDICT.match(line)
    return found[1] if found and found[1] != "undecided" else None


def equal_examples(steps, says):
    """Whether a theorem about equal examples is refused: beside projected queries and keys the proved checker counts others."""
    step = re.search(r": rejected: step (\d+) ", says)
    return step and int(step[1]) < len(steps) and steps[int(step[1])].get("theorem", "").startswith(("equal-", "different-"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("attest_check")
    parser.add_argument("proved")
    parser.add_argument("certificates", type=pathlib.Path)
    parser.add_argument("--mutants", type=int, default=8_000)
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    options = parser.parse_args()
    checker = [options.attest_check, "--timeout", "60"]
    source, counts, failures, passed = random.Random(options.first), collections.Counter(), [], 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(2) as pool:
        scratch = pathlib.Path(name)
        (scratch / "problems").mkdir()
        claims = list(claims_of([options.certificates, samples.SAMPLES], scratch / "problems"))
        steps = [step for claim in claims for step in claim.steps if len(json.dumps(step)) < 2000]
        items = []

        def add(claim, changed):
            items.append((claim, changed, scratch / f"{len(items)}.json"))

        for claim in claims:
            add(claim, claim.steps)
            add(claim, claim.elsewhere())
            for k in range(len(claim.steps)):
                add(claim, claim.without(k))
        honest = {place: claim for claim, changed, place in items if changed is claim.steps}
        while len(items) < options.mutants:
            claim = source.choice(claims)
            changed = claim.elsewhere() if source.random() < .2 else copy.deepcopy(claim.steps)
            forging.forge(changed, steps, source)
            add(claim, changed)
        mine, waiting = {}, items
        for _ in range(REPAIRS):
            for claim, changed, place in waiting:
                claim.write(changed, place)
            mine.update(asked(pool, checker, waiting))
            waiting = [(claim, changed, place) for claim, changed, place in waiting
                       if place not in honest and " rejected: " in mine[str(place)][None] and forging.repair(changed, mine[str(place)][None])]
        for claim, changed, place in waiting:
            claim.write(changed, place)
        mine.update(asked(pool, checker, waiting))
        theirs = asked(pool, [options.proved], items, problems=True)
        true = {claim: decided(mine[str(place)].get(claim.k, "")) for place, claim in honest.items()}
        for claim, changed, place in items:
            ours, proved = mine[str(place)].get(claim.k), theirs.get(str(place), {}).get(claim.k, "nothing")
            if ours is None:
                good = decided(proved) in (None, true[claim])
                counts["rejected" if decided(proved) is None else "a true verdict where attest-check rejects"] += 1
            elif "not covered: " in proved or claim.projected and equal_examples(changed, proved):
                good = True
                counts["not covered"] += 1
            else:
                good = ours == proved if "; without a step about " not in proved else decided(ours) == decided(proved)
                counts["the same line"] += good
            passed += good
            if not good:
                failures.append(f"{claim.name}: {ours}; the proved checker: {proved}: {json.dumps(changed)[:1500]}")
    for failure in failures[:20]:
        print("FAILED ", failure)
    print(f"{len(items)} certificates of {len(claims)} claims: " + ", ".join(f"{n} {what}" for what, n in counts.most_common()))
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures or not claims else 0


if __name__ == "__main__":
    sys.exit(main())
