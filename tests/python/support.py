"""Simulations that several tests open."""
import importlib
import pathlib
import unittest

import mote

CPU = dict(backend="cpu", precision="double")
PACKAGE = pathlib.Path(mote.__file__).parent


def plummer(**options):
    return mote.load("plummer", {"n": 64, "gravity.softening": 0.02}, **{**CPU, **options})


def two_bodies(**more):
    """On a circle of radius 1/2, with the period 2 pi."""
    return mote.from_arrays([0.5, 0.5], [[0.5, 0, 0], [-0.5, 0, 0]], [[0, 0.5, 0], [0, -0.5, 0]],
                            **{"dt": 0.01, **CPU, **more})


def gpu():
    """Options for a GPU, real or emulated; None if there is none."""
    try:
        plummer(backend="cuda")
        return dict(backend="cuda")
    except mote.InputError:
        return None


def importorskip(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise unittest.SkipTest(str(error))
