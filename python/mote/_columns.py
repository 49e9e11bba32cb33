"""Columns of the state in GPU memory."""
from __future__ import annotations

from typing import Any, NoReturn, Optional

import numpy as np
from numpy.typing import NDArray

from . import _core

_CUDA = 2  # kDLCUDA


class DeviceColumn:
    """One quantity of all bodies, in GPU memory, without a copy.

    CuPy, Numba, JAX and PyTorch can read it: ``cupy.asarray(column)`` through ``__cuda_array_interface__``,
    ``torch.from_dlpack(column)`` and others through DLPack; ``numpy.asarray(column)`` copies it to the host. The arrays
    of the former are views that follow the state through later steps and keep the simulation alive. Do not write to them.

    The GPU is idle between calls of the simulation, so any stream may read; finish reading before the next step.
    """

    __slots__ = ("_core", "_name", "_column", "__weakref__")

    def __init__(self, core: _core.Simulation, name: str):
        self._core = core
        self._name = name
        self._column: _core.Column = getattr(_core.Column, name)

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("a column on a GPU cannot be copied or pickled: numpy.asarray(column) copies its values")

    def _array(self) -> dict[str, Any]:
        return self._core.device_array(self._column)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the elements: float32 in single precision, otherwise float64; uint32 for ids."""
        array = self._array()
        return np.dtype(f"{array['kind']}{array['bytes']}")

    @property
    def shape(self) -> tuple[int]:
        """(n,)"""
        return (self._array()["count"],)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        array = self._array()
        return {
            "version": 3,
            "shape": (array["count"],),
            "typestr": np.dtype(f"{array['kind']}{array['bytes']}").str,
            "data": (array["pointer"], True),
            "strides": None,
            "stream": array["stream"] or 1,
        }

    def __dlpack__(self, stream: Any = None) -> Any:
        return self._core.dlpack(self._column)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (_CUDA, self._array()["device"])

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("the column is on a GPU: NumPy needs a copy")
        return np.array(self._core.column(self._column), dtype=dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"DeviceColumn({self._name!r}, {len(self)} x {self.dtype}, cuda:{self.__dlpack_device__()[1]})"
