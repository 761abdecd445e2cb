#!/usr/bin/env python3
"""Certificates of a forger, for both checkers, judged by what is true (truth.py).

usage: forger.py ATTEST ATTEST_CHECK [ATTEST_CHECK_PROVED] [--seconds S] [--first N]
Random small cases of all input forms (campaign.py), each claim alone, and twins of them in which one number, the base or what is claimed
is another. The forger takes what `attest verify` proves for a case, changes it at random, adds steps of other certificates, moduli that
are not prime, rows twice, stronger facts, puts the facts that a checker asks for in place of those that it refuses, and gives it as a
certificate of the case or of its twin. Whatever a checker still answers, the verdict and each number in its line, has to be true, and of
two verdicts both. Half a minute; --seconds 3600 for an hour; case number N is the same in every run. The last line is "N passed, N failed".
"""
import argparse
import collections
import concurrent.futures
import copy
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

import campaign
import forging
import truth

NOT_JUDGED = re.compile(r"\n(bias|head|which) = |jacobian|functional|unfittable|words-and|almost|output-")  # by truth.py
TOGETHER = 20  # cases in one round
EACH = 12      # forgeries of a claim


def twin(text, source):
    """The same case with something small that is another; it may be none."""
    kind = source.randrange(8)
    if kind == 0:
        return text.replace('base = "e"', 'base = "2"') if 'base = "e"' in text else text.replace('base = "2"', 'base = "e"')
    if kind == 1:
        return re.sub(r"(?m)^logit_scale = .*$", "logit_scale = " + source.choice(["1", '"1/2"', "-1", '"1/sqrt(2)"']), text)
    if kind == 2:
        return re.sub(r"(?m)^(value|at_least|at_most) = (\d+)", lambda m: f"{m[1]} = {max(0, int(m[2]) + source.choice([-1, 1]))}", text)
    places = list(re.finditer(r'"-?\d+(?:/\d+)?"', text))
    if not places:
        return text
    place = source.choice(places)
    return f"{text[:place.start()]}\"{source.choice(['0', '1', '-1', '2', '1/2'])}\"{text[place.end():]}"


LINE = re.compile(r'.*?  claim 0 ([\w-]+) \((.*?)\): ([a-z]+(?: \(hypotheses undecided\))?)((?:; .*)?); (?:as expected|UNEXPECTED: .*)')
BOUNDS = re.compile(r"(?:(-?\d+) <= )?(.+?) (=|<=|>=) (-?\d+)")


class Forger:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.counts, self.failures, self.passed = collections.Counter(), [], 0
        self.pool = []

    def answers(self, name, takes_problem, items):
        """What a program says of each certificate: its lines."""
        command = [name, "-v", *([] if takes_problem else ["--timeout", "60"]), "--ignore-expectations"]
        words = [str(word) for item in items for word in ([item["problem"], item["path"]] if takes_problem else [item["path"]])]
        try:
            text = subprocess.run([*command, *words], capture_output=True, text=True, timeout=900, errors="replace").stdout
        except subprocess.TimeoutExpired:
            return {}
        found, waiting = {}, []
        for line in text.replace("\n    ", " ").splitlines():  # long lines are broken
            if "  claim 0 " in line:
                waiting.append(line)
            else:
                found[line.split(": ")[0]], waiting = [*waiting, line], []
        return found

    def judge(self, item, checker, lines):
        """The verdict that is said; what is false is a failure."""
        match = LINE.fullmatch(lines[0]) if lines else None
        if not match:
            self.counts[f"{checker}: {'none' if not lines else 'rejected' if 'rejected' in lines[0] else lines[0].split(': ')[1]}"] += 1
            return None
        name, _, verdict, numbers = match.groups()
        of_case, arguments = item["truth"], item["claim"]["arguments"]
        allowed = of_case.verdicts(name, arguments) if of_case else None
        wrong = [] if allowed is None or verdict in allowed else [f"{verdict}, where {sorted(allowed)}"]
        for part in numbers.split("; ")[1:]:
            bound = BOUNDS.fullmatch(part)
            if not (bound and of_case):
                continue
            low, shown, relation, last = bound.groups()
            try:
                number = of_case.number(shown, name, arguments)
            except truth.Unknown:
                self.counts[f"{checker}: numbers not judged"] += 1
                continue
            good = {"=": number == int(last), "<=": number <= int(last), ">=": number >= int(last)}[relation]
            self.counts[f"{checker}: numbers judged"] += 1
            if not good or (low is not None and int(low) > number):
                wrong.append(f"{part}, where it is {number}")
        self.counts[f"{checker}: {verdict}" + (", not judged" if allowed is None else "")] += 1
        if wrong:
            self.failures.append(f"{checker}: {item['name']}: {'; '.join(wrong)}: {item['path'].read_text()[:3000]} {item['case'].read_text()}")
        else:
            self.passed += 1
        return verdict

    def round(self, first):
        """Cases first ... of a folder of their own."""
        source = random.Random(f"forger {first}")
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            folder = pathlib.Path(name)
            for i in range(first, first + TOGETHER):
                case = campaign.Case(i, ["plain"])
                if case.entries is campaign.NUMBERS["large"]:
                    continue
                head, *claims = case.text().split("[[claim]]")
                for k, claim in enumerate(claims):
                    if NOT_JUDGED.search(claim):
                        continue
                    if '"rank"' in claim or "capacity" in claim or "any-coefficients" in claim or "kruskal" in claim:
                        claim = re.sub(r"\nvalue = .*", "", claim) + source.choice(
                            ["", *(f"{key} = {source.randrange(6)}\n" for key in ("value", "at_least", "at_most"))])
                    text = f"{head}[[claim]]{claim}"
                    (folder / f"{i}-{k}.toml").write_text(text)
                    (folder / f"{i}-{k}-twin.toml").write_text(twin(text, source))
            subprocess.run([self.options.attest, "verify", folder, "--out", folder / "out", "--jobs", "1", "--timeout", "10", "--quiet"],
                           capture_output=True, text=True)
            problems = {}
            for path in sorted(folder.glob("*.toml")):
                try:
                    problem = forging.normalize.Case(path).json()
                except (forging.normalize.BadInput, forging.normalize.TooLarge):
                    continue  # a twin that is no case
                path.with_suffix(".problem").write_text(json.dumps(problem))
                problems[path.stem] = problem, truth.Truth(problem)
            self.pool = self.pool[-3000:]
            items = []
            for path in sorted((folder / "out").glob("*.json")):
                honest = forging.forgeries.apart(json.loads(path.read_text()))
                self.pool += [step for step in honest["claims"][0]["steps"] if len(json.dumps(step)) < 2000]
                stem = path.stem.removesuffix("-twin")
                for k in range(EACH + 1):
                    name = path.stem if k % 2 == 0 else stem + ("" if path.stem.endswith("-twin") else "-twin")
                    if name not in problems:
                        continue
                    problem, of_case = problems[name]
                    content = copy.deepcopy(honest)
                    if k > 1:  # the second is what is proved of the case, for its twin
                        forging.forge(content["claims"][0]["steps"], self.pool, source)
                    if len(json.dumps(content)) > 60_000 or content["claims"][0]["statement"] != problem["claims"][0]["statement"]:
                        continue
                    content = {**content, "case": {"path": f"../{name}.toml", "digest": problem["digest"]}}
                    place = folder / "out" / f"{path.stem}-forged-{k}"
                    items.append({"name": place.name, "path": place, "problem": folder / f"{name}.problem", "case": folder / f"{name}.toml",
                                  "content": content, "truth": of_case, "claim": problem["claims"][0], "honest": k == 0})
            for repairs in range(3):
                self.check(items)
                items = [item for item in items if self.repaired(item)]
                if not items:
                    break

    def repaired(self, item):
        """With the fact that a checker asks for."""
        steps = item["content"]["claims"][0]["steps"]
        return any(forging.repair(steps, " ".join(lines)) for lines in item["said"].values())

    def check(self, items):
        for item in items:
            item["path"].write_text(forging.forgeries.written(item["content"]))
        self.counts["certificates"] += len(items)
        self.counts["certificates, forged"] += sum(not item["honest"] for item in items)
        checkers = [("attest-check", self.options.attest_check, False)] + [
            ("attest-check-proved", self.options.proved, True)] * (self.options.proved is not None)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            said = list(pool.map(lambda checker: self.answers(*checker[1:], items), checkers))
        for item in items:
            item["said"], verdicts = {}, set()
            for (checker, *_), of_checker in zip(checkers, said):
                lines = item["said"][checker] = of_checker.get(str(item["path"]), [])
                verdict = self.judge(item, checker, lines)
                if item["honest"] and checker == "attest-check" and verdict is None and not any(": limit: " in line for line in lines):
                    self.failures.append(f"its own certificate: {lines}: {item['case'].read_text()}")
                verdicts |= {verdict and verdict.split(" ")[0]} - {None, "undecided"}
            if len(verdicts) > 1:
                self.failures.append(f"{item['name']}: {sorted(verdicts)}: {item['path'].read_text()[:3000]} {item['case'].read_text()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("attest")
    parser.add_argument("attest_check")
    parser.add_argument("proved", nargs="?")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    start, first = time.monotonic(), options.first
    with tempfile.TemporaryDirectory() as folder:
        forger = Forger(options, folder)
        while first == options.first or time.monotonic() - start < options.seconds:
            forger.round(first)
            first += TOGETHER
    for what, number in sorted(forger.counts.items()):
        print(f"{number:8d} {what}")
    for failure in forger.failures[:20]:
        print("FAILED ", failure)
    print(f"cases {options.first} to {first - 1}, {time.monotonic() - start:.0f} s")
    print(f"{forger.passed} passed, {len(forger.failures)} failed")
    return bool(forger.failures)


if __name__ == "__main__":
    sys.exit(main())
