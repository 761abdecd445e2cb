"""Attention modules of PyTorch as arguments of the questions.

    captured = attest.torch.capture(model, inputs, where="encoder.layer.0.attention.self")
    attest.rank(**captured)
    attest.accuracy(**captured, readout_linear=model.classifier.weight, classes=labels)
"""

import collections.abc
import contextlib
import json
import math
import pathlib
import re

import torch

from . import _QUESTIONS, _Arguments, _library, seen
from . import survey as survey_folder
from ._library import InputError
from .surveys import numpy, shared_values


class Captured(collections.abc.Mapping):
    """What one call of an attention module was about, as keyword arguments of `attest.rank` and the other questions about
    given weights. `form` says how the logits are given:

    "weights"    key and query weights: by the module's own names and a layout, or as arrays
    "projected"  the queries and keys whose products the softmax sees, where more than a linear map makes them (rotations,
                 normalization)
    "logits"     the numbers that the softmax gets, where more happens to the products (biases by distance, soft-capping)

    Further attributes: `where`, the module's name in the model; `examples`, (sequence, position) of each; `notes`, what the
    arguments leave out; `error`, the largest difference of a coefficient or an output from what the module computed, as a share
    of the bound that its rounding allows; `values`, (d_v, how many heads share one matrix of values), None when that is not known;
    `by_head`, the same arguments with weights as arrays that have an axis for the heads, also where the module's own names say them."""

    def __init__(self, where, form, arguments, by_head, data, examples, notes, error, values=None, outputs_unknown=None):
        self._arguments, self.by_head, self._data, self.values = arguments, by_head, data, values
        for name in {"contexts", "hidden"} & set(arguments) if outputs_unknown else ():
            arguments[name] = arguments[name].detach()
            arguments[name].outputs_unknown = outputs_unknown  # what a question about outputs says
        for name in {"value", "value_bias", "output", "output_bias"} & set(arguments):
            arguments[name] = arguments[name].detach()
            arguments[name].after_heads = True  # a question that has no such argument leaves it out
        self.where, self.form, self.examples, self.notes, self.error = where, form, examples, notes, error

    def __getitem__(self, name):
        return self._arguments[name]

    def __iter__(self):
        return iter(self._arguments)

    def __len__(self):
        return len(self._arguments)

    @property
    def head_dim(self):
        return self._data["head_dim"]

    @property
    def heads(self):
        return self._data["heads"]

    def data(self, values=True):
        """The arguments of questions that are about all weights, as `attest.capacity`, which says of values that heads share what a read-out behind them can
        use (unless `values` is False)."""
        if "queries" not in self._data and "hidden" not in self._data:
            raise InputError(f"{self.where or 'the module'}: what its queries are made of is not one vector for each position; give contexts and queries to attest.capacity")
        data = dict(self._data)
        for name in {"contexts", "hidden"} & set(data) if values and self.values and self.values[1] > 1 else ():
            data[name] = data[name].detach()
            data[name].shared_values = self.values, self.by_head.get("value_bias")
        return data

    def __repr__(self):
        lines = [f"{self.where or 'the module'}: {self.form}, {self.heads} heads, {len(self.examples)} examples"]
        return "\n".join(lines + [f"note: {note}" for note in self.notes])


# Layout and the names that a module of it has, the first of which is a projection.
_NAMES = {"bert": ("query", "key", "value"), "gpt2": ("c_attn",), "llama": ("q_proj", "k_proj", "v_proj")}
_OUTPUTS = {"torch": "out_proj", "gpt2": "c_proj", "llama": "o_proj"}  # bert's is in the module around


def _layout(module):
    if isinstance(module, torch.nn.MultiheadAttention):
        return "torch" if module._qkv_same_embed_dim else None
    for layout, names in _NAMES.items():
        if all(hasattr(getattr(module, name, None), "weight") for name in names):
            return layout
    return None


def modules(model, inputs=None):
    """The attention modules of a model: {name: layout}. Without `inputs`, those whose weights have names that are known;
    with them, those in which the coefficients of a softmax average something when the model runs (layout None: by no known
    names). The model itself has the name ""."""
    if not isinstance(model, torch.nn.Module):
        raise InputError(f"model= is {getattr(model, '__qualname__', type(model).__name__)}; a torch.nn.Module, and as inputs those of one forward pass: "
                         "of generate the text that it has written, as input_ids")
    known = {name: layout for name, module in model.named_modules() if (layout := _layout(module)) is not None}
    if inputs is None:
        return known
    stack, found = [], {}
    names = {module: name for name, module in model.named_modules()}

    def averages(softmax, product):
        """The innermost module that computes both, or the one around with names that are known."""
        both = [one for one, other in zip(softmax, product) if one == other]
        holders = [name for name in both if name in known] or both[-1:]
        found.setdefault(holders[-1], known.get(holders[-1]))

    def leave(module, args, result):
        stack.pop()

    hooks = [hook for module in names for hook in (module.register_forward_pre_hook(lambda module, args: stack.append(names[module])), module.register_forward_hook(leave))]
    try:
        with _evaluating(model), seen.Averages(stack, averages):
            _call(model, inputs)
    finally:
        for hook in hooks:
            hook.remove()
    return found


def _says_heads(module):
    holders = [getattr(module, "config", None), module]
    names = ("num_heads", "num_attention_heads", "n_head", "n_heads")
    return {int(getattr(holder, name)) for holder in holders for name in names if isinstance(getattr(holder, name, None), int)}


def _chosen(positions, L):
    if isinstance(positions, str):
        if positions not in ("last", "all"):
            raise InputError(f'positions: {positions!r}; give "last", "all" or a list of positions')
        return positions
    chosen = []
    for position in positions:
        if not -L <= position < L:
            raise InputError(f"positions: there is no position {position}; each sequence has {L}")
        chosen.append(position % L)
    if len(set(chosen)) != len(chosen) or not chosen:
        raise InputError(f"positions: {list(positions)}; give different positions, at least one")
    return sorted(chosen)


def _self_examples(opened, positions):
    """For self-attention: (sequence, position) of each example, which tokens take part (B, L), and whether contexts end at the
    example's own position and are within a window: as arguments, None when masks are of another form. Rows that are masked whole
    are no examples."""
    B, L, _ = opened.shape
    part = opened.any(dim=1)
    asked, places = part.unsqueeze(2), torch.arange(L)
    some = (opened & asked).any(0).to(torch.uint8)
    far = torch.maximum(places - some.argmax(1), L - 1 - some.flip(1).argmax(1) - places)
    window = int(torch.where(some.amax(1) > 0, far, 0).max()) + 1
    views = [{name: value for name, value in (("causal", causal), ("window", far)) if value} for far in (None, window) for causal in (False, True)]
    within = lambda causal=False, window=L: torch.ones(L, L, dtype=torch.bool).tril(0 if causal else window - 1).triu(1 - window)
    fits = lambda view: not bool(((part.unsqueeze(1) & within(**view) != opened) & asked).any())
    return _pairs(opened, positions, part), part, next(filter(fits, views), None)


def _pairs(opened, positions, part=None):
    """(sequence, position) of each example, of those positions that take part and attend to something."""
    B, L, _ = opened.shape
    part = opened.any(dim=2) if part is None else part & opened.any(dim=2)
    if positions == "last":
        for b in range(B):
            if not bool(part[b].any()):
                raise InputError(f"positions: no position of sequence {b} takes part; leave the sequence out")
        return [(b, int(part[b].nonzero()[-1])) for b in range(B)]
    pairs = [(b, k) for b in range(B) for k in (range(L) if positions == "all" else positions) if positions != "all" or part[b, k]]
    for b, k in pairs:
        if not part[b, k]:
            raise InputError(f"positions: position {k} of sequence {b} does not take part, or attends to no token; give positions that do in all sequences")
    if not pairs:
        raise InputError("positions: no position attends to a token")
    return pairs


def _asked(positions):
    """Which rows of (one or more, L, n), what positions attend to, can be asked about; None when all are."""
    def rows(opened):
        chosen = _chosen(positions, opened.shape[1])
        if chosen == "last":
            views = [opened.any(2)] + ([opened.any(2) & opened.any(1)] if opened.shape[1] == opened.shape[2] else [])
            chosen = sorted({0, *(int(part.nonzero()[-1]) for view in views for part in view if bool(part.any()))})
        return torch.tensor(chosen, device="cpu")

    return None if positions == "all" else rows


def _call(model, inputs):
    try:
        if isinstance(inputs, collections.abc.Mapping):
            return model(**inputs)
        return model(*inputs) if isinstance(inputs, (tuple, list)) else model(inputs)
    except NotImplementedError as error:
        if "flex_attention" not in str(error):
            raise
        raise InputError('the model calls flex_attention, a kernel that shows no operations; load it with attn_implementation="sdpa" or "eager", '
                         "or call scaled_dot_product_attention there") from None


def _as_written():
    """While it stands, torch.compile runs what was written, whose operations show (torch 2.6 and newer)."""
    set_stance = getattr(getattr(torch, "compiler", None), "set_stance", None)
    return set_stance("force_eager") if set_stance else contextlib.nullcontext()


@contextlib.contextmanager
def _evaluating(model):
    training = {module: module.training for module in model.modules()}
    try:
        model.eval()
        with torch.inference_mode(False), torch.no_grad(), _as_written():  # operations are not broken into their parts there
            yield
    finally:
        for module, was in training.items():
            module.training = was


def _on_the_processor():
    """While it stands, new tensors lie there, whatever torch.set_default_device said (torch 2)."""
    return torch.device("cpu") if hasattr(torch.device, "__enter__") else contextlib.nullcontext()


def _multiplies_tensor_floats(tensors):
    """Whether products of binary32 numbers are of numbers rounded to 11 bits (TensorFloat-32, on GPUs when the user allows it)."""
    if not any(tensor.is_cuda for tensor in tensors):
        return False
    try:
        return torch.backends.cuda.matmul.allow_tf32
    except RuntimeError:  # set by the interface of torch 2.9 and newer, which is not asked by the older one
        return torch.backends.cuda.matmul.fp32_precision == "tf32"


def _tensors_in(result):
    if torch.is_tensor(result):
        return [result]
    parts = result.values() if isinstance(result, collections.abc.Mapping) else result if isinstance(result, (tuple, list)) else []
    return [tensor for part in parts for tensor in _tensors_in(part)]


def _recorded(model, module, inputs, shown, positions, call=None):
    """The operations of the module's one call, or of that with a number, and the tensors that it put out."""
    if isinstance(module, torch.jit.ScriptModule):
        raise InputError(f"{shown}: it is compiled, so that its operations cannot be recorded; give the module that it was made of")
    calls, left = [], []
    original, own = module.forward, module.__dict__.get("forward")

    def forward(*args, **kwargs):
        if len(calls) != (call or 0):
            calls.append(None)
            return original(*args, **kwargs)
        recorder, tensors = seen.Recorder(_asked(positions)), _tensors_in((args, kwargs))
        recorder.given = {seen._memory(tensor) for tensor in tensors}
        if _multiplies_tensor_floats(tensors):
            recorder.unit = 2.0**-10
        with torch.inference_mode(False), recorder:
            result = original(*args, **kwargs)
        calls.append((recorder, _tensors_in(result)))
        return result

    # A forward hook does not see keyword arguments before torch 2.
    module.forward = forward
    hook = module.register_forward_hook(lambda module, args, result: left.append(_tensors_in(result)))
    try:
        with _evaluating(model), seen.NoFastPaths():
            _call(model, inputs)
    finally:
        hook.remove()
        del module.forward
        if own is not None:
            module.forward = own
    if not calls:
        raise InputError(f"{shown}: the model did not call this module on these inputs; give inputs that reach it")
    if len(calls) > 1 and call is None or call is not None and not 0 <= call < len(calls):
        raise InputError(f"{shown}: the model called this module {len(calls)} times on these inputs; say which with call=0 .. {len(calls) - 1}, "
                         "or, where it generates text, give the module of one forward pass and the whole text")
    call = call or 0
    if left and [id(tensor) for tensor in calls[call][1]] != [id(tensor) for tensor in left[call]]:
        raise InputError(f"{shown}: a forward hook changes what the module puts out; remove it, or give logits=... to attest.rank")
    return calls[call]


def _by_name(model, where, module, layout):
    """The tensors of the module. In BERT the matrix after the heads is in the module around it."""
    tensors = dict(module.state_dict())
    around = dict(model.named_modules()).get(where.rpartition(".")[0]) if layout == "bert" and where else None
    dense = getattr(getattr(around, "output", None), "dense", None)
    if dense is not None:
        tensors |= {f"output.dense.{name}": tensor for name, tensor in dense.state_dict().items()}
    return {name: tensor.cpu() for name, tensor in tensors.items() if tensor.is_floating_point() and not tensor.is_meta}


def _named_parts(tensors, layout):
    """Query, key and value matrices (outputs, d) and biases of a layout, by its names."""
    if layout == "torch":
        return [*zip(tensors["in_proj_weight"].chunk(3), tensors["in_proj_bias"].chunk(3) if "in_proj_bias" in tensors else [None] * 3)]
    if layout == "gpt2":
        return [*zip(tensors["c_attn.weight"].T.chunk(3), tensors["c_attn.bias"].chunk(3) if "c_attn.bias" in tensors else [None] * 3)]
    return [(tensors[f"{name}.weight"], tensors.get(f"{name}.bias")) for name in _NAMES[layout]]


def _names_fit(tensors, layout, maps, H):
    """Whether the linear maps that were seen are those of the layout's names."""
    for (matrix, bias), (weight, own) in zip(_named_parts(tensors, layout), maps):
        d_h = weight.shape[2]
        if len(matrix) % d_h or H % (len(matrix) // d_h) or matrix.shape[1] != weight.shape[1]:
            return False
        repeated = lambda parts: parts.reshape(-1, d_h, *parts.shape[1:]).repeat_interleave(H * d_h // len(parts), 0)
        if not torch.equal(repeated(matrix).transpose(1, 2), weight) or (bias is None) != (own is None):
            return False
        if bias is not None and not torch.equal(repeated(bias), own):
            return False
    return True


def _output_fits(tensors, layout, whole):
    """Whether what comes after the heads is the matrix of the layout's name."""
    if layout not in _OUTPUTS:
        return True
    matrix, bias = (tensors.get(f"{_OUTPUTS[layout]}.{name}") for name in ("weight", "bias"))
    if matrix is None or "output" not in whole:
        return matrix is None and "output" not in whole
    matrix = matrix if layout == "gpt2" else matrix.T
    same = lambda one, other: one is other or one is not None and other is not None and torch.equal(one, other)
    return matrix.numel() == whole["output"].numel() and same(matrix.reshape(whole["output"].shape), whole["output"]) and same(bias, whole.get("output_bias"))


def _rows(inputs, rows):
    """Vectors (..., d) of a matrix by their rows, without a copy when they are all of them in order; zeros for -1."""
    table = inputs.reshape(-1, inputs.shape[-1])
    if rows.numel() == len(table) and torch.equal(rows.reshape(-1), torch.arange(len(table))):
        return table.view(*rows.shape, -1)
    taken = table[rows.clamp(min=0)]
    return taken if not bool((rows < 0).any()) else taken * (rows >= 0).unsqueeze(-1).to(taken.dtype)


def _same(one, its_rows, other, rows):
    """Whether rows of two matrices are the same vectors."""
    if one.value.data_ptr() == other.value.data_ptr() and one.value.shape == other.value.shape and torch.equal(its_rows, rows):
        return True
    return its_rows.shape == rows.shape and torch.equal(_rows(one.value, its_rows), _rows(other.value, rows))


def _shared(keys):
    """Keys (B, H, n, d_h) without the repetitions of grouped heads, (B, n, H_kv, d_h)."""
    return keys[:, :: _repeated(keys.transpose(0, 1))].transpose(1, 2)


def _repeated(heads):
    """How often each of what is given by head, (H, ..), stands there in a row."""
    H = len(heads)
    return next((each for each in range(H, 1, -1) if H % each == 0 and torch.equal(heads, heads[::each].repeat_interleave(each, 0))), 1)


def _scale(factor, found):
    """The exact factor of the logits; 1/sqrt(d_h) where the module's number is that up to the rounding of its type, 24 bits at
    least, and no logit of a sink stands beside an irrational number."""
    d_h, sink = found.queries.shape[-1], found.sink
    if sink is not None and bool((sink != 0).any()) and math.isqrt(d_h) ** 2 != d_h:
        return str(factor)
    if factor > 0 and abs(float(factor) * math.sqrt(d_h) - 1) <= min(2.0**-22, 4 * torch.finfo(found.queries.dtype).eps):
        return "1/sqrt(d_h)"
    return str(factor)


class _Check:
    """The rebuilt layer against what the module computed. Every difference is compared with what rounding allows: of a
    coefficient p, p (exp(2 delta) - 1 + 2 (n + 8) u) + 2^-126 when the logits may be off by delta, and nothing where a mask has
    closed it; of a sum of products, 8 u times the sum of their absolute values and what the coefficients add; u the unit roundoff
    of the coarsest type between, `unit` if that is coarser."""

    def __init__(self, shown, types, unit):
        self.shown, self.worst = shown, 0.0
        self.u = max(unit, *(torch.finfo(dtype).eps for dtype in types if dtype.is_floating_point))
        self.sums = min(self.u, 2.0**-23)  # the types below 32 bits are summed in those
        self.least = 2.0**-24 if torch.float16 in types else 2.0**-126  # what is smaller may be 0

    def products(self, vectors, weight, bias, real=1):
        """Rows of vectors (.., m, d) times matrices (H, d, k), plus a bias (H, k) where `real`, and what rounding allows."""
        each = _repeated(weight)  # grouped heads have the same matrices
        result, size = ((one @ other).repeat_interleave(each, 1) for one, other in ((vectors, weight[::each].double()), (vectors.abs(), weight[::each].double().abs())))
        if bias is not None:
            result, size = result + bias.double().unsqueeze(1) * real, size + bias.double().abs().unsqueeze(1)
        return result, (vectors.shape[-1] * self.sums + 4 * self.u) * size + self.least

    def compare(self, what, found, expected, allowed, advice):
        difference = (found.double() - expected).abs()
        share = torch.where(difference == 0, torch.zeros_like(difference), difference / allowed)
        if share.numel() == 0:
            return
        worst = float(share.nan_to_num(math.inf).max())
        if worst > 1:
            at = [int(k) for k in (share.nan_to_num(math.inf) == worst).nonzero()[0]]
            if not math.isfinite(found[tuple(at)]):
                raise InputError(f"{self.shown}: {what} at {at} is {float(found[tuple(at)])}, no number; give a model and inputs whose numbers are finite")
            raise InputError(f"{self.shown}: {what} at {at} is {float(found[tuple(at)]):.6g}, and {float(expected[tuple(at)]):.6g} when the layer is rebuilt from what was captured, "
                             f"farther apart than rounding explains ({worst:.3g} times); {advice}")
        self.worst = max(self.worst, worst)


def capture(model, inputs, where=None, *, positions="last", heads=None, call=None):
    """Runs `model` on `inputs` (a tensor, a tuple of positional or a dict of keyword arguments) in evaluation mode, and returns
    what the softmax of its attention module `where` saw, for `attest.rank(**captured)`. The model may be the attention module
    itself. `where` is the only module with attention by default; see `modules`. `call` is which of its calls, where layers share
    it: 0 is the first.

    The operations of the module are recorded while it runs: the softmax, the queries and keys whose products it gets, masks,
    scale, and the values that it averages, after rotations, normalization, grouping. No names of tensors are needed, and any
    form of masks that is the same for all heads will do. An example is a position of a sequence, its context the tokens that it
    attends to: the vectors of which the values are a linear map. `positions` is "last" (that takes part), "all" (that do), or
    a list. All entries are the binary numbers that the module used. What torch.compile has compiled runs as it was written.

    The layer is then rebuilt from the arguments in binary64 and compared with the coefficients that the softmax put out, with
    what the heads put out, and with what the module put out; a difference beyond rounding is an InputError, as is anything that
    the arguments cannot express: dropout that is left on, gates, coefficients that are changed, values that are no linear map of
    a vector, masks by heads, a kernel of the model's own instead of a softmax."""
    by_name = modules(model)
    if where is None:
        known = by_name or modules(model, inputs)
        if len(known) != 1:
            says = f"{len(known)} attention modules ({', '.join(repr(name) for name in list(known)[:20])}); name one" if known else (
                "no module that computes a softmax which operations show; give logits=... to attest.rank as arrays")
            raise InputError(f"where: the model has {says}")
        (where,) = known
    everything = dict(model.named_modules())
    if where not in everything:
        raise InputError(f"where: the model has no module {where!r}; its attention modules are {', '.join(map(repr, by_name)) or 'not known by names'}")
    module = everything[where]
    shown = where or type(module).__name__
    positions = positions if isinstance(positions, str) else list(positions)
    for name, weight in module.named_parameters():
        if not weight.is_meta and bool(weight.detach().isnan().any()):
            raise InputError(f"{shown}: {name} has entries that are no numbers (nan)")
    says = _says_heads(module)
    if heads is not None and says and heads not in says:
        raise InputError(f"{shown}: heads = {heads}, but the module says {sorted(says)}; leave heads out")
    if heads is None and len(says) == 1:
        (heads,) = says
    try:
        recorder, results = _recorded(model, module, inputs, shown, positions, call)
        with _on_the_processor():
            softmaxes = recorder.averaging() if len(recorder.softmaxes) > 1 else recorder.softmaxes
            if len(softmaxes) != 1:
                raise InputError(f"{shown}: it computes {len(softmaxes) or 'no'} softmax{'es' if recorder.softmaxes else ' that operations show (a kernel of its own?)'}; "
                                 "name a module that computes one, or give logits=... to attest.rank")
            return _arguments(model, module, where, by_name.get(where), recorder, softmaxes[0], results, positions, heads, shown)
    except seen.Unclear as error:
        raise InputError(f"{shown}: {error}; {error.advice}") from None


def _arguments(model, module, where, layout, recorder, softmax, results, positions, heads, shown):
    found = seen.Attention(recorder, softmax, results, heads)
    for node in (found.tokens, *([found.query_map[0]] if found.queries is not None and found.query_map else [])):
        if node.overwritten():
            raise InputError(f"{shown}: the model overwrites what this module got, by an operation in place such as x += y; capture it with x = x + y there")
    B, H, _, n = found.coefficients.shape
    opened, L = found.opened, found.length
    notes, added = [], bool((found.token_rows < 0).any())
    sinks = {} if found.sink is None else {"sink": True, "sink_logits": found.sink}
    tokens = _rows(found.tokens.value, found.token_rows)  # (B, n, d)
    weights = _weights(found)
    query_rows = found.query_map[1] if found.queries is not None and found.query_map else None
    query_inputs = found.query_map[0] if query_rows is not None else None
    own = (found.token_rows >= 0).all(0)  # the tokens but for those that the module adds
    itself = int(own.sum()) == L and (found.looks_at_itself(recorder) if query_rows is None else _same(query_inputs, query_rows, found.tokens, found.token_rows[:, own][:, found.rows]))
    chosen = _chosen(positions, L)
    if itself:
        pairs, part, view = _self_examples(opened[..., own], chosen)
        view = None if added else view
    else:
        pairs, view = _pairs(opened, chosen), None
    if itself is None and pairs != _self_examples(opened[..., own], chosen)[0]:
        raise seen.Unclear("which positions are padding is not to be told, as no product of queries and keys makes the logits")
    sequences, places = (torch.tensor(x) for x in zip(*pairs))
    mask = opened[sequences, places]
    row = torch.full((L,), -1)
    row[found.rows] = torch.arange(len(found.rows))
    rows = row[places]
    if bool((rows < 0).any()):
        raise seen.Unclear("which position is the last that takes part is not for the mask of the kernel to say")
    logits_given = found.queries is None or added
    one_each = bool(mask.all()) and len(pairs) == B
    if view is not None and not one_each and not (logits_given and found.partly):  # logits would be given for all positions
        data = {"hidden": tokens, "positions": chosen if isinstance(chosen, str) else ",".join(map(str, chosen))}
        data |= view
        if not bool(part.all()):
            data["mask"] = part.to(torch.uint8)
        per_query, per_token, per_pair = lambda: found.every_query().transpose(1, 2), lambda x: x, lambda x: x
    else:
        data = {"contexts": tokens if len(pairs) == B and torch.equal(sequences, torch.arange(B)) else tokens[sequences]}
        if not bool(mask.all()):
            data["mask"] = mask.to(torch.uint8)
        per_token, per_pair = lambda x: x[sequences], lambda x: x[sequences, :, rows]
        per_query = lambda: per_pair(found.queries)
    queries = {}
    if "hidden" not in data:
        if query_rows is not None:
            vectors = _rows(query_inputs.value, query_rows)[sequences, rows]
            queries = {"queries": vectors} if vectors.shape[-1] == tokens.shape[-1] else {}
        elif itself:
            queries = {"queries": tokens[:, own][sequences, places]}
    d_h = found.queries.shape[-1] if found.queries is not None else 1
    all_weights = {**data, **queries, "heads": H, "head_dim": d_h} | ({"sink": True} if sinks else {})
    asked = torch.unique(rows)
    if len(asked) < found.L and not logits_given:
        found.only(asked, recorder)
    whole = _compare(found, slice(None) if len(asked) == found.L else asked, recorder, results, shown, notes)
    by_name = None
    if weights is not None and not logits_given:
        form = "weights"
        named = _by_name(model, where, module, layout) if layout else {}
        scale = _scale(weights["factor"], found)
        (wq, bq), (wk, bk) = weights["maps"]
        arguments = {**data, **queries, "query": wq, "key": wk, "logit_scale": scale}
        arguments |= {name: bias for name, bias in (("query_bias", bq), ("key_bias", bk)) if bias is not None}
        if layout and whole and scale == "1/sqrt(d_h)" and _names_fit(named, layout, [*weights["maps"], (whole["value"], whole.get("value_bias"))], H) and _output_fits(named, layout, whole):
            by_name = {**data, **queries, "weights": named, "layout": layout, "heads": H, **sinks}
    elif not logits_given:
        form = "projected"
        keys = _shared(found.keys)
        arguments = {**data, "projected_queries": per_query(), "projected_keys": per_token(keys), "logit_scale": _scale(found.factor, found)}
        notes.append("queries and keys are those that the softmax sees: what the module does to them after their projection is in them")
    else:
        form = "logits"
        arguments = {**data, "logits": per_pair(torch.where(found.closed, torch.zeros_like(found.logits), found.logits))}
        notes.append("the logits are the numbers that the softmax gets" + (", rounded as the module rounded them" if found.logits.dtype != torch.float64 else ""))
        far = found.logits.masked_fill(found.closed, -math.inf)[sequences, :, rows]
        far = (far < far.amax(-1, keepdim=True) - 90) & (far > -math.inf)
        if bool(far.any()):
            notes.append(f"{int(far.sum())} tokens of an example and head take part with coefficients below e^-90; where a mask is meant, it must be at most {seen.CLOSED:g}")
        if added:
            notes.append("a sink is a further token 0")
    arguments |= sinks | whole
    if not found.told:  # data() refuses
        all_weights = {name: given for name, given in all_weights.items() if name not in ("queries", "hidden")}
    if form == "weights" and found.query_map[3] is not None:
        notes.append("the queries have a bias: capacities are over all query biases too; the functional dimension is that of weights without any")
        all_weights["query_bias"] = torch.tensor(True)
        all_weights["query_bias"].after_heads = True  # as above
    if form != "weights" and ("hidden" in all_weights or queries):
        notes.append("capacity is about layers whose logits are bilinear in tokens and query")
    held = lambda given: {name: each.detach().contiguous() if torch.is_tensor(each) else each for name, each in given.items()}
    by_head = held(arguments)
    return Captured(where, form, held(by_name) if by_name else by_head, by_head, all_weights, pairs, notes, found.error,
                    shared_values(whole["value"]) if "value" in whole and numpy is not None else None, found.outputs_unknown)


def _weights(found):
    """Queries and keys as linear maps of the vectors, {"maps": [(weight, bias)] of query, key, "factor"},
    when the softmax sees their products, up to rounding; otherwise None. (A bias of the keys is left out elsewhere, but not
    beside a sink.)"""
    if found.queries is None or found.query_map is None or found.key_map is None:
        return None
    inputs, rows, *key, key_factor = found.key_map
    if found.sink is not None and key[1] is not None:
        return None
    *query, query_factor = found.query_map[2:]
    if not _same(inputs, rows, found.tokens, found.token_rows) or len(query[0][0]) != len(key[0][0]):
        return None
    check = _Check("", found.types, found.unit)
    for vectors, (inputs, rows, weight, bias, factor) in ((found.queries, found.query_map), (found.keys, found.key_map)):
        made, allowed = check.products(_rows(inputs.value, rows).double().unsqueeze(1), weight, bias)
        if bool(((vectors.double() - made * float(factor)).abs() > allowed * abs(float(factor))).any()):
            found.told = False  # the softmax gets others, or the vectors were changed, by something that no operation shows
            return None
    return {"maps": [query, key], "factor": found.factor * query_factor * key_factor}


def _compare(found, asked, recorder, results, shown, notes):
    """Checks the rebuilt layer at the positions `asked`, step by step; returns value, output and their biases as arguments."""
    heads = found.heads[:, :, asked]
    closed, given, coefficients, logits = (tensor if tensor.shape[2] == heads.shape[2] else tensor[:, :, asked]
                                           for tensor in (found.closed, found.given, found.coefficients, found.logits))
    B, H, L, n = coefficients.shape
    check = _Check(shown, [found.logits.dtype, found.coefficients.dtype, found.values.dtype, found.heads.dtype, *([found.queries.dtype] if found.queries is not None else [])], found.unit)
    u = check.u
    takes_part = ~closed & ~closed.all(-1, keepdim=True)
    seen_logits, logits = logits, logits.double()
    moved = (logits - given.double()).abs() > 0  # by what is the same for the whole row, rounded
    delta = torch.where(moved, 4 * u * (logits.abs() + given.double().abs()), torch.zeros((), dtype=torch.float64))
    if found.queries is not None:
        q, k, factor = found.queries[:, :, asked].double(), found.keys.double(), float(found.factor)
        logits = q @ k.transpose(-1, -2) * factor
        size = q.abs() @ k.abs().transpose(-1, -2) * abs(factor)
        products = (q.shape[-1] * check.sums + 4 * u) * size
        check.compare("the logit of (sequence, head, position, token)", torch.where(takes_part, seen_logits, 0), torch.where(takes_part, logits, 0), 2 * products + check.least,
                      "give logits=... to attest.rank")
        delta = delta + products
    logits = logits.masked_fill(~takes_part, -math.inf)
    sink = logits[..., :0] if found.sink is None else found.sink.double().view(1, H, 1, 1).expand(B, H, L, 1)
    rebuilt = torch.softmax(torch.cat([logits, sink], -1), -1)[..., :n].nan_to_num(0.0)
    spread = torch.where(takes_part, delta.expand(logits.shape), torch.zeros((), dtype=torch.float64)).amax(-1, keepdim=True)
    coefficient_error = rebuilt * (torch.expm1(2 * spread) + 2 * (n + 8) * u) + torch.where(takes_part, check.least, 0.0)
    whole_rows = ~closed.all(-1, keepdim=True)
    check.compare("the coefficient of (sequence, head, position, token)", torch.where(whole_rows, coefficients, 0), rebuilt, coefficient_error, "give logits=... to attest.rank")
    values = found.values.double()
    sums, most = rebuilt @ values, rebuilt @ values.abs()
    error = coefficient_error @ values.abs() + (n * check.sums + 4 * u) * most + check.least
    check.compare("what a head puts out, (sequence, head, position, entry),", torch.where(whole_rows, heads, 0), torch.where(whole_rows, sums, 0), error, "give logits=... to attest.rank")
    try:
        whole = _whole(found, asked, recorder, results, check, whole_rows)
    except seen.Unclear as unclear:
        found.outputs_unknown = str(unclear)
        notes.append(f"no value and output are given, for questions about outputs: {unclear}")
        whole = {}
    found.error = check.worst
    return whole


def _whole(found, asked, recorder, results, check, whole_rows):
    """value, output and their biases as arguments, checked; Unclear says why there are none."""
    if found.value_map.weight is None:
        raise seen.Unclear("the values are made by a sum of matrices; merge them first (LoRA: merge_and_unload)")
    weight, bias = found.value_map.of_heads(found.value_columns)
    tokens = _rows(found.tokens.value, found.token_rows).double().unsqueeze(1)  # (B, 1, n, d)
    real, factor = (found.token_rows >= 0)[:, None, :, None], float(found.value_map.factor)
    values, error = check.products(tokens, weight, bias, real)
    check.compare("the value of (sequence, head, token, entry)", found.values, values * factor, error * abs(factor), "the values are not what the module projects")
    if factor != 1:
        raise seen.Unclear("the values are multiplied by a number after their projection")
    if bias is not None and not bool(real.all()):
        raise seen.Unclear("values have a bias and the token 0 has none")
    output, output_bias, put_out, at = found.outputs(recorder, results)
    number = torch.full((found.L,), -1)
    number[asked] = torch.arange(whole_rows.shape[2])
    there = number[at[:, 1]] >= 0
    put_out, at = put_out[there], at[there]
    heads = found.heads[at[:, 0], :, at[:, 1]].double()  # (rows, H, d_v)
    wide = torch.eye(heads[0].numel()).view(*heads.shape[1:], -1) if output is None else output
    expected = torch.einsum("rhv,hvm->rm", heads, wide.double())
    allowed = (heads[0].numel() * check.sums + 4 * check.u) * torch.einsum("rhv,hvm->rm", heads.abs(), wide.double().abs())
    if output_bias is not None:
        expected, allowed = expected + output_bias.double(), allowed + 4 * check.u * (expected.abs() + output_bias.double().abs())
    rows = whole_rows[at[:, 0], :, number[at[:, 1]]].all(-1).all(-1)
    check.compare("what the module puts out, (row, entry),", put_out[rows], expected[rows], allowed[rows] + check.u * expected[rows].abs() + check.least,
                  "capture the module that does only attention")
    given = {"value": weight, "value_bias": bias, "output": output, "output_bias": output_bias}
    return {name: array for name, array in given.items() if array is not None}


def _dump(layer, captured):
    """Writes what was captured as `attest.survey` reads it, in place of what lies there; an InputError instead of it says why
    there is nothing."""
    options, kept = layer.with_name(layer.name + ".options"), set()
    layer.mkdir(parents=True, exist_ok=True)
    if isinstance(captured, InputError):
        given = {"refused": str(captured)}
    else:
        # query_bias, an array of rank, is a flag of capacity, which the survey sets itself.
        known = {argument["name"].replace("-", "_"): argument for question in reversed(_QUESTIONS.values()) for argument in question["arguments"]}
        arguments = _Arguments(known, {**{name: value for name, value in captured._data.items() if name != "query_bias"}, **captured.by_head})
        kept = {file for file, *_ in arguments.arrays}
        _library.call("write", arguments.arrays, folder=str(layer), texts={})
        given = {name: value for name, value in arguments.given.items() if value not in kept} | {"notes": captured.notes}
    for file in layer.iterdir():
        if file.suffix in (".npy", ".npz", ".safetensors") and file.name not in kept:
            file.unlink()
    options.write_text(json.dumps(given))


def survey(model, inputs, *, out="survey", positions="last", ask=(), tolerance=None, threshold=None, jobs=None, timeout=None, memory=None, work=None, progress=None):
    """Asks every question about every attention layer of `model`, run on `inputs` as by `capture`: the rank of Z, the numerical
    rank, the number of different outputs, saturated pairs by head, the capacity, beside the paper's bounds. Writes arrays,
    certificates, survey.json and survey.html, a page with heat maps, below `out`. What has a valid certificate there for the
    same arrays, as after a run that was killed, is not proved again. A layer that `capture` refuses is left out, and
    the survey says why; an InputError says it for each module when all are. The others are those of `attest.survey`, which also says what is returned."""
    layers, names, refused = pathlib.Path(out) / "layers", [], []
    for where in modules(model, inputs):
        try:
            captured = capture(model, inputs, where, positions=positions)
        except InputError as error:
            captured = error
            refused.append(str(error))
        name = re.sub(r"[^A-Za-z0-9._-]", "_", where) or type(model).__name__
        while name in names:  # "a b" beside "a_b"
            name += "_"
        names.append(name)
        _dump(layers / name, captured)
    if not names:
        raise InputError("the model computes no softmax that operations show; see attest.torch.capture")
    if len(refused) == len(names):
        raise InputError("no attention module can be captured:\n" + "\n".join(refused))
    return survey_folder(layers, out=out, layers=names, ask=ask, tolerance=tolerance, threshold=threshold, jobs=jobs, timeout=timeout, memory=memory, work=work, progress=progress)
