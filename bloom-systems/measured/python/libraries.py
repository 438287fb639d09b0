"""Measures the filters of Python libraries, RocksDB and PostgreSQL: libraries.py REQUESTS FOLDER NAME...

For each named system, it writes the false-positive rates of its filters, and their sizes for the pairs of n and p in the file
REQUESTS.
"""

import functools
import struct
import sys

import probables
import pybloom_live
import rbloom
from bitcoin.bloom import CBloomFilter
from cells import Full, System, measure
from engine import RocksDb
from server import PostgresBloom


class Rbloom(System):
    """The filters of rbloom. It takes any object, and hashes it with Python's own hash function."""

    def build(self, items, rate):
        return rbloom.Bloom(items, rate)

    def insert(self, filter, keys):
        filter.update(keys)

    @functools.cache
    def hashes(self, items, rate):
        """The number of hashes, which the first eight bytes of a saved filter hold. rbloom saves only filters that were built
        with a hash function, so this builds another filter."""
        return int.from_bytes(rbloom.Bloom(items, rate, lambda key: 0).save_bytes()[:8], "little")

    def size(self, filter, items, rate):
        return filter.size_in_bits, self.hashes(items, rate)


class PyBloomLive(System):
    """The filters of pybloom-live, which take integers and texts. A filter refuses more items than it was built for."""

    max_operations = 2_000_000
    queries = (1, 1_000)

    def build(self, items, rate):
        return pybloom_live.BloomFilter(items, rate)

    def insert(self, filter, keys):
        try:
            super().insert(filter, keys)
        except IndexError:
            raise Full from None

    def size(self, filter, items, rate):
        return filter.num_bits, filter.num_slices


class PyProbables(System):
    """The filters of pyprobables. It takes only texts and bytes, so an integer becomes its eight bytes."""

    max_operations = 120_000
    queries = (1, 1_000)

    def build(self, items, rate):
        try:
            return probables.BloomFilter(est_elements=items, false_positive_rate=rate)
        except probables.exceptions.InitializationError:
            return None

    def hits(self, filter, keys):
        return sum(map(filter.check, keys))

    def size(self, filter, items, rate):
        return filter.number_bits, filter.number_hashes

    def integers(self, numbers):
        return [struct.pack("<Q", number) for number in numbers]


class BitcoinFilter(CBloomFilter):
    """A filter of python-bitcoinlib with the methods of a Python set, which `System` calls."""

    add = CBloomFilter.insert
    __contains__ = CBloomFilter.contains


class PythonBitcoinlib(System):
    """The filters of python-bitcoinlib. It takes only bytes, so an integer becomes its eight bytes."""

    max_operations = 120_000
    queries = (1, 1_000)

    def build(self, items, rate):
        filter = BitcoinFilter(items, rate, 0, CBloomFilter.UPDATE_NONE)
        # A filter without hashes answers yes to every query. It is left out, as if the library refused to build it.
        return filter if filter.nHashFuncs > 0 else None

    def size(self, filter, items, rate):
        return 8 * len(filter.vData), filter.nHashFuncs

    def integers(self, numbers):
        return [struct.pack("<Q", number) for number in numbers]

    def text(self, numbers):
        return [key.encode() for key in super().text(numbers)]


SYSTEMS = {
    "rbloom": Rbloom(), "pybloom-live": PyBloomLive(), "pyprobables": PyProbables(), "python-bitcoinlib": PythonBitcoinlib(),
    "rocksdb": RocksDb(), "postgres-bloom": PostgresBloom(),
}
_, requests, folder, *names = sys.argv
measure(SYSTEMS, requests, folder, names or SYSTEMS)
