"""Arrays that a case file has drawn from a seed (docs/case-files.md), every one correctly rounded. For normalize_case.py."""
import array
import functools
import math
from fractions import Fraction

from exact_arrays import MEMORY, Array, TooLarge


class SplitMix64:
    MASK = (1 << 64) - 1

    def __init__(self, seed, stream):
        self.state = (256 * seed + stream) & self.MASK

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & self.MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & self.MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & self.MASK
        return z ^ (z >> 31)

    def below(self, bound):
        limit = (1 << 64) // bound * bound
        while True:
            x = self.next()
            if x < limit:
                return x % bound


PRECISION = 128
PI = 0xC90FDAA22168C234C4C6628B80DC1CD1  # 2^126 pi, rounded to 128 bits


def rounded(value, error, scale, bits=PRECISION):
    """The value nearest to x, |x 2^scale - value| <= error, with `bits` bits (ties to even; error 0 means
    exact), as (integer, exponent); None when the error leaves it open."""
    ends = []
    for end in {value - error, value + error}:
        if end == 0:
            return (0, 0) if error == 0 else None
        magnitude = abs(end)
        drop = magnitude.bit_length() - bits
        if drop <= 0:
            if error:
                return None
            ends.append((end, -scale))
            continue
        quotient, rest = divmod(magnitude, 1 << drop)
        half = 1 << (drop - 1)
        quotient += rest > half or (rest == half and quotient & 1)
        if quotient >> bits:  # so that equal values are equal pairs
            quotient, drop = quotient >> 1, drop + 1
        ends.append((quotient if end > 0 else -quotient, drop - scale))
    return ends[0] if ends[0] == ends[-1] else None


def by_precision(approximate):
    """The correctly rounded value of approximate(scale) = (value, error), in units of 2^-scale."""
    scale = 240
    while True:
        value, error = approximate(scale)
        result = rounded(value, error, scale)
        if result is not None:
            return result
        scale *= 2


def log_at_ratio(numerator, denominator, scale):
    """2 atanh(numerator/denominator) = ln((1 + r)/(1 - r)), 0 <= r <= 1/3, within 2^10 units of 2^-scale."""
    r = (numerator << scale) // denominator
    square, term, total, k = (r * r) >> scale, r, 0, 1
    while term:
        total += term // k
        term = (term * square) >> scale
        k += 2
    return 2 * total


@functools.cache
def log2_at(scale):
    return log_at_ratio(1, 3, scale)


def log_of(k):
    """ln(k 2^-53), 1 <= k < 2^53, rounded to 128 bits."""
    def approximate(scale):
        power = 1 << (k.bit_length() - 1)  # 1 <= k / power < 2
        near = log_at_ratio(k - power, k + power, scale)
        return near + (k.bit_length() - 54) * log2_at(scale), 1 << 20
    return by_precision(approximate)


def cosine(m, e):
    """cos(m 2^e), 0 <= m 2^e < 2 pi, rounded to 128 bits."""
    if m == 0:
        return 1, 0

    def approximate(scale):
        halvings = 8
        x = m << (e + scale) if e + scale >= 0 else m >> -(e + scale)
        x >>= halvings
        square = (x * x) >> scale
        term, total, k = 1 << scale, 0, 0
        while term:
            total += term
            term = -((term * square) >> scale) // ((k + 1) * (k + 2))
            k += 2
            if abs(term) <= 1:
                break
        for _ in range(halvings):  # cos 2x = 2 cos^2 x - 1; an error grows fourfold at most
            total = 2 * ((total * total) >> scale) - (1 << scale)
        return total, 1 << 40
    return by_precision(approximate)


def square_root(m, e):
    """sqrt(m 2^e), m >= 0, rounded to 128 bits."""
    shift = max(0, 2 * PRECISION + 8 - m.bit_length())
    shift += (e - shift) % 2
    root = math.isqrt(m << shift)
    # A bit below says whether the root is exact.
    sticky = 2 * root + (root * root != m << shift)
    return rounded(sticky, 0, 1 - (e - shift) // 2)


def normal(random):
    k1 = (random.next() >> 11) + 1
    k2 = random.next() >> 11
    log_m, log_e = log_of(k1) if k1 < 1 << 53 else (0, 0)
    root_m, root_e = square_root(-2 * log_m, log_e)
    angle_m, angle_e = rounded(PI * k2, 0, 53 + 126)
    cos_m, cos_e = cosine(angle_m, angle_e + 1)
    m, e = rounded(root_m * cos_m, 0, -(root_e + cos_e))
    return (float(m << e) if e >= 0 else m / (1 << -e)) + 0.0  # both round correctly


def generated(spec, shape, stream):
    random = SplitMix64(spec["seed"], stream)
    count = math.prod(shape)
    if 8 * count > MEMORY:
        raise TooLarge(f"a generated array of {count} entries")
    kind, scale = spec["kind"], spec["scale"]

    def integer():
        return random.below(2 * spec["bound"] + 1) - spec["bound"]

    def rational():
        p = integer()
        return Fraction(p, random.below(spec["denominator"]) + 1)

    draw = {"integers": integer, "rationals": rational,
            "uniform-f64": lambda: math.ldexp(random.next() >> 11, -53),
            "normal-f64": lambda: normal(random)}[kind]
    entries = [draw() for _ in range(count)]
    if kind.endswith("f64") and scale == 1:
        return Array(shape, array.array("d", entries))
    if scale != 1:
        entries = [Fraction(x) * scale for x in entries]
    return Array(shape, entries)
