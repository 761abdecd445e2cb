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


_SAME = {"clone", "detach", "alias", "contiguous", "_to_copy", "lift_fresh", "kernel"}
_SHAPED = {"view", "_unsafe_view", "reshape", "_reshape_alias"}
_MOVED = {"permute", "transpose", "t", "expand", "slice", "select", "unsqueeze", "squeeze", "index_select", "index", "repeat",
          "narrow", "split", "split_with_sizes", "unbind", "roll", "flip"}


class Node:
    """A tensor as an operation left it: its name, its arguments (nodes in place of tensors), its result. What the result is
    made of is asked on the CPU, wherever the model runs."""

    def __init__(self, name, inputs, options, tensor, version=0, index=None):
        self.name, self.inputs, self.options, self.index = name, inputs, options, index
        self.tensor, self.version, self.shape = tensor, version, tensor.shape
        self.rows = None  # of a softmax by the definition of a kernel, where that has more

    @functools.cached_property
    def value(self):
        return self.tensor.detach().cpu()

    def let_go(self):
        """No step leads from what is made of it any more."""
        self.tensor = None
        self.__dict__.pop("value", None)

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


Rows = collections.namedtuple("Rows", "of closed query")
"""Of a kernel: the positions `of` its queries that the definition was evaluated for; what masks close for all positions, and the
node of all queries."""


class Recorder:
    """The operations of a block of code, in order. Keeps their results alive, so that a place in memory names one. `asked` says
    of what the positions of a kernel attend to, (one or more, L, n), which of them are asked about; None: all are."""

    def __init__(self, asked=None):
        self.asked = asked
        self.found, self.softmaxes, self.products = {}, [], []
        self.averages = []  # products after a softmax, and what kernels put out
        self.written = set()  # memory that an operation wrote a part of
        self.given = set()  # where in memory the numbers lie that the code is given, but for weights
        self.unit = 0.0  # the unit roundoff of products, where it is coarser than that of their type
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
        if first is not None and first.is_write and args and torch.is_tensor(args[0]):
            self.keep_averages(args[0])
            if name in ("copy_", "index_copy_", "index_put_", "_index_put_impl_", "scatter_"):
                self.written.add(_memory(args[0]))
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
                    if self.softmaxes:
                        self.averages.append(node)
        return result

    def keep_averages(self, tensor):
        """Before `tensor` is overwritten: averages that lie there are copied, and nothing else is known of that memory but what is
        written there. It follows the heads, and is no part of what is asked about them."""
        memory = _memory(tensor)
        averages = [node for node in self.averages if not node.overwritten() and _memory(node.tensor) == memory]
        if averages:
            self.found = {key: node for key, node in self.found.items() if _memory(node.tensor) != memory}
        for node in averages:
            node.tensor = node.tensor.clone()
            node.__dict__.pop("value", None)
            self.found["kept", id(node)] = node

    def averaging(self):
        """The softmaxes whose coefficients are an operand of a product; those of routers are not."""
        def averages(softmax, product):
            ends = lambda node: node is softmax
            return any(Path(part, ends, coefficient_step).end for part in product.inputs[-2:] if leading_to(ends)(part))

        return [softmax for softmax in self.softmaxes if any(averages(softmax, product) for product in self.products)]

    def scaled_dot_product_attention(self, func, query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
        """By the definition in torch 2's documentation, in operations that are seen: what kernels do is not. Its result is the
        function's own, and counts as that of the definition; `capture` compares the two. The definition is evaluated for the
        positions that are asked about alone."""
        more = {"scale": scale} if scale is not None else {}
        more |= {"enable_gqa": True} if enable_gqa else {}
        with _Unseen(self), torch._C.DisableTorchFunction():
            result = func(query, key, value, attn_mask, dropout_p, is_causal, **more)
            partly = self.partly(query, key, attn_mask, is_causal)
        at = (partly.of if partly else torch.arange(query.shape[-2])).to(query.device)
        if partly:
            query = query.index_select(-2, at)
            if attn_mask is not None and attn_mask.shape[-2:-1] not in ((), (1,)):
                attn_mask = attn_mask.index_select(-2, at)
        if enable_gqa:
            key = key.repeat_interleave(query.shape[-3] // key.shape[-3], -3)
            value = value.repeat_interleave(query.shape[-3] // value.shape[-3], -3)
        # In place where that is the same: 2 of 4 tensors of L^2 numbers.
        logits = query @ key.transpose(-2, -1)
        logits *= 1 / math.sqrt(query.shape[-1]) if scale is None else scale
        if is_causal:
            logits.masked_fill_(torch.arange(logits.shape[-1], device=at.device) > at.unsqueeze(1), -math.inf)
        if attn_mask is not None:
            fits = torch.broadcast_shapes(logits.shape, attn_mask.shape) == logits.shape and torch.result_type(logits, attn_mask) == logits.dtype
            if attn_mask.dtype == torch.bool:
                logits = (logits.masked_fill_ if fits else logits.masked_fill)(~attn_mask, -math.inf)
            else:
                logits = (logits.add_ if fits else logits.add)(attn_mask)
        self.put_out(result, logits.softmax(-1) @ value, partly)
        return result

    def partly(self, query, key, mask, causal):
        """Which positions of a kernel are asked about, as Rows; None: all are."""
        L = query.shape[-2]
        if self.asked is None or not key.numel():
            return None
        closed = closed_by(mask, causal, L, key.shape[-2])
        rows = self.asked(~closed.reshape(-1, *closed.shape[-2:]))
        return Rows(rows, closed, self.node(query)) if len(rows) < L else None

    def put_out(self, result, defined, partly):
        """A kernel's result, and the definition's for all its positions or those of `partly`."""
        if partly:
            self.softmaxes[-1].rows = partly
        kernel = Node("kernel", (self.node(defined),), {"rows": partly and partly.of}, result, _version(result))
        self.found[_key(result)] = kernel
        self.averages.append(kernel)


class Averages(Recorder):
    """Keeps no operations, but says which products have the coefficients of a softmax as an operand: calls `found` with copies of
    `place` as it was at the softmax and at the product."""

    FOLLOWED = _SAME | _SHAPED | _MOVED | {"mul", "div", "where", "masked_fill", "nan_to_num", "native_dropout", "constant_pad_nd"}

    def __init__(self, place, found):
        super().__init__()
        self.place, self.report, self.coefficients = place, found, {}

    def operation(self, func, args, kwargs):
        result = func(*args, **kwargs)
        name = func.overloadpacket.__name__
        name = name if name.startswith("_") else name.rstrip("_")
        if name == "_softmax":
            self.coefficients[_key(result)] = result, list(self.place)
        else:
            behind = [self.coefficients[_key(part)] for part in args if torch.is_tensor(part) and _key(part) in self.coefficients]
            if behind and name in ("mm", "bmm", "baddbmm"):
                at = behind[0][1]
                self.report(at, list(self.place))
                self.coefficients = {key: kept for key, kept in self.coefficients.items() if kept[1] is not at}
            elif behind and name in self.FOLLOWED:
                for tensor in result if isinstance(result, (list, tuple)) else [result]:
                    if name not in ("mul", "div") or tensor.shape == behind[0][0].shape:  # a router's are put beside other numbers
                        self.coefficients[_key(tensor)] = tensor, behind[0][1]
        return result

    def partly(self, *kernel):
        return Rows(torch.zeros(1, dtype=torch.int64), None, None)

    def put_out(self, *kernel):
        pass


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


def closed_by(mask, causal, L, n):
    """What the mask of a kernel closes, (.., L, n), and its order. What is the same for several heads counts once."""
    closed = torch.zeros((), dtype=torch.bool, device="cpu").expand(L, n)
    if mask is not None:
        for axis in range(mask.dim() - 2):
            mask = mask if mask.stride(axis) else mask.narrow(axis, 0, 1)
        mask = mask.detach().cpu()
        mask = closing(mask) if mask.is_floating_point() else ~mask.bool()
        closed = mask.expand(*mask.shape[:-2], L, n)
    return closed | ~torch.ones(L, n, dtype=torch.bool, device="cpu").tril() if causal else closed


def step(node, leads):
    """The step from a node to the one of its arguments that `leads` on; None when more than a move or a factor happens there."""
    name, inputs, shape = _name(node), node.inputs, node.shape
    if name in _SAME:
        rows = node.options.get("rows")
        return Step(node, inputs[0]) if rows is None else Step(node, inputs[0], lambda tags: torch.full(shape, -1).index_copy(-2, rows, tags.long()))
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
        elsewhere = [None if part is mains[0] else torch.full(part.shape, -1) for part in inputs[0]]
        return Step(node, mains[0], lambda tags: torch.cat([tags if part is None else part for part in elsewhere], *inputs[1:]))
    if name == "constant_pad_nd":
        return Step(node, inputs[0], lambda tags: torch.constant_pad_nd(tags, inputs[1], -1))
    if name == "copy":
        return Step(node, inputs[1], lambda tags: tags.expand(shape))
    mains = [part for part in inputs if isinstance(part, Node) and part.shape == shape and leads(part)]
    if name in ("mul", "div") and mains:
        factor = _exact(inputs[1] if mains[0] is inputs[0] else inputs[0])
        if isinstance(factor, fractions.Fraction) and factor and (name == "mul" or mains[0] is inputs[0]):
            return Step(node, mains[0], factor=factor if name == "mul" else 1 / factor)
    return next((Step(node, main) for main in mains if main.tensor is not None and not main.overwritten() and _kept(main.value, node.value)), None)


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
    name, inputs, shape = _name(node), node.inputs, node.shape
    mains = [part for part in inputs if isinstance(part, Node) and part.shape == shape and leads(part)]
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
            if main.shape == shape and leads(main) and (_exact(other) or 0) <= CLOSED:
                return Step(node, main, closed=((inputs[0].value != 0) != taken).expand(shape))
    back = step(node, leads)
    for main in mains if back is None else ():  # what is as low as a mask is kept from becoming lower: a maximum, a clamp
        if main.overwritten():  # both are the same memory
            continue
        changed = main.value != node.value
        if bool(((main.value <= CLOSED) & (node.value <= CLOSED))[changed].all()):
            return Step(node, main, closed=changed)
    return back


def coefficient_step(node, leads):
    """The same from the coefficients that average values to those of a softmax: some may be replaced by 0. That those are of tokens
    that a mask has closed, or of rows that are masked whole, is checked in the end."""
    back = step(node, leads)
    mains = [part for part in node.inputs if isinstance(part, Node) and part.shape == node.shape and leads(part)]
    return back or next((Step(node, main) for main in mains if bool(((main.value == node.value) | main.value.isnan() | (node.value == 0)).all())), None)


def unshifted(node):
    """The argument of a softmax, or one that has the same softmax: what is the same for a whole row (its maximum) is left out."""
    while True:
        name, inputs = _name(node), node.inputs
        if name in ("add", "sub") and isinstance(inputs[0], Node) and inputs[0].shape == node.shape:
            shift = inputs[1].value if isinstance(inputs[1], Node) else torch.tensor(float(inputs[1]))
            if shift.shape[-1:] not in ((), (1,)) or bool(((shift if name == "add" else -shift) <= CLOSED / 2).any()):
                return node
        elif name not in _SAME:
            return node
        node = inputs[0]


def leading_to(ends, past=None):
    """Whether one of the nodes that satisfy `ends` lies behind a node, on a way that does not go through `past`."""
    known = {id(past): False}

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
        result = last.value <= CLOSED if last is self.blocked else torch.zeros((), dtype=torch.bool).expand(last.shape)
        for back in reversed(self.steps):
            result = back.carry(result)
            if result.dtype != torch.bool:
                result = result == 1  # -1 is from elsewhere
            if back.closed is not None:
                none = not any(result.stride()) and not bool(result[(0,) * result.dim()])  # one number, at all places
                result = back.closed if none else result | back.closed
        return result


def _constant(tags, axis):
    """Whether all entries along an axis are the same; of an expanded one they are."""
    return tags.stride(axis) == 0 or bool((tags == tags.narrow(axis, 0, 1)).all())


def numbered(tensor):
    return torch.arange(tensor.numel()).reshape(tensor.shape)


# --- linear maps

class Unclear(Exception):
    """The operations are there, but are no attention that the arguments express; the text says where they part, `advice` what to do."""

    advice = "capture the module that does only attention, or give logits=... to attest.rank as arrays"


class Cached(Unclear):
    """Keys and values come from a cache, or from elsewhere as those do."""

    advice = "of a cache: run the model on the whole text at once, without it (use_cache=False, no past_key_values)"


Term = collections.namedtuple("Term", "end ids factor")
"""What the entries of a tensor are sums of: `factor` times the entries of the node `end` with numbers `ids`, -1 for none; or, when
there is no end, `factor` times the numbers `ids` themselves."""


def terms(node, ends):
    """A node as a sum of terms, whose ends satisfy `ends`. Unclear names what else happens."""
    leads = leading_to(ends)

    def of(node):
        name, inputs, shape = _name(node), node.inputs, node.shape
        if ends(node):
            return [Term(node, numbered(node.value), 1)] + ([Term(None, inputs[0].value.expand(shape), 1)] if name.startswith(("addmm", "baddbmm")) else [])
        if not leads(node):
            raise Unclear(f'"{node.name}" makes them')
        if name in ("add", "sub") and node.options.get("alpha", 1) == 1:
            return plus(shape, (inputs[0], 1), (inputs[1], 1 if name == "add" else -1))
        if name == "sum" and len(inputs[1]) == 1:
            kept = len(inputs) > 2 and inputs[2]
            pieces = [(part, ids) for part in of(inputs[0]) for ids in part.ids.unbind(inputs[1][0])]
            return [part._replace(ids=ids.unsqueeze(inputs[1][0]) if kept else ids) for part, ids in pieces]
        if name in ("cat", "stack"):
            return joined(torch.cat if name == "cat" else torch.stack, *inputs)
        back = step(node, leads)
        if back is None:
            raise Unclear(f'"{node.name}" makes them')
        return [part._replace(ids=back.carry(part.ids), factor=part.factor * back.factor) for part in of(back.main)]

    def plus(shape, *parts):
        found = []
        for part, sign in parts:
            if isinstance(part, Node) and leads(part):
                more = of(part)
            else:
                more = [Term(None, part.value if isinstance(part, Node) else torch.tensor(float(part)), 1)]
            found += [term._replace(ids=term.ids.expand(shape), factor=term.factor * sign) for term in more]
        return found

    def joined(join, pieces, dim=0):
        found = []
        for piece in pieces:
            more = of(piece) if leads(piece) else [Term(None, piece.value, 1)] if bool((piece.value != 0).any()) else []
            for part in more:
                nothing = lambda other: torch.full(other.shape, 0 if part.end is None else -1, dtype=part.ids.dtype)
                found.append(part._replace(ids=join([part.ids if other is piece else nothing(other) for other in pieces], dim)))
        return found

    return of(node)


def source(node):
    """The node that another is only moved from, and the numbers of its entries at the other's places."""
    steps, here = [], node
    while (back := step(here, lambda part: True)) is not None and back.factor == 1:
        steps.append(back)
        here = back.main
    ids = numbered(here.value)
    for back in reversed(steps):
        ids = back.carry(ids)
    return here, ids


class Product:
    """A product of `vectors` (N, m, d), rows of which `of` is the node and `rows` (N, m) the numbers, with `weight` (N, d, k), whose
    `columns` (N, k) are numbers that equal columns share. Either may be the left operand."""

    def __init__(self, node, left):
        three = lambda tensor: tensor if tensor.dim() == 3 else tensor.unsqueeze(0)
        turned = lambda tensor: three(tensor).transpose(1, 2) if left else three(tensor)
        self.node, self.left = node, left
        self.operand, matrix = node.inputs[-2:][:: -1 if left else 1]
        self.vectors, self.weight = turned(self.operand.value), turned(matrix.value)
        self.columns = turned(source(matrix)[1])[:, 0].clone()
        self.of, ids = source(self.operand)
        ids, d = turned(ids), self.vectors.shape[2]
        self.rows = ids[:, :, 0] // d
        if self.of.shape[-1:] != (d,) or not bool((ids == self.rows.unsqueeze(2) * d + torch.arange(d)).all()):
            self.of = Node("moved", (self.operand,), {}, turned(self.operand.tensor), self.operand.version)
            self.rows = numbered(self.vectors[:, :, 0])

    def entries(self, ids):
        """(N, m, k) of entries with numbers in the product's result."""
        m, k = self.vectors.shape[1], self.weight.shape[2]
        return (ids // (m * k), *((ids % m, ids // m % k) if self.left else (ids // k % m, ids % k)))


def is_product(node, depends):
    """Whether a node is a product of what `depends` with weights that do not, and which is left: None, or where the weights are."""
    if _name(node) not in ("mm", "bmm", "addmm", "baddbmm") or node.options:
        return None
    one, other = map(depends, node.inputs[-2:])
    return None if one and other else "left" if other else "right"


def _one(values, axis, what):
    """The value that all entries along an axis have; entries of -1 are from elsewhere and count only where all are."""
    most = values.amax(axis)
    least = torch.where(values < 0, most.unsqueeze(axis), values).amin(axis)
    if not bool((most == least).all()):
        raise Unclear(what)
    return most


class Mapped:
    """(N, m, k) vectors as a linear map of others: `of`, the node that holds those as rows, which `rows` (N, m) they are, -1 for none;
    per N the `columns` (N, k) of `weight` (d, K) and `bias` (K) or None that make them; `factor`, which multiplies both. Without
    weight when it is a sum of maps. Unclear when they are no linear map."""

    def __init__(self, operand, vectors_last, depends):
        ends = lambda node: is_product(node, depends) is not None
        parts = terms(operand, ends)
        three = lambda tags: (tags if tags.dim() == 3 else tags.unsqueeze(0)) if vectors_last else (tags if tags.dim() == 3 else tags.unsqueeze(0)).transpose(1, 2)
        maps = [part for part in parts if part.end is not None]
        numbers = [part for part in parts if part.end is None]
        products = [Product(part.end, is_product(part.end, depends) == "left") for part in maps]
        self.types = {node.value.dtype for node in between(operand, ends)}
        self.of, self.factor, self.bias, weights = products[0].of, maps[0].factor, None, []
        rows, columns, times = -1, -1, 0
        for part, product in zip(maps, products):
            ids = three(part.ids)
            N, m, k = product.entries(ids.clamp(min=0))
            names, named = torch.unique(product.columns, return_inverse=True)
            chosen = torch.zeros(len(names), dtype=torch.int64).scatter_(0, named.reshape(-1), torch.arange(named.numel()))
            own = product.weight.transpose(1, 2).reshape(-1, product.weight.shape[1])[chosen]  # (columns, d)
            there = ids >= 0
            times = times + there.to(torch.int16)
            rows = torch.where(there, product.rows[N, m], rows)
            del m
            columns = torch.where(there, (named + sum(map(len, weights)))[N, k], columns)
            del N, k, ids
            weights.append(own)
        whole = bool((times <= 1).all()) and all(product.of is self.of for product in products) and all(part.factor == self.factor for part in parts)
        if not whole:
            self._sum(maps, products, three, depends)
            return
        del parts, maps, products, part, product, own, there, names, named, chosen  # 8 bytes for each entry of the vectors
        self.rows, self.columns = _one(rows, 2, "their entries are made of several vectors"), _one(columns, 1, "several matrices make them")
        self.weight = torch.cat(weights).T
        if numbers:
            added = sum(three(part.ids) for part in numbers)
            self.bias = torch.zeros(self.weight.shape[1], dtype=added.dtype)
            there = columns >= 0
            self.bias[columns[there]] = added[there]
            if bool((self.bias[columns[there]] != added[there]).any()):
                raise Unclear("what is added differs from one to the other")

    def _sum(self, maps, products, three, depends):
        """A sum of maps of one vector, some of which are maps of maps: which vector."""
        self.weight = None
        chains = []
        for part, product in zip(maps, products):
            ids = three(part.ids)
            if bool((ids < 0).any()):
                raise Unclear("some of them are sums")
            N, m, _ = product.entries(ids)
            chain, rows = {id(product.of): (product.of, _one(product.rows[N, m], 2, "their entries are made of several vectors"))}, product.rows
            try:
                inner = Mapped(product.operand, not product.left, depends)
                chain[id(inner.of)] = (inner.of, _one(inner.rows[N, m], 2, "their entries are made of several vectors"))
            except Unclear:
                pass
            chains.append(chain)
        shared = next((key for key in chains[0] if all(key in chain and torch.equal(chain[key][1], chains[0][key][1]) for chain in chains)), None)
        if shared is None:
            raise Unclear("they are a sum of maps of different vectors")
        self.of, self.rows = chains[0][shared]
        self.columns = torch.zeros(len(self.rows), maps[0].ids.shape[-1], dtype=torch.int64)

    def of_heads(self, columns):
        """(H, d, k) and (H, k) or None, from columns (H, k)."""
        return self.weight[:, columns].permute(1, 0, 2), None if self.bias is None else self.bias[columns]


def between(node, ends):
    """The nodes on the ways from a node to those that satisfy `ends`."""
    leads, found, waiting = leading_to(ends), {}, [node]
    while waiting:
        top = waiting.pop()
        if id(top) not in found and leads(top):
            found[id(top)] = top
            waiting += [] if ends(top) else top.nodes()
    return list(found.values())


# --- the attention around a softmax

class Attention:
    """A softmax, the queries and keys behind it, and the values that it averages, by sequence b, head h, position l and
    token i:

    rows         (L), positions of the queries, of all `length` of them
    coefficients (B, H, L, n) that the values are averaged with; logits, as many; `given`, which the softmax got, are the logits up to what is the same for a row
    closed       (B, H, L, n), what a mask has closed
    tokens       (rows, d), what the values are a linear map of; token_rows (B, n), -1 for a token with no value
    sink         (H), the logit of one token more, which has no value and is not among the n; None unless it is the same for all
                 sequences and positions
    queries, keys (B, H, L, d_h), (B, H, n, d_h), and `factor`: their products times it are the logits; None when more happens
    types        of the numbers on the way from their projections to these products
    unit         the unit roundoff of products where it is coarser than that of their type, or 0
    """

    def __init__(self, recorder, softmax, results, heads=None):
        self.outputs_unknown = None  # why
        self.depends, self.unit = leading_to(lambda node: _memory(node.tensor) in recorder.given), recorder.unit
        self.softmax = softmax
        self.told = True  # whether queries and keys are what their maps make of the vectors
        node, dim = softmax.inputs[:2]
        shape = node.shape
        if dim % len(shape) != len(shape) - 1:
            raise Unclear("the softmax is not over the last dimension of its argument")
        self.L, self.n = shape[-2:] if len(shape) > 1 else (1, shape[-1])
        self.partly, self.length = softmax.rows, softmax.rows.closed.shape[-2] if softmax.rows else self.L
        self.rows = softmax.rows.of if softmax.rows else torch.arange(self.L)
        self.N = node.value.numel() // (self.L * self.n)
        self._values(recorder, softmax, results)
        self._order(shape[:-2], heads)
        both = lambda tensor: self._ordered(tensor.reshape(self.N, self.L, self.n))
        node, given = unshifted(node), both(node.value)
        real = self._sink(both(node.value))  # the tokens but for the sink
        self.coefficients, self.logits, self.given = both(self.coefficients)[..., real], both(node.value)[..., real], given[..., real]
        self._products(node, real)
        self.closed = (self.logits == -math.inf).logical_or_(both(self.logit_path.closed())[..., real])
        if self.queries is None:  # no product says what the logits are
            self.closed = self.closed | closing(self.logits.masked_fill(self.closed, 0))
        self.values, self.token_rows = self.values[:, :, real], self.token_rows[:, real]
        self.n = self.values.shape[2]
        self.opened = self._opened(shape[:-2], real)

    def _opened(self, lead, real):
        """What each position attends to, (B, length, n)."""
        apart = Unclear("the attention mask is not the same for all heads")
        apart.advice = "give logits=... to attest.rank"
        if not torch.equal(self.closed.any(1), self.closed.all(1)):
            raise apart
        opened = ~self.closed[:, 0]
        if self.partly is None:
            return opened
        closed = self.partly.closed
        each = closed.shape[:-2].numel()
        mask = torch.arange(each).view(closed.shape[:-2]).expand(lead).reshape(-1)[self.order]  # which mask is that of (b, h)
        closed = closed.reshape(each, *closed.shape[-2:])
        if not all(torch.equal(closed[of], closed[mask[:, 0]]) for of in mask.unique(dim=1).T):
            raise apart
        every = ~closed[mask[:, 0]][..., real]
        every[:, self.rows] = opened
        return every

    def every_query(self):
        """(B, H, length, d_h), those of positions too that are not asked about."""
        if self.partly is None:
            return self.queries
        if self.partly.query.overwritten():
            raise Unclear("the queries are overwritten")
        query = self.partly.query.value
        return self._ordered(query.expand(*self.softmax.shape[:-2], *query.shape[-2:]).reshape(self.N, *query.shape[-2:]))

    def only(self, asked, recorder):
        """Keeps coefficients and logits of the positions `asked` alone, and lets go of what lies between the product of queries and
        keys and that with the values: 2.15 of 3.6 GB for 32 heads, 2048 tokens and one position. Precondition: there are queries."""
        for name in ("closed", "given", "coefficients", "logits"):
            setattr(self, name, getattr(self, name)[:, :, asked].clone())
        large = {id(node) for node in between(self.product.inputs[-1 if self.swapped else -2], lambda node: node is self.logit_path.end)}
        for node in recorder.found.values():
            if id(node) in large:
                node.let_go()
        recorder.found = {key: node for key, node in recorder.found.items() if id(node) not in large}

    def _ordered(self, tensor):
        """(N, ..) as (B, H, ..), where it lies if possible."""
        plain = torch.equal(self.order.reshape(-1), torch.arange(self.N))
        return tensor.reshape(self.B, self.H, *tensor.shape[1:]) if plain else tensor[self.order]

    def _values(self, recorder, softmax, results):
        leads = leading_to(lambda node: node is softmax)
        product = next((p for p in recorder.products if leads(p)), None)
        if product is None:
            raise Unclear("nothing is averaged with the coefficients that the softmax puts out, or an operation in place such as p[..., 0] = 0 changes them before")
        swapped = not leads(product.inputs[-2])
        weights, values = product.inputs[-2:][:: -1 if swapped else 1]
        path = Path(weights, lambda node: node is softmax, coefficient_step)
        if path.end is None:
            raise Unclear(f"the values are not averaged with what the softmax puts out: \"{path.blocked.name}\" changes the coefficients (dropout that is left on, a gate)")
        if path.factor != 1:
            raise Unclear("the values are not averaged with what the softmax puts out: the coefficients are multiplied by a number")
        three = lambda tensor: tensor if tensor.dim() == 3 else tensor.unsqueeze(0)
        turned = lambda tensor: three(tensor).transpose(1, 2) if swapped else three(tensor)
        shape = softmax.shape
        rows = turned(path.carried(torch.arange(self.N * self.L).view(*shape[:-1], 1).expand(shape)))
        tokens = turned(path.carried(torch.arange(self.n).expand(shape)))
        used, held = turned(weights.value), turned(values.value)  # (N', L', n'), (N', n', d_v)
        self.row_of_cell, tokens, whole = rows[:, :, 0], tokens[:, 0], _constant(rows, 2) and _constant(tokens, 1)
        of_row = torch.full((self.N * self.L,), -1)  # which row of the product is that of (N, l)
        of_row[self.row_of_cell.reshape(-1)] = torch.arange(self.row_of_cell.numel())
        batch = of_row.view(self.N, self.L) // used.shape[1]
        if not whole or bool((self.row_of_cell < 0).any() | (tokens < 0).any() | (of_row < 0).any() | (batch != batch[:, :1]).any()):
            raise Unclear("the values are averaged with other coefficients than the softmax puts out")
        batch, of_row = batch[:, 0], slice(None) if torch.equal(of_row, torch.arange(len(of_row))) else of_row
        tokens, N = tokens[batch], torch.arange(self.N).unsqueeze(1)  # (N, n')
        self.coefficients = used.reshape(-1, used.shape[2])[of_row].view(self.N, self.L, -1)
        if tokens.shape[1] != self.n or not bool((tokens == torch.arange(self.n)).all()):
            again, made = leading_to(lambda node: node is softmax, product), leading_to(lambda node: node is product)
            if any(map(again, recorder.products)) or any(again(node) and made(node) for node in map(recorder.node, results)):
                raise Unclear("one product averages some of the values, and something else the others")
            self.coefficients = softmax.value.to(used.dtype).reshape(self.N, self.L, self.n).scatter(2, tokens.unsqueeze(1).expand(self.coefficients.shape), self.coefficients)
        self.product, self.swapped = product, swapped
        self.values = torch.zeros(self.N, self.n, held.shape[2], dtype=held.dtype)
        self.values[N, tokens] = held[batch]
        try:
            self.value_map = mapped = Mapped(values, not swapped, self.depends)
        except Unclear as error:
            made_of = behind(values)
            if any(_memory(node.tensor) in recorder.written for node in made_of):
                raise Cached("the values lie in memory that the module writes part by part (a cache; LoRA, which is to be merged first)") from None
            if not any(is_product(node, self.depends) for node in made_of):
                raise Cached("the module is given its values and does not make them (a cache; or capture the module around it, which does)") from None
            raise Unclear(f"the values are not a linear map of one vector for each token: {error}") from None
        if bool((mapped.rows < 0).any() and (held[mapped.rows < 0] != 0).any()):
            raise Cached("some values come from elsewhere than the others (a cache; a token that the module adds, with which give logits=... to attest.rank as arrays)")
        self.rows_of = torch.full((self.N, self.n), -1)
        self.rows_of[N, tokens] = mapped.rows[batch]
        self.columns_of = mapped.columns[batch]
        self.tokens = mapped.of
        self.heads = turned(self._put_out(recorder)).reshape(-1, held.shape[2])[of_row].view(self.N, self.L, -1)

    def _put_out(self, recorder):
        """The product with the coefficients: as a kernel put it out, not its definition."""
        put_out = self.product.value
        kernel = next((node for node in recorder.found.values() if node.name == "kernel" and leading_to(lambda part: part is self.product)(node)), None)
        if kernel is not None:
            ids = Path(kernel, lambda node: node is self.product).carried(numbered(put_out))
            there, put_out = ids >= 0, torch.zeros(put_out.shape, dtype=kernel.value.dtype)
            put_out.view(-1)[ids[there]] = kernel.value[there]
        return put_out

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
                        self.values, self.heads = self.values[order], self.heads[order]
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
        if self.sink is None:
            return slice(None)
        others = (~everywhere).nonzero().squeeze(1)
        return slice(int(others[0]), int(others[-1]) + 1) if int(others[-1] - others[0]) < len(others) else others

    def _products(self, node, real):
        self.logit_path = path = Path(node, lambda node: node.name in ("bmm", "baddbmm", "mm"), logit_step)
        self.queries = self.keys = None
        self.types = set()
        product = path.steps[-1].main if path.steps else path.start
        if product.name == "baddbmm":
            added = product.inputs[0].value * product.options.get("beta", 1)
            closed = closing(added).expand(product.shape)
            path.steps.append(Step(product, product, closed=closed))
            if product.options or bool(((added != 0) & ~closed).any()):
                return
        if path.end is None:
            return
        operands = product.inputs[-2:]
        first, second = (operand.value if operand.value.dim() == 3 else operand.value.unsqueeze(0) for operand in operands)
        shape = (len(first), first.shape[1], second.shape[2])
        carried = lambda tags: path.carried(tags.expand(shape).view(product.shape)).reshape(self.N, self.L, self.n)[..., real]
        rows = carried(torch.arange(shape[0] * shape[1]).view(shape[0], shape[1], 1))
        columns = carried(torch.arange(shape[0] * shape[2]).view(shape[0], 1, shape[2]))
        sides = [(rows, first, operands[0], True), (columns, second.transpose(1, 2), operands[1], False)]
        for (q, Q, q_node, q_last), (k, K, k_node, k_last) in (sides, sides[::-1]):
            if _constant(q, 2) and _constant(k, 1):
                q, k = q[:, :, 0], k[:, 0]
                if bool((q < 0).any() | (k < 0).any()):
                    return
                at = lambda tags, side: (tags // side.shape[1], tags % side.shape[1])
                self.queries, self.keys = Q[at(q, Q)][self.order], K[at(k, K)][self.order]
                self.factor = path.factor
                self.query_map, self.key_map = self._mapped(q_node, q_last, *at(q, Q)), self._mapped(k_node, k_last, *at(k, K))
                return

    def _mapped(self, node, vectors_last, N, places):
        """(vectors, rows (B, m), weight (H, d, d_h), bias, factor) of queries or keys; None when they are no linear map."""
        try:
            mapped = Mapped(node, vectors_last, self.depends)
        except Unclear:
            return None
        if mapped.weight is None or bool((mapped.rows < 0).any()):
            return None
        self.types |= mapped.types
        rows = mapped.rows[N, places][self.order]
        columns = mapped.columns[N[:, 0]][self.order]
        if not bool((rows == rows[:, :1]).all() and (columns == columns[:1]).all()):
            return None
        return mapped.of, rows[:, 0], *mapped.of_heads(columns[0]), mapped.factor

    def looks_at_itself(self, recorder):
        """Whether queries and keys, however they are made, are both made of the vectors that are the tokens; None: no product of
        queries and keys is behind the logits."""
        memory = lambda node: _memory(node.tensor)
        moved, node = {memory(self.tokens)}, self.tokens
        while (back := step(node, lambda part: True)) is not None and back.factor == 1:
            node = back.main
            moved.add(memory(node))
        of_tokens, of_logits = leading_to(lambda node: memory(node) in moved), {id(node) for node in behind(self.logit_path.start)}
        operands = [product.inputs[-2:] for product in recorder.products if id(product) in of_logits and all(map(self.depends, product.inputs[-2:]))]
        return any(all(map(of_tokens, pair)) for pair in operands) if operands else None

    def outputs(self, recorder, results):
        """How what the module puts out is made of the heads' outputs: W_O (H, d_v, m), None for the identity; b_O or None; the
        rows that it puts out, and which (b, l) they are (rows, 2). That it is so is for the numbers to show: this is what one
        row is made of. Unclear when something else follows the heads."""
        target, d_v = self.product, self.values.shape[-1]
        of_target = leading_to(lambda node: node is target)
        tensor, node = next(((tensor, node) for tensor in results if of_target(node := recorder.node(tensor))), (None, None))
        if node is None:
            raise Unclear("what the module puts out is not made of what the heads put out")
        try:
            parts = terms(node, lambda node: node is target or (of_target(node) and is_product(node, of_target) is not None))
        except Unclear as error:
            raise Unclear(f"what follows the heads: {error}") from None
        place = torch.zeros(self.N, 2, dtype=torch.int64)
        place[self.order.reshape(-1)] = torch.cartesian_prod(torch.arange(self.B), torch.arange(self.H))
        put_out = node.value.reshape(-1, node.shape[-1])
        output, bias, at = torch.zeros(self.H, d_v, put_out.shape[1], dtype=put_out.dtype), None, None
        for part in parts:
            ids = part.ids.reshape(put_out.shape)
            if part.factor != 1:
                raise Unclear("a factor follows the heads")
            if part.end is None:
                bias = ids[0] if bias is None else bias + ids[0]
                if bool((ids != ids[0]).any()):
                    raise Unclear("what is added after the heads is not the same for all (a residual)")
                continue
            if part.end is target:  # each entry is one of the heads'
                made_of, weight = ids.unsqueeze(2), None
            else:
                product = Product(part.end, is_product(part.end, of_target) == "left")
                inner = Path(product.operand, lambda node: node is target)
                if inner.end is None or inner.factor != 1:
                    raise Unclear(f"\"{inner.blocked.name}\" follows the heads" if inner.blocked else "a factor follows the heads")
                tags = inner.carried(numbered(target.value))
                tags = tags if tags.dim() == 3 else tags.unsqueeze(0)
                tags = tags.transpose(1, 2) if product.left else tags
                N, m, k = product.entries(ids)
                made_of, weight = tags[N[:, :1], m[:, :1]], product.weight[N[0], :, k[0]].T  # (rows, 1, d), (d, m)
                if bool((N[0] != N[0, 0]).any() | (m[0] != m[0, 0]).any()):
                    raise Unclear("what the heads put out for several examples is mixed")
            asked = (made_of >= 0).flatten(1).all(1)  # of a kernel's rows, others are not known
            if bool((made_of[~asked] >= 0).any()) or not bool(asked.all() if self.partly is None else asked.any()):
                raise Unclear("rows that are not of the heads follow them")
            b, l, h, entry = self._of_heads(made_of[asked], place)
            if bool((b != b[:, :1, :1]).any() | (l != l[:, :1, :1]).any()):
                raise Unclear("what the heads put out for several examples is mixed")
            if weight is None:
                output[h[0, :, 0], entry[0, :, 0], torch.arange(put_out.shape[1])] += 1
            else:
                output[h[0, 0], entry[0, 0]] += weight
            here = torch.full((len(asked), 2), -1)
            here[asked] = torch.stack([b[:, 0, 0], l[:, 0, 0]], 1)
            if at is not None and not torch.equal(at, here):
                raise Unclear("what the heads put out for several examples is mixed")
            at = here
        identity = torch.equal(output.reshape(self.H * d_v, -1), torch.eye(self.H * d_v).to(output.dtype))
        known = at[:, 0] >= 0
        return None if identity else output, bias, put_out[known], at[known]

    def _of_heads(self, ids, place):
        """(b, l, h, entry) of entries of the product with the coefficients, by their numbers."""
        shape = self.product.shape[-2:]
        row, entry = (ids // (shape[0] * shape[1]) * shape[1] + ids % shape[1], ids // shape[1] % shape[0]) if self.swapped else (ids // shape[1], ids % shape[1])
        number = self.row_of_cell.reshape(-1)[row]  # of (N, l)
        N, l = number // self.L, number % self.L
        return place[N, 0], l, place[N, 1], entry
