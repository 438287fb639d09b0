"""Times the filters of bloom_suite and of other packages, with single keys and with arrays, and prints a table. Before that,
checks that every filter finds all its keys.
To run it: `pip install rbloom pybloom-live pyprobables numpy pyarrow`, then `python speed.py`."""

import importlib.metadata
import os
import pathlib
import platform
import time
from concurrent.futures import ThreadPoolExecutor

import bloom_suite
import numpy
import probables
import pyarrow
import pybloom_live
import rbloom

RATE, ABSENT = 0.01, 100_000
# The number of rounds for each number of items. Every filter is timed once in each round, so that a slow moment of the machine
# affects all of them.
ROUNDS = {100_000: 15, 1_000_000: 2, 10_000_000: 5}


def seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def each(call, keys):
    """Calls a function with every key. The time of all these calls includes the loop of Python."""
    for key in keys:
        call(key)


def filters(items, kind):
    """Yields the name of each filter, a function that makes a filter, and one that returns the size of a filter in bytes."""
    # The filters that are written in Python would take minutes for 10^7 items, so they run with 10^5 and 10^6 items. All others
    # run with 10^5 and 10^7.
    if items != 1_000_000:
        yield "rbloom", lambda: rbloom.Bloom(items, RATE), lambda f: f.size_in_bits // 8
        for ours in bloom_suite.BloomFilter, bloom_suite.BlockedBloomFilter:
            yield ours.__name__, lambda ours=ours: ours(items, RATE, keys=kind), lambda f: f.bits // 8
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
show("keys", "filter", "`add`", "`in`", "`update`", "`add_many`", "`contains_many`", "KiB", "rate")
show("---", "---", *["---:"] * 7)


def checked(make, size, keys, absent):
    """Fills a filter and checks that every key is found; returns its memory and its rate."""
    made = make()
    each(made.add, keys)
    assert all(key in made for key in keys), made
    rate = sum(key in made for key in absent) / ABSENT
    return f"{size(made) / 1024:,.0f}", f"{rate:.2%}"


def timed(make, keys, column):
    """Times each kind of call once, in new filters, because two filters of the same size can differ in speed."""
    made = make()
    times = [seconds(lambda: each(made.add, keys)), seconds(lambda: each(made.__contains__, keys))]
    if hasattr(made, "update"):
        times.append(seconds(lambda: make().update(keys)))
    if hasattr(made, "add_many"):
        made = make()
        times += [seconds(lambda: made.add_many(column)), seconds(lambda: made.contains_many(column))]
        assert made.contains_many(column).all()
    return times


for items, rounds in ROUNDS.items():
    for kind in "i64", "str":
        name = "user-{}".format if kind == "str" else int
        keys, absent = [name(n) for n in range(items)], [name(-n) for n in range(1, ABSENT + 1)]
        column = pyarrow.array(keys) if kind == "str" else numpy.array(keys)
        rows = list(filters(items, kind))
        facts = [checked(make, size, keys, absent) for _, make, size in rows]
        times = [[timed(make, keys, column) for _, make, _ in rows] for _ in range(rounds)]
        for row, (title, _, _) in enumerate(rows):
            best = [min(of_call) / items * 1e9 for of_call in zip(*(of_round[row] for of_round in times))]
            cells = [f"{ns:.0f}" if ns >= 10 else f"{ns:.1f}" for ns in best] + [""] * (5 - len(best))
            show(f"{items:,} {kind}", title, *cells, *facts[row])

# Times threads that together fill one filter, and then together query it.
keys, times = numpy.arange(10_000_000), []
for threads in [1, 2] * 3:
    parts = numpy.array_split(keys, threads)
    made = bloom_suite.BloomFilter(len(keys), RATE, keys="i64", shared=True)
    with ThreadPoolExecutor(threads) as pool:
        times.append([seconds(lambda: list(pool.map(call, parts))) for call in (made.add_many, made.contains_many)])
    assert made.contains_many(keys).all()
for threads in 1, 2:
    add, ask = (min(column) / len(keys) * 1e9 for column in zip(*times[threads - 1 :: 2]))
    print(f"shared, {threads} of {os.cpu_count()} processors: {add:.0f} ns per key added, {ask:.0f} asked")
