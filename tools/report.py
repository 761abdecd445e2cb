"""A page about a run of attest: cases, verdicts, proofs in words, figures. `attest verify --report FILE.html` writes it, or

    attest verify CASES --json results.json --explain
    python3 -m attest.report results.json --out report.html
"""

import functools
import json
import re
import sys

from . import InputError
from . import figures, pages

VERDICTS = ("verified", "refuted", "inapplicable", "undecided")
FEW_CASES = 3  # up to so many cases, proofs are unfolded
MANY_CASES = 400  # beyond, a browser reads the parts of cases when they are looked at
LINES_SHOWN, TEXT_SHOWN = 3, 600  # detail lines of a step, and characters of these, that are not folded
SIGNS = {">=": "≥", "<=": "≤", "*": "⋅", "-": "−"}


@functools.lru_cache(maxsize=1 << 14)
def mathml(comparison):
    """[(element of MathML, its text or (base, index))] of a comparison such as `rank(Z) >= 3`."""
    out, names, word = [], [], ""  # names: of the open parentheses, whether what they hold is part of the name of a quantity

    def end_word():
        if word:
            index = re.fullmatch(r"([A-Za-z])_(.+)", word)
            out.append(("msub", (index[1], index[2])) if index else ("mi" if word[0].isalpha() else "mn", word))

    for token in re.findall(r">=|<=|\w|.", comparison):
        if token[-1].isalnum() or token == "_" or token == "-" and names and names[-1]:
            word += token
            continue
        end_word()
        if token == "(":
            names.append(bool(word) and word not in ("min", "max", "decided"))
            if word:
                out.append(("mo", "\u2061"))
        word = ""
        if token == ")" and names:
            names.pop()
        if token in "()":
            out.append(("parenthesis", token))
        elif token != " ":
            out.append(("mo", SIGNS.get(token, token)))
    end_word()
    return tuple(out)


def is_odd(case):
    return "error" in case or any(not claim["as_expected"] for claim in case["claims"])


def classes(case):
    return " ".join(["case"] + ["odd"] * is_odd(case) + [f"has-{verdict}" for verdict in VERDICTS if any(claim["verdict"] == verdict for claim in case["claims"])])


def folded(step):
    """Whether the details of a step are to be unfolded by the reader."""
    details = step["lines"][1:]
    size = sum(len(part if isinstance(part, str) else part["formula"]) for line in details for part in line)
    return len(details) > LINES_SHOWN or size > TEXT_SHOWN


def read(file):
    """The results of a run. Raises InputError for what is no output of --json --explain."""
    form = "what attest verify --json FILE --explain writes"
    try:
        results = json.loads(sys.stdin.buffer.read() if file == "-" else pages.read(file, 1 << 34, form))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: is no JSON ({type(error).__name__}); {form}") from None
    if not isinstance(results, dict) or results.get("format") != "attest-verify/1":
        raise InputError(f"{file}: is not of the format attest-verify/1; {form}")
    for case in results["cases"]:
        if "error" not in case and "explained" not in case:
            raise InputError(f"{file}: has no proofs of {case['path']!r}; {form}")
    return results


def page(results):
    """The page, piece by piece. Cases that came out as nobody expected, or could not be run, come first; the same results give the same bytes."""
    environment = pages.environment()
    environment.filters["mathml"] = mathml
    environment.tests["folded"] = folded
    cases = [{**case, "number": number, "classes": classes(case), "odd": is_odd(case)} for number, case in enumerate(results["cases"], 1)]
    for case in cases:
        figures.add(case)
    cases.sort(key=lambda case: not case["odd"])
    return environment.get_template("report.html").stream(
        version=results["attest"], totals=results["totals"], cases=cases, claims=sum(len(case["claims"]) for case in cases), verdicts=VERDICTS,
        odd=sum(case["odd"] for case in cases), few=len(cases) <= FEW_CASES, many=len(cases) > MANY_CASES,
        figures=any("figures" in part for case in cases for part in (case.get("explained", {}), *case.get("explained", {}).get("claims", []))))


def main():
    return pages.program("report", __doc__, "results", "the file of attest verify --json FILE --explain (- for standard input)",
                         lambda file: page(read(file)), "utf-8", "replace")


if __name__ == "__main__":
    pages.ended(main)
