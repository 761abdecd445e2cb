"""What the numbers of a survey say, and what to do about it: sentences, and the page's maps. Nothing is proved here; what is counted or compared was proved.

A quantity that is not named here is shown as a column like the others, with its own certificate."""

import collections
import fractions
import re
import urllib.parse

ABOUT = re.compile(r"\babout (-?[\d.]+(?:e[+-]\d+)?)")
NEAR = fractions.Fraction(9, 10)  # from here on a coefficient is called near 1
WHOLE = re.compile(r"\bof (\d+)\b(?: \(at most (\d+) by the size)?")
WORDS = {"rank": "rank of Z", "output_rank": "rank of the outputs", "numerical_rank": "numerical rank of Z", "different_outputs": "different outputs", "saturated": "saturated",
         "capacity": "capacity", "capacity_one_head_more": "capacity with one head more", "capacity_with_a_sink": "capacity with a sink",
         "capacity_with_query_biases": "capacity with query biases", "rank_without_head": "rank of Z without the head"}


def words_of(quantity):
    return WORDS.get(quantity, quantity.replace("_", " "))


def ceiling(row, layer):
    """What a number cannot exceed by the sizes alone; None when they do not say."""
    shape = layer.get("shape")
    if not shape:
        return None
    T, H, d, d_v = shape["examples"], shape["heads"], shape["embed_dim"], layer.get("value_dim")
    alone = row["head"] is not None
    if row["quantity"] == "different_outputs":
        return T
    if row["quantity"] == "saturated":
        return (T - (layer["one_token"] or 0)) * (1 if alone else H)
    if row["quantity"] == "rank_without_head":
        return min(T, (H - 1) * d)
    if row["quantity"] == "output_rank":
        if d_v is not None:
            return min(T, d_v * (1 if alone else H))
        found = WHOLE.search(row["words"])  # of values in a model's own weights the answer says it
        return found and int(found[2] or found[1])
    if row["quantity"] == "capacity_one_head_more":
        return min(T, (H + 1) * d)
    if row["quantity"] in ("rank", "numerical_rank", "capacity", "capacity_with_a_sink", "capacity_with_query_biases"):
        return min(T, d * (1 if alone else H))
    return None


def decimal(text):
    """Exact numbers that nobody reads, long fractions and hexadecimal floats, as decimals."""
    def shown(match):
        try:
            value = fractions.Fraction(match[0]) if "x" not in match[0] else fractions.Fraction(float.fromhex(match[0]))
            return f"about {float(value):.4g}"
        except (ValueError, OverflowError, ZeroDivisionError):
            return match[0]
    return re.sub(r"(?<![\w.])-?(?:\d{6,}/\d+|\d+/\d{6,}|0x[0-9a-f]+(?:\.[0-9a-f]+)?p[+-]?\d+)(?![\w.])", shown, text)


def threshold(row):
    """That of a number of saturated pairs, from its words; 1 when these do not say it."""
    found = re.search(r"\bthreshold = ([^\s,;)]+)", row["words"])
    return fractions.Fraction(found[1]) if found else fractions.Fraction(1)


class Numbers:
    """The rows of one layer."""

    def __init__(self, layer, rows):
        self.layer, self.rows = layer, {(row["quantity"], row["head"]): row for row in rows if row["layer"] == layer["name"]}
        self.shape = layer["shape"]
        self.T, self.H, self.d = (self.shape[size] for size in ("examples", "heads", "embed_dim"))

    def __getitem__(self, key):
        return self.rows.get(key if isinstance(key, tuple) else (key, None))

    def known(self, quantity, head=None):
        """The number, where its bounds meet."""
        row = self[quantity, head]
        return row["lower"] if row and row["lower"] == row["upper"] and isinstance(row["lower"], int) else None

    def heads(self, quantity):
        """The known numbers by head."""
        return {head: value for (name, head) in self.rows if name == quantity and head is not None and (value := self.known(quantity, head)) is not None}

    def beyond_one_token(self, row):
        """Of a count of examples with a coefficient above the threshold those that have a choice of tokens."""
        taken = (self.layer["one_token"] or 0) * (1 if row["head"] is not None else self.H) if threshold(row) < 1 else 0
        return [value - taken if isinstance(value, int) else value for value in (row["lower"], row["upper"])]


def listed(numbers):
    numbers = list(map(str, numbers))
    return numbers[0] if len(numbers) == 1 else ", ".join(numbers[:-1]) + " and " + numbers[-1]


def plural(count, noun, verb=None):
    return f"{count} {noun}" + ("" if count == 1 else "s") + (f" {verb if count == 1 else {'has': 'have', 'is': 'are', 'takes': 'take'}.get(verb, verb)}" if verb else "")


def heads_text(heads):
    return ("head " if len(heads) == 1 else "heads ") + listed(heads)


def is_all(row, examples):
    """Whether a capacity is all that any layer has: these examples, or those of them that are different."""
    return row["lower"] >= examples or row["bottleneck"].startswith("only ") or " are equal: " in row["bottleneck"]


def of_capacity(n):
    """What the layer could still learn."""
    rank, capacity, T, most = n.known("rank"), n.known("capacity"), n.T, min(n.T, n.H * n.d)
    if rank is None:
        return
    if rank == T:
        room = n.H * n.d - T
        yield (f"rank(Z) = {T} = T: a new linear read-out of the heads' means fits any labels of {'this example' if T == 1 else f'these {T} examples'}.",
               "These examples do not show what the layer lacks, nor what one head more, a sink or query biases would add: survey it on more of them" + (f", more than H d = {n.H * n.d}." if room > 0 else "."))
    elif capacity is not None and rank == capacity:
        yield (f"rank(Z) = {rank} of {most} is the capacity: no keys{', queries and query biases' if n.shape['query_bias'] else ' and queries without biases'} memorize more of these {T} examples: {n['capacity']['bottleneck']}.",
               bottleneck(n))
    elif capacity is not None and rank < capacity:
        yield (f"rank(Z) = {rank}, but other keys and queries reach {capacity} of {most}: these weights leave {plural(capacity - rank, 'dimension')} unused.",
               "Further training of keys and queries could use them" + ("; one head more, a sink or query biases would add nothing to all." if is_all(n["capacity"], T) else "."))
    elif capacity is not None:
        yield (f"rank(Z) = {rank} is more than the capacity of logits that are bilinear in tokens and queries, {capacity}: other ones add to it.", "Keep them.")
    else:
        yield f"rank(Z) = {rank} of {most}.", "The capacity is not decided: what other keys and queries reach is open."


def bottleneck(n):
    row, capacity, more = n["capacity"], n.known("capacity"), n.known("capacity_one_head_more")
    heads = "more heads may help (ask capacity-one-head-more)" if more is None else f"one head more gives {more}"
    if is_all(row, n.T):
        return "Examples that are equal have equal rows in Z for all weights and any number of heads: others would help, nothing else."
    if row.get("any_coefficients_upper") == capacity < n.H * n.d:
        if " 0 d" in row["bottleneck"]:  # directions, or dimensions
            return "The tokens are the bottleneck, not the attention: those of a context do not vary. More varied vectors before the layer would help; no training of it, and no more heads."
        return f"The tokens are the bottleneck, not the attention: they vary in too few directions. Wider or more varied vectors before the layer would help, and {heads}; training its keys would not."
    if capacity == n.H * n.d:
        return f"The width H d is the bottleneck: {heads}."
    return f"{heads[0].upper()}{heads[1:]}, and less similar examples would; training the keys would not."


def of_others(n):
    """What layers like it could learn."""
    capacity = n.known("capacity")
    others = {says: value for says, quantity in (("one head more", "capacity_one_head_more"), ("a sink", "capacity_with_a_sink"), ("query biases", "capacity_with_query_biases"))
              if (value := n.known(quantity)) is not None}
    if capacity is None or not others:
        return
    most, plain = max(others.values()), [says for says, value in others.items() if value == capacity]
    text = listed([f"{says} {value}" for says, value in others.items()])
    yield (f"The capacity is {capacity} as built, with {text}.",
           f"For these examples {' or '.join(plain)} would add nothing." if most == capacity else
           f"{listed([says for says, value in others.items() if value == most])} would add most".capitalize() + (f"; {' or '.join(plain)} nothing." if plain else "."))


def of_outputs(n):
    different, T = n.known("different_outputs"), n.T
    if different is not None and different < T:
        yield (f"{plural(T, 'example')} have {plural(different, 'different output')}.",
               "No read-out tells those apart that have the same: look for examples that are equal where the layer looks, such as repeated sequences or masked differences.")
    rank, output = n.known("rank"), n.known("output_rank")
    if rank is not None and output is not None and output < rank:
        yield (f"The values keep {output} of the {plural(rank, 'dimension')} of Z.", "A read-out trained on the outputs has so many; one that is trained with new values has all.")
    numerical = n.known("numerical_rank")
    if rank is not None and numerical is not None and numerical < rank:
        yield (f"{rank - numerical} of the {plural(rank, 'dimension')} of Z lie below the tolerance: the numerical rank is {numerical}.",
               "Exact fits need large read-out weights there; in binary32 or bfloat16 they are not to be had.")


def of_heads(n):
    equal, constant = n.layer["equal_heads"], n.layer["constant_heads"]
    for group in equal:
        if set(group) - set(constant):
            yield f"{heads_text(group).capitalize()} are equal: their logits are the same.", "All but one of them can be removed; or train them apart."
    if constant:
        yield (f"{heads_text(constant).capitalize()} {'is' if len(constant) == 1 else 'are'} dead: every token of a context has the same coefficient, whatever the query.",
               "A dead head gives the mean of each context; one of them is enough, and none when the mean is not used.")
    alone = {h: rank for h, rank in n.heads("rank").items() if rank <= 1 < min(n.T, n.d) and h not in constant}
    if alone:
        yield f"{heads_text(list(alone)).capitalize()} {'has' if len(alone) == 1 else 'have'} rank {listed(sorted(set(alone.values())))} alone.", "A head of rank 1 or 0 tells examples apart in one direction at most."
    rank, without = n.known("rank"), n.heads("rank_without_head")
    if rank is None or not without:
        return
    redundant = [h for h, value in without.items() if value == rank]
    if len(redundant) == n.H:
        yield (f"Each of the {n.H} heads is redundant for these examples: without any one of them the rank stays {rank}.",
               "One can be removed, and then it is worth asking again; they are redundant one at a time, not all at once.")
    elif redundant:
        yield (f"{heads_text(redundant).capitalize()} {'is' if len(redundant) == 1 else 'are'} redundant for these examples: without {'it' if len(redundant) == 1 else 'any one of them'} the rank stays {rank}.",
               "One of them can be removed without loss here.")
    matters = {h: rank - value for h, value in without.items() if value < rank}
    if not matters:
        return
    most = max(matters.values())
    if len(set(matters.values())) == 1 and len(matters) == n.H:
        yield f"No head is redundant for these examples: without any one of the {n.H} the rank falls by {most}.", "None can be removed without loss here."
    elif len(set(matters.values())) > 1:
        best = [h for h, loss in matters.items() if loss == most]
        yield f"{heads_text(best).capitalize()} {'matters' if len(best) == 1 else 'matter'} most: without {'it' if len(best) == 1 else 'one of them'} the rank falls by {most}.", "Prune the others first."


def of_saturation(n):
    trivial = n.layer["one_token"]
    if trivial and n["saturated"]:
        yield (f"{plural(trivial, 'example')} of {n.T} {'has' if trivial == 1 else 'have'} a context of one token, whose coefficient is 1 whatever the weights: not counted as saturated.",
               "No keys and queries change what is seen there: survey it on longer contexts." if trivial == n.T else "Ask about later positions alone to leave them out.")
    stuck, most, share = {}, n.T - (trivial or 0), 1
    for (quantity, head), row in n.rows.items():
        if quantity == "saturated" and head is not None:
            lower, _ = n.beyond_one_token(row)
            if most > 0 and isinstance(lower, int) and lower > most / 2:
                stuck[head], share = lower, threshold(row)
    if stuck:
        yield (f"{heads_text(sorted(stuck)).capitalize()} put{'s' if len(stuck) == 1 else ''} more than {float(share):.4g} of {'its' if len(stuck) == 1 else 'their'} weight on one token for more "
               f"than half of the examples that have a choice ({', '.join(str(stuck[h]) for h in sorted(stuck))} of {most}).",
               "Their keys and queries hardly learn any more: gradients vanish where coefficients are near 1. A smaller scale of the logits would free them." if share >= NEAR else
               f"Gradients vanish where coefficients are near 1, which this does not show: ask with a threshold of {float(NEAR):.4g} or more.")


def add(data):
    """Adds to survey.json the ceiling of each number, and "findings": [{"says", "do", "layers"}], the same for several layers once."""
    layers = {layer["name"]: layer for layer in data["layers"]}
    for row in data["cells"]:
        row["ceiling"] = ceiling(row, layers[row["layer"]])
    found = collections.defaultdict(list)
    for layer in data["layers"]:
        if layer.get("shape"):
            numbers = Numbers(layer, data["cells"])
            for part in (of_capacity, of_others, of_outputs, of_heads, of_saturation):
                for sentence in part(numbers):
                    found[sentence].append(layer["name"])
    data["findings"] = [{"says": says, "do": do, "layers": names} for (says, do), names in found.items()]


def number(lower, upper):
    return f"{lower}" if lower == upper else f"{lower}–{upper}"


def cell(row, layer, index):
    """What a map shows of a row."""
    lower, upper, most = row["lower"], row["upper"], row["ceiling"]
    if row["quantity"] == "saturated" and layer.get("shape"):
        lower, upper = Numbers(layer, []).beyond_one_token(row)
    is_number = isinstance(lower, int) and isinstance(upper, int)
    share = (lower + upper) / 2 / most if is_number and most else 0
    return {"index": index, "text": number(lower, upper), "ceiling": most, "share": round(min(max(share, 0), 1), 4), "open": row["lower"] != row["upper"]}


def once(layers, key):
    """{text: [layer]}: what several layers say with other numbers alone is said once, with the least and the largest."""
    found = collections.defaultdict(list)
    for layer in layers:
        for text in map(decimal, layer[key]):
            found[ABOUT.sub("\0", text)].append((layer["name"], [float(number) for number in ABOUT.findall(text)]))
    said = {}
    for text, those in found.items():
        for numbers in zip(*(numbers for _, numbers in those)):
            least, most = min(numbers), max(numbers)
            text = text.replace("\0", f"about {least:.4g}" + (f" to {most:.4g}, by layer" if most > least else ""), 1)
        said[text] = [name for name, _ in those]
    return said


def runs(names, order):
    """Names with three or more in a row, as the survey has them, as (first, last)."""
    at, parts = {name: k for k, name in enumerate(order)}, []
    for name in sorted(names, key=at.get):
        if parts and at[name] == at[parts[-1][-1]] + 1:
            parts[-1].append(name)
        else:
            parts.append([name])
    return [part for run in parts for part in ([(run[0], run[-1])] if len(run) > 2 else [(name,) for name in run])]


def page(data):
    """What the page's template needs."""
    layers, maps = {layer["name"]: layer for layer in data["layers"]}, {}
    for index, row in enumerate(data["cells"]):
        by_head = row["head"] is not None
        title = f"{words_of(row['quantity'])}, by head" if by_head else "Layers"
        table = maps.setdefault(title, {"title": title, "corner": "layer \\ head" if by_head else "layer", "columns": [], "rows": {layer: {} for layer in layers}})
        column = str(row["head"]) if by_head else words_of(row["quantity"])
        if column not in table["columns"]:
            table["columns"].append(column)
        table["rows"][row["layer"]][column] = cell(row, layers[row["layer"]], index)
    for table in maps.values():
        table["rows"] = {name: cells for name, cells in table["rows"].items() if cells}
        if table["title"] != "Layers":
            table["columns"].sort(key=int)
    notes, not_asked = once(data["layers"], "notes"), once(data["layers"], "not_asked")
    details = [{**row, "index": k, "words": decimal(row["words"]), "exact": row["words"] if decimal(row["words"]) != row["words"] else None,
                "address": urllib.parse.quote(row["certificate"].encode("utf-8", "surrogateescape"), safe="/._-")} for k, row in enumerate(data["cells"])]
    where = lambda names: [("all layers",)] if len(names) == len(layers) > 1 else runs(names, list(layers))
    grouped = lambda table: [{"says": says, "where": where(names)} for says, names in table.items()]
    return {"version": data["attest"], "maps": sorted(maps.values(), key=lambda table: table["title"] != "Layers"), "details": details, "layers": data["layers"],
            "findings": [{**finding, "where": where(finding["layers"])} for finding in data["findings"]], "notes": grouped(notes), "not_asked": grouped(not_asked)}
