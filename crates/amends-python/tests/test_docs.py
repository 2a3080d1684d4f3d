"""Examples in docstrings run, every public name has a docstring, and types are sound."""

import doctest
import importlib
import inspect
import pkgutil
import subprocess
import sys

import pytest

import amends

MODULES = [name for _, name, _ in pkgutil.iter_modules(amends.__path__, "amends.") if name != "amends._amends"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name, shared, request):
    module = importlib.import_module(name)
    names = {key: getattr(shared, key) for key in ("german", "model", "explainer", "rejected")}
    if name == "amends.spark":
        names["spark"] = request.getfixturevalue("spark")
    failed, _ = doctest.testmod(module, extraglobs=names, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    tests = [test for name in MODULES for test in finder.find(importlib.import_module(name))]
    assert sum(len(test.examples) for test in tests) > 40


PUBLIC = [
    pytest.param(getattr(module, name), id=f"{module.__name__}.{name}")
    for module in (amends, amends.arrow, amends.spark)
    for name in module.__all__
    if not name.startswith("_")
]


@pytest.mark.parametrize("thing", PUBLIC)
def test_every_public_name_is_documented(thing):
    assert inspect.getdoc(thing)
    if inspect.isclass(thing):
        members = inspect.getmembers(thing, lambda member: inspect.isfunction(member) or isinstance(member, property))
        bare = [key for key, member in members if not key.startswith("_") and not inspect.getdoc(member)]
        assert not bare


def test_types_are_sound(tmp_path):
    pytest.importorskip("mypy")
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nignore_missing_imports = True\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(config), "--cache-dir", str(tmp_path / "cache"), "-p", "amends"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stub_is_that_of_the_module(tmp_path):
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy.stubtest", "amends._amends", "--ignore-missing-stub", "--concise"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
