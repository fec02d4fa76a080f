"""The examples in the docstrings of the engine are true."""

import doctest
import importlib
import pkgutil

import pytest

import skat_engine

MODULES = [
    name
    for _, name, is_package in pkgutil.iter_modules(skat_engine.__path__, "skat_engine.")
    if not is_package
]


@pytest.mark.parametrize("name", ["skat_engine", *MODULES])
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
