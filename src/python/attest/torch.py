"""Attention modules of PyTorch as arguments of the questions.

    captured = attest.torch.capture(model, inputs, where="encoder.layer.0.attention.self")
    attest.rank(**captured)
    attest.accuracy(**captured, readout_linear=model.classifier.weight, classes=labels)
"""

import collections.abc
import contextlib

import torch

from ._attest import InputError


class Captured(collections.abc.Mapping):
    """What one call of an attention module was about, as keyword arguments of `attest.rank`: contexts and queries, or
    hidden, positions, causal and mask; weights, layout, heads. Further attributes: `where`, the module's name in the
    model; `examples`, (sequence, position) of each; `notes`, what the arguments leave out."""

    def __init__(self, where, arguments, examples, notes):
        self._arguments = arguments
        self.where, self.examples, self.notes = where, examples, notes

    def __getitem__(self, name):
        return self._arguments[name]

    def __iter__(self):
        return iter(self._arguments)

    def __len__(self):
        return len(self._arguments)

    @property
    def head_dim(self):
        weights = self["weights"]
        outputs = {
            "torch": lambda: weights["in_proj_weight"].shape[0] // 3,
            "bert": lambda: weights["query.weight"].shape[0],
            "gpt2": lambda: weights["c_attn.weight"].shape[1] // 3,
            "llama": lambda: weights["q_proj.weight"].shape[0],
        }[self["layout"]]()
        return outputs // self["heads"]

    def data(self):
        """The arguments of questions that are about all weights, as `attest.capacity`."""
        return {name: value for name, value in self.items() if name not in ("weights", "layout")} | {"head_dim": self.head_dim}

    def __repr__(self):
        lines = [f"{self.where or 'the module'}: layout {self['layout']}, {self['heads']} heads, {len(self.examples)} examples"]
        return "\n".join(lines + [f"note: {note}" for note in self.notes])


# Layout and the names that a module of it has, the first of which is a projection.
_NAMES = {"bert": ("query", "key", "value"), "gpt2": ("c_attn",), "llama": ("q_proj", "k_proj", "v_proj")}


def _layout(module):
    if isinstance(module, torch.nn.MultiheadAttention):
        return "torch"
    for layout, names in _NAMES.items():
        if all(hasattr(getattr(module, name, None), "weight") for name in names):
            return layout
    return None


def modules(model):
    """The attention modules of a model: {name: layout}. The model itself has the name ""."""
    found = {}
    for name, module in model.named_modules():
        layout = _layout(module)
        if layout is not None:
            found[name] = layout
    return found


def _heads(module, where, heads):
    known = [getattr(module, "config", None), module]
    names = ("num_heads", "num_attention_heads", "n_head", "n_heads")
    says = {int(getattr(holder, name)) for holder in known for name in names if isinstance(getattr(holder, name, None), int)}
    if heads is not None:
        if says and heads not in says:
            raise InputError(f"{where}: heads = {heads}, but the module says {sorted(says)}; leave heads out")
        return heads
    if len(says) != 1:
        raise InputError(f"{where}: the module does not say how many heads it has; give heads=H")
    return says.pop()


def _refuse(module, layout, where):
    """What no argument expresses."""
    if layout != "torch":
        return
    if not module._qkv_same_embed_dim:
        raise InputError(f"{where}: keys have other dimensions than queries (kdim, vdim); give key and query weights to attest.rank as arrays (H, d, d_h)")
    if module.bias_k is not None:
        raise InputError(f"{where}: bias_k adds a token to every context; use a module with add_bias_kv=False")
    if module.add_zero_attn:
        raise InputError(f"{where}: add_zero_attn adds a token to every context; use a module with add_zero_attn=False")


def _hidden(layout, args, kwargs, where):
    """Queries (B, L, d) and tokens (B, n, d) as the module got them."""
    if layout == "torch":
        query = args[0] if args else kwargs["query"]
        key = args[1] if len(args) > 1 else kwargs["key"]
        value = args[2] if len(args) > 2 else kwargs["value"]
        if value is not key and not torch.equal(value, key):
            raise InputError(
                f"{where}: the values are other vectors than the keys, and values are what is averaged; "
                "give them as contexts to attest.rank, with projected_queries and projected_keys or logits"
            )
        return query, key
    hidden = args[0] if args else kwargs.get("hidden_states")
    if hidden is None:
        raise InputError(f"{where}: the module was called without hidden states; capture a module that takes them first or as hidden_states")
    for name in ("encoder_hidden_states", "key_value_states"):
        if kwargs.get(name) is not None:
            return hidden, kwargs[name]
    return hidden, hidden


def _open(module, layout, args, kwargs, shape, where):
    """Which tokens take part, (B, L, n)."""
    B, L, n = shape
    result = torch.ones(B, L, n, dtype=torch.bool)

    def given(name, position):
        return args[position] if len(args) > position else kwargs.get(name)

    def closed(mask, inverted):
        """Where a mask closes a logit. Additive masks hold 0 and numbers that stand for minus infinity."""
        if not mask.is_floating_point():
            return mask == 0 if inverted else mask != 0
        minus = mask <= -1e4
        if bool(((mask != 0) & ~minus).any()):
            raise InputError(f"{where}: the attention mask adds numbers to the logits; give what the softmax gets to attest.rank as logits=...")
        return minus

    if layout == "torch":
        padding, mask = given("key_padding_mask", 3), given("attn_mask", 5)
        if padding is not None:
            result &= ~closed(padding, False).view(B, 1, n)
        if mask is not None:
            mask = closed(mask, False)
            mask = mask.view(1, 1, L, n) if mask.dim() == 2 else mask.view(B, -1, L, n)
    else:
        mask = given("attention_mask", 1)
        if mask is not None:
            mask = closed(mask, True)
            mask = mask.view(B, 1, 1, n) if mask.dim() == 2 else mask.expand(B, -1, L, n)
    if mask is not None:
        if bool((mask != mask[:, :1]).any()):
            raise InputError(f"{where}: the attention mask is not the same for all heads; give logits=... to attest.rank")
        result &= ~mask[:, 0]
    if layout == "gpt2" or getattr(module, "is_causal", False) is True:
        result &= torch.ones(L, n, dtype=torch.bool).tril(n - L)
    return result


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


def _self_examples(hidden, opened, positions, where):
    """Arguments for self-attention, and the sequence and position of each example."""
    B, L, _ = hidden.shape
    part = opened[:, -1]  # the last position's view shows which tokens take part at all, causal or not
    causal = torch.ones(L, L, dtype=torch.bool).tril()
    if not bool(part[:, -1].all()):  # padding at the end: those positions see what the module pleases
        part = opened.any(dim=1)
    asked = part.unsqueeze(2)
    forms = {False: part.unsqueeze(1).expand(B, L, L), True: part.unsqueeze(1) & causal}
    is_causal = next((form for form in forms if not bool(((forms[form] != opened) & asked).any())), None)
    if is_causal is None:
        raise InputError(f"{where}: the attention mask is neither causal nor the same for all positions; give logits=... to attest.rank")
    chosen = _chosen(positions, L)
    if chosen == "last":
        pairs = [(b, int(part[b].nonzero()[-1])) for b in range(B)]
    else:
        wanted = range(L) if chosen == "all" else chosen
        pairs = [(b, k) for b in range(B) for k in wanted if chosen != "all" or part[b, k]]
        for b, k in pairs:
            if not part[b, k]:
                raise InputError(f"positions: position {k} of sequence {b} does not take part; give positions that do in all sequences")
    full = bool(part.all())
    if full and len(pairs) == B and (not is_causal or pairs[0][1] == L - 1):
        return {"contexts": hidden, "queries": hidden[:, pairs[0][1]]}, pairs
    arguments = {"hidden": hidden, "positions": chosen if isinstance(chosen, str) else ",".join(map(str, chosen))}
    if is_causal:
        arguments["causal"] = True
    if not full:
        arguments["mask"] = part.to(torch.uint8)
    return arguments, pairs


def _cross_examples(query, key, opened, positions):
    """The same for attention to other tokens."""
    B, L, _ = query.shape
    chosen = _chosen(positions, L)
    wanted = [L - 1] if chosen == "last" else range(L) if chosen == "all" else chosen
    pairs = [(b, k) for b in range(B) for k in wanted]
    sequences, places = (torch.tensor(x) for x in zip(*pairs))
    arguments = {"contexts": key if len(wanted) == 1 else key[sequences], "queries": query[sequences, places]}
    mask = opened[sequences, places]
    if not bool(mask.all()):
        arguments["mask"] = mask.to(torch.uint8)
    return arguments, pairs


@contextlib.contextmanager
def _forwards(model, hooked, calls):
    """Records the calls of modules while the model runs."""
    frozen, replaced = [], []

    def record(name, module):
        original = module.forward
        replaced.append((module, module.__dict__.get("forward")))

        def forward(*args, **kwargs):
            if name not in calls:
                tensors = [x for x in (*args, *kwargs.values()) if torch.is_tensor(x) and not x.is_inference()]
                calls[name] = (args, kwargs, [(x, x._version) for x in tensors])
            else:
                calls[name] = None
            return original(*args, **kwargs)

        # A forward hook does not see keyword arguments before torch 2.
        module.forward = forward

    # torch.nn.TransformerEncoderLayer goes around its attention module when no gradient is asked for.
    training = {module: module.training for module in model.modules()}
    try:
        for name, module in hooked.items():
            record(name, module)
            weight = getattr(module, "in_proj_weight", None)
            if weight is not None and not weight.requires_grad:
                frozen.append(weight)
                weight.requires_grad_(True)
        model.eval()
        with torch.enable_grad():
            yield
    finally:
        for module, was in training.items():
            module.training = was
        for weight in frozen:
            weight.requires_grad_(False)
        for module, own in replaced:
            del module.forward
            if own is not None:
                module.forward = own


def _weights(model, where, module, layout):
    """The tensors of the module. In BERT the matrix after the heads is in the module around it."""
    tensors = dict(module.state_dict())
    around = dict(model.named_modules()).get(where.rpartition(".")[0]) if layout == "bert" and where else None
    dense = getattr(getattr(around, "output", None), "dense", None)
    if dense is not None:
        tensors |= {f"output.dense.{name}": tensor for name, tensor in dense.state_dict().items()}
    return {name: tensor for name, tensor in tensors.items() if tensor.is_floating_point()}


def capture(model, inputs, where=None, *, positions="last", heads=None):
    """Runs `model` on `inputs` (a tensor, a tuple of positional or a dict of keyword arguments) in evaluation
    mode, and returns what its attention module `where` (the only one by default; see `modules`) saw, for
    `attest.rank(**captured)`. The model may be the attention module itself.

    Modules: torch.nn.MultiheadAttention, and those with submodules query, key, value (BERT), c_attn (GPT-2) or
    q_proj, k_proj, v_proj (LLaMA). An example is a position of a sequence: its query is the hidden vector
    there, its context the tokens of the sequence that it attends to: causal and padding masks are taken over.
    `positions` is "last" (that takes part), "all" (that do), or a list. Activations and weights are the binary
    numbers that the module used, and are not copied, but for several positions that attend to other tokens.

    Raises InputError when the module does something that the arguments cannot express: masks of another form or
    by heads, biases of logits, added tokens, keys of another dimension, values that are not the keys' vectors,
    inputs that the model overwrites, batches that are not tensors of three dimensions."""
    known = modules(model)
    if where is None:
        if len(known) != 1:
            says = ", ".join(repr(name) for name in list(known)[:20]) or "none that is known"
            raise InputError(f"where: the model has the attention modules {says}; name one of them")
        (where,) = known
    if where not in known:
        raise InputError(f"where: {where!r} is no attention module that is known; there are {', '.join(map(repr, known)) or 'none'}")
    layout, module = known[where], dict(model.named_modules())[where]
    calls = {}
    with _forwards(model, {where: module}, calls):
        if isinstance(inputs, collections.abc.Mapping):
            model(**inputs)
        elif isinstance(inputs, (tuple, list)):
            model(*inputs)
        else:
            model(inputs)
    shown = where or type(module).__name__
    if where not in calls:
        raise InputError(f"{shown}: the model did not call this module on these inputs; give inputs that reach it")
    if calls[where] is None:
        raise InputError(f"{shown}: the model called this module several times on these inputs; give inputs for one call")
    args, kwargs, versions = calls[where]
    if any(tensor._version != version for tensor, version in versions):
        raise InputError(f"{shown}: the model overwrites what this module got, by an operation in place such as x += y; capture it with x = x + y there")
    _refuse(module, layout, shown)
    query, key = _hidden(layout, args, kwargs, shown)
    itself = query is key
    for name, tensor in (("queries", query), ("keys", key)):
        if not torch.is_tensor(tensor) or tensor.dim() != 3:
            raise InputError(f"{shown}: the {name} have shape {tuple(getattr(tensor, 'shape', ()))}; give batches, (B, L, d)")
        if tensor.numel() == 0:
            raise InputError(f"{shown}: the {name} have shape {tuple(tensor.shape)} and so no entries; every dimension is at least 1")
    if layout == "torch" and not module.batch_first:
        query, key = query.transpose(0, 1), key.transpose(0, 1)
    if query.shape[-1] != key.shape[-1]:
        raise InputError(f"{shown}: queries have dimension {query.shape[-1]}, keys {key.shape[-1]}; these must be equal")
    query, key = query.detach(), key.detach()
    opened = _open(module, layout, args, kwargs, (len(query), query.shape[1], key.shape[1]), shown)
    arguments, pairs = _self_examples(key, opened, positions, shown) if itself else _cross_examples(query, key, opened, positions)
    notes = []
    if hasattr(module, "rotary_emb") or hasattr(getattr(module, "config", None), "rope_theta"):
        notes.append("the module rotates queries and keys by their positions; these arguments are about the layer without that")
    arguments |= {
        "weights": _weights(model, where, module, layout),
        "layout": layout,
        "heads": _heads(module, shown, heads),
    }
    return Captured(where, arguments, pairs, notes)
