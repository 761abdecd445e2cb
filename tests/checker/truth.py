"""What is true of a small canonical problem: by long decimals, fractions, all subsets and random weights.

Shares no line and no algorithm with prover, checkers and src/readers: it sees what scripts/normalize_case.py writes.
"""
import decimal
import itertools
import random
from decimal import Decimal
from fractions import Fraction

PRIME = (1 << 127) - 1
MOST_DIGITS = 1200
decimal.getcontext().Emin, decimal.getcontext().Emax = decimal.MIN_EMIN, decimal.MAX_EMAX
VERIFIED, STATED = "verified", "verified (hypotheses undecided)"


class Unknown(Exception):
    pass


def rank(rows):
    """Over the rationals."""
    rows, count = [list(map(Fraction, row)) for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        at = next((i for i in range(count, len(rows)) if rows[i][column]), None)
        if at is None:
            continue
        rows[count], rows[at] = rows[at], rows[count]
        for i in range(count + 1, len(rows)):
            factor = rows[i][column] / rows[count][column]
            if factor:
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[count])]
        count += 1
    return count


def rank_modulo(rows):
    """Modulo a large prime: of random entries the rank over the rationals, but for a chance of about 2^-120."""
    rows, count = [list(row) for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        at = next((i for i in range(count, len(rows)) if rows[i][column] % PRIME), None)
        if at is None:
            continue
        rows[count], rows[at] = rows[at], rows[count]
        inverse = pow(rows[count][column], -1, PRIME)
        for i in range(count + 1, len(rows)):
            factor = rows[i][column] * inverse
            rows[i] = [(x - factor * y) % PRIME for x, y in zip(rows[i], rows[count])]
        count += 1
    return count


def is_zero(x, digits):
    """Nearly all digits agree with 0, or few do; between them nobody knows."""
    if abs(x) < Decimal(10) ** (-digits * 8 // 10):
        return True
    if abs(x) < Decimal(10) ** (-digits // 2):
        raise Unknown
    return False


def real_rank(rows, digits):
    rows, count = [list(row) for row in rows], 0
    while count < len(rows):
        value, i, j = max((abs(x), i, j) for i, row in enumerate(rows) if i >= count for j, x in enumerate(row))
        if is_zero(value, digits):
            break
        rows[count], rows[i] = rows[i], rows[count]
        for i in range(count + 1, len(rows)):
            factor = rows[i][j] / rows[count][j]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[count])]
            rows[i][j] = Decimal(0)
        count += 1
    return count


def positive_eigenvalues(m, digits):
    """Of a symmetric matrix, by diagonal pivots."""
    m, found = [list(row) for row in m], 0
    while m:
        at = max(range(len(m)), key=lambda i: abs(m[i][i]))
        if is_zero(m[at][at], digits):
            if all(is_zero(x, digits) for row in m for x in row):
                return found
            raise Unknown
        pivot, row = m[at][at], m[at]
        found += pivot > 0
        kept = [i for i in range(len(m)) if i != at]
        m = [[m[i][j] - row[i] * row[j] / pivot for j in kept] for i in kept]
    return found


def real(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def dot(a, b):
    return sum((x * y for x, y in zip(a, b)), Fraction(0))


class Truth:
    """Of the problem as JSON; its statements are judged by `verdicts` and `number`."""

    def __init__(self, problem):
        self.problem, layer = problem, problem["layer"]
        self.known = {}
        self.T, self.H, self.n, self.d = (layer[key] for key in ("examples", "heads", "context", "embed_dim"))
        self.d_h, self.d_out, self.d_v = (layer[key] for key in ("head_dim", "output_dim", "value_dim"))
        self.arrays = {name: (array["shape"], [Fraction(x) for x in array["entries"]]) for name, array in problem["arrays"].items()}
        rows = self.matrix("contexts", self.d)
        if "members" in problem:
            self.tokens = problem["members"]
            lengths = set(map(len, self.tokens))
            self.n = lengths.pop() if len(lengths) == 1 else None  # of contexts of several lengths there is no n
        elif len(self.arrays["contexts"][0]) == 2:
            self.tokens = [list(range(self.n))] * self.T
        else:
            self.tokens = [list(range(t * self.n, (t + 1) * self.n)) for t in range(self.T)]
        self.rows = rows
        self.contexts = [[rows[i] for i in members] for members in self.tokens]
        self.queries = self.matrix("queries", self.d) if "queries" in self.arrays else None
        self.labels = self.matrix("labels", self.d_out) if "labels" in self.arrays else None
        self.r = self.n and min(self.n, self.d_h)

    def matrix(self, name, width):
        entries = self.arrays[name][1]
        return [entries[i:i + width] for i in range(0, len(entries), width)]

    def block(self, name, h, rows, cols):
        entries = self.arrays[name][1][h * rows * cols:(h + 1) * rows * cols]
        return [entries[i:i + cols] for i in range(0, len(entries), cols)]

    def once(self, name):
        if name not in self.known:
            try:
                self.known[name] = getattr(self, name)()
            except Unknown:
                self.known[name] = None
        if self.known[name] is None:
            raise Unknown
        return self.known[name]

    # --- Z

    def logits(self):
        """[t][h][i], before scale and base."""
        d, d_h, T, H = self.d, self.d_h, self.T, self.H
        if "projected_keys" in self.arrays:
            (_, _, m), own = self.arrays["projected_queries"]
            (count, groups, _), keys = self.arrays["projected_keys"]
            slots, slot, out = count != len(self.rows), 0, []
            for t in range(T):
                out.append([[] for _ in range(H)])
                for i in self.tokens[t]:
                    row = slot if slots else i
                    slot += 1
                    for h in range(H):
                        at = (row * groups + h * groups // H) * m
                        out[t][h].append(dot(own[(t * H + h) * m:(t * H + h + 1) * m], keys[at:at + m]))
            return out
        if "combined" in self.arrays:
            w = [self.block("combined", h, d, d) for h in range(H)]
            return [[[dot(token, [dot(row, self.queries[t]) for row in w[h]]) for token in self.contexts[t]] for h in range(H)]
                    for t in range(T)]
        if "key" not in self.arrays:
            raise Unknown
        key, query = ([self.block(name, h, d, d_h) for h in range(H)] for name in ("key", "query"))
        bias = [self.block(name, h, 1, d_h)[0] for name in ("key_bias", "query_bias") if name in self.arrays for h in range(H)]
        zero = [[Fraction(0)] * d_h] * H
        key_bias = bias[:H] if "key_bias" in self.arrays else zero
        query_bias = bias[-H:] if "query_bias" in self.arrays else zero
        return self.factored(key, query, key_bias, query_bias)

    def factored(self, key, query, key_bias, query_bias):
        out = []
        for t in range(self.T):
            out.append([])
            for h in range(self.H):
                q = [dot([row[k] for row in query[h]], self.queries[t]) + query_bias[h][k] for k in range(self.d_h)]
                out[t].append([dot([dot(token, [row[k] for row in key[h]]) + key_bias[h][k] for k in range(self.d_h)], q)
                               for token in self.contexts[t]])
        return out

    def z(self, logits, of_case=True):
        """(Z, digits, coefficients) for scale and base of the case, or base e."""
        layer = self.problem["layer"]
        root, scale = layer["logit_scale"].startswith("1/sqrt("), layer["logit_scale"]
        factor = Fraction(1) if root or not of_case else Fraction(scale)
        spread = max(max(x) - min(x) for row in logits for x in row) * abs(factor)
        digits = 120 + min(self.T, self.H * self.d) * int(spread)
        if digits > MOST_DIGITS:
            raise Unknown
        decimal.getcontext().prec = digits
        unit = Decimal(2).ln() if of_case and layer["base"] == "2" else Decimal(1)
        unit *= 1 / Decimal(scale[7:-1]).sqrt() if of_case and root else real(factor)
        tokens = [[real(x) for x in row] for row in self.rows]
        coefficients, rows = [], []
        for t, per_head in enumerate(logits):
            coefficients.append([])
            rows.append([])
            for head in per_head:
                powers = [(real(x - head[0]) * unit).exp() for x in head]
                total = sum(powers)
                alpha = [x / total for x in powers]
                coefficients[t].append(alpha)
                rows[t] += [sum(a * tokens[i][j] for a, i in zip(alpha, self.tokens[t])) for j in range(self.d)]
        return rows, digits, coefficients

    def given(self):
        return self.z(self.logits())

    def given_rank(self):
        rows, digits, _ = self.once("given")
        return real_rank(rows, digits)

    def labelled_rank(self):
        rows, digits, _ = self.once("given")
        return real_rank([row + [real(x) for x in label] for row, label in zip(rows, self.labels)], digits)

    def different_outputs(self):
        rows, digits, _ = self.once("given")
        return len([t for t, row in enumerate(rows)
                    if not any(all(is_zero(x - y, digits) for x, y in zip(row, rows[s])) for s in range(t))])

    def capacity(self):
        """Almost all weights have the largest rank."""
        if self.queries is None:
            raise Unknown
        source, best = random.Random(1), 0
        for _ in range(3):
            w = [[[[Fraction(source.randint(-40, 40), 40) for _ in range(self.d_h)] for _ in range(self.d)] for _ in range(self.H)]
                 for _ in range(2)]
            zero = [[Fraction(0)] * self.d_h] * self.H
            largest = max((abs(x) for row in self.rows + self.queries for x in row), default=1) or 1
            logits = self.factored(w[0], w[1], zero, zero)
            shrink = 1 / Fraction(largest * largest)  # so that exp is neither 0 nor 1 for most digits
            logits = [[[x * shrink for x in head] for head in row] for row in logits]
            rows, digits, _ = self.z(logits, False)
            best = max(best, real_rank(rows, digits))
        return best

    def any_coefficients(self):
        source = random.Random(2)
        values = [[x.numerator * pow(x.denominator, -1, PRIME) % PRIME for x in row] for row in self.rows]
        rows = []
        for members in self.tokens:
            row = []
            for _ in range(self.H):
                alpha = [source.randrange(PRIME) for _ in members[1:]]
                alpha.append((1 - sum(alpha)) % PRIME)
                row += [sum(a * values[i][j] for a, i in zip(alpha, members)) % PRIME for j in range(self.d)]
            rows.append(row)
        return rank_modulo(rows)

    def saturated(self, arguments):
        _, digits, coefficients = self.once("given")
        threshold = real(Fraction(arguments["threshold"]))
        heads = [int(arguments["head"])] if "head" in arguments else range(self.H)
        return sum(not is_zero(max(row[h]) - threshold, digits) and max(row[h]) > threshold for row in coefficients for h in heads)

    def numerical_rank(self, arguments):
        rows, digits, _ = self.once("given")
        bound = real(Fraction(arguments["tolerance"])) ** 2
        gram = [[sum(x * y for x, y in zip(a, b)) - (bound if i == j else 0) for j, b in enumerate(rows)] for i, a in enumerate(rows)]
        return positive_eigenvalues(gram, digits)

    def accurate(self, arguments):
        means, digits, _ = self.once("given")
        d, H = self.d, self.H

        def through(x, name, rows, cols, h=0):
            block = self.block(name, h, rows, cols)
            return [sum((real(block[i][j]) * x[i] for i in range(rows)), Decimal(0)) for j in range(cols)]

        def plus(x, name, start=0):
            if name not in self.arrays:
                return x
            return [a + real(b) for a, b in zip(x, self.arrays[name][1][start:start + len(x)])]

        right = 0
        for t, mean in enumerate(means):
            heads = [mean[h * d:(h + 1) * d] for h in range(H)]
            if "value" in self.arrays:
                heads = [through(x, "value", d, self.d_v, h) for h, x in enumerate(heads)]
            width = len(heads[0])
            heads = [plus(x, "value_bias", h * width) for h, x in enumerate(heads)]
            if "output" in self.arrays:
                m = self.arrays["output"][0][2]
                parts = [through(x, "output", width, m, h) for h, x in enumerate(heads)]
                x = [sum(column) for column in zip(*parts)]
            else:
                x = [value for head in heads for value in head]
            x = plus(x, "output_bias")
            x = plus(x, "skip", t * len(x))
            if "readout" in self.arrays:
                x = through(x, "readout", len(x), self.d_out)
            x = plus(x, "readout_bias")
            if "epsilon" in arguments:
                far = [abs(a - real(b)) - real(Fraction(arguments["epsilon"])) for a, b in zip(x, self.labels[t])]
                right += all(is_zero(y, digits) or y < 0 for y in far)
            else:
                c = int(Fraction(arguments["classes"]["entries"][t]))
                if len(x) == 1:
                    x = [Decimal(0), x[0]]
                right += all(not is_zero(x[c] - y, digits) and x[c] > y for k, y in enumerate(x) if k != c)
        return right

    # --- the data

    def kruskal(self, vectors):
        best = 0
        for k in range(1, min(len(vectors), self.d) + 1):
            if len(vectors) > 14:
                raise Unknown
            if any(rank(list(subset)) < k for subset in itertools.combinations(vectors, k)):
                return best
            best = k
        return best

    def kruskal_queries(self):
        return self.kruskal(self.queries)

    def kruskal_mixed(self):
        return self.kruskal([[x + mean for x, mean in zip(query, self.mean(t))] for t, query in enumerate(self.queries)])

    def mean(self, t):
        return [sum(column) / self.n for column in zip(*self.contexts[t])]

    def least_context_rank(self):
        return min(map(rank, self.contexts))

    def mixed_context_rank(self):
        return min(rank([[x + mean for x, mean in zip(token, self.mean(t))] for token in self.contexts[t]]) for t in range(self.T))

    def hull_bound(self):
        return min(self.T, self.H * self.d, self.H * (rank([row + [1] for row in self.rows]) - 1) + 1, self.H * rank(self.rows))

    # --- statements

    def paper_lower(self, r=None):
        if self.n is None:
            raise Unknown
        return min(self.T, self.H * ((self.r if r is None else r) - 1) + 1)

    def hypotheses(self, name):
        """Of theorems about the queries and contexts: (name, whether it holds)"""
        first = name not in ("proposition-2", "proposition-5", "proposition-4", "remark-1")
        if name in ("proposition-1", "finite-lambda", "theorem-1", "skip-connection", "remark-1"):
            if first:
                yield self.once("kruskal_queries") >= min(self.n, self.T)
            yield self.once("least_context_rank") >= self.n
        if name in ("theorem-1", "skip-connection"):
            yield self.T <= self.H * (self.r - 1) + 1
            yield self.d_out <= (self.d_v if name == "theorem-1" else min(self.d_v, self.d))
        if name == "proposition-4":
            yield self.once("least_context_rank") >= self.n
            yield self.once("kruskal_mixed") >= min(self.n, self.T)
        if name == "proposition-2":
            yield len({tuple(map(tuple, context)) for context in self.contexts}) <= 1
        if name == "proposition-5":
            yield len({sum(row) for row in self.rows}) <= 1
        if name == "memorizes":
            yield self.d_out <= self.d_v

    def quantity(self, name, arguments):
        """The number that a statement asks for."""
        if name in ("saturation", "numerical-rank", "accuracy"):
            return {"saturation": self.saturated, "numerical-rank": self.numerical_rank, "accuracy": self.accurate}[name](arguments)
        return self.once({"rank": "given_rank", "capacity": "capacity", "any-coefficients": "any_coefficients",
                          "kruskal-rank": "kruskal_queries"}[name])

    def conclusion(self, name, arguments):
        if name in ("rank", "capacity", "any-coefficients", "kruskal-rank", "saturation", "numerical-rank", "accuracy"):
            asked = [key for key in ("value", "at_least", "at_most") if key in arguments]
            if not asked:
                return True
            number, bound = self.quantity(name, arguments), int(arguments[asked[0]])
            return {"value": number == bound, "at_least": number >= bound, "at_most": number <= bound}[asked[0]]
        if name == "memorizes":
            return self.d_out <= self.d_v and self.once("labelled_rank") == self.once("given_rank")
        if name == "injective":
            return self.once("different_outputs") == self.T
        if name == "general-position":
            return self.once("kruskal_queries") >= min(self.d, self.T)
        if name in ("assumption-1", "assumption-3"):
            return self.once("kruskal_queries" if name[-1] == "1" else "kruskal_mixed") >= min(self.n, self.T)
        if name == "assumption-2":
            return self.once("least_context_rank") >= self.n
        if name == "affine-hull-bound":
            return self.once("any_coefficients") <= self.once("hull_bound")
        if name == "proposition-2":
            return self.once("any_coefficients") <= self.H * (self.n - 1) + 1
        if name == "proposition-5":
            return self.once("any_coefficients") <= self.H * (self.d - 1) + 1
        if name == "proposition-1":
            return self.once("capacity") >= self.paper_lower()
        if name == "remark-1":
            return self.once("capacity") >= self.paper_lower(min(self.r, self.once("kruskal_queries")))
        if name == "proposition-4":
            return self.once("kruskal_mixed") >= min(self.n, self.T) and self.once("mixed_context_rank") >= self.n
        if name in ("theorem-1", "skip-connection"):
            return self.once("capacity") >= self.T
        raise Unknown

    def verdicts(self, name, arguments):
        """Those that are true, or None when that is not known."""
        try:
            holds = all(list(self.hypotheses(name)))
        except Unknown:
            return None
        try:
            true = self.conclusion(name, arguments)
        except Unknown:
            return {"undecided", VERIFIED, STATED} if holds and name == "finite-lambda" else None if holds else {"undecided", "inapplicable", STATED}
        if holds:
            return {"undecided", VERIFIED, STATED} if true else {"undecided", "refuted"}
        return {"undecided", "inapplicable"} | ({STATED} if true else set())

    NUMBERS = {"rank(Z)": "given_rank", "capacity": "capacity", "rank(Z) for any coefficients": "any_coefficients",
               "rank [Z Y]": "labelled_rank", "different outputs": "different_outputs", "least rank of a context": "least_context_rank"}
    ASKED = {"saturated pairs": "saturation", "numerical rank": "numerical-rank", "accurate examples": "accuracy"}

    def number(self, shown, name, arguments):
        """What is shown as `shown` in a line about the statement."""
        if shown in self.ASKED:
            return self.quantity(self.ASKED[shown], arguments)
        if shown == "Kruskal rank":
            return self.once("kruskal_mixed" if name == "assumption-3" else "kruskal_queries")
        if shown == "Proposition 1's bound under its assumptions":
            return max(0, self.paper_lower(min(self.r, self.once("kruskal_queries")))) if name == "remark-1" else self.paper_lower()
        if shown in self.NUMBERS:
            return self.once(self.NUMBERS[shown])
        raise Unknown
