"""How certificates are forged: random changes of the steps of one claim, for mutants.py and forger.py."""
import copy
import importlib.machinery
import importlib.util
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/formal"))


def load(name):
    loader = importlib.machinery.SourceFileLoader(pathlib.Path(name).stem, str(ROOT / "tests/formal" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


tests = load("check_proved")
forgeries, normalize = tests.forgeries, tests.normalize
MODULI = [2, 3, 4, 5, 7, 9, 25, 49, 341, 561, 1105, 8388593, 8388607, 1000003, 2147483647, (1 << 61) - 1, (1 << 62) + 1]
# name and text of each theorem of the table
THEOREMS = re.findall(r"^\| `([\w-]+)` \| (`.*?)(?:\|[^|]*){2}\|$", (ROOT / "docs/statements.md").read_text().split("## Theorems")[1], flags=re.M)
WORDS = ["left", "right", "above", "below", "dual", "subsets", "given", "u", 0, 1]
RULES = ["let", "part", "minor", "zero", "subsets", "compare", "ball", "inverse", "split", "theorem", "circuits", "coefficients"]
ASKED = re.compile(r"step (\d+)\b.*?: expected the fact (.*?), found"), re.compile(r"step (\d+) proves (.*?), not ")


def strengthen(step, source):
    """Claims more with more of the witness."""
    for key in ("rows", "cols"):
        if isinstance(step.get(key), list):
            step[key].append(source.choice([*step[key], source.randrange(8)]) if source.random() < .5 else source.randrange(8))
    if isinstance(step.get("inverse"), list):
        for row in step["inverse"]:
            if isinstance(row, list):
                row.append("0")
        step["inverse"].append(["1"] * len(step["rows"] if isinstance(step.get("rows"), list) else []))
    if isinstance(step.get("vectors"), list) and step["vectors"]:
        vector = copy.deepcopy(source.choice(step["vectors"]))
        if vector and isinstance(vector[0], list) and len(vector[0]) == 2 and source.random() < .7:
            vector[source.randrange(len(vector))][source.randrange(2)] = source.choice([0, 1, 2, "1", "-1", "2", "1/2"])
        step["vectors"].append(vector)
    if type(step.get("k")) is int:
        step["k"] += 1
    if isinstance(step.get("count"), int):
        step["count"] += source.choice([-1, 1])
    if isinstance(step.get("uses"), list):
        step["uses"].append(source.randrange(6))


def weaken(step, source):
    """Has less of the witness; the fact may stay."""
    for key in ("rows", "cols", "vectors", "uses", "parts"):
        if isinstance(step.get(key), list) and step[key]:
            del step[key][source.randrange(len(step[key]))]


def change_fact(step, source, pool):
    kind = source.randrange(4)
    if kind == 0 and pool:
        step["fact"] = re.sub(r"^.*(?= [<>]= )", lambda _: source.choice(pool)["fact"].rpartition("= ")[0][:-2], step["fact"])
    elif kind == 1:
        step["fact"] = step["fact"].translate({ord("<"): ">", ord(">"): "<"})
    else:
        step["fact"] = re.sub(r"\d+$", lambda m: str(max(0, int(m[0]) + source.choice([-1, 1]))), step["fact"])


def change_value(step, source):
    """A number that is another, anywhere in the step; no fact and no word."""
    places = []

    def visit(node, put):
        if isinstance(node, dict):
            for key in node:
                if key not in ("rule", "fact", "label"):
                    visit(node[key], lambda value, node=node, key=key: node.__setitem__(key, value))
        elif isinstance(node, list):
            for i, item in enumerate(node):
                visit(item, lambda value, node=node, i=i: node.__setitem__(i, value))
        elif type(node) is int:
            places.append(lambda: put(max(0, node + source.choice((-1, 1, 2)))))
        elif isinstance(node, str) and re.fullmatch(r"-?\d+", node):
            places.append(lambda: put(str(source.choice([int(node) - 1, int(node) + 1, -int(node), 2 * int(node), 0]))))
        elif isinstance(node, str) and re.fullmatch(r"-?\d+/\d+", node):
            value = node.split("/")
            value[source.randrange(2)] += source.choice("19")
            places.append(lambda: put("/".join(value)))
        elif isinstance(node, str) and re.fullmatch(r"-?0x[0-9a-f]+p-?\d+", node):
            digits, _, exponent = node.partition("p")
            places.append(lambda: put(f"{digits}p{int(exponent) + source.choice((-40, -1, 1, 40))}"))

    visit(step, None)
    if places:
        source.choice(places)()


def theorem(steps, source):
    """A theorem of the table, for what the steps prove that it speaks of; its fact is asked for."""
    name, text = source.choice(THEOREMS)
    step = {"rule": "theorem", "theorem": name, "fact": ""}
    for letter, numbers in (("W", ["given", *(k for k, other in enumerate(steps) if other.get("rule") == "let")]),
                            ("P", [k for k, other in enumerate(steps) if other.get("rule") == "part"])):
        if f"({letter})" in text and numbers:
            number = source.choice(numbers)
            text = text.replace(f"({letter})", f"({number})")
            step.update({"layer": number} if letter == "W" else {"parts": [number]})
    step["uses"] = [k for k, other in enumerate(steps) if other.get("fact") and other["fact"].partition(" ")[0] in text]
    steps.append(step)


def forge(steps, pool, source):
    """Changes the steps of a claim at random; pool: steps of other certificates."""
    for _ in range(source.choice([1, 1, 1, 2, 3])):
        kind = source.randrange(12)
        if kind == 0 and pool:
            steps.insert(source.randrange(len(steps) + 1), copy.deepcopy(source.choice(pool)))
        elif kind in (1, 2):
            theorem(steps, source)
        if kind < 3 or not steps:
            continue
        k = source.randrange(len(steps))
        step = steps[k]
        if kind == 3:
            strengthen(step, source)
        elif kind == 4 and "p" in step:
            step["p"] = source.choice(MODULI)
            if "g" in step:
                step["g"] = source.choice([0, 1, 2, 3, 4, step["g"], step["p"] - 1, step["p"]])
        elif kind == 5:
            change_fact(step, source, pool)
        elif kind == 6:
            step.update({key: source.choice(WORDS) for key in ("side", "method", "layer") if key in step and not isinstance(step[key], dict)})
            if "theorem" in step:
                step["theorem"] = source.choice(THEOREMS)[0]
            elif source.random() < .2:
                step["rule"] = source.choice(RULES)
        elif kind == 7:
            source.shuffle(steps)
        elif kind == 8:
            del steps[k]
        elif kind == 9:
            weaken(step, source)
        else:
            change_value(step, source)


def repair(steps, answer):
    """With the fact that a checker asks for; a theorem that says nothing here is left out. Whether anything is another."""
    for pattern in ASKED:
        asked = pattern.search(answer)
        if asked and int(asked[1]) < len(steps) and steps[int(asked[1])].get("fact") != asked[2]:
            steps[int(asked[1])]["fact"] = asked[2]
            return True
    refused = re.search(r"\bstep (\d+)", answer)
    if refused and int(refused[1]) < len(steps) and steps[int(refused[1])].get("fact") == "":
        del steps[int(refused[1])]
        return True
    return False
