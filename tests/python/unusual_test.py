"""attest.torch: attention as nobody writes it. Each module is captured as what it computes, or refused; never as another.

    unusual_test.py BUILD_FOLDER
"""

import math
import os
import pathlib
import sys
import unittest

from ended import ended

BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
if not os.environ.get("ATTEST_INSTALLED"):
    sys.path.insert(0, str(BUILD / "python"))

import numpy
import torch
import captures
from torch.nn.functional import avg_pool1d, dropout, gumbel_softmax, normalize, one_hot, softmin

import attest
import attest.torch

torch.set_num_threads(1)
B, L, H, D, D_H = 3, 5, 2, 6, 3
CAUSAL = torch.ones(L, L, dtype=torch.bool).tril()


class Module(torch.nn.Module):
    """`of(self, x)` says what happens to hidden vectors; `weigh(logits)`, in its place, how logits become coefficients."""

    def __init__(self, of=None, weigh=None):
        super().__init__()
        torch.manual_seed(5)
        self.num_heads, self.of, self.weigh = H, of, weigh
        self.q, self.k, self.v, self.o = (torch.nn.Linear(D, D, bias=False) for _ in range(4))

    def heads(self, y):
        return y.view(y.shape[0], y.shape[1], H, -1).transpose(1, 2)

    def qkv(self, x, y=None):
        return self.heads(self.q(x)), *(self.heads(part(x if y is None else y)) for part in (self.k, self.v))

    def logits(self, x):
        q, k, _ = self.qkv(x)
        return q @ k.transpose(-1, -2) / D_H**0.5

    def put_out(self, z):
        return self.o(z.transpose(1, 2).reshape(B, -1, D))

    def attend(self, q, k, v):
        return self.put_out((q @ k.transpose(-1, -2) / D_H**0.5).softmax(-1) @ v)

    def forward(self, x):
        torch.manual_seed(0)  # of what is random inside
        return self.of(self, x) if self.of else self.put_out(self.weigh(self.logits(x)) @ self.qkv(x)[2])


def written(p, write):
    write(p)
    return p


def normalized(p):
    return p / p.sum(-1, keepdim=True)


def top(logits):
    return logits.masked_fill(logits < logits.topk(2, -1).values[..., -1:], -math.inf).softmax(-1)


def blocks_of_keys(a):
    e = torch.cat([(part - a.amax(-1, keepdim=True)).exp() for part in a.split(2, -1)], -1)
    return e / e.sum(-1, keepdim=True)


# From logits (B, H, L, n) to coefficients; True: they are captured.
WEIGHED = {
    "log space": (False, lambda a: (a - a.logsumexp(-1, keepdim=True)).exp()),
    "log_softmax": (False, lambda a: a.log_softmax(-1).exp()),
    "by hand": (False, lambda a: normalized(a.exp())),
    "a constant sum": (False, lambda a: a.exp() / a.exp().sum(-1, keepdim=True).detach()),
    "by a product": (False, lambda a: a.exp() / (a.exp() @ torch.ones(L, 1))),
    "powers of 2": (False, lambda a: normalized(torch.exp2(a))),
    "normalized by the 1-norm": (False, lambda a: normalize(a.exp(), p=1, dim=-1)),
    "sigmoid": (False, lambda a: a.sigmoid()),
    "softmax and 1": (False, lambda a: a.exp() / (1 + a.exp().sum(-1, keepdim=True))),
    "blocks of keys": (False, blocks_of_keys),
    "blocks of queries": (False, lambda a: torch.cat([part.softmax(-1) for part in a.split(2, -2)], -2)),
    "closed afterwards": (False, lambda a: torch.where(CAUSAL, a.softmax(-1), torch.zeros(()))),
    "closed afterwards, normalized": (False, lambda a: normalized(torch.where(CAUSAL, a.softmax(-1), torch.zeros(())))),
    "small ones closed": (False, lambda a: a.softmax(-1) * (a.softmax(-1) > 0.2)),
    "triangle": (False, lambda a: a.softmax(-1).tril()),
    "two softmaxes": (False, lambda a: (a.softmax(-1) + (2 * a).softmax(-1)) / 2),
    "their difference": (False, lambda a: a.softmax(-1) - (2 * a).softmax(-1) / 2),
    "squares": (False, lambda a: normalized(a.softmax(-1) ** 2)),
    "less the mean": (False, lambda a: a.softmax(-1) - 1 / L),
    "one-hot forward": (False, lambda a: one_hot(a.argmax(-1), L).float() + a.softmax(-1) - a.softmax(-1).detach()),
    "of which memory is written": (False, lambda a: written(a.softmax(-1), lambda p: p.data[..., 0].fill_(0))),
    "written by NumPy": (False, lambda a: written(a.softmax(-1), lambda p: p.detach().numpy()[..., 0].fill(0))),
    "an item set": (False, lambda a: written(a.softmax(-1), lambda p: p[..., 0].zero_())),
    "copied into": (False, lambda a: written(a.softmax(-1), lambda p: p.narrow(-1, 0, 1).copy_(torch.zeros(1)))),
    "filled": (False, lambda a: a.softmax(-1).index_fill_(-1, torch.tensor([1]), 0)),
    "another memory": (False, lambda a: written(a.softmax(-1), lambda p: p.set_(torch.full((B, H, L, L), 1 / L)))),
    "out=": (False, lambda a: written(a.softmax(-1), lambda p: torch.mul(p, CAUSAL.float(), out=p))),
    "sums": (False, lambda a: a.softmax(-1).cumsum(-1)),
    "sorted": (False, lambda a: a.softmax(-1).sort(-1).values),
    "mean of the heads": (False, lambda a: a.softmax(-1).mean(1, keepdim=True).expand(B, H, L, L)),
    "rounded": (False, lambda a: (a.softmax(-1) * 7).round() / 7),
    "dropout": (False, lambda a: dropout(a.softmax(-1), 0.5, True)),
    "towards the token": (False, lambda a: torch.lerp(a.softmax(-1), torch.eye(L).expand(B, H, L, L), 0.25)),
    "and the token": (False, lambda a: a.softmax(-1) + torch.eye(L)),
    "at least": (False, lambda a: a.softmax(-1).clamp(min=0.1)),
    "over heads": (False, lambda a: a.softmax(1)),
    "over queries": (False, lambda a: a.softmax(-2)),
    "over heads and tokens": (False, lambda a: a.permute(0, 2, 1, 3).reshape(B, L, H * L).softmax(-1).view(B, L, H, L).transpose(1, 2)),
    "heads of heads": (False, lambda a: torch.einsum("bhqk,hg->bgqk", a.softmax(-1), torch.tensor([[1.0, 0.5], [-0.5, 1]]))),
    "masks by heads": (False, top),
    "softmax of the softmax": (True, lambda a: a.softmax(-1).softmax(-1)),
    "heads turned": (True, lambda a: a.softmax(-1)[:, [1, 0]]),
    "tokens rolled": (True, lambda a: a.softmax(-1).roll(1, -1)),
    "tokens turned": (True, lambda a: a.softmax(-1).flip(-1)),
    "temperatures": (True, lambda a: (a * torch.tensor([0.5, 2.0]).view(H, 1, 1)).softmax(-1)),
    "mixed logits": (True, lambda a: torch.einsum("bhqk,hg->bgqk", a, torch.tensor([[1.0, 0.5], [-0.5, 1]])).softmax(-1)),
    "Gumbel": (True, lambda a: gumbel_softmax(a, dim=-1)),
    "dropout of logits": (True, lambda a: dropout(a, 0.5, True).softmax(-1)),
    "softmin": (True, lambda a: softmin(a, -1)),
    "rows without tokens": (True, lambda a: a.masked_fill(~CAUSAL.clone().index_fill_(0, torch.tensor([2]), False), -math.inf).softmax(-1).nan_to_num()),
    "logits of which memory is another": (True, lambda a: written(a, lambda a: setattr(a, "data", a.data * 2)).softmax(-1)),
    "an item closed": (True, lambda a: written(a, lambda a: a[:, :, 2:][..., 1].fill_(-math.inf)).softmax(-1)),
}


def one_head(m, part, x):
    return part(x)[..., :D_H].unsqueeze(1).expand(B, H, L, D_H)


def kept_of(m, x, at, number):
    parts = list(m.qkv(x))
    parts[at] = written(parts[at].clone(), lambda y: y[:, :, 0].fill_(number))
    return m.attend(*parts)


def by_heads(m, x, order):
    q, k, v = m.qkv(x)
    z = [(q[:, h] @ k[:, h].transpose(-1, -2)).softmax(-1) @ v[:, g] for h, g in zip(range(H), order)]
    return m.o(torch.cat(z, -1))


def in_parts(m, x, rest):
    p, v = m.logits(x).softmax(-1), m.qkv(x)[2]
    return m.put_out(p[..., :2] @ v[:, :, :2] + rest(p[..., 2:], v[:, :, 2:]))


def pairs(y):
    return y.reshape(-1, *y.shape[2:])


# From hidden vectors to outputs.
MADE = {
    "values in parts": (False, lambda m, x: in_parts(m, x, torch.matmul)),
    "values in parts, one by hand": (False, lambda m, x: in_parts(m, x, lambda p, v: (p.unsqueeze(-1) * v.unsqueeze(2)).sum(3))),
    "some values": (True, lambda m, x: in_parts(m, x, lambda p, v: 0)),
    "added to a product": (True, lambda m, x: m.put_out(torch.baddbmm(torch.zeros(1), pairs(m.logits(x).softmax(-1)), pairs(m.qkv(x)[2])).view(B, H, L, D_H))),
    "added to a product, not 0": (False, lambda m, x: m.put_out(torch.baddbmm(torch.ones(1), pairs(m.logits(x).softmax(-1)), pairs(m.qkv(x)[2])).view(B, H, L, D_H))),
    "late sum": (False, lambda m, x: m.put_out(m.logits(x).exp() @ m.qkv(x)[2] / m.logits(x).exp().sum(-1, keepdim=True))),
    "gated values": (False, lambda m, x: m.attend(*m.qkv(x)[:2], m.qkv(x)[2] * x.sum(-1)[:, None, :, None].sigmoid())),
    "a value of 0": (False, lambda m, x: kept_of(m, x, 2, 0)),
    "a loop over heads": (False, lambda m, x: by_heads(m, x, (0, 1))),
    "a loop over heads, crossed": (False, lambda m, x: by_heads(m, x, (1, 0))),
    "a loop over sequences": (False, lambda m, x: m.put_out(torch.stack([a.softmax(-1) for a in m.logits(x)]) @ m.qkv(x)[2])),
    "a key of 0": (True, lambda m, x: kept_of(m, x, 1, 0)),
    "lengths 1": (True, lambda m, x: m.attend(*(normalize(y, dim=-1) for y in m.qkv(x)[:2]), m.qkv(x)[2])),
    "equal heads": (True, lambda m, x: m.attend(one_head(m, m.q, x), one_head(m, m.k, x), m.qkv(x)[2])),
    "one key head": (True, lambda m, x: m.attend(m.qkv(x)[0], one_head(m, m.k, x), one_head(m, m.v, x))),
    "interleaved heads": (True, lambda m, x: m.attend(*(part(x).view(B, L, D_H, H).permute(0, 3, 1, 2) for part in (m.q, m.k, m.v)))),
    "turned tokens": (True, lambda m, x: m.attend(m.qkv(x)[0], *(y.flip(2) for y in m.qkv(x)[1:]))),
    "rolled keys": (True, lambda m, x: m.attend(m.qkv(x)[0], m.qkv(x)[1].roll(1, 2), m.qkv(x)[2])),
    "rolled values": (True, lambda m, x: m.attend(*m.qkv(x)[:2], m.qkv(x)[2].roll(1, 2))),
    "keys of other sequences": (True, lambda m, x: m.attend(m.qkv(x)[0], m.qkv(x)[1].flip(0), m.qkv(x)[2])),
    "values of other sequences": (True, lambda m, x: m.attend(*m.qkv(x)[:2], m.qkv(x)[2].flip(0))),
    "values of the other head": (True, lambda m, x: m.attend(*m.qkv(x)[:2], m.qkv(x)[2].flip(1))),
    "each second token": (True, lambda m, x: m.attend(m.qkv(x)[0], *(y[:, :, ::2] for y in m.qkv(x)[1:]))),
    "means of tokens": (True, lambda m, x: m.attend(*m.qkv(x, avg_pool1d(x.transpose(1, 2), 2).transpose(1, 2)))),
    "values of means": (True, lambda m, x: m.attend(*m.qkv(x)[:2], m.heads(m.v((x + x.roll(1, 1)) / 2)))),
    "a query of the mean": (True, lambda m, x: m.attend(m.heads(m.q(x.mean(1, keepdim=True))), *m.qkv(x)[1:])),
    "longer contexts": (True, lambda m, x: m.attend(*m.qkv(x, torch.cat([x, x[:, :2] * 2], 1)))),
    "registers": (True, lambda m, x: m.attend(*m.qkv(x, torch.cat([x, m.o.weight[:2].expand(B, 2, D)], 1)))),
    "a token of zeros": (True, lambda m, x: m.attend(m.qkv(x)[0], *(torch.cat([y, torch.zeros(B, H, 1, D_H)], 2) for y in m.qkv(x)[1:]))),
    "complex logits": (True, lambda m, x: m.put_out((m.logits(x) + 0j).real.softmax(-1) @ m.qkv(x)[2])),
}


class Unusual(unittest.TestCase):
    def check(self, module, captured_as):
        torch.manual_seed(1)
        x = torch.randn(B, L, D)
        try:
            captured = attest.torch.capture(module, x, "", positions="all")
        except attest.InputError:
            self.assertFalse(captured_as)
            return
        self.assertTrue(captured_as)
        # What it puts out is made of the captured heads, each with its own values.
        outputs = captured["value"], torch.zeros(H, D_H), captured["output"], torch.zeros(D)
        put_out = module(x).detach().double().numpy()
        self.assertTrue(captured.examples)
        for found, (b, p) in zip(captures.whole_outputs(captured, outputs), captured.examples):
            numpy.testing.assert_allclose(numpy.array([float(u) for u in found]), put_out[b, p], atol=1e-5)

    def test_coefficients(self):
        for name, (captured, weigh) in WEIGHED.items():
            with self.subTest(name):
                self.check(Module(weigh=weigh), captured)

    def test_modules(self):
        for name, (captured, of) in MADE.items():
            with self.subTest(name):
                self.check(Module(of), captured)


if __name__ == "__main__":
    del sys.argv[1:]
    ended()
