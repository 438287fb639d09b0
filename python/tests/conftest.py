"""The fixtures that tests share. They run commands of the repository. If a command is not built, the tests that need it are skipped."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


def runner(name):
    program = TARGET / "debug" / name
    if not program.exists():
        pytest.skip(f"{name} is not built: cargo build --workspace --bins")

    def run(*args, stdin=None):
        return subprocess.run([program, *args], input=stdin, capture_output=True, check=False)

    return run


@pytest.fixture(scope="session")
def bloom_params():
    return runner("bloom-params")


@pytest.fixture(scope="session")
def bloom_file():
    return runner("bloom-file")
