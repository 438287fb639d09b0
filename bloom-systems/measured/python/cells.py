"""Measures the filters of a system: their false-positive rates, and their sizes for a list of requests.

A cell is the rate for one combination of kind of key, n, p and number of inserted items.
"""

import math
import os
import random
import sys

ITEMS = [1, 10, 20, 50, 100, 500, 1_000, 5_000, 100_000]
RATES = ["0.1", "0.01", "0.001", "0.0001", "1e-5"]

# The numbers of inserted items, as multiples of the n that the filter was sized for.
FILLS = [1, 3]

# The number of filters that are measured between two checks whether the cell is done.
BATCH = 30


class Full(Exception):
    """A filter refuses another item."""


class System:
    """A system that is measured. A subclass sizes its filters, and says how to fill and query them if they lack the methods of a
    Python set."""

    # A cell is done at the latest at the first check after this many insertions and queries. The limit is a number and not a
    # time, so that each run gives the same cells. A cell is left out if its first BATCH filters would take more than five times
    # this number.
    max_operations = 30_000_000

    # The file of sizes leaves out requests for more items than this. A limit is for systems whose filters must be filled before
    # they have a size.
    max_request = math.inf

    # A filter for n items gets n times the first number of queries, but at least the second number.
    queries = (10, 4_000)

    def build(self, items, rate):
        """An empty filter; None if the system refuses to build one."""
        raise NotImplementedError

    def insert(self, filter, keys):
        """Inserts keys, or raises Full."""
        for key in keys:
            filter.add(key)

    def hits(self, filter, keys):
        """How many of the keys the filter finds."""
        return sum(map(filter.__contains__, keys))

    def size(self, filter, items, rate):
        """The bits and hashes of a filter that was built for these items and this rate."""
        raise NotImplementedError

    def free(self, filter):
        """Called after the last use of a filter."""

    def integers(self, numbers):
        """The keys that stand for integers of 64 bits: the integers themselves if the system takes them."""
        return numbers

    def text(self, numbers):
        """Texts of 16 hexadecimal digits."""
        return [f"{number:016x}" for number in numbers]


def draw(generator, count):
    """Random numbers of 64 bits. Fewer than one filter in 10^7 gets a number twice."""
    return list(memoryview(generator.randbytes(8 * count)).cast("Q"))


def cell(system, keys, items, rate, inserted):
    """The last fields of a cell's line, m,k,rate,deviation,filters,queries; None if the system refuses or is too slow."""
    factor, fewest = system.queries
    queries = max(factor * items, fewest)
    aim = 0.03 if rate >= 1e-4 else 0.05
    generator = random.Random(f"{items} {rate} {inserted}")
    filters = total = squares = 0
    if BATCH * (inserted + queries) > 5 * system.max_operations:
        return None
    while True:
        for _ in range(BATCH):
            filter = system.build(items, rate)
            if filter is None:
                return None
            try:
                system.insert(filter, keys(draw(generator, inserted)))
            except Full:
                system.free(filter)
                return None
            hits = system.hits(filter, keys(draw(generator, queries)))
            total += hits
            squares += hits * hits
            size = system.size(filter, items, rate)
            system.free(filter)
        filters += BATCH
        mean = total / filters
        # The standard error of the mean number of hits of a filter. It includes the differences between filters.
        deviation = math.sqrt(max(squares - filters * mean * mean, 0) / (filters - 1) / filters)
        operations = filters * (inserted + queries)
        needed = operations * (deviation / mean / aim) ** 2 if mean else math.inf
        hopeless = operations > system.max_operations / 5 and needed > 5 * system.max_operations
        if (mean and deviation <= aim * mean) or operations > system.max_operations or hopeless:
            numbers = f"{mean / queries:.3e},{deviation / queries:.3e}".replace("e-0", "e-").replace("e+00", "e0")
            return f"{size[0]},{size[1]},{numbers},{filters},{filters * queries}"


def rates(system):
    """Yields the lines of a file of rates: a header and a line for each cell."""
    yield "keys,n,p,items,m,k,rate,deviation,filters,queries"
    for name, keys in [("integers", system.integers), ("text", system.text)]:
        for items in ITEMS:
            for rate in RATES:
                for fill in FILLS:
                    found = cell(system, keys, items, float(rate), fill * items)
                    if found:
                        yield f"{name},{items},{rate},{fill * items},{found}"


def sizes(system, requests):
    """Yields the lines of a file of sizes: a header and a line for each request."""
    yield "n,p,m,k"
    for request in requests[1:]:
        items, rate = request.split(",")
        items, rate = int(items), float(rate)
        if items > system.max_request:
            continue
        filter = system.build(items, rate)
        size = ("", "")
        if filter is not None:
            size = system.size(filter, items, rate)
            system.free(filter)
        yield f"{request},{size[0]},{size[1]}"


def measure(systems, requests, folder, names):
    """Writes a file of rates and a file of sizes for each named system."""
    with open(requests) as file:
        requests = file.read().split()
    for name in names:
        for kind, lines in [("sizes", sizes(systems[name], requests)), ("rates", rates(systems[name]))]:
            written = []
            for line in lines:
                written.append(line + "\n")
                if kind == "rates":
                    print(name, line, file=sys.stderr, flush=True)
            with open(os.path.join(folder, f"{name}.{kind}.csv"), "w") as file:
                file.writelines(written)
