"""Masks and biases in one tensor with the logits.

    capture_masks_test.py BUILD_FOLDER
"""

import unittest

from ended import ended
from captures import coefficients  # sets the path to attest

import numpy
import torch

import attest
import attest.torch


class OneTensor(torch.nn.Module):
    """Self-attention with a bias, a causal mask and padding, kept in one tensor or apart, and `after`, what happens to the logits
    before the softmax."""

    def __init__(self, low, one, after=lambda z: z, sink=None):
        super().__init__()
        torch.manual_seed(1)
        self.num_heads, self.low, self.one, self.after, self.sink = 2, low, one, after, sink
        self.q, self.k, self.v = (torch.nn.Linear(12, 12, bias=False) for _ in range(3))
        self.bias = torch.nn.Parameter(torch.randn(1, 2, 6, 6))

    def forward(self, x, keep):
        B, L, d = x.shape
        heads = lambda y: y.view(B, L, 2, 6).transpose(1, 2)
        opened = torch.ones(L, L, dtype=torch.bool).tril() & keep[:, None, None]
        z, low = heads(self.q(x)) @ heads(self.k(x)).transpose(-1, -2) / 4, torch.tensor(self.low)
        if self.one == "multiplied":
            z = (z + self.bias) * opened + low * ~opened
        elif self.one:
            z = z + torch.where(opened, self.bias, low)
        else:
            z = (z + self.bias) + torch.where(opened, torch.tensor(0.0), low)
        if self.sink is not None:
            z = torch.cat([z, self.sink.view(1, 2, 1, 1).expand(B, 2, L, 1)], -1)
        self.seen = self.after(z).softmax(-1).to(x.dtype).detach()
        return (self.seen[..., :L] @ heads(self.v(x))).transpose(1, 2).reshape(B, L, d)


def without_maximum(z):
    return z - z.amax(-1, keepdim=True)


class OneAttentionInOneTensor(unittest.TestCase):
    """What a mask closes takes no part, whatever it is kept in."""

    def setUp(self):
        torch.manual_seed(2)
        self.x = torch.randn(4, 6, 12)
        self.x[1, :4], self.x[:, 0] = self.x[0, :4], self.x[0, 0]  # rows of Z repeat
        self.keep = torch.ones(4, 6, dtype=torch.bool)
        self.keep[2, 4:], self.keep[3, :2] = False, False

    def captured(self, *given, positions="all", **more):
        module = OneTensor(*given, **more)
        captured = attest.torch.capture(module, (self.x, self.keep), positions=positions)
        for (weights, places), (b, p) in zip(coefficients(captured), captured.examples):
            expected = torch.zeros(2, 6)
            expected[:, places] = torch.tensor(weights).float()
            numpy.testing.assert_allclose(expected, module.seen[b, :, p, :6], atol=1e-5)
        return captured

    def test_a_mask_is_no_logit_whatever_it_is_added_with(self):
        least = torch.finfo(torch.float32).min
        examples = [(b, p) for b in range(4) for p in range(6) if self.keep[b, p]]
        for sink in (None, torch.tensor([0.5, -1.0])):
            expected = None
            for one in (False, True, "multiplied"):
                for low in (least, -1e9, -torch.inf) if one != "multiplied" else (least, -1e9, -1e4):
                    for after in (lambda z: z, without_maximum, lambda z: z + 3, lambda z: z.clamp(min=least), lambda z: z.double()):
                        captured = self.captured(low, one, after, sink)
                        self.assertEqual((captured.examples, captured.form), (examples, "logits"))
                        self.assertEqual((captured["causal"], captured["mask"].tolist()), (True, self.keep.int().tolist()))
                        self.assertGreater(float(captured["logits"].min()), -50)
                        expected = expected or attest.rank(**captured).lower
                        self.assertEqual(attest.rank(**captured).lower, expected)
                        if sink is not None:
                            self.assertEqual(captured["sink_logits"].tolist(), [0.5, -1.0])
            last = self.captured(least, True, positions="last", sink=sink).examples
            self.assertEqual(last, [(0, 5), (1, 5), (2, 3), (3, 5)])

    def test_numbers_between_logits_and_masks_are_refused(self):
        for low, one, after in ((-9998.0, True, lambda z: z), (-9998.0, False, lambda z: z), (-6e4, True, lambda z: z.clamp(min=-9e3))):
            with self.assertRaises(attest.InputError) as caught:
                self.captured(low, one, after)
            self.assertIn("too low for a logit and too high for a mask", str(caught.exception))

    def test_what_takes_part_by_the_numbers_does(self):
        """Swin's masks are -100: such tokens have coefficients, below e^-90, which a note says; so have those that are masked
        before a cap of the logits."""
        captured = self.captured(-100.0, True)
        self.assertEqual(len(captured.examples), 24)
        self.assertIn("take part with coefficients below e^-90", captured.notes[1])
        captured = self.captured(torch.finfo(torch.float32).min, True, lambda z: 5 * torch.tanh(z / 5))
        self.assertEqual((len(captured.examples), float(captured["logits"].min())), (24, -5))

        class Far(OneTensor):  # products as low as a mask, without one
            def forward(self, x):
                p = (self.q(x) * 1e5 @ self.k(x).transpose(-1, -2)).softmax(-1)
                return p @ self.v(x)

        module = Far(0.0, True)
        module.num_heads = 1
        captured = attest.torch.capture(module, self.x)
        self.assertEqual((captured.form, "mask" in captured, attest.rank(**captured).lower), ("weights", False, 4))

    def test_what_is_closed_has_the_coefficient_0(self):
        class Open(OneTensor):  # multiplied by zeros, which closes nothing
            def forward(self, x, keep):
                z = (self.q(x) @ self.k(x).transpose(-1, -2)) * keep[:, None].float()
                return z.softmax(-1) @ self.v(x)

        module = Open(0.0, True)
        module.num_heads = 1
        with self.assertRaises(attest.InputError) as caught:
            attest.torch.capture(module, (self.x, self.keep))
        self.assertIn("the coefficient of", str(caught.exception))


if __name__ == "__main__":
    ended()
