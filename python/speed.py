"""Times single calls and arrays beside other packages, after checking that every key is found, and prints a table:
`pip install rbloom pybloom-live pyprobables numpy pyarrow`, then `python speed.py`."""

import importlib.metadata
import pathlib
import platform
import time

import bloom_suite
import numpy
import probables
import pyarrow
import pybloom_live
import rbloom

RATE, ABSENT, SECONDS = 0.01, 100_000, 2.0


def best(call, keys):
    """Returns the nanoseconds a key of the fastest round, of as many as take two seconds, but at least one."""
    times, end = [], time.perf_counter() + SECONDS
    while not times or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times) / keys * 1e9


def each(call, keys):
    """Calls with every key: what a loop in Python costs, too."""
    for key in keys:
        call(key)


def filters(items, kind):
    """Yields the name of each filter, what makes a new one, and what returns how many bytes it has."""
    # Those in Python take minutes for 10^7.
    if items != 1_000_000:
        yield "rbloom", lambda: rbloom.Bloom(items, RATE), lambda f: f.size_in_bits // 8
        for ours in bloom_suite.BloomFilter, bloom_suite.BlockedBloomFilter:
            yield ours.__name__, lambda: ours(items, RATE, keys=kind), lambda f: f.bits // 8
    if items <= 1_000_000:
        yield "pybloom-live", lambda: pybloom_live.BloomFilter(items, RATE), lambda f: len(f.bitarray) // 8
        if kind == "str":
            yield "pyprobables", lambda: probables.BloomFilter(items, RATE), lambda f: f.bloom_length


def show(*cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines() if pathlib.Path("/proc/cpuinfo").exists() else []
    names = [line.split(": ")[1] for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


versions = [f"{name} {importlib.metadata.version(name)}" for name in ("rbloom", "pybloom-live", "pyprobables", "numpy", "pyarrow")]
print(f"{processor()}, CPython {platform.python_version()}, {', '.join(versions)}\n")
show("keys", "filter", "`add`", "`in`", "`update`", "array: add", "array: ask", "KiB", "rate")
show("---", "---", *["---:"] * 7)
for items in 100_000, 1_000_000, 10_000_000:
    for kind in "i64", "str":
        name = "user-{}".format if kind == "str" else int
        keys, absent = [name(n) for n in range(items)], [name(-n) for n in range(1, ABSENT + 1)]
        column = pyarrow.array(keys) if kind == "str" else numpy.array(keys)
        for title, make, size in filters(items, kind):
            # Into a filter that is empty.
            adding = best(lambda: each(make().add, keys), items)
            made = make()
            each(made.add, keys)
            assert all(key in made for key in keys), title
            rate = sum(key in made for key in absent) / ABSENT
            cells = [adding, best(lambda: each(made.__contains__, keys), items)]
            if hasattr(made, "update"):
                cells.append(best(lambda: make().update(keys), items))
            if hasattr(made, "add_many"):
                cells.append(best(lambda: make().add_many(column), items))
                cells.append(best(lambda: made.contains_many(column), items))
                assert made.contains_many(column).all()
            cells = [f"{time:.0f}" if time >= 10 else f"{time:.1f}" for time in cells] + [""] * (5 - len(cells))
            show(f"{items:,} {kind}", title, *cells, f"{size(made) / 1024:,.0f}", f"{rate:.2%}")
