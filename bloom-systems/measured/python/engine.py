"""Builds the filters of RocksDB, which exist only in the files of a database.

Each filter gets a database of its own, whose only file has one key for each item. A query reads an absent key from the
database, and RocksDB counts the reads that the filter lets through.
"""

import math
import random
import re
import struct
import tempfile

from cells import System
from rocksdict import BlockBasedOptions, DBCompressionType, Options, Rdict, WriteBatch, WriteOptions

# The number of bytes behind the bits of a filter: a marker, the kind of filter, the number of hashes and two zeros.
TRAILER = 5


class Database:
    """A database of RocksDB. It has a filter as soon as keys are written."""

    def __init__(self, bits_per_item):
        table = BlockBasedOptions()
        table.set_bloom_filter(bits_per_item, False)
        self.options = Options(raw_mode=True)
        self.options.create_if_missing(True)
        self.options.enable_statistics()
        self.options.set_compression_type(DBCompressionType.none())
        self.options.set_write_buffer_size(1 << 30)
        self.options.set_block_based_table_factory(table)
        self.folder = tempfile.TemporaryDirectory()
        self.store = Rdict(self.folder.name, options=self.options)

    def write(self, keys):
        """Writes keys to one file."""
        batch = WriteBatch(raw_mode=True)
        for key in keys:
            batch.put(key, b"")
        options = WriteOptions()
        options.disable_wal = True
        self.store.write(batch, options)
        self.store.flush()

    def count(self, ticker):
        return int(re.search(rf"{ticker} COUNT : (\d+)", self.options.get_statistics())[1])

    def size(self):
        """The bits and hashes of the filter, which follows the data in the file."""
        properties = self.store.property_value("rocksdb.aggregated-table-properties")
        data, length = (int(re.search(rf"{part} block size=(\d+)", properties)[1]) for part in ("data", "filter"))
        (file,) = self.store.live_files()
        with open(self.folder.name + file["name"], "rb") as stream:
            stream.seek(data + length - TRAILER)
            marker, kind, hashes, *rest = stream.read(TRAILER)
        assert (marker, kind, *rest) == (0xFF, 0, 0, 0), "the filter does not end here"
        return 8 * (length - TRAILER), hashes

    def close(self):
        self.store.close()
        self.folder.cleanup()


class RocksDb(System):
    """The filters of RocksDB. It takes only bytes, so an integer becomes its eight bytes. A filter is sized by bits per item:
    -ln p / (ln 2)^2, rounded up."""

    max_operations = 3_000_000
    queries = (1, 20_000)
    max_request = 10_000

    def build(self, items, rate):
        return Database(math.ceil(-math.log(rate) / math.log(2) ** 2))

    def insert(self, database, keys):
        database.write(map(as_bytes, keys))

    def hits(self, database, keys):
        database.store.get(list(map(as_bytes, keys)))
        positive, negative = (database.count(f"rocksdb.bloom.filter.{ticker}") for ticker in ("full.positive", "useful"))
        assert positive + negative == len(keys), "a read did not query the filter"
        return positive

    def size(self, database, items, rate):
        if database.count("rocksdb.bloom.filter.useful") == 0:
            generator = random.Random(items)
            database.write([generator.randbytes(8) for _ in range(items)])
        return database.size()

    def free(self, database):
        database.close()


def as_bytes(key):
    return key.encode() if isinstance(key, str) else struct.pack("<Q", key)
