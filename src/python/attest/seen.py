"""What a softmax sees: the operations of a module while it runs, and the attention among them.

PyTorch breaks every way of writing attention (einsum, matmul, torch.nn.MultiheadAttention, scaled_dot_product_attention)
into the same few operations, which a TorchDispatchMode sees. An attention is found by walking back from the argument of
a softmax to a product of queries and keys, and back from products with values to the result of that softmax. Where an
entry of a tensor comes from is not guessed: numbers of entries are sent the way that the entries went.
"""

import collections
import contextlib
import fractions
import functools
import math

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

CLOSED = -1e4  # what is added to a logit, or put in its place, is at most this where the token takes no part


class Node:
    """A tensor as an operation left it: its name, its arguments (nodes in place of tensors), its result. What the result is
    made of is asked on the CPU, wherever the model runs."""

    def __init__(self, name, inputs, options, tensor, version=0, index=None):
        self.name, self.inputs, self.options, self.index = name, inputs, options, index
        self.tensor, self.version = tensor, version

    @functools.cached_property
    def value(self):
        return self.tensor.detach().cpu()

    def nodes(self):
        for given in self.inputs:
            for part in given if isinstance(given, (list, tuple)) else (given,):
                if isinstance(part, Node):
                    yield part

    def overwritten(self):
        return _version(self.tensor) not in (0, self.version)


def _version(tensor):
    return 0 if tensor.is_inference() else tensor._version


def _memory(tensor):
    return (tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()).data_ptr()


def _key(tensor):
    return tensor.device, tensor.data_ptr(), tuple(tensor.shape), tensor.stride(), tensor.dtype


class NoFastPaths(TorchFunctionMode):
    """While there is such a mode, torch.nn.MultiheadAttention and torch.nn.TransformerEncoderLayer take no kernel of their own."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


class Recorder:
    """The operations of a block of code, in order. Keeps their results alive, so that a place in memory names one."""

    def __init__(self):
        self.found, self.softmaxes, self.products = {}, [], []
        recorder = self

        class Operations(TorchDispatchMode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                return recorder.operation(func, args, kwargs or {})

        class Functions(NoFastPaths):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                if getattr(func, "__name__", "") == "scaled_dot_product_attention":
                    return recorder.scaled_dot_product_attention(func, *args, **(kwargs or {}))
                return func(*args, **(kwargs or {}))

        self._operations, self._functions = Operations, Functions

    @contextlib.contextmanager
    def functions(self):
        """Calls of scaled_dot_product_attention are taken; those inside torch.nn.functional are no functions to a mode."""
        functional = torch.nn.functional
        given = getattr(functional, "scaled_dot_product_attention", None)
        if given is not None:
            functional.scaled_dot_product_attention = functools.partial(self.scaled_dot_product_attention, given)
        try:
            with self._functions():
                yield self
        finally:
            if given is not None:
                functional.scaled_dot_product_attention = given

    def __enter__(self):
        self._entered = contextlib.ExitStack()
        self._entered.enter_context(torch.no_grad())
        self._entered.enter_context(self.functions())
        self._entered.enter_context(self._operations())
        return self

    def __exit__(self, *exception):
        self._entered.close()

    def node(self, tensor):
        known = self.found.get(_key(tensor)) if tensor.numel() else None
        if known is None or known.overwritten():
            known = Node("given", (), {}, tensor, _version(tensor))
            self.found[_key(tensor)] = known
        return known

    def _nodes(self, given):
        if torch.is_tensor(given):
            return self.node(given)
        return type(given)(map(self._nodes, given)) if isinstance(given, (list, tuple)) else given

    def operation(self, func, args, kwargs):
        name = func.overloadpacket.__name__
        inputs = () if name.endswith("_like") or name.startswith("new_") else self._nodes(args)
        first = func._schema.arguments[0].alias_info if func._schema.arguments else None
        before = _version(args[0]) if args and torch.is_tensor(args[0]) else 0
        result = func(*args, **kwargs)
        # PyTorch counts up the version of what is overwritten, and gives a view that of its base, when this has returned.
        version = 0 if first is None else before + first.is_write
        for index, tensor in enumerate(result if isinstance(result, (list, tuple)) else [result]):
            if torch.is_tensor(tensor) and tensor.numel():
                node = Node(name, inputs, kwargs, tensor, version, index if isinstance(result, (list, tuple)) else None)
                self.found[_key(tensor)] = node
                if name == "_softmax":
                    self.softmaxes.append(node)
                elif name in ("bmm", "mm", "baddbmm"):
                    self.products.append(node)
        return result

    def scaled_dot_product_attention(self, func, query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
        """By the definition in torch 2's documentation, in operations that are seen: what kernels do is not. Its result is the
        function's own, and counts as that of the definition; `capture` compares the two."""
        more = {"scale": scale} if scale is not None else {}
        more |= {"enable_gqa": True} if enable_gqa else {}
        with _Unseen(self), torch._C.DisableTorchFunction():
            result = func(query, key, value, attn_mask, dropout_p, is_causal, **more)
        if enable_gqa:
            key = key.repeat_interleave(query.shape[-3] // key.shape[-3], -3)
            value = value.repeat_interleave(query.shape[-3] // value.shape[-3], -3)
        logits = (query @ key.transpose(-2, -1)) * (1 / math.sqrt(query.shape[-1]) if scale is None else scale)
        if is_causal:
            logits = logits.masked_fill(~torch.ones(logits.shape[-2:], dtype=torch.bool, device=logits.device).tril(), -math.inf)
        if attn_mask is not None:
            logits = logits.masked_fill(~attn_mask, -math.inf) if attn_mask.dtype == torch.bool else logits + attn_mask
        defined = logits.softmax(-1) @ value
        self.found[_key(result)] = Node("kernel", (self.node(defined),), {"dropout": dropout_p}, result, _version(result))
        return result


class _Unseen:
    """What runs here leaves no nodes."""

    def __init__(self, recorder):
        self.recorder = recorder

    def __enter__(self):
        self.kept = self.recorder.operation
        self.recorder.operation = lambda func, args, kwargs: func(*args, **kwargs)

    def __exit__(self, *exception):
        self.recorder.operation = self.kept


# --- one step back

Step = collections.namedtuple("Step", "node main carry factor closed added", defaults=(lambda tags: tags, 1, None, False))
"""`node` is `main` moved, multiplied by `factor`, closed where `closed` is true, with or without something `added`. `carry` sends
numbers of main's entries to node's places; -1 is an entry from elsewhere."""

_SAME = {"clone", "detach", "alias", "contiguous", "_to_copy", "lift_fresh", "kernel"}
_SHAPED = {"view", "_unsafe_view", "reshape", "_reshape_alias"}
_MOVED = {"permute", "transpose", "t", "expand", "slice", "select", "unsqueeze", "squeeze", "index_select", "index", "repeat",
          "narrow", "split", "split_with_sizes", "unbind", "roll", "flip"}


def _exact(given):
    """A Python number, or a tensor with one entry, as an exact number or an infinity; None for anything else."""
    if isinstance(given, Node):
        given = given.value.item() if given.value.numel() == 1 else None
    if isinstance(given, bool) or not isinstance(given, (int, float)) or given != given:
        return None
    return fractions.Fraction(given) if math.isfinite(given) else given


def _tensors(given):
    if isinstance(given, Node):
        return given.value
    return type(given)(map(_tensors, given)) if isinstance(given, (list, tuple)) else given


def _kept(before, after):
    """Whether nothing changed, but for rows that are masked whole: these may be no numbers, and replaced by any."""
    return bool(((before == after) | before.isnan()).all())


def _name(node):
    return node.name if node.name.startswith("_") else node.name.rstrip("_")


def step(node, leads):
    """The step from a node to the one of its arguments that `leads` on; None when more than a move or a factor happens there."""
    name, inputs, shape = _name(node), node.inputs, node.value.shape
    if name in _SAME:
        return Step(node, inputs[0])
    if name in _SHAPED:
        return Step(node, inputs[0], lambda tags: tags.reshape(shape))
    if name in _MOVED:
        rest = _tensors(list(inputs[1:]))

        def move(tags):
            moved = getattr(torch.ops.aten, name)(tags, *rest)
            return moved if node.index is None else moved[node.index]

        return Step(node, inputs[0], move)
    if name == "cat":
        mains = [part for part in inputs[0] if leads(part)]
        if len(mains) != 1:
            return None
        elsewhere = [None if part is mains[0] else torch.full(part.value.shape, -1) for part in inputs[0]]
        return Step(node, mains[0], lambda tags: torch.cat([tags if part is None else part for part in elsewhere], *inputs[1:]))
    if name == "constant_pad_nd":
        return Step(node, inputs[0], lambda tags: torch.constant_pad_nd(tags, inputs[1], -1))
    if name == "copy":
        return Step(node, inputs[1], lambda tags: tags.expand(shape))
    mains = [part for part in inputs if isinstance(part, Node) and part.value.shape == shape and leads(part)]
    if name in ("mul", "div") and mains:
        factor = _exact(inputs[1] if mains[0] is inputs[0] else inputs[0])
        if isinstance(factor, fractions.Fraction) and factor and (name == "mul" or mains[0] is inputs[0]):
            return Step(node, mains[0], factor=factor if name == "mul" else 1 / factor)
    return next((Step(node, main) for main in mains if _kept(main.value, node.value)), None)


def closing(numbers):
    """Where numbers that are added to logits, or the logits, are masks. What is as low as half of one may be either: Unclear."""
    closed = numbers <= CLOSED
    between = (numbers <= CLOSED / 2) & ~closed
    if bool(between.any()):
        raise Unclear(f"{float(numbers[between][0]):.6g} is too low for a logit and too high for a mask, which is at most {CLOSED:g}")
    return closed


def logit_step(node, leads):
    """The same on the way to a softmax, where masks close entries and biases are added. A mask of zeros and ones closes the
    zeros: that their coefficients are 0 is checked in the end, as of all that is closed."""
    name, inputs, shape = _name(node), node.inputs, node.value.shape
    mains = [part for part in inputs if isinstance(part, Node) and part.value.shape == shape and leads(part)]
    if mains and name in ("add", "sub") and (name == "add" or mains[0] is inputs[0]):
        other = inputs[1] if mains[0] is inputs[0] else inputs[0]
        other = other.value if isinstance(other, Node) else torch.tensor(float(other))
        other = other * (node.options.get("alpha", 1) if mains[0] is inputs[0] else 1) * (1 if name == "add" else -1)
        closed = closing(other)
        return Step(node, mains[0], closed=closed.expand(shape), added=bool(((other != 0) & ~closed).any()))
    if mains and name == "mul" and all(isinstance(part, Node) for part in inputs):
        other = (inputs[1] if mains[0] is inputs[0] else inputs[0]).value
        if bool(((other == 0) | (other == 1)).all()):
            return Step(node, mains[0], closed=(other == 0).expand(shape))
    if name == "masked_fill" and (_exact(inputs[2]) or 0) <= CLOSED:
        return Step(node, inputs[0], closed=(inputs[1].value != 0).expand(shape))
    if name == "where" and len(inputs) == 3:
        for main, other, taken in ((inputs[1], inputs[2], True), (inputs[2], inputs[1], False)):
            if main.value.shape == shape and leads(main) and (_exact(other) or 0) <= CLOSED:
                return Step(node, main, closed=((inputs[0].value != 0) != taken).expand(shape))
    back = step(node, leads)
    for main in mains if back is None else ():  # what is as low as a mask is kept from becoming lower: a maximum, a clamp
        changed = main.value != node.value
        if bool(((main.value <= CLOSED) & (node.value <= CLOSED))[changed].all()):
            return Step(node, main, closed=changed)
    return back


def unshifted(node):
    """The argument of a softmax, or one that has the same softmax: what is the same for a whole row (its maximum) is left out."""
    while True:
        name, inputs = _name(node), node.inputs
        if name in ("add", "sub") and isinstance(inputs[0], Node) and inputs[0].value.shape == node.value.shape:
            shift = inputs[1].value if isinstance(inputs[1], Node) else torch.tensor(float(inputs[1]))
            if shift.shape[-1:] not in ((), (1,)) or bool(((shift if name == "add" else -shift) <= CLOSED / 2).any()):
                return node
        elif name not in _SAME:
            return node
        node = inputs[0]


def leading_to(ends):
    """Whether one of the nodes that satisfy `ends` lies behind a node."""
    known = {}

    def leads(node):
        waiting = [node]
        while waiting:
            top = waiting[-1]
            if id(top) in known and known[id(top)] is not None:
                waiting.pop()
            elif ends(top):
                known[id(top)] = True
            elif id(top) not in known:
                known[id(top)] = None
                waiting += [part for part in top.nodes() if id(part) not in known]
            else:
                known[id(top)] = any(known.get(id(part)) for part in top.nodes())
        return known[id(node)]

    return leads


def behind(node):
    """The nodes that a node is made of, and itself."""
    found, waiting = {}, [node]
    while waiting:
        top = waiting.pop()
        if id(top) not in found:
            found[id(top)] = top
            waiting += top.nodes()
    return list(found.values())


class Path:
    """The steps from a node back to one that satisfies `ends`: `end`, or None where something else happens, at `blocked`. The
    steps go on over what is added, for the masks before it; then there is no `end`."""

    def __init__(self, node, ends, step=step):
        leads, self.steps, self.start = leading_to(ends), [], node
        self.end = self.blocked = None
        while not ends(node):
            back = step(node, leads) if leads(node) else None
            if back is None or back.added:
                self.blocked = self.blocked or node
            if back is None:
                return
            self.steps.append(back)
            node = back.main
        self.end = None if self.blocked else node

    @property
    def factor(self):
        return math.prod((back.factor for back in self.steps), start=fractions.Fraction(1))

    def carried(self, tags):
        """Numbers of the end's entries, at the places of the start's."""
        for back in reversed(self.steps):
            tags = back.carry(tags)
        return tags

    def closed(self):
        """Which of the start's entries a mask has closed, as far as the steps go; in what they end at, where something else
        happens, what is as low as a mask is one."""
        last = self.steps[-1].main if self.steps else self.start
        result = (last.value <= CLOSED if last is self.blocked else torch.zeros(last.value.shape, dtype=torch.bool)).to(torch.int64)
        for back in reversed(self.steps):
            result = back.carry(result)
            if back.closed is not None:
                result = torch.where(back.closed, torch.ones_like(result), result)
        return result == 1


def numbered(tensor):
    return torch.arange(tensor.numel()).reshape(tensor.shape)


# --- the attention around a softmax

Projection = collections.namedtuple("Projection", "inputs weight bias node")
"""node = inputs @ weight + bias, by rows: (rows, d) @ (d, F) + (F) or None."""


def projection(node):
    """A node as a linear map of vectors; None when it is none."""
    name, inputs = node.name.rstrip("_"), node.inputs
    if name == "mm":
        return Projection(inputs[0], inputs[1].value, None, node)
    if name == "addmm" and inputs[0].value.dim() == 1 and not node.options:
        return Projection(inputs[1], inputs[2].value, inputs[0].value, node)
    if name == "bmm" and len(node.value) == 1:
        return Projection(inputs[0], inputs[1].value[0], None, node)
    if name == "add" and not node.options and isinstance(inputs[1], Node) and inputs[1].value.dim() == 1 and node.value.dim() > 1:
        product = inputs[0]
        while product.name in _SHAPED | _SAME:
            product = product.inputs[0]
        found = projection(product) if product.name in ("mm", "bmm") and product.value.shape[-1] == node.value.shape[-1] else None
        return found and found._replace(bias=inputs[1].value, node=node)
    return None


class Unclear(Exception):
    """The operations are there, but are no attention that the arguments express; the text says where they part."""


def _one(values, axis, what):
    """The value that all entries along an axis have; entries of -1 are from elsewhere and count only where all are."""
    most = values.amax(axis)
    least = torch.where(values < 0, most.unsqueeze(axis), values).amin(axis)
    if not bool((most == least).all()):
        raise Unclear(what)
    return most


class Mapped:
    """(N, m, k) vectors as a linear map of rows: the map's `inputs` (rows, d), which `rows` (N, m) they are, -1 for none, and
    per N the columns of its weight and bias that make them."""

    def __init__(self, operand, vectors_last=True):
        self.path = Path(operand, lambda node: projection(node) is not None)
        self.map = projection(self.path.end) if self.path.end else None
        if self.map is None:
            return
        width = self.map.weight.shape[1]
        tags = self.path.carried(numbered(self.map.node.value))
        tags = tags if tags.dim() == 3 else tags.unsqueeze(0)
        tags = tags if vectors_last else tags.transpose(1, 2)
        nowhere = tags < 0
        try:
            self.rows = _one(torch.where(nowhere, tags, tags // width), 2, "")
            self.columns = _one(torch.where(nowhere, tags, tags % width), 1, "")
        except Unclear:
            self.map = None

    def weight(self, columns):
        """(H, d, k) and (H, k) or None, from columns (H, k)."""
        weight = self.map.weight.detach()[:, columns].permute(1, 0, 2)
        bias = None if self.map.bias is None else self.map.bias.detach()[columns]
        return weight, bias


class Attention:
    """A softmax, the queries and keys behind it, and the values that it averages, by sequence b, head h, position l and
    token i:

    coefficients, logits (B, H, L, n); `given`, which the softmax got, are the logits up to what is the same for a row
    closed       (B, H, L, n), what a mask has closed
    tokens       (rows, d), what the values are a linear map of; token_rows (B, n), -1 for a token with no value
    sink         (H), the logit of one token more, which has no value and is not among the n; None unless it is the same for all
                 sequences and positions
    queries, keys (B, H, L, d_h), (B, H, n, d_h), and `factor`: their products times it are the logits; None when more happens
    types        of the numbers on the way from their projections to these products
    """

    def __init__(self, recorder, softmax, heads=None):
        node, dim = softmax.inputs[:2]
        shape = node.value.shape
        if dim % len(shape) != len(shape) - 1:
            raise Unclear("the softmax is not over the last dimension of its argument")
        self.L, self.n = shape[-2:] if len(shape) > 1 else (1, shape[-1])
        self.N = node.value.numel() // (self.L * self.n)
        self._values(recorder, softmax)
        self._order(shape[:-2], heads)
        both = lambda tensor: tensor.reshape(self.N, self.L, self.n)[self.order]
        node, given = unshifted(node), both(node.value)
        real = self._sink(both(node.value))  # the tokens but for the sink
        self.coefficients, self.logits, self.given = both(softmax.value)[..., real], both(node.value)[..., real], given[..., real]
        self._products(node, real)
        self.closed = both(self.logit_path.closed())[..., real] | (self.logits == -math.inf)
        if self.queries is None:  # no product says what the logits are
            self.closed = self.closed | closing(self.logits.masked_fill(self.closed, 0))
        self.values, self.token_rows, self.n = self.values[:, :, real], self.token_rows[:, real], len(real)

    def _values(self, recorder, softmax):
        leads = leading_to(lambda node: node is softmax)
        product = next((p for p in recorder.products if leads(p)), None)
        if product is None:
            raise Unclear("nothing is averaged with the coefficients that the softmax puts out")
        swapped = not leads(product.inputs[0])
        weights, values = product.inputs[:: -1 if swapped else 1]
        path = Path(weights, lambda node: node is softmax)
        if path.end is None:
            raise Unclear(f"the values are not averaged with what the softmax puts out: \"{path.blocked.name}\" changes the coefficients (dropout that is left on, a gate)")
        if path.factor != 1:
            raise Unclear("the values are not averaged with what the softmax puts out: the coefficients are multiplied by a number")
        cells = path.carried(numbered(softmax.value))
        cells = cells if cells.dim() == 3 else cells.unsqueeze(0)
        cells = cells.transpose(1, 2) if swapped else cells
        used = weights.value if weights.value.dim() == 3 else weights.value.unsqueeze(0)
        used = used.transpose(1, 2) if swapped else used
        if not _kept(softmax.value.reshape(-1)[cells].to(used.dtype), used) or bool((cells < 0).any()):
            raise Unclear("the values are averaged with other coefficients than the softmax puts out (dropout that is left on)")
        self.product, self.swapped, self.value_path = product, swapped, Mapped(values, not swapped)
        self.row_of_cell = cells[:, :, 0] // self.n  # (N', L'): number of (N, l) behind a row of the product
        N, tokens = cells // (self.n * self.L), cells % self.n
        held = values.value if values.value.dim() == 3 else values.value.unsqueeze(0)
        held = (held.transpose(1, 2) if swapped else held).detach()  # (N', n', d_v)
        self.values = torch.zeros(self.N, self.n, held.shape[2], dtype=held.dtype)
        self.values[N, tokens] = held.unsqueeze(1).expand(-1, cells.shape[1], -1, -1)
        mapped = self.value_path
        if mapped.map is None:
            raise Unclear("the values are not a linear map of one vector for each token" + (f": \"{mapped.path.blocked.name}\" makes them" if mapped.path.blocked else ""))
        if bool((mapped.rows < 0).any() and (held[mapped.rows < 0] != 0).any()):
            raise Unclear("some values come from elsewhere than the others (a token that the module adds, a cache)")
        self.rows_of = torch.full((self.N, self.n), -1)
        self.rows_of[N, tokens] = mapped.rows.unsqueeze(1).expand(-1, cells.shape[1], -1)
        self.columns_of = torch.zeros(self.N, held.shape[2], dtype=torch.int64)
        self.columns_of[N[:, 0, 0]] = mapped.columns
        self.tokens = mapped.map.inputs

    def _order(self, lead, heads):
        """Which N is head h of sequence b: order (B, H)."""
        if len(lead) == 1 and heads is None:
            B = len(torch.unique(self.rows_of, dim=0))
        else:
            B = lead[0] if len(lead) > 1 else max(self.N // (heads or 1), 1)
        for batches in dict.fromkeys([B, *lead[:2]]):
            if batches and self.N % batches == 0:
                H = self.N // batches
                for order in (torch.arange(self.N).view(batches, H), torch.arange(self.N).view(H, batches).T):
                    rows = self.rows_of[order]
                    columns = self.columns_of[order]
                    if bool((rows == rows[:, :1]).all()) and bool((columns == columns[:1]).all()) and (heads in (None, H)):
                        self.order, self.token_rows, self.value_columns = order, rows[:, 0], columns[0]
                        self.values = self.values[order]
                        self.B, self.H = order.shape
                        return
        raise Unclear("the heads do not average the same tokens")

    def _sink(self, logits):
        nowhere, self.sink = (self.token_rows < 0), None
        everywhere = nowhere.all(0)
        if int(everywhere.sum()) == 1 and torch.equal(nowhere.any(0), everywhere):
            own = logits[..., everywhere].squeeze(-1)  # (B, H, L)
            if bool((own == own[:1, :, :1]).all()) and bool((own > CLOSED).all()):
                self.sink = own[0, :, 0]
        return torch.arange(self.n) if self.sink is None else (~everywhere).nonzero().squeeze(1)

    def _products(self, node, real):
        self.logit_path = path = Path(node, lambda node: node.name in ("bmm", "baddbmm", "mm"), logit_step)
        self.queries = self.keys = None
        self.types = set()
        product = path.steps[-1].main if path.steps else path.start
        if product.name == "baddbmm":
            added = product.inputs[0].value * product.options.get("beta", 1)
            closed = closing(added).expand(product.value.shape)
            path.steps.append(Step(product, product, closed=closed))
            if product.options or bool(((added != 0) & ~closed).any()):
                return
        if path.end is None:
            return
        operands = product.inputs[-2:]
        first, second = (operand.value if operand.value.dim() == 3 else operand.value.unsqueeze(0) for operand in operands)
        height, width = first.shape[1], second.shape[2]
        cells = path.carried(numbered(product.value)).reshape(self.N, self.L, self.n)[..., real]
        if bool((cells < 0).any()):
            return
        N, rows, columns = cells // (height * width), cells // width % height, cells % width
        first, second = first.detach(), second.detach().transpose(1, 2)
        sides = [(N, rows, first, operands[0], True), (N, columns, second, operands[1], False)]
        for (qN, q, Q, q_node, q_last), (kN, k, K, k_node, k_last) in (sides, sides[::-1]):
            if bool((q == q[:, :, :1]).all()) and bool((k == k[:, :1]).all()):
                self.queries = Q[qN[:, :, 0], q[:, :, 0]][self.order]
                self.keys = K[kN[:, 0], k[:, 0]][self.order]
                self.factor = path.factor
                self.query_map = self._mapped(Mapped(q_node, q_last), qN[:, :, 0], q[:, :, 0])
                self.key_map = self._mapped(Mapped(k_node, k_last), kN[:, 0], k[:, 0])
                return

    def _mapped(self, mapped, N, places):
        """(inputs, rows (B, m), weight (H, d, d_h), bias, factor) of queries or keys; None when they are no linear map."""
        if mapped.map is None or bool((mapped.rows < 0).any()):
            return None
        self.types |= {node.value.dtype for node in (mapped.path.start, *(back.main for back in mapped.path.steps))}
        rows = mapped.rows[N, places][self.order]
        columns = mapped.columns[N[:, 0]][self.order]
        if not bool((rows == rows[:, :1]).all() and (columns == columns[:1]).all()):
            return None
        return mapped.map.inputs, rows[:, 0], *mapped.weight(columns[0]), mapped.path.factor

    def looks_at_itself(self, recorder):
        """Whether queries and keys, however they are made, are both made of the vectors that are the tokens."""
        memory = lambda node: _memory(node.tensor)
        moved, node = {memory(self.tokens)}, self.tokens
        while (back := step(node, lambda part: True)) is not None and back.factor == 1:
            node = back.main
            moved.add(memory(node))
        of_tokens, of_logits = leading_to(lambda node: memory(node) in moved), {id(node) for node in behind(self.logit_path.start)}
        operands = lambda product: product.inputs[-2:]
        return any(id(product) in of_logits and all(map(of_tokens, operands(product))) for product in recorder.products)

    def outputs(self, recorder, results):
        """How what the module puts out is made of the heads' outputs: (value rows in order, W_O (H, d_v, m), b_O or None,
        the tensor, which (b, l) its rows are (rows, 2)). None when no result is made of them."""
        target = self.product
        leads = leading_to(lambda node: node is target)
        for tensor in results:
            node = recorder.node(tensor)
            if not leads(node):
                continue
            path = Path(node, lambda node: node is target or (projection(node) is not None and leads(projection(node).inputs)))
            if path.end is None:
                raise Unclear(f"the module puts out something else than a linear map of what the heads put out: \"{path.blocked.name}\" comes after them")
            made = None if path.end is target else projection(path.end)
            inner = path if made is None else Path(made.inputs, lambda node: node is target)
            if inner.end is None:
                raise Unclear(f"the module puts out something else than a linear map of what the heads put out: \"{inner.blocked.name}\" comes between")
            if path.factor != 1 or inner.factor != 1:
                raise Unclear("the module multiplies what the heads put out by a number")
            d_v = self.values.shape[-1]
            numbers = inner.carried(numbered(target.value))
            if made is None:
                tensor = tensor.detach()
                shaped = numbers.reshape(-1, numbers.shape[-1])
            else:
                shaped = numbers.reshape(-1, numbers.shape[-1])
                tags = path.carried(numbered(made.node.value)).reshape(-1, tensor.shape[-1])
                width = made.weight.shape[1]
                if not bool((tags % width == torch.arange(tensor.shape[-1])).all()) or tensor.shape[-1] != width:
                    raise Unclear("the module reorders what it puts out")
                shaped = shaped[tags[:, 0] // width]
            height = target.value.shape[-2] if not self.swapped else target.value.shape[-1]
            if self.swapped:
                cell, part = shaped // (height * d_v) * height + shaped % height, shaped // height % d_v
            else:
                cell, part = shaped // d_v, shaped % d_v
            row = self.row_of_cell.reshape(-1)[cell]  # number of (N, l)
            N, l = row // self.L, row % self.L
            place = torch.full((self.N, 2), -1)
            place[self.order.reshape(-1)] = torch.cartesian_prod(torch.arange(self.B), torch.arange(self.H)).reshape(-1, 2)
            b, h = place[N, 0], place[N, 1]
            if not bool((b == b[:, :1]).all() and (l == l[:, :1]).all() and (h == h[:1]).all() and (part == part[:1]).all()):
                raise Unclear("the module mixes what the heads put out for several examples")
            if shaped.shape[1] != self.H * d_v:
                raise Unclear("the module puts out a part of what the heads put out")
            weight = torch.eye(shaped.shape[1]).to(tensor.dtype) if made is None else made.weight.detach()
            output = torch.zeros(self.H, d_v, weight.shape[1], dtype=weight.dtype)
            output[h[0], part[0]] = weight
            identity = made is None and bool((h[0] * d_v + part[0] == torch.arange(self.H * d_v)).all())
            bias = None if made is None or made.bias is None else made.bias.detach()
            return (None if identity else output), bias, tensor.detach().reshape(-1, tensor.shape[-1]), torch.stack([b[:, 0], l[:, 0]], 1)
        return None
