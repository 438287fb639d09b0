"""Times single calls and arrays beside rbloom, after checking that every key is found: `pip install rbloom numpy`."""

import time

import bloom_suite
import numpy
import rbloom

KEYS = 200_000
ROUNDS = 25


def best(call):
    """Returns the nanoseconds a key of the fastest round."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times) / KEYS * 1e9


def row(name, *calls):
    print(f"{name:32}" + "".join(f"{best(call):7.0f}" for call in calls))


print(f"{'ns a key':32}    add     in update")
for kind, keys in ("str", [f"user-{n}" for n in range(KEYS)]), ("i64", list(range(KEYS))):
    filters = {
        "rbloom": rbloom.Bloom(KEYS, 0.01),
        "BloomFilter": bloom_suite.BloomFilter(KEYS, 0.01, keys=kind),
        "BlockedBloomFilter": bloom_suite.BlockedBloomFilter(KEYS, 0.01, keys=kind),
    }
    for name, made in filters.items():
        made.update(keys)
        assert all(key in made for key in keys), name
        row(f"{name}, {kind}", lambda: [made.add(key) for key in keys], lambda: [key in made for key in keys], lambda: made.update(keys))
array = numpy.arange(KEYS)
made = bloom_suite.BloomFilter(KEYS, 0.01, keys="i64")
made.add_many(array)
assert made.contains_many(array).all()
print(f"{'BloomFilter, array of int64':32} add_many {best(lambda: made.add_many(array)):.0f}, contains_many {best(lambda: made.contains_many(array)):.0f}")
