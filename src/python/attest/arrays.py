"""What people hold arrays in, as the library takes it: contiguous memory and a header of numpy's."""

import numpy

from ._attest import InputError


def _on_cpu(value, name):
    """Refuses arrays in the memory of a device."""
    try:
        device = value.__dlpack_device__()[0] if hasattr(value, "__dlpack_device__") else 1
    except Exception:
        device = 1  # numpy says below what cannot be read
    if device != 1 or hasattr(type(value), "__cuda_array_interface__") and getattr(value, "is_cuda", True):
        where = getattr(value, "device", "a device")
        raise InputError(f"{name}: the array lies in the memory of {where}; give a copy in main memory, as by .cpu()")


def as_array(value, name):
    """`value` (a numpy array, a CPU tensor, nested lists, or what has a buffer, __array__ or DLPack) as a
    C-contiguous numpy array, without a copy where it is one already."""
    _on_cpu(value, name)
    if isinstance(value, numpy.ma.MaskedArray):
        raise InputError(f"{name}: is a masked array, and what the masked entries are is not defined; give its .data or .filled()")
    if hasattr(value, "detach"):  # torch
        value = value.detach()
        if str(getattr(value, "dtype", "")) == "torch.bfloat16":
            value = value.float()  # exactly; numpy has no such type
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
            value = numpy.from_dlpack(value)
        array = numpy.asarray(value)
    except Exception as error:
        raise InputError(f"{name}: cannot be read as an array ({error}); give a numpy array") from None
    if not array.flags.c_contiguous or not array.flags.aligned:
        array = array.copy(order="C")
    return array


def described(array):
    """The header of numpy's file format, and the bytes."""
    header = repr({"descr": array.dtype.str, "fortran_order": False, "shape": array.shape})
    # No dtype with objects is supported: what the header says is refused before bytes are looked at.
    data = b"" if array.dtype.hasobject or array.size == 0 else array.reshape(-1).view(numpy.uint8)
    return header, data
