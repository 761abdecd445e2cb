"""The figures of a report: what each shows, how to read it, its numbers, and where its marks are. The template draws them."""

import base64
import math
import struct
import zlib

WIDTH = 480
LEFT, RIGHT, TOP, BOTTOM = 56, 14, 12, 46  # margins; each line of the legend takes more room above
SATURATED = 0.99  # Appendix H of the paper
# Viridis in twenty steps, and grey for what has no number.
STOPS = [(0x44, 0x01, 0x54), (0x3B, 0x52, 0x8B), (0x21, 0x91, 0x8C), (0x5E, 0xC9, 0x62), (0xFD, 0xE7, 0x25)]
STEPS = 20


def integer_ticks(first, last):
    """Integers, at most about eight."""
    step = next(size for size in (m * 10**e for e in range(20) for m in (1, 2, 5)) if (last - first) / size <= 8)
    return [(x, str(x)) for x in range(-(-first // step) * step, last + 1, step)]


def power_ticks(base, first, last, unit):
    """Powers, of exponents that are multiples of some `unit`s: at most about eight."""
    first, last = math.floor(first), math.ceil(last)
    step = max(unit, (last - first) // (8 * unit) * unit)
    superscript = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    return [(e, base + str(e).translate(superscript)) for e in range(-(-first // step) * step, last + 1, step)]


def plot(height, x, y, labels, series, lines=(), legend=True):
    """What the template draws: x and y are (first, last, ticks); a series (kind, label, points), of a kind of the style sheet, a line (kind, x0, y0, x1, y1), None for the edge."""
    above = TOP + (18 * sum(bool(label) for _, label, _ in series) if legend else 0)
    (x0, x1, x_ticks), (y0, y1, y_ticks) = x, y
    at_x = lambda value: round(LEFT + (value - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT), 1)
    at_y = lambda value: round(height - BOTTOM - (value - y0) / (y1 - y0) * (height - BOTTOM - above), 1)
    edge = lambda value, other, at: at(other if value is None else value)
    return {"width": WIDTH, "height": height, "left": LEFT, "right": WIDTH - RIGHT, "top": above, "bottom": height - BOTTOM, "labels": labels,
            "x_ticks": [(at_x(value), text) for value, text in x_ticks if x0 <= value <= x1], "y_ticks": [(at_y(value), text) for value, text in y_ticks if y0 <= value <= y1],
            "series": [(kind, label if legend else "", [(at_x(px), *map(at_y, py)) for px, *py in points]) for kind, label, points in series],
            "lines": [(kind, edge(a, x0, at_x), edge(b, y0, at_y), edge(c, x1, at_x), edge(d, y1, at_y)) for kind, a, b, c, d in lines]}


def heads(figure):
    ranks, paper, hull, r = (figure[key] for key in ("ranks", "paper", "hull", "r"))
    count, top, joined = len(ranks), max(ranks[-1], paper[-1], hull[-1], 1), lambda numbers: ", ".join(map(str, numbers))
    of = lambda kind, label, numbers: (kind, label, [(h, value) for h, value in enumerate(numbers, 1)])
    return {"title": "Rank of Z after each head of the construction",
            "caption": "Dots: the rank that the first h heads reach, of which the certificate proves the last. Grey: the paper's bound "
                       f"min(T, h(r − 1) + 1), r = {r}. Dashes: the least of T, hd and the affine hull bound, which no weights exceed. "
                       "Where a dot lies on the dashes, the rank is the largest possible.",
            "data": ("After the only head" if count == 1 else f"After heads 1 to {count}") + f": rank {joined(ranks)}; the paper's bound {joined(paper)}; the affine hull bound {joined(hull)}.",
            "plot": plot(330, (0.5, count + 0.5, integer_ticks(1, count)), (0, top * 1.06, integer_ticks(0, top)), ("h, number of heads", "rank"),
                         [of("wide", "the paper: min(T, h(r − 1) + 1)", paper), of("bound", "at most, by the affine hull of the tokens", hull), of("dots", "rank reached with h heads", ranks)])}


def capacity(claims):
    """None for fewer than two numbers of heads."""
    bounds = {claim["heads"]: (claim["capacity"]["lower"], claim["capacity"]["upper"]) for claim in claims
              if claim["statement"] == "capacity" and isinstance(claim.get("heads"), int) and isinstance(claim["capacity"]["upper"], int)}
    if len(bounds) < 2:
        return None
    first, last, top = min(bounds), max(bounds), max(1, *(upper for _, upper in bounds.values()))
    points = sorted((h, lower, upper) for h, (lower, upper) in bounds.items())
    return {"title": "Capacity by the number of heads",
            "caption": "How many examples H heads can memorize: the largest rank of Z over all key and query weights. A bar joins its bounds where they do not meet. "
                       "A further head never adds more than the one before.",
            "data": "Capacity " + ", ".join(f"{a}{'' if a == b else f' to {b}'} with H = {h}" for h, a, b in points) + ".",
            "plot": plot(330, (first - 0.5, last + 0.5, integer_ticks(first, last)), (0, top * 1.06, integer_ticks(0, top)), ("H, number of heads", "capacity"),
                         [("bars", "", points), ("line", "", [point[:2] for point in points])], legend=False)}


def over_lambda(figure):
    points, above = figure["points"], figure["all_above"]
    exact, lost = all(lower == upper for _, lower, upper, _ in points), sum(float64 < lower for _, lower, _, float64 in points)
    first, last, top = points[0][0], points[-1][0], max(1, *(max(upper, float64) for _, _, upper, float64 in points))
    caption = ("The construction with one λ for all heads. Dots: the exact rank" + ("" if exact else ", or the interval in which it is proved to lie") +
               ". Squares: the rank that binary64 reports (singular values above the usual tolerance), which decides nothing. " +
               ("Here binary64 loses nothing." if lost == 0 else f"Binary64 reports too small a rank at {lost} of {len(points)} values of λ.") +
               ("" if figure["negative"] == 0 else " A negative λ is not shown."))
    shown = above is not None and first <= above <= last
    if above is not None:
        caption += " The rank of the construction is kept for every λ " + ("right of the dashed line." if shown else f"with log2 λ above {above:.1f}, which is not shown.")
    return {"title": "Exact rank and binary64 rank over λ", "caption": caption,
            "data": "; ".join(f"log2 λ = {x:.4g}: {a}{'' if a == b else f' to {b}'} exactly, {c} in binary64" for x, a, b, c in points) + ".",
            "plot": plot(320, (first - 0.7, last + 0.7, power_ticks("2", first, last, 4)), (0, top * 1.06, integer_ticks(0, top)), ("λ", "rank of Z"),
                         [] if not points else ([] if exact else [("area", "exact rank lies here", [(x, a, b) for x, a, b, _ in points])]) +
                         [("line", "exact rank" if exact else "exact rank, at least", [(x, a) for x, a, *_ in points]), ("squares", "rank in binary64", [(x, c) for x, *_, c in points])],
                         [("grey", above, None, above, None)] if shown else [])}


def singular_values(figure, found):
    values, tolerance = figure["values"], figure["tolerance"]
    size, top = len(values), values[0]
    least = min(top - 17, tolerance - 1)  # what is below binary64's rounding is drawn on the edge
    logs = [least if value is None else max(value, least) for value in values]
    above = sum(value is not None and value > tolerance for value in values)
    near = [values[k] for k in range(max(0, above - 3), min(size, above + 3))]
    upper = max(top, tolerance)
    return {"title": "Singular values of Z around the tolerance",
            "caption": "Dots: singular values in binary64, the largest first, which decide nothing; those below its rounding errors are mere noise. Dashes: the tolerance. "
                       f"Proved: {found}.",
            "data": f"In binary64 {above} of {size} singular values are above the tolerance; around it " + ", ".join("0" if value is None else f"{10**value:.4g}" for value in near) + ".",
            "plot": plot(320, (-0.5, size - 0.5, integer_ticks(0, size - 1)), (least, upper + 0.5, power_ticks("10", least, upper, 2)), ("index", "singular value"),
                         [("dots", "singular values in binary64", list(enumerate(logs)))], [("bound", None, tolerance, None, tolerance)])}


def colour(share):
    k = share * (len(STOPS) - 1)
    low = min(int(k), len(STOPS) - 2)
    return tuple(round(a + (b - a) * (k - low)) for a, b in zip(STOPS[low], STOPS[low + 1]))


def picture(rows):
    """A PNG with a pixel for each number from 0 to 1, as an address."""
    palette = bytes(x for step in range(STEPS) for x in colour(step / (STEPS - 1))) + bytes((0x80, 0x8A, 0x8F))
    pixels = b"".join(b"\0" + bytes(STEPS if x is None else min(STEPS - 1, int(x * STEPS)) for x in row) for row in rows)
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 3, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"PLTE", palette) + chunk(b"IDAT", zlib.compress(pixels, 9)) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(data).decode()


def saturation(figure):
    rows = figure["largest"]
    H, T = len(rows), len(rows[0])
    over = [[x is not None and x > SATURATED for x in row] for row in rows]
    saturated, free = sum(map(sum, over)), sum(not all(column) for column in zip(*over))
    percent = lambda part, whole: f"{100 * part / whole:.{0 if part in (0, whole) else 1}f}%"
    height = 120 + min(H * 14, 210)
    drawn = plot(height, (-0.5, T - 0.5, integer_ticks(0, T - 1)), (H - 0.5, -0.5, []), ("example", "head"), [], legend=False)
    scale = (drawn["bottom"] - drawn["top"]) / H
    drawn["y_ticks"] = [(round(drawn["top"] + (h + 0.5) * scale, 1), text) for h, text in integer_ticks(0, H - 1)]
    # The legend, a strip of all colours, stands right of the picture.
    drawn["right"] -= 66
    drawn["x_ticks"] = [(round(LEFT + (t + 0.5) / T * (drawn["right"] - LEFT), 1), text) for t, text in integer_ticks(0, T - 1)]
    drawn["picture"], drawn["strip"] = picture(rows), picture([[1 - step / (STEPS - 1)] for step in range(STEPS)])
    return {"title": "Saturation of the given heads by example",
            "caption": "The largest softmax coefficient of each head at each example. Computed in binary64, for display only; no verdict rests on it.",
            "data": f"{percent(saturated, T * H)} of the pairs (head, example) are saturated, that is have a coefficient above 0.99; {percent(free, T)} of the examples have a head that is not saturated.",
            "plot": drawn}


def add(case):
    """Puts "drawn", what the template needs, beside the numbers of a case's figures."""
    explained = case.get("explained")
    if not explained:
        return
    # A page of many cases has none.
    wanted = any("figures" in part for part in explained["claims"])
    of_case = [saturation(figure) for figure in explained.get("figures", [])] + ([capacity(case["claims"])] if wanted else [])
    explained["drawn"] = [figure for figure in of_case if figure]
    seen = {}
    for k, (claim, words) in enumerate(zip(case["claims"], explained["claims"])):
        words["drawn"] = []
        for figure in words.get("figures", []):
            if figure["kind"] == "heads":
                key = repr(figure)
                words["drawn"].append({"same_as": seen[key]} if key in seen else heads(figure))
                seen.setdefault(key, k)
            elif figure["kind"] == "lambda":
                words["drawn"].append(over_lambda(figure))
            elif figure["kind"] == "singular-values":
                words["drawn"].append(singular_values(figure, claim.get("found", "")))
