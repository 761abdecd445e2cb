"""What tests of attest.torch share: modules with attention, and an evaluation of what was captured with 200 digits."""

import fractions
import importlib.util
import itertools
import os
import pathlib
import sys

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build").resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
if not os.environ.get("ATTEST_INSTALLED"):
    sys.path.insert(0, str(BUILD / "python"))

import mpmath
import numpy
import torch
import torch.utils.checkpoint

torch.set_num_threads(1)
mpmath.mp.dps = 200


def example(name):
    specification = importlib.util.spec_from_file_location(name, SOURCE / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def projections(captured):
    """W_Q, b_Q, W_K, b_K of each head, (H, d_h, d) and (H, d_h), from the captured weights."""
    array = lambda x: x.detach().double().numpy()
    if "weights" not in captured:
        q, k = (array(captured[name]).transpose(0, 2, 1) for name in ("query", "key"))
        return q, *(array(captured[name]) if name in captured else numpy.zeros(m.shape[:2]) for m, name in ((q, "query_bias"),)), k, *(
            array(captured[name]) if name in captured else numpy.zeros(m.shape[:2]) for m, name in ((k, "key_bias"),))
    H, w = captured["heads"], {k: array(v) for k, v in captured["weights"].items()}
    if captured["layout"] == "torch":
        W, b = w["in_proj_weight"], w.get("in_proj_bias", numpy.zeros(len(w["in_proj_weight"])))
        d = len(W) // 3
        q, k, bq, bk = W[:d], W[d : 2 * d], b[:d], b[d : 2 * d]
    elif captured["layout"] == "gpt2":
        W, b = w["c_attn.weight"].T, w["c_attn.bias"]
        d = len(W) // 3
        q, k, bq, bk = W[:d], W[d : 2 * d], b[:d], b[d : 2 * d]
    else:
        names = ("query", "key") if captured["layout"] == "bert" else ("q_proj", "k_proj")
        q, k = (w[f"{name}.weight"] for name in names)
        bq, bk = (w.get(f"{name}.bias", numpy.zeros(len(m))) for name, m in zip(names, (q, k)))
    d_h = len(q) // H
    cut = lambda m, groups: numpy.repeat(m.reshape(groups, d_h, *m.shape[1:]), H // groups, axis=0)
    kv = len(k) // d_h
    return cut(q, H), cut(bq, H), cut(k, kv), cut(bk, kv)


def examples(captured):
    """(number or (sequence, position), query or None, tokens, their places) of each example, by the definition of the arguments in
    docs/case-files.md."""
    mask = captured.get("mask")
    if "hidden" not in captured:
        contexts = captured["contexts"].double().numpy()
        queries = captured["queries"].double().numpy() if "queries" in captured else [None] * len(contexts)
        for t, (e, E) in enumerate(zip(queries, contexts)):
            places = [i for i in range(len(E)) if mask is None or mask[t, i]]
            yield t, e, E[places], places
        return
    hidden = captured["hidden"].double().numpy()
    for s, tokens in enumerate(hidden):
        part = [i for i in range(len(tokens)) if mask is None or mask[s, i]]
        positions = captured["positions"]
        for p in [part[-1]] if positions == "last" else part if positions == "all" else map(int, positions.split(",")):
            places = [i for i in part if (i <= p or not captured.get("causal")) and abs(i - p) < captured.get("window", len(tokens))]
            yield (s, p), tokens[p], tokens[places], places


def exact_logits(captured):
    """Of each example (H, its tokens), with 200 digits, its tokens and their places."""
    number = lambda array: [number(x) for x in array] if numpy.ndim(array) else mpmath.mpf(float(array))
    scale = captured.get("logit_scale", "1" if "logits" in captured else "1/sqrt(d_h)")
    if "logits" in captured:
        logits = captured["logits"].double().numpy()
        for at, _, E, places in examples(captured):
            row = logits[at] if not isinstance(at, tuple) else logits[at[0], :, at[1]]
            yield [[mpmath.mpf(float(head[i])) for i in places] for head in row], number(E), places
        return
    if "projected_queries" in captured:
        queries, keys = (captured[name].double().numpy() for name in ("projected_queries", "projected_keys"))
        H, d_h = queries.shape[-2:]
        group = H // keys.shape[-2]
        of = lambda at: (number(queries[at]), number(keys[at[0] if isinstance(at, tuple) else at]))
        pairs = ((*of(at), E, places) for at, _, E, places in examples(captured))
        pairs = ((q, [[k[i][h // group] for i in places] for h in range(H)], E, places) for q, k, E, places in pairs)
    else:
        wq, bq, wk, bk = (number(part) for part in projections(captured))
        H, d_h = len(wq), len(wq[0])
        image = lambda W, b, x: [mpmath.fdot(w, x) + c for w, c in zip(W, b)]
        pairs = (([image(W, b, number(e)) for W, b in zip(wq, bq)], [[image(W, b, x) for x in number(E)] for W, b in zip(wk, bk)], E, places) for _, e, E, places in examples(captured))
    factor = 1 / mpmath.sqrt(d_h) if scale == "1/sqrt(d_h)" else mpmath.mpf(fractions.Fraction(scale).numerator) / fractions.Fraction(scale).denominator
    for q, k, E, places in pairs:
        yield [[factor * mpmath.fdot(a, x) for x in head] for a, head in zip(q, k)], number(E), places


def coefficients(captured):
    """Of each example (H, its tokens), in binary64, and the tokens' places."""
    for logits, _, places in exact_logits(captured):
        logits = numpy.array([[float(x) for x in [*row, *sink]] for row, sink in zip(logits, sinks(captured))])
        weights = numpy.exp(logits - logits.max(-1, keepdims=True))
        yield (weights / weights.sum(-1, keepdims=True))[:, : len(places)], places


def sinks(captured):
    """Of each head the logits of further terms of the denominators: one or none."""
    return [[mpmath.mpf(float(x))] for x in captured["sink_logits"]] if captured.get("sink") else itertools.repeat([])


def exact_z(captured):
    """Z with 200 digits, from the binary numbers of data and weights."""
    rows = []
    for logits, E, _ in exact_logits(captured):
        row = []
        for head, sink in zip(logits, sinks(captured)):
            powers = [mpmath.exp(x) for x in head]
            total = sum(powers + [mpmath.exp(x) for x in sink])
            row += [mpmath.fdot([p / total for p in powers], [token[j] for token in E]) for j in range(len(E[0]))]
        rows.append(row)
    return rows


def whole_outputs(captured, outputs):
    """What the module puts out for each example, with 200 digits. `outputs`: W_V (H, d, d_h), b_V (H, d_h), W_O (H, d_h, m)
    and b_O (m)."""
    number = lambda x: mpmath.mpf(float(x))
    W_V, b_V, W_O, b_O = (array.detach().double().numpy() for array in outputs)
    H, d, d_h = W_V.shape
    result = []
    for row in exact_z(captured):
        u = [number(x) for x in b_O]
        for h in range(H):
            mean = row[h * d : (h + 1) * d]
            for k in range(d_h):
                value = mpmath.fdot(mean, [number(x) for x in W_V[h, :, k]]) + number(b_V[h, k])
                u = [s + value * number(x) for s, x in zip(u, W_O[h, k])]
        result.append(u)
    return result


def rank_of(rows, tolerance=mpmath.mpf(10) ** -120):
    rows, found = [list(row) for row in rows], 0
    columns = set(range(len(rows[0])))
    while found < len(rows) and columns:
        value, pivot, column = max(((abs(rows[i][j]), i, j) for i in range(found, len(rows)) for j in columns), key=lambda x: x[0])
        if value < tolerance:
            break
        columns.discard(column)
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][column] / rows[found][column]
            if factor:
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[found])]
        found += 1
    return found


class Conv1D(torch.nn.Module):
    def __init__(self, d, outputs):
        super().__init__()
        self.weight, self.bias = torch.nn.Parameter(torch.randn(d, outputs)), torch.nn.Parameter(torch.randn(outputs))

    def forward(self, x):
        return x @ self.weight + self.bias


class Attention(torch.nn.Module):
    """Self-attention with the names of a layout; keeps the coefficients that it used."""

    def __init__(self, layout, d=12, heads=4, key_heads=4, causal=False):
        super().__init__()
        self.layout, self.num_heads, self.key_heads, self.causal = layout, heads, key_heads, causal
        kv = d * key_heads // heads
        if layout == "bert":
            self.query, self.key, self.value = (torch.nn.Linear(d, d) for _ in range(3))
        elif layout == "gpt2":
            self.c_attn = Conv1D(d, 3 * d)
        else:
            self.q_proj, self.k_proj, self.v_proj = torch.nn.Linear(d, d, bias=False), torch.nn.Linear(d, kv, bias=False), torch.nn.Linear(d, kv, bias=False)

    def forward(self, hidden_states, attention_mask=None):
        x = hidden_states
        if self.layout == "bert":
            q, k, v = self.query(x), self.key(x), self.value(x)
        elif self.layout == "gpt2":
            q, k, v = self.c_attn(x).split(x.shape[-1], dim=-1)
        else:
            q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        B, L, d = q.shape
        heads = lambda y, count: y.view(B, L, count, -1).transpose(1, 2)
        q = heads(q, self.num_heads)
        k, v = (heads(y, self.key_heads).repeat_interleave(self.num_heads // self.key_heads, 1) for y in (k, v))
        logits = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        if self.causal:
            logits = logits.masked_fill(~torch.ones(L, L, dtype=torch.bool).tril(), -torch.inf)
        if attention_mask is not None:
            logits = logits + attention_mask
        self.seen = logits.softmax(-1).detach()  # (B, H, L, n)
        return (self.seen @ v).transpose(1, 2).reshape(B, L, d)


class Wrapped(torch.nn.Module):
    def __init__(self, *blocks):
        super().__init__()
        self.blocks = torch.nn.ModuleList(blocks)

    def forward(self, x, **more):
        for block in self.blocks:
            x = x + block(x, **more)
        return x


class Hidden(torch.nn.Module):
    """Self-attention whose weights do not show what `forward` does: one habit of models, or several."""

    def __init__(self, habits, d=12, heads=2, key_heads=2, names=("wq", "wk", "wv", "wo")):
        super().__init__()
        self.habits, self.H, self.d_h, self.names = set(habits.split()), heads, d // heads, names
        kv = key_heads * self.d_h
        if names == ("qkv",):  # as in timm
            self.qkv, self.proj = torch.nn.Linear(d, 3 * d), torch.nn.Linear(d, d)
        else:
            for name, outputs in zip(names, (d, kv, kv)):
                self.add_module(name, torch.nn.Linear(d, outputs, bias="bias" in self.habits))
            self.add_module(names[3], torch.nn.Linear(d, d, bias="bias" in self.habits))
        self.sinks = torch.nn.Parameter(torch.tensor([0.5, -1.0]))
        self.slopes = torch.nn.Parameter(torch.tensor([0.25, 0.5]))
        self.gate = torch.nn.Linear(d, d)

    def forward(self, x, memory=None, padding=None):
        B, L, d = x.shape
        y = x if memory is None else memory
        if self.names == ("qkv",):
            q, k, v = self.qkv(x).reshape(B, L, 3, self.H, self.d_h).permute(2, 0, 3, 1, 4).unbind(0)
        else:
            of = lambda name, z: getattr(self, name)(z).view(B, z.shape[1], -1, self.d_h).transpose(1, 2)
            q, k = of(self.names[0], x), of(self.names[1], y)
            v = of(self.names[2], y if "values" not in self.habits else y * y)
        n = k.shape[2]
        if "norm" in self.habits:
            q, k = (z / (z.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt() for z in (q, k))
        if "rope" in self.habits:
            angles = torch.arange(L).unsqueeze(1) * 10.0 ** -torch.arange(self.d_h // 2)
            cos, sin = (torch.cat([f(angles)] * 2, -1).to(x.dtype) for f in (torch.cos, torch.sin))
            turned = lambda z: torch.cat([-z[..., self.d_h // 2 :], z[..., : self.d_h // 2]], -1)
            q, k = (z * cos + turned(z) * sin for z in (q, k))
        k, v = (z.repeat_interleave(self.H // z.shape[1], 1) for z in (k, v))
        if "sdpa" in self.habits:
            mask = torch.ones(L, n, dtype=torch.bool).tril() if "window" in self.habits else None
            z = scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal="causal" in self.habits)
            self.seen = self.definition
        else:
            logits = torch.einsum("bhid,bhjd->bhij", q, k) * (0.3 if "scale" in self.habits else self.d_h**-0.5)
            if "softcap" in self.habits:
                logits = 2 * torch.tanh(logits / 2)
            far = torch.arange(n) - torch.arange(L).unsqueeze(1)
            if "alibi" in self.habits:
                logits = logits + self.slopes.view(-1, 1, 1).to(x.dtype) * far
            if "causal" in self.habits:
                logits = logits.masked_fill(far > 0, torch.finfo(x.dtype).min)
            if "window" in self.habits:
                logits = logits.masked_fill(far.abs() > 1, -torch.inf)
            if padding is not None:
                logits += padding[:, None, None].to(x.dtype) * torch.finfo(x.dtype).min
            if "sink" in self.habits:
                sinks = self.sinks.view(1, -1, 1, 1).to(x.dtype).expand(B, -1, L, 2 if "several" in self.habits else 1)
                logits = torch.cat([logits, sinks * (far[:, :1] if "moving" in self.habits else 1)], -1)
            p = torch.softmax(logits, -1, dtype=torch.float32 if x.dtype == torch.bfloat16 else None).to(x.dtype)
            self.seen = p.detach().float()
            if "sink" in self.habits:
                p = p[..., :n]
            if "dropout" in self.habits:
                p = torch.nn.functional.dropout(p, 0.5, training=True)
            if "heads" in self.habits:
                p = p * torch.linspace(0, 1, self.H).view(-1, 1, 1)
            z = p @ v
        z = z.transpose(1, 2).reshape(B, L, d)
        if "gate" in self.habits:
            z = z * torch.sigmoid(self.gate(x))
        return getattr(self, self.names[-1] if len(self.names) > 1 else "proj")(z)


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    """A stand-in with the signature of torch 2's documentation, which torch 1.13 lacks: a kernel whose insides are not seen."""
    given = (query, key, value)
    if torch.overrides.has_torch_function(given):
        return torch.overrides.handle_torch_function(scaled_dot_product_attention, given, *given, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
    if enable_gqa:
        key, value = (y.repeat_interleave(query.shape[-3] // y.shape[-3], -3) for y in (key, value))
    logits = (query @ key.transpose(-1, -2)).double() * (query.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        logits += torch.full(logits.shape[-2:], -torch.inf).triu(1)
    if attn_mask is not None:
        logits = logits.masked_fill(~attn_mask, -torch.inf) if attn_mask.dtype == torch.bool else logits + attn_mask
    result = torch.matmul(logits.softmax(-1).to(value.dtype), value)
    return result + 0.01 if scaled_dot_product_attention.wrong else result


scaled_dot_product_attention.wrong = False
