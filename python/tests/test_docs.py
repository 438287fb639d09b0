"""Tests the documentation of the package: runs the examples in it, and compares the type stubs with the package."""

import doctest
import inspect
import pathlib
import subprocess
import sys

import bloom_suite
import pytest

HERE = pathlib.Path(__file__).parent
NAMES = [name for name in dir(bloom_suite) if name[0] != "_"]


def documented():
    """Yields each public object of the package with its name, and the public members of its classes."""
    for name in NAMES:
        thing = getattr(bloom_suite, name)
        yield name, thing
        for member, method in vars(thing).items() if inspect.isclass(thing) else ():
            if member[0] != "_":
                yield f"{name}.{member}", method


def test_every_name_has_a_docstring_whose_examples_hold(tmp_path, monkeypatch):
    pytest.importorskip("numpy")
    monkeypatch.chdir(tmp_path)
    runner, parser, tried = doctest.DocTestRunner(), doctest.DocTestParser(), 0
    for name, thing in documented():
        assert thing.__doc__, name
        # pyo3 has already removed the indentation of docstrings.
        test = parser.get_doctest(thing.__doc__, {}, name, None, None)
        tried += runner.run(test).attempted
    assert runner.failures == 0 and tried > 45, tried


def test_the_examples_of_the_readme_hold(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    readme = HERE.parent / "README.md"
    failed, tried = doctest.testfile(str(readme), module_relative=False, encoding="utf-8")
    assert failed == 0 and tried > 15


def test_the_examples_of_the_book_hold(tmp_path, monkeypatch):
    pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    page = (HERE.parents[1] / "book/src/python.md").read_text(encoding="utf-8")
    # The fence at the end of a sample is not a part of its output.
    test = doctest.DocTestParser().get_doctest(page.replace("\n```", "\n\n```"), {}, "python.md", None, None)
    failed, tried = doctest.DocTestRunner().run(test)
    assert failed == 0 and tried > 25


def run(*command, **options):
    return subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, **options)


def test_the_stubs_are_strict_and_complete(tmp_path):
    pytest.importorskip("mypy")
    said = run("mypy", "--strict", "--no-incremental", "--cache-dir", tmp_path, HERE / "typed.py", cwd=tmp_path)
    assert said.returncode == 0, said.stdout
    # The stubs leave some names out: those that pyo3 adds (constructors as __new__, reflected operators), and the extension module,
    # which is private.
    allowed = tmp_path / "allowed"
    allowed.write_text("bloom_suite._native\nbloom_suite\\..*\\.__(init|new|len|eq|ne|hash|reduce|contains|ror|rand)__\n")
    said = run("mypy.stubtest", "bloom_suite", "--allowlist", allowed, "--ignore-unused-allowlist", cwd=tmp_path)
    assert said.returncode == 0, said.stdout
