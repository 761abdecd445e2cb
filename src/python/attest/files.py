"""Weights in files that need a library of Python to be read: checkpoints of PyTorch, graphs of ONNX.

    attest.rank(..., weights="checkpoint.pt:model", layout="llama")      a table of tensors within the checkpoint
    attest.rank(..., key="model.onnx:encoder.key", ...)                  one tensor
"""

import os

from ._library import InputError

ENDINGS = (".pt", ".pth", ".bin", ".ckpt", ".onnx")


def loaded(argument, value, kind):
    """What FILE or FILE:NAME holds, when it is an array or a model in such a file; other values as they are."""
    if kind not in ("array", "model") or not isinstance(value, (str, os.PathLike)):
        return value
    text = os.fspath(value)
    file, _, name = (text, "", "") if os.path.exists(text) else str(text).partition(":")
    return read(file, name, argument, kind == "model") if str(file).endswith(ENDINGS) else value


def read(file, name, argument, several):
    """The tensor of a file, or `several`, a dictionary of tensors. Nothing of the file is executed."""
    what = f"{argument}: {file}"
    try:
        with open(file, "rb") as content:
            if content.read(40).startswith(b"version https://git-lfs.github.com/spec/"):
                raise InputError(f"{what} is a pointer of Git LFS, in place of the file; fetch it with two lines in its repository: git lfs install  |  git lfs pull")
        held = _onnx(file) if file.endswith(".onnx") else _checkpoint(file)
    except InputError:
        raise
    except ImportError as error:
        raise InputError(f"{what} is read with {error.name}, which is not installed; install it, or write the arrays with numpy.save") from None
    except Exception as error:
        first = (str(error).split("\n") or [""])[0]
        raise InputError(f"{what} cannot be read: {type(error).__name__}: {first}; a checkpoint must hold nothing but tensors: torch.save(model.state_dict(), ...)") from None
    for part in _parts(held, name, what):
        held = held[part]
    if hasattr(held, "state_dict"):
        held = held.state_dict()
    if several:
        tensors = {str(key): value for key, value in held.items() if _is_tensor(value)} if hasattr(held, "items") else {}
        if not tensors:
            raise InputError(f"{what}{':' + name if name else ''} is no table of tensors; {_within(held, file, name)}")
        return tensors
    if not _is_tensor(held):
        raise InputError(f"{what}{':' + name if name else ''} is no tensor; {_within(held, file, name)}")
    return held


def _checkpoint(file):
    import torch

    return torch.load(file, map_location="cpu", weights_only=True)


def _onnx(file):
    import onnx
    import onnx.numpy_helper

    return {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in onnx.load(file).graph.initializer}


def _is_tensor(value):
    return hasattr(value, "shape") and hasattr(value, "dtype")


def _parts(held, name, what):
    """The keys that lead to a name: keys may have dots themselves."""
    parts = []
    while name:
        key = next((key for key in sorted(held, key=lambda key: -len(str(key))) if name == str(key) or name.startswith(f"{key}.")), None) if hasattr(held, "keys") else None
        if key is None:
            raise InputError(f"{what}: there is no {name!r}; {_within(held, '', '')}")
        parts.append(key)
        held, name = held[key], name[len(str(key)) + 1 :]
    return parts


def _within(held, file, name):
    """What a table holds."""
    if not hasattr(held, "items"):
        return "it is one tensor" if _is_tensor(held) else f"it is of type {type(held).__name__}"
    tables = [str(key) for key, value in held.items() if hasattr(value, "items")]
    tensors = [str(key) for key, value in held.items() if _is_tensor(value)]
    give = f"give {file}:{'.'.join(part for part in (name, (tables or tensors)[0]) if part)}; " if file and (tables or tensors) else ""
    shown = lambda kind, names: [f"{kind} {', '.join(map(repr, names[:20]))}{', ...' if names[20:] else ''}"] if names else []
    return give + "it holds " + (" and ".join(shown("the tables", tables) + shown("the tensors", tensors)) or "nothing")
