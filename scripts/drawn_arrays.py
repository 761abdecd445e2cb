"""Arrays that a case file has drawn from a seed (docs/case-files.md), every one correctly rounded. For normalize_case.py."""
import array
import functools
import math
import struct
from fractions import Fraction

from exact_arrays import MEMORY, Array, TooLarge


class SplitMix64:
    """Words of 64 bits, many at a time: each in a lane of 128 bits of one long integer."""

    def __init__(self, seed, stream):
        self.state, self.drawn = 256 * seed + stream, 0
        self.next = self.words().__next__

    def words(self):
        size = 64
        while True:
            yield from self.lanes(size)
            size = min(2 * size, 1 << 14)

    def lanes(self, count):
        """The next `count` words, a power of 2."""
        ones, ramp, size = 1, 0, 1  # 1 in every lane, and 0, 1, 2, ...
        while size < count:
            ramp |= (ramp + size * ones) << (128 * size)
            ones |= ones << (128 * size)
            size *= 2
        low = ones * ((1 << 64) - 1)
        z = (ramp * 0x9E3779B97F4A7C15 + ones * ((self.state + (self.drawn + 1) * 0x9E3779B97F4A7C15) % (1 << 64))) & low
        self.drawn += count
        z = ((z ^ ((z >> 30) & low)) * 0xBF58476D1CE4E5B9) & low
        z = ((z ^ ((z >> 27) & low)) * 0x94D049BB133111EB) & low
        z ^= (z >> 31) & low
        return struct.unpack(f"<{2 * count}Q", z.to_bytes(16 * count, "little"))[::2]

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


FAST = 84  # bits after the point, of which the last 12 may be wrong


@functools.cache
def fast_constants():
    """ln 2, 2 pi, and the coefficients of atanh, cos and sin, of the highest power first.  What is left out is below
    2^-82: 2^-80 / 11 of atanh(r) / r, |r| < 2^-8, and (pi/4)^24 / 24! of cos, (pi/4)^23 / 23! of sin."""
    one = 1 << FAST
    atanh = [one // k for k in range(9, 0, -2)]
    even = [(-1) ** (k // 2) * one // math.factorial(k) for k in range(22, -1, -2)]
    odd = [(-1) ** (k // 2) * one // math.factorial(k) for k in range(21, 0, -2)]
    return log2_at(FAST + 32) >> 32, PI >> (125 - FAST), atanh, even, odd


@functools.cache
def log_of_odd(t):
    """ln((2 t + 1) / 256), 128 <= t < 256."""
    return log_at_ratio(2 * t + 1 - 256, 2 * t + 1 + 256, FAST + 32) >> 32


def fast_normal(k1, k2):
    """What normal() returns, or None where 72 bits leave it open: two bounds that are the same binary64 are that."""
    log2, turn, atanh, even, odd = fast_constants()
    e = k1.bit_length()
    if e < 9 or k1 == 1 << 53:
        return None
    t = k1 >> (e - 8)
    middle = (2 * t + 1) << (e - 9)  # k1 = middle (1 + r) / (1 - r), |r| < 2^-8
    r = ((k1 - middle) << FAST) // (k1 + middle)
    square, total = r * r >> FAST, 0
    for c in atanh:
        total = c + (total * square >> FAST)
    log = (54 - e) * log2 - log_of_odd(t) - 2 * (r * total >> FAST)
    if log >> (FAST - 8) == 0:  # its root would be less exact
        return None
    quarter = 1 << 51
    k2 = min(k2, (1 << 53) - k2)  # cos(2 pi - x) = cos x = -cos(pi - x)
    sign, k2 = (-1, 2 * quarter - k2) if k2 > quarter else (1, k2)
    near = 2 * k2 <= quarter  # else the sine of what is left
    x = turn * (k2 if near else quarter - k2) >> 53
    square, cos = x * x >> FAST, 0
    for c in even if near else odd:
        cos = c + (cos * square >> FAST)
    if not near:
        cos = cos * x >> FAST
    value = sign * (math.isqrt(2 * log << FAST) * cos >> FAST)
    low, high = float(value - (1 << 12)), float(value + (1 << 12))
    return math.ldexp(low, -FAST) if low == high else None


def normal(random):
    k1 = (random.next() >> 11) + 1
    k2 = random.next() >> 11
    result = fast_normal(k1, k2)
    return exact_normal(k1, k2) if result is None else result


def exact_normal(k1, k2):
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
    kind, scale, draw = spec["kind"], spec["scale"], random.next
    if kind == "uniform-f64":
        entries = [(draw() >> 11) * 2.0 ** -53 for _ in range(count)]
    elif kind == "normal-f64":
        entries = [normal(random) for _ in range(count)]
    elif kind == "integers":
        bound = spec["bound"]
        entries = [random.below(2 * bound + 1) - bound for _ in range(count)]
    else:
        bound, denominator = spec["bound"], spec["denominator"]
        entries = [Fraction(random.below(2 * bound + 1) - bound, random.below(denominator) + 1) for _ in range(count)]
    if kind.endswith("f64"):
        powers = scale.numerator.bit_count() == scale.denominator.bit_count() == 1
        if powers and max(abs(scale.numerator), scale.denominator) < 1 << 1000:
            factor = float(scale)
            scaled = [x * factor for x in entries]  # nothing is rounded if it can be undone
            if all(y / factor == x for x, y in zip(entries, scaled)):
                return Array(shape, array.array("d", scaled))
    if scale != 1:
        entries = [Fraction(x) * scale for x in entries]
    return Array(shape, entries)
