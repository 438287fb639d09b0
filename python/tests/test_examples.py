"""Runs the programs in `examples`, which check their own results. The example for Spark is not run here, but by `.ci/peers.sh` if
Spark is installed."""

import pathlib
import subprocess
import sys

import pytest
from conftest import TARGET

pytest.importorskip("polars")
pytest.importorskip("matplotlib")
HERE = pathlib.Path(__file__).resolve().parents[1]
REDIS = HERE.parent / "bloom-formats/tests/golden/redisbloom/strings.bin"
# The arguments of each program, and a part of its output.
PROGRAMS = {
    "crawler": ([], "addresses visited"),
    "deduplicate": (["300000"], "rows kept"),
    "redis_dump": ([REDIS, "ant"], "'ant': certainly not"),
    "rust_service": ([TARGET / "debug/examples/service"], "all 10,000 that were added"),
    "plot": (["rates.png"], "95,932   7"),
}


def test_every_example_is_run():
    names = {path.stem for path in (HERE / "examples").glob("*.py")}
    assert names == {*PROGRAMS, "spark_job"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_example_checks_itself(name, tmp_path):
    arguments, printed = PROGRAMS[name]
    if name == "rust_service" and not arguments[0].exists():
        pytest.skip("service is not built: cargo build --workspace --examples")
    said = subprocess.run([sys.executable, HERE / f"examples/{name}.py", *arguments], cwd=tmp_path, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    assert printed in said.stdout
    if name == "plot":
        assert (tmp_path / "rates.png").read_bytes().startswith(b"\x89PNG")
