"""Attention modules of PyTorch as arguments of the questions.

    captured = attest.torch.capture(model, inputs, where="encoder.layer.0.attention.self")
    attest.rank(**captured)
"""

import collections.abc
import contextlib

import torch

from ._attest import InputError


class Captured(collections.abc.Mapping):
    """What one call of an attention module was about, as keyword arguments of `attest.rank`: contexts,
    queries, weights, layout, heads. Further attributes: `where`, the module's name in the model; `sequences`
    and `positions`, of each example; `notes`, what the arguments leave out."""

    def __init__(self, where, arguments, sequences, positions, notes):
        self._arguments = arguments
        self.where, self.sequences, self.positions, self.notes = where, sequences, positions, notes

    def __getitem__(self, name):
        return self._arguments[name]

    def __iter__(self):
        return iter(self._arguments)

    def __len__(self):
        return len(self._arguments)

    def data(self):
        """The arguments of questions that are about all weights, as `attest.capacity`."""
        head_dim = self._head_dim()
        return {"contexts": self["contexts"], "queries": self["queries"], "heads": self["heads"], "head_dim": head_dim}

    def _head_dim(self):
        weights, layout = self["weights"], self["layout"]
        outputs = {
            "torch": lambda: weights["in_proj_weight"].shape[0] // 3,
            "bert": lambda: weights["query.weight"].shape[0],
            "gpt2": lambda: weights["c_attn.weight"].shape[1] // 3,
            "llama": lambda: weights["q_proj.weight"].shape[0],
        }[layout]()
        return outputs // self["heads"]

    def __repr__(self):
        lines = [f"{self.where or 'the module'}: layout {self['layout']}, {self['heads']} heads, {len(self['queries'])} examples"]
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


def _refuse(module, layout, where, arguments):
    """What weights, contexts and queries do not express."""
    def given(name, position):
        return arguments[0][position] if len(arguments[0]) > position else arguments[1].get(name)

    def wrong(what, right):
        raise InputError(f"{where}: {what}; {right}")

    if layout == "torch":
        if not module._qkv_same_embed_dim:
            wrong("keys have other dimensions than queries (kdim, vdim)", "give key and query weights to attest.rank as arrays (H, d, d_h)")
        if module.bias_k is not None:
            wrong("bias_k adds a token to every context", "a module with add_bias_kv=False")
        if module.add_zero_attn:
            wrong("add_zero_attn adds a token to every context", "a module with add_zero_attn=False")
        padding, mask = given("key_padding_mask", 3), given("attn_mask", 5)
    else:
        padding, mask = None, given("attention_mask", 1)
        if mask is not None and not mask.is_floating_point():
            mask = mask == 0  # these modules' masks say what takes part, or are added to the logits
    if padding is not None and bool((padding != 0).any()):
        wrong("key_padding_mask leaves tokens out of some contexts", "give sequences of one length, without padding")
    # Causal masks are open at the last position.
    if mask is not None and bool(((mask[..., -1, :] if mask.dim() >= 2 else mask) != 0).any()):
        wrong("the attention mask changes the logits of the last position", "give sequences of one length, without padding or biases")
    return mask


def _hidden(layout, args, kwargs, where):
    """Queries (B, L, d) and tokens (B, n, d) as the module got them."""
    if layout == "torch":
        query = args[0] if args else kwargs["query"]
        key = args[1] if len(args) > 1 else kwargs["key"]
        return query, key
    hidden = args[0] if args else kwargs.get("hidden_states")
    if hidden is None:
        raise InputError(f"{where}: the module was called without hidden states; capture a module that takes them first or as hidden_states")
    for name in ("encoder_hidden_states", "key_value_states"):
        if kwargs.get(name) is not None:
            return hidden, kwargs[name]
    return hidden, hidden


def _examples(query, key, positions, causal):
    """Contexts (T, n, d) and queries (T, d) of the positions, and which these are."""
    B, L, _ = query.shape
    if isinstance(positions, str):
        if positions not in ("last", "all"):
            raise InputError(f'positions: {positions!r}; give "last", "all" or a list of positions')
        positions = [L - 1] if positions == "last" else range(L)
    chosen = []
    for position in positions:
        if not -L <= position < L:
            raise InputError(f"positions: there is no position {position}; each sequence has {L}")
        chosen.append(position % L)
    if len(set(chosen)) != len(chosen) or not chosen:
        raise InputError(f"positions: {list(positions)}; give different positions, at least one")
    if causal and chosen != [L - 1]:
        raise InputError('positions: with a causal mask only the last position attends to all tokens; give "last", or shorter sequences')
    queries = query[:, chosen].reshape(B * len(chosen), -1)
    contexts = key if len(chosen) == 1 else key.repeat_interleave(len(chosen), dim=0)
    return contexts, queries, [b for b in range(B) for _ in chosen], chosen * B


@contextlib.contextmanager
def _forwards(model, hooked, calls):
    """Records the calls of modules while the model runs."""
    frozen, replaced = [], []

    def record(name, module):
        original = module.forward
        replaced.append((module, module.__dict__.get("forward")))

        def forward(*args, **kwargs):
            if name not in calls:
                calls[name] = (args, kwargs)
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


def capture(model, inputs, where=None, *, positions="last", heads=None):
    """Runs `model` on `inputs` (a tensor, a tuple of positional or a dict of keyword arguments) in evaluation
    mode, and returns what its attention module `where` (the only one by default; see `modules`) saw, for
    `attest.rank(**captured)`. The model may be the attention module itself.

    Modules: torch.nn.MultiheadAttention, and those with submodules query, key, value (BERT), c_attn (GPT-2) or
    q_proj, k_proj, v_proj (LLaMA). An example is a position of a sequence: its query is the hidden vector
    there, its context the tokens of the sequence. `positions` is "last", "all", or a list. Activations and
    weights are the binary numbers that the module used; nothing is copied unless there are several positions.

    Raises InputError when the module does something that the arguments cannot express: masked tokens, added
    tokens, keys of another dimension, batches that are not tensors of three dimensions."""
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
    args, kwargs = calls[where]
    mask = _refuse(module, layout, shown, (args, kwargs))
    query, key = _hidden(layout, args, kwargs, shown)
    for name, tensor in (("queries", query), ("keys", key)):
        if not torch.is_tensor(tensor) or tensor.dim() != 3:
            raise InputError(f"{shown}: the {name} have shape {tuple(getattr(tensor, 'shape', ()))}; give batches, (B, L, d)")
    if layout == "torch" and not module.batch_first:
        query, key = query.transpose(0, 1), key.transpose(0, 1)
    if query.shape[-1] != key.shape[-1]:
        raise InputError(f"{shown}: queries have dimension {query.shape[-1]}, keys {key.shape[-1]}; these must be equal")
    notes = []
    if hasattr(module, "rotary_emb") or hasattr(getattr(module, "config", None), "rope_theta"):
        notes.append("the module rotates queries and keys by their positions; these arguments are about the layer without that")
    masked = mask is not None and bool((mask != 0).any())
    masked = masked or bool(getattr(module, "is_causal", False)) or layout == "gpt2" and query.shape[1] > 1
    contexts, queries, sequences, places = _examples(query, key, positions, masked)
    weights = {name: tensor for name, tensor in module.state_dict().items() if tensor.is_floating_point()}
    arguments = {
        "contexts": contexts.detach(),
        "queries": queries.detach(),
        "weights": weights,
        "layout": layout,
        "heads": _heads(module, shown, heads),
    }
    return Captured(where, arguments, sequences, places, notes)
