"""scaled_dot_product_attention: a kernel is as the same attention by hand, and its definition is evaluated where it is asked
about.

    capture_kernels_test.py BUILD_FOLDER
"""

import math
import unittest
import unittest.mock

from ended import ended
from captures import coefficients, exact_z, rank_of, scaled_dot_product_attention  # sets the path to attest

import numpy
import torch

import attest
import attest.torch

H, D_H = 4, 3
D = H * D_H
CLOSED = -math.inf


class Kernel(torch.nn.Module):
    """Self-attention with 4 heads and `key_heads`, or to `memory`: `call` gets queries, keys and values."""

    def __init__(self, call, key_heads=H, rotated=False, fused=False, bias=False):
        super().__init__()
        torch.manual_seed(4)
        self.num_heads, self.call, self.rotated, self.fused = H, call, rotated, fused
        self.q, self.o = torch.nn.Linear(D, D, bias=bias), torch.nn.Linear(D, D, bias=bias)
        self.k, self.v = (torch.nn.Linear(D, key_heads * D_H, bias=bias) for _ in range(2))

    def forward(self, x, memory=None):
        B, L, _ = x.shape
        heads = lambda y: y.view(B, y.shape[1], -1, D_H).transpose(1, 2)
        parts = [heads(self.q(x)), *(heads(part(x if memory is None else memory)) for part in (self.k, self.v))]
        if self.rotated:
            parts[:2] = (y * torch.arange(1, y.shape[2] + 1).unsqueeze(1) / 8 + y.roll(1, -1) for y in parts[:2])
        if self.fused:  # heads and sequences are one axis
            z = self.call(*(y.reshape(-1, *y.shape[2:]) for y in parts)).view(B, H, L, D_H)
        else:
            z = self.call(*parts)
        return self.o(z.transpose(1, 2).reshape(B, L, D))


def by_kernel(**more):
    return lambda q, k, v: scaled_dot_product_attention(q, k, v, **more)


def by_hand(attn_mask=None, is_causal=False, scale=None, enable_gqa=False):
    def call(q, k, v):
        k, v = (y.repeat_interleave(q.shape[-3] // y.shape[-3], -3) for y in (k, v))
        z = q @ k.transpose(-1, -2) * (D_H**-0.5 if scale is None else scale)
        if is_causal:
            z = z.masked_fill(~torch.ones(z.shape[-2:], dtype=torch.bool).tril(), CLOSED)
        if attn_mask is not None:
            z = z.masked_fill(~attn_mask, CLOSED) if attn_mask.dtype == torch.bool else z + attn_mask
        return z.softmax(-1).nan_to_num(0.0) @ v

    return call


B, L = 3, 6
CAUSAL = torch.ones(L, L, dtype=torch.bool).tril()
LEFT, RIGHT = torch.ones(B, 1, 1, L, dtype=torch.bool), torch.ones(B, 1, 1, L, dtype=torch.bool)
LEFT[1, ..., :2], LEFT[2, ..., :4], RIGHT[0, ..., 5:], RIGHT[2, ..., 2:] = False, False, False, False
BIAS = torch.randn(1, H, L, L, generator=torch.Generator().manual_seed(2)).double()
LEAST = torch.finfo(torch.float64).min
added = lambda opened, low=LEAST: torch.zeros(opened.shape, dtype=torch.float64).masked_fill(~opened, low)
WAYS = {
    "no mask": {},
    "causal": {"is_causal": True},
    "causal, scaled": {"is_causal": True, "scale": 0.25},
    "a causal mask": {"attn_mask": CAUSAL},
    "one row for all": {"attn_mask": torch.arange(L) < 4},
    "padding": {"attn_mask": RIGHT},
    "padding on the left": {"attn_mask": LEFT & CAUSAL},
    "padding for each head": {"attn_mask": (RIGHT & CAUSAL).expand(B, H, L, L)},
    "padding, copied for each head": {"attn_mask": (RIGHT & CAUSAL).repeat(1, H, 1, 1)},
    "a window": {"attn_mask": CAUSAL & CAUSAL.flip((0, 1)).roll(-2, 1).tril() | torch.eye(L, dtype=torch.bool)},
    "a window of torch": {"attn_mask": CAUSAL & ~CAUSAL.roll(2, 0)},
    "added": {"attn_mask": added(RIGHT & CAUSAL)},
    "added, -10000": {"attn_mask": added(RIGHT & CAUSAL, -1e4)},
    "a bias": {"attn_mask": BIAS},
    "a bias and a mask": {"attn_mask": BIAS + added(LEFT & CAUSAL, CLOSED)},
    "rows that see nothing": {"attn_mask": CAUSAL & (torch.arange(L) > 1)},
    "a block": {"attn_mask": torch.arange(L).unsqueeze(1) // 3 == torch.arange(L) // 3},
}
POSITIONS = "last", "all", [0], [2, 5], [-1, 1]


class Kernels(unittest.TestCase):
    def captured(self, module, inputs, positions):
        """What is captured, or why it is not."""
        try:
            return attest.torch.capture(module, inputs, "", positions=positions)
        except attest.InputError as error:
            return str(error)

    def compare(self, one, other, said):
        self.assertEqual(isinstance(one, str), isinstance(other, str), f"{said}: {one} / {other}")
        if isinstance(one, str):
            self.assertEqual(one, other, said)
            return
        self.assertEqual((one.examples, one.form), (other.examples, other.form), said)
        self.assertEqual("value" in one, "value" in other, said)
        rows = list(zip(coefficients(one), coefficients(other)))
        self.assertEqual(len(rows), len(one.examples), said)
        for (a, places), (b, others) in rows:
            self.assertEqual(places, others, said)
            numpy.testing.assert_allclose(a, b, atol=1e-12, err_msg=said)

    def test_a_kernel_is_as_the_same_attention_by_hand(self):
        x = torch.randn(B, L, D, generator=torch.Generator().manual_seed(1)).double()
        for name, way in WAYS.items():
            for number, positions in enumerate(POSITIONS):
                more = [{}, {"rotated": True}, {"bias": True}][number % 3]
                if way.get("attn_mask", CAUSAL).dim() < 4:
                    more |= {"fused": number == 3}
                kernel, hand = (Kernel(call(**way), **more).double() for call in (by_kernel, by_hand))
                captured = self.captured(kernel, x, positions)
                self.compare(captured, self.captured(hand, x, positions), f"{name}, {positions}, {more}")
                if positions == "last" and not isinstance(captured, str):
                    self.assertEqual(attest.rank(**captured).lower, rank_of(exact_z(captured)), name)

    def test_grouped_keys_and_other_tokens(self):
        x, memory = (torch.randn(B, n, D, generator=torch.Generator().manual_seed(n)).double() for n in (L, 4))
        for positions in POSITIONS:
            for way in ({"is_causal": True}, {"attn_mask": LEFT & CAUSAL}, {"attn_mask": BIAS}):
                for rotated in (False, True):
                    kernel, hand = (Kernel(call(enable_gqa=True, **way), key_heads=2, rotated=rotated).double() for call in (by_kernel, by_hand))
                    self.compare(self.captured(kernel, x, positions), self.captured(hand, x, positions), f"{positions}, {way}")
            for way in ({}, {"attn_mask": RIGHT[..., :4] | (torch.arange(L).unsqueeze(1) > 1)}, {"is_causal": True}):
                kernel, hand = (Kernel(call(**way)).double() for call in (by_kernel, by_hand))
                self.compare(self.captured(kernel, (x, memory), positions), self.captured(hand, (x, memory), positions), f"{positions}, {way}")

    def test_what_a_mask_says_of_rows_that_are_not_asked_counts(self):
        x = torch.randn(B, L, D).double()
        by_head = CAUSAL.repeat(1, H, 1, 1)
        by_head[0, 1, 2, 1] = False  # position 2 is not asked
        for mask, says in ((by_head, "not the same for all heads"), (added(CAUSAL, -7000.0), "too low for a logit")):
            for positions in ("last", "all"):
                self.assertIn(says, self.captured(Kernel(by_kernel(attn_mask=mask)).double(), x, positions))
        self.assertEqual(attest.torch.modules(Kernel(by_kernel(attn_mask=added(CAUSAL, -7000.0))).double(), x), {"": None})
        for positions in ([L], [], "first", [1, 1]):
            self.assertIn("positions", self.captured(Kernel(by_kernel()).double(), x, positions))

    def test_a_kernel_that_computes_something_else_is_refused_where_it_is_asked(self):
        x = torch.randn(B, L, D).double()

        def wrong(row, head):
            def kernel(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
                given = (query, key, value)
                if torch.overrides.has_torch_function(given):
                    return torch.overrides.handle_torch_function(kernel, given, *given, attn_mask, dropout_p, is_causal, scale=scale)
                result = by_hand(is_causal=True)(*given)
                result[1, head, row] += 1e-6
                return result

            kernel.__name__ = "scaled_dot_product_attention"
            return Kernel(lambda q, k, v: kernel(q, k, v, None, 0.0, True)).double()

        for row in range(L):
            for head in range(H):
                for positions, asked in (("last", [L - 1]), ([1, 3], [1, 3]), ("all", range(L))):
                    says = self.captured(wrong(row, head), x, positions)
                    if row in asked:
                        self.assertIn("farther apart than rounding", says)
                    else:
                        self.assertEqual(says.form, "weights")

    def test_logits_that_overflow_close_what_no_mask_says(self):
        """The last row attends to nothing, so that the one before is the last that takes part: refused, not taken for another."""
        module = Kernel(by_kernel()).double()
        with torch.no_grad():
            module.q.weight.copy_(1e200 * torch.eye(D).double())
            module.k.weight.copy_(-torch.eye(D))
        x = torch.ones(1, L, D).double() + torch.arange(L).view(1, L, 1) / 8
        x[0, -1] *= 1e109
        self.assertIn("the last that takes part", self.captured(module, x, "last"))
        self.assertEqual(self.captured(module, x, [1]).examples, [(0, 1)])

    def test_queries_that_are_overwritten_later(self):
        def then(write):
            def call(q, k, v):
                z = scaled_dot_product_attention(q, k, v, is_causal=True, attn_mask=None)
                write(q)
                return z

            return call

        x = torch.randn(B, L, D).double()
        kept, written = (self.captured(Kernel(then(write), rotated=True).double(), x, [1, 2]) for write in (lambda q: None, torch.Tensor.zero_))
        self.assertIn("projected_queries", kept)
        self.assertIn("overwritten", written)

    def test_memory_is_that_of_what_is_asked(self):
        """No tensor has an entry for each pair of positions and head, or one of 8 bytes for each pair."""
        n = 96
        x, largest = torch.randn(1, n, D), []
        operation = attest.torch.seen.Recorder.operation

        def watched(recorder, func, args, kwargs):
            result = operation(recorder, func, args, kwargs)
            largest.extend(part.numel() for part in (result if isinstance(result, (tuple, list)) else [result]) if torch.is_tensor(part) and part.is_floating_point())
            return result

        for positions, most in (("last", n * D), ([3, 7], n * D), ("all", H * n * n)):
            largest.clear()
            with unittest.mock.patch.object(attest.torch.seen.Recorder, "operation", watched):
                attest.torch.capture(Kernel(by_kernel(is_causal=True)), x, "", positions=positions)
            self.assertEqual(max(largest), most)
        for model in (Kernel(by_kernel()), Kernel(by_kernel(attn_mask=torch.ones(n, n, dtype=torch.bool)))):
            largest.clear()
            follow = attest.torch.seen.Averages.operation
            with unittest.mock.patch.object(attest.torch.seen.Averages, "operation", lambda self, func, args, kwargs: watch(follow(self, func, args, kwargs))):
                watch = lambda result: largest.append(result.numel() if torch.is_tensor(result) else 0) or result
                self.assertEqual(attest.torch.modules(model, x), {"": None})
            self.assertLessEqual(max(largest), n * D)


if __name__ == "__main__":
    ended()
