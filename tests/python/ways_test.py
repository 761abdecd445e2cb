"""attest.torch: one attention, written in many ways. Each is captured as the same attention, or refused; never as another.

    ways_test.py BUILD_FOLDER [WAYS [SEED]]
"""

import collections
import math
import os
import pathlib
import random
import sys
import unittest

from ended import ended

BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
WAYS, SEED = (int(x) for x in (sys.argv[2:] + ["400", "1"][len(sys.argv[2:]) :])[:2])
if not os.environ.get("ATTEST_INSTALLED"):
    sys.path.insert(0, str(BUILD / "python"))

import numpy
import torch

import attest
import attest.torch

torch.set_num_threads(1)
B, L, H, D, D_H = 4, 5, 2, 8, 4

# What is asked of every way: the attention itself.
WHAT = {
    "masked": ("not", "causal", "padded", "causal and padded", "window"),
    "biased": (False, True),
    "capped": (False, True),
    "sink": (False, True),
    "biases": (False, True),  # of queries and values
    "key_heads": (2, 1),
    "rotated": (False, False, True),
}
# How it is written. The first way of each is the plainest.
HOW = {
    "type": (torch.float64, torch.float32, torch.bfloat16) + ((torch.float16,) if torch.__version__ >= "2" else ()),  # torch 1 multiplies none
    "projected": ("apart", "fused", "by heads", "by einsum", "functional"),
    "layout": ("bhld", "blhd", "lbd", "n l d"),
    "scaled": ("product", "divided", "queries", "keys", "both", "weights", "softmax"),
    "product": ("matmul", "einsum", "bmm", "baddbmm", "keys first", "scaled baddbmm", "sum", "head by head", "keys in parts", "queries in parts", "last"),
    "mask": ("fill", "where", "added", "with bias", "multiplied", "twice", "in place", "set", "minimum", "triangle", "subtracted"),
    "low": (-math.inf, "least", -1e9, -1e4),
    "bias": ("before the mask", "after the mask", "before the scale", "on the left"),
    "softmax": ("method", "less maximum", "functional", "float", "plus a number", "clamped", "exp", "double", "log_softmax", "logsumexp", "in place", "turned", "over the first axis",
                "queries in parts", "keys in parts", "online", "head by head", "of the negative", "masked again"),
    "sunk": ("logit", "token", "doubled"),
    "cleaned": ("not", "nan_to_num", "where", "filled", "multiplied", "dropout"),
    "averaged": ("matmul", "einsum", "bmm", "values first", "sum", "baddbmm", "head by head", "keys in parts", "queries in parts", "in place", "tensordot"),
    "put out": ("not", "linear", "by heads", "einsum", "transposed"),
    "sdpa": (False, True),
}


class Way(torch.nn.Module):
    """An attention `what`, written `how`. The numbers are multiples of 1/64, so that types and orders round little."""

    def __init__(self, what, how):
        super().__init__()
        self.what, self.how, self.num_heads = what, how, H
        draw = lambda *shape: torch.randint(-48, 49, shape).double() / 64
        torch.manual_seed(3)
        kv = what["key_heads"] * D_H
        self.wq, self.wk, self.wv = draw(D, D), draw(kv, D), draw(kv, D)
        self.bq, self.bv = draw(D), draw(kv)
        if not what["biases"]:
            self.bq, self.bv = torch.zeros(D), torch.zeros(kv)
        self.bias, self.sinks, self.wo = draw(H, L, L), draw(H), draw(D, D)
        self.opened = torch.ones(B, L, L, dtype=torch.bool)
        self.keep = torch.ones(B, L, dtype=torch.bool)
        if "causal" in what["masked"]:
            self.opened &= torch.ones(L, L, dtype=torch.bool).tril()
        if "window" in what["masked"]:
            self.opened &= torch.ones(L, L, dtype=torch.bool).tril() & torch.ones(L, L, dtype=torch.bool).triu(-1)
        if "padded" in what["masked"]:
            self.keep[1, 3:], self.keep[2, 4:], self.keep[3, :2] = False, False, False
        self.opened &= self.keep[:, None]
        x = draw(B, L, D)
        x[1, :2], x[2, 0] = x[0, :2], x[0, 0]  # some rows of Z repeat
        self.x = x
        scale = D_H**-0.5
        if how["scaled"] == "weights":
            self.wq, self.bq = self.wq * scale, self.bq * scale
        if how["layout"] == "lbd":
            self.x = x.transpose(0, 1)
        self.x = self.x.to(how["type"])
        for name in ("wq", "wk", "wv", "bq", "bv", "bias", "sinks", "wo"):
            value = vars(self).pop(name)
            setattr(self, name, torch.nn.Parameter(value.to(how["type"])))

    def truth(self):
        """Coefficients (B, H, L, L), in binary64 from the numbers of the type, by the definition."""
        double = lambda t: t.detach().double().numpy()
        x = double(self.x.transpose(0, 1) if self.how["layout"] == "lbd" else self.x)
        heads = lambda W, b, groups: numpy.repeat((x @ double(W).T + double(b)).reshape(B, L, groups, D_H).transpose(0, 2, 1, 3), H // groups, 1)
        q, k = heads(self.wq, self.bq, H), heads(self.wk, torch.zeros(len(self.wk)), self.what["key_heads"])
        if self.what["rotated"]:
            q, k = (self.rotated(torch.tensor(y)).numpy() for y in (q, k))
        z = q @ k.transpose(0, 1, 3, 2) * (1 if self.how["scaled"] == "weights" else D_H**-0.5)
        if self.what["biased"]:
            z = z + double(self.bias)
        if self.what["capped"]:
            z = 2 * numpy.tanh(z / 2)
        e = numpy.exp(z) * double(self.opened)[:, None]
        total = e.sum(-1, keepdims=True) + (numpy.exp(double(self.sinks))[:, None, None] if self.what["sink"] else 0)
        return x, numpy.divide(e, total, out=numpy.zeros_like(e), where=total > 0)

    @staticmethod
    def rotated(y):
        """(.., L, d_h) by angles that grow with the position."""
        angles = torch.arange(L).unsqueeze(1) * torch.tensor([1.0, 0.1, 1.0, 0.1])
        halves = torch.cat([-y[..., D_H // 2 :], y[..., : D_H // 2]], -1)
        return y * angles.cos().to(y.dtype) + halves * angles.sin().to(y.dtype)

    def projections(self, x):
        """Queries (B, H, L, d_h), keys and values of H heads."""
        W, b = (self.wq, self.wk, self.wv), (self.bq, None, self.bv)
        kv = len(self.wk)
        way = self.how["projected"]
        if way == "fused":
            q, k, v = (x @ torch.cat(W).T + torch.cat([self.bq, torch.zeros(kv).to(x), self.bv])).split([D, kv, kv], -1)
        elif way == "functional":
            q, k, v = (torch.nn.functional.linear(x, w, c) for w, c in zip(W, b))
        elif way in ("by heads", "by einsum"):  # (H, d, d_h), as in TransformerLens
            parts = []
            for w, c in zip(W, b):
                w = w.view(-1, D_H, D).transpose(1, 2)
                parts.append(torch.einsum("bld,hde->blhe", x, w) if way == "by einsum" else torch.stack([x @ one for one in w], 2))
                parts[-1] = parts[-1] if c is None else parts[-1] + c.view(-1, D_H)
            q, k, v = (part.flatten(2) for part in parts)
        else:
            q, k, v = (x @ w.T if c is None or not self.what["biases"] else x @ w.T + c for w, c in zip(W, b))
        if self.how["layout"] == "lbd":
            q, k, v = (y.reshape(L, B, -1, D_H).permute(1, 2, 0, 3) for y in (q, k, v))
        elif self.how["layout"] == "blhd":
            q, k, v = (torch.stack(y.view(B, L, -1, D_H).unbind(2), 1) for y in (q, k, v))
        else:
            q, k, v = (y.view(B, L, -1, D_H).transpose(1, 2) for y in (q, k, v))
        k, v = (y.repeat_interleave(H // y.shape[1], 1) for y in (k, v))
        if self.what["rotated"]:
            q, k = self.rotated(q), self.rotated(k)
        return q, k, v

    def forward(self, x):
        what, how, kind = self.what, self.how, self.x.dtype
        q, k, v = self.projections(x)
        low = torch.finfo(kind).min if how["low"] == "least" or (how["low"] == -1e9 and kind == torch.float16) else how["low"]
        closed = ~self.opened[:, None]
        if how["sdpa"]:
            z = self.kernel(q, k, v, closed, low)
        else:
            z = self.by_hand(q, k, v, closed, low)
        return self.outputs(z)

    def kernel(self, q, k, v, closed, low):
        how, what = self.how, self.what
        mask = ~closed
        if what["biased"] or how["mask"] == "added":
            mask = torch.where(closed, torch.tensor(low, dtype=q.dtype), self.bias if what["biased"] else torch.zeros((), dtype=q.dtype))
        if what["masked"] == "not" and not what["biased"]:
            mask = None
        more = {"scale": 1.0} if how["scaled"] == "weights" else {}
        return scaled_dot_product_attention(q, k, v, attn_mask=mask, **more)

    def by_hand(self, q, k, v, closed, low):
        what, how = self.what, self.how
        scale, kind = D_H**-0.5, q.dtype
        if how["scaled"] == "queries":
            q = q * scale
        elif how["scaled"] == "keys":
            k = k * scale
        elif how["scaled"] == "both":
            q, k = q * scale**0.5, k * scale**0.5
        pair = lambda y: y.reshape(B * H, *y.shape[2:])
        early = how["bias"] == "before the scale" and how["scaled"] in ("product", "divided")
        bias = self.bias / scale if early else self.bias
        if how["product"] == "einsum":
            z = torch.einsum("bhid,bhjd->bhij", q, k)
        elif how["product"] == "keys first":
            z = (k @ q.transpose(-1, -2)).transpose(-1, -2)
        elif how["product"] == "scaled baddbmm" and how["scaled"] == "product":
            z = torch.baddbmm(torch.empty(B * H, L, L, dtype=kind).fill_(math.nan), pair(q), pair(k).transpose(1, 2), beta=0, alpha=scale).view(B, H, L, L) / scale
        elif how["product"] == "sum":
            z = (q.unsqueeze(3) * k.unsqueeze(2)).sum(-1)
        elif how["product"] == "head by head":
            z = torch.stack([q[:, h] @ k[:, h].transpose(1, 2) for h in range(H)], 1)
        elif how["product"] == "keys in parts":
            z = torch.cat([q @ part.transpose(-1, -2) for part in k.split(2, 2)], -1)
        elif how["product"] == "queries in parts":
            z = torch.cat([part @ k.transpose(-1, -2) for part in q.split(2, 2)], -2)
        elif how["product"] == "last":
            z = torch.einsum("bhid,bhjd->bijh", q, k).permute(0, 3, 1, 2)
        elif how["product"] == "bmm":
            z = torch.bmm(pair(q), pair(k).transpose(1, 2)).view(B, H, L, L)
        elif how["product"] == "baddbmm" and early and what["biased"]:
            z = torch.baddbmm(bias.repeat(B, 1, 1), pair(q), pair(k).transpose(1, 2)).view(B, H, L, L)
        elif how["product"] == "baddbmm":
            z = torch.baddbmm(torch.zeros(B * H, L, L, dtype=kind), pair(q), pair(k).transpose(1, 2), beta=1, alpha=1).view(B, H, L, L)
        else:
            z = q @ k.transpose(-1, -2)
        if early and what["biased"] and how["product"] != "baddbmm":
            z = z + bias
        z = z * scale if how["scaled"] == "product" else z / D_H**0.5 if how["scaled"] == "divided" else z
        z = z * scale if how["scaled"] == "softmax" else z
        late = what["biased"] and not early
        together = late and how["mask"] == "with bias" and not what["capped"]
        if late and not together and (how["bias"] != "after the mask" or what["capped"]):
            z = bias + z if how["bias"] == "on the left" else z + bias
        if what["capped"]:
            z = 2 * torch.tanh(z / 2)
        number = torch.tensor(low, dtype=kind)
        if together:
            z = z + torch.where(closed, number, bias)
        elif what["masked"] == "not":
            pass
        elif how["mask"] == "where":
            z = torch.where(closed, number, z)
        elif how["mask"] == "added":
            z = z + torch.zeros(closed.shape, dtype=kind).masked_fill(closed, low)
        elif how["mask"] == "multiplied" and low != -math.inf:
            z = z * (~closed).to(kind) + low * closed.to(kind)
        elif how["mask"] == "twice":
            padding = torch.zeros(B, 1, 1, L, dtype=kind).masked_fill(~self.keep[:, None, None], low)
            z = (z + padding) + torch.zeros(closed.shape, dtype=kind).masked_fill(closed, low)
        elif how["mask"] == "in place":
            z = z.clone().masked_fill_(closed, low)
        elif how["mask"] == "set":
            z = z.clone()
            z[closed.expand(z.shape)] = low
        elif how["mask"] == "minimum":
            z = torch.minimum(z, torch.where(closed, number, torch.tensor(math.inf, dtype=kind)))
        elif how["mask"] == "triangle" and what["masked"] == "causal" and kind != torch.bfloat16:
            z = z.tril() + torch.full((L, L), low, dtype=kind).triu(1)
        elif how["mask"] == "subtracted":
            z = z - torch.zeros(closed.shape, dtype=kind).masked_fill(closed, -low)
        else:
            z = z.masked_fill(closed, low)
        if late and not together and how["bias"] == "after the mask" and not what["capped"]:
            z = z + bias
        if what["sink"] and how["sunk"] != "token":
            z = torch.cat([z, self.sinks.view(1, H, 1, 1).expand(B, H, L, 1)], -1)
        elif what["sink"]:
            z, v = torch.cat([self.sinks.view(1, H, 1, 1).expand(B, H, L, 1), z], -1), torch.cat([torch.zeros_like(v[:, :, :1]), v], 2)
        p = self.probabilities(z)
        if what["sink"] and how["sunk"] != "token":
            p = p[..., :-1]
        opened = torch.cat([torch.ones(B, 1, L, 1, dtype=torch.bool), ~closed], -1) if p.shape[-1] != L else ~closed
        p = self.cleaned(p, opened)
        if how["averaged"] == "einsum":
            return torch.einsum("bhij,bhjd->bhid", p, v)
        if how["averaged"] == "baddbmm":
            return torch.baddbmm(torch.zeros(1, dtype=kind), pair(p), pair(v)).view(B, H, L, D_H)
        if how["averaged"] == "head by head":
            return torch.stack([p[:, h] @ v[:, h] for h in range(H)], 1)
        if how["averaged"] == "keys in parts":
            return sum(one @ other for one, other in zip(p.split(2, -1), v.split(2, -2)))
        if how["averaged"] == "queries in parts":
            return torch.cat([part @ v for part in p.split(2, -2)], -2)
        if how["averaged"] == "in place":
            z = torch.zeros(B, H, L, D_H, dtype=kind)
            z.copy_(p @ v)
            return z
        if how["averaged"] == "tensordot":
            return torch.stack([torch.stack([torch.tensordot(p[b, h], v[b, h], 1) for h in range(H)]) for b in range(B)])
        if how["averaged"] == "bmm":
            return torch.bmm(pair(p), pair(v)).view(B, H, L, D_H)
        if how["averaged"] == "values first":
            return (v.transpose(-1, -2) @ p.transpose(-1, -2)).transpose(-1, -2)
        if how["averaged"] == "sum":
            return (p.unsqueeze(-1) * v.unsqueeze(2)).sum(3)
        return p @ v

    def probabilities(self, z):
        way, kind = self.how["softmax"], z.dtype
        if way == "exp":
            e = torch.exp(z - z.amax(-1, keepdim=True))
            return e / e.sum(-1, keepdim=True)
        if way == "double":
            return z.double().softmax(-1).to(kind)
        if way == "log_softmax":
            return z.log_softmax(-1).exp()
        if way == "logsumexp":
            return (z - z.logsumexp(-1, keepdim=True)).exp()
        if way == "in place":
            z = z.clone()
            z -= z.amax(-1, keepdim=True)
            z.exp_()
            z /= z.sum(-1, keepdim=True)
            return z
        if way == "turned":
            return z.transpose(-1, -2).softmax(-2).transpose(-1, -2)
        if way == "over the first axis":
            return z.permute(3, 0, 1, 2).softmax(0).permute(1, 2, 3, 0)
        if way == "queries in parts":
            return torch.cat([part.softmax(-1) for part in z.split(2, -2)], -2)
        if way == "keys in parts":
            e = torch.cat([(part - z.amax(-1, keepdim=True)).exp() for part in z.split(2, -1)], -1)
            return e / e.sum(-1, keepdim=True)
        if way == "online":
            parts, most, total = [], torch.full_like(z[..., :1], torch.finfo(kind).min), torch.zeros_like(z[..., :1])
            for part in z.split(2, -1):
                now = torch.maximum(most, part.amax(-1, keepdim=True))
                total = total * (most - now).exp() + (part - now).exp().sum(-1, keepdim=True)
                parts, most = [one * (most - now).exp() for one in parts] + [(part - now).exp()], now
            return torch.cat(parts, -1) / total
        if way == "head by head":
            return torch.stack([z[:, h].softmax(-1) for h in range(H)], 1)
        if way == "of the negative":
            return torch.nn.functional.softmin(-z, -1)
        if way == "masked again":
            return z.masked_fill(z < torch.finfo(kind).min / 2, -math.inf).softmax(-1)
        if way == "float":
            return torch.softmax(z, -1, dtype=torch.float32 if kind != torch.float64 else kind).to(kind)
        if way == "functional":
            return torch.nn.functional.softmax(z, dim=3)
        z = {"less maximum": lambda: z - z.max(-1, keepdim=True).values, "plus a number": lambda: z + 2, "clamped": lambda: z.clamp(min=torch.finfo(kind).min)}.get(way, lambda: z)()
        return z.softmax(-1)

    def cleaned(self, p, opened):
        way = self.how["cleaned"]
        if way == "nan_to_num":
            return p.nan_to_num(0.0)
        if way == "where":
            return torch.where(p.isnan(), torch.zeros_like(p), p)
        if way == "filled":
            return p.masked_fill(~opened, 0.0)
        if way == "multiplied":
            return p * opened.to(p.dtype)
        return torch.nn.functional.dropout(p, 0.3, self.training) if way == "dropout" else p

    def outputs(self, z):  # (B, H, L, d_h)
        way = self.how["put out"]
        wide = self.wo.view(H, D_H, D)
        if way == "einsum":
            z = torch.einsum("bhld,hdm->blm", z, wide)
        elif way == "by heads":
            z = sum(z[:, h] @ wide[h] for h in range(H))
        elif way == "transposed":
            z = (self.wo.T @ z.transpose(1, 2).reshape(B, L, D).transpose(1, 2)).transpose(1, 2)
        else:
            z = z.transpose(1, 2).reshape(B, L, D)
            z = z @ self.wo if way == "linear" else z
        return z.transpose(0, 1) if self.how["layout"] == "lbd" else z


if hasattr(torch.nn.functional, "scaled_dot_product_attention"):

    def scaled_dot_product_attention(*given, **more):
        return torch.nn.functional.scaled_dot_product_attention(*given, **more)

else:

    def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
        """What torch 1.13 lacks, with the signature of torch 2's documentation."""
        given = (query, key, value)
        if torch.overrides.has_torch_function(given):
            return torch.overrides.handle_torch_function(scaled_dot_product_attention, given, *given, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
        z = query @ key.transpose(-1, -2) * (query.shape[-1] ** -0.5 if scale is None else scale)
        if attn_mask is not None:
            z = z.masked_fill(~attn_mask, -math.inf) if attn_mask.dtype == torch.bool else z + attn_mask
        return z.softmax(-1) @ value


def chosen(random):
    """What and how; half of the ways differ from the plainest in few things."""
    what = {name: random.choice(of) for name, of in WHAT.items()}
    few = random.random() < 0.5
    how = {name: random.choice(of) if not few or random.random() < 0.25 else of[0] for name, of in HOW.items()}
    how["sdpa"] = how["sdpa"] and not what["capped"] and not what["sink"]
    return what, how


def coefficients(captured, shape):
    """(B, H, L, L) from what was captured, 0 for what does not take part, and the places that do; in binary64."""
    array = lambda name: captured[name].detach().double().numpy()
    found, opened = numpy.zeros(shape), numpy.zeros((shape[0], shape[2], shape[3]), dtype=bool)
    for t, (b, p) in enumerate(captured.examples):
        hidden = "hidden" in captured
        row = captured["mask"][b if hidden else t].bool().numpy() if "mask" in captured else numpy.ones(shape[3], dtype=bool)
        row = row & (numpy.arange(shape[3]) <= p) if captured.get("causal") else row
        row = row & (abs(numpy.arange(shape[3]) - p) < captured.get("window", shape[3]))
        at = (b, p) if hidden else (t,)
        tokens = array("hidden")[b] if hidden else array("contexts")[t]
        e = tokens[p] if hidden else array("queries")[t] if "queries" in captured else None
        scale = captured.get("logit_scale", "1")
        scale = D_H**-0.5 if scale == "1/sqrt(d_h)" else float(attest.torch.seen.fractions.Fraction(scale))
        if "logits" in captured:
            z = array("logits")[b, :, p] if hidden else array("logits")[t]
        elif "projected_queries" in captured:
            q = array("projected_queries")[at]
            k = array("projected_keys")[b if hidden else t]  # (L, groups, d_h)
            z = scale * numpy.einsum("hd,jhd->hj", q, numpy.repeat(k, shape[1] // k.shape[1], 1))
        else:
            q = numpy.einsum("d,hde->he", e, array("query")) + (array("query_bias") if "query_bias" in captured else 0)
            z = scale * numpy.einsum("he,hje->hj", q, numpy.einsum("jd,hde->hje", tokens, array("key")))
        powers = numpy.exp(z) * row
        total = powers.sum(-1) + (numpy.exp(array("sink_logits")) if captured.get("sink") else 0)
        found[b, :, p], opened[b, p] = powers / total[:, None], row
    return found, opened


class Ways(unittest.TestCase):
    def compare(self, way, captured, positions, said):
        x, expected = way.truth()
        examples = [(b, p) for b in range(B) for p in range(L) if way.keep[b, p] and way.opened[b, p].any()]
        if positions == "last":
            examples = sorted(dict(examples).items())
        elif positions != "all":
            examples = [(b, p) for b, p in examples if p in positions]
        self.assertEqual(captured.examples, examples, said)
        found, opened = coefficients(captured, expected.shape)
        rows = tuple(numpy.array(examples).T)
        numpy.testing.assert_array_equal(opened[rows], way.opened.numpy()[rows], said)
        tolerance = {torch.float64: 1e-12, torch.float32: 1e-5, torch.bfloat16: 0.1, torch.float16: 0.01}[way.how["type"]]
        numpy.testing.assert_allclose(found[rows[0], :, rows[1]], expected[rows[0], :, rows[1]], atol=tolerance, err_msg=said)
        if way.how["type"] == torch.float64:
            z = numpy.einsum("thi,tid->thd", expected[rows[0], :, rows[1]], x[rows[0]]).reshape(len(examples), -1)
            rank = attest.rank(**captured)
            self.assertEqual(rank.lower, numpy.linalg.matrix_rank(z, tol=1e-9), said)

    def test_each_is_the_same_attention_or_refused(self):
        draw, tally, refused = random.Random(SEED), collections.Counter(), collections.Counter()
        for number in range(WAYS):
            what, how = chosen(draw)
            said = f"way {number} of seed {SEED}: {what}, {how}"
            way = Way(what, how)
            opened = way.keep & way.opened.any(2)
            positions = draw.choice(("all", "all", "last", [p for p in draw.sample(range(L), 2) if opened[:, p].all()] or [L - 1]))
            if positions not in ("all", "last") and not opened[:, positions].all():
                positions = "last"
            try:
                captured = attest.torch.capture(way, way.x, "", positions=positions, heads=H)
            except attest.InputError as error:
                refused[str(error)] += 1
                continue
            except Exception as error:
                raise AssertionError(said) from error
            tally[captured.form] += 1
            self.compare(way, captured, positions, said)
        print(f"{sum(tally.values())} of {WAYS} ways captured: {dict(tally)}")
        for error, times in refused.most_common():
            print(f"  {times} refused: {error}")
        self.assertGreater(sum(tally.values()), 0.6 * WAYS)


if __name__ == "__main__":
    del sys.argv[1:]
    ended()
