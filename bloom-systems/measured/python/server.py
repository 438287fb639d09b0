"""Builds the filters of PostgreSQL's extension bloom.

A filter is the signature of a row of a table, and the table has a column for each item. A query is a scan of the index for a
value of the first column, and PostgreSQL counts the rows that the index returns. The server has a temporary folder, and listens
only on a socket in this folder.
"""

import atexit
import functools
import math
import os
import shutil
import struct
import subprocess
import tempfile

import psycopg
from cells import Full, System

# Where Debian installs version 15 of the server.
PROGRAMS = "/usr/lib/postgresql/15/bin"

# The most columns that a table can have.
MAX_COLUMNS = 1_600

SETTINGS = {
    "fsync": "off", "listen_addresses": "", "max_wal_size": "8GB", "autovacuum": "off", "jit": "off",
    # These settings leave only plans that look up a value by a scan of the index.
    "enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off", "enable_material": "off",
    "enable_memoize": "off",
}


class PostgresBloom(System):
    """The filters of PostgreSQL, which take 32-bit integers and texts. A filter is sized by the length of the signature in
    bits: for each column -ln p / (ln 2)^2, rounded up."""

    max_operations = 600_000

    @functools.cached_property
    def connection(self):
        folder = tempfile.mkdtemp()
        user = []
        if os.getuid() == 0:
            # The server refuses to run as root.
            shutil.chown(folder, "postgres")
            user = ["runuser", "-u", "postgres", "--"]

        def run(program, *arguments):
            command = [*user, f"{PROGRAMS}/{program}", *arguments]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)

        run("initdb", "--pgdata", f"{folder}/data", "--username", "measured", "--auth", "trust", "--no-sync")
        options = " ".join(f"-c {name}='{value}'" for name, value in SETTINGS.items())
        run("pg_ctl", "start", "-w", "-D", f"{folder}/data", "-l", f"{folder}/log", "-o", f"{options} -k {folder}")

        def stop():
            connection.close()
            run("pg_ctl", "stop", "-D", f"{folder}/data", "-m", "immediate")
            shutil.rmtree(folder)

        connection = psycopg.connect(host=folder, user="measured", dbname="postgres", autocommit=True)
        atexit.register(stop)
        for extension in ("bloom", "pageinspect"):
            connection.execute(f"create extension {extension}")
        return connection

    @functools.cache
    def table(self, kind, columns, length):
        """A table with an index of all its columns; None if PostgreSQL refuses it."""
        name = f"{kind}_{columns}_{length}"
        names = [f"c{column}" for column in range(columns)]
        if columns > MAX_COLUMNS:
            return None
        try:
            with self.connection.transaction():
                self.connection.execute(f"create table {name} ({', '.join(f'{column} {kind}' for column in names)})")
                self.connection.execute(
                    f"create index {name}_index on {name} using bloom ({', '.join(names)}) with (length = {length})")
        except psycopg.Error:
            return None
        return name

    def build(self, items, rate):
        length = items * math.ceil(-math.log(rate) / math.log(2) ** 2)
        table = self.table("integer", items, length)
        return table and {"length": length, "table": table}

    def insert(self, filter, keys):
        """Writes a row with these keys in place of the row before."""
        kind = "text" if isinstance(keys[0], str) else "integer"
        filter.update(kind=kind, table=self.table(kind, len(keys), filter["length"]))
        if filter["table"] is None:
            raise Full
        self.connection.execute(f"truncate {filter['table']}")
        self.connection.execute(f"insert into {filter['table']} values ({', '.join(['%s'] * len(keys))})", keys)

    def hits(self, filter, keys):
        table, kind = filter["table"], filter["kind"]
        # Within a transaction the server adds no counts of earlier transactions, so the differences are those of the query
        # alone.
        with self.connection.transaction():
            before = self.counts(table)
            self.connection.execute(
                f"select count(*) from unnest(%s::{kind}[]) as queries(key) cross join lateral "
                f"(select from {table} where c0 = key offset 0) as found", [keys])
            scans, rows = (after - count for after, count in zip(self.counts(table), before))
        assert scans == len(keys), "a query did not scan the index"
        return rows

    def counts(self, table):
        """The number of scans of the index in this transaction so far, and of the rows that they returned."""
        counts = "select pg_stat_get_xact_numscans(%(index)s::regclass), pg_stat_get_xact_tuples_returned(%(index)s::regclass)"
        return self.connection.execute(counts, {"index": f"{table}_index"}).fetchone()

    @functools.cache
    def size_of(self, table):
        """The bits and hashes of a signature, which the first page of the index has behind the header of the page."""
        (page,) = self.connection.execute("select get_raw_page(%s, 0)", [f"{table}_index"]).fetchone()
        magic, _, _, _, words, hashes = struct.unpack_from("<IHHiii", page, 24)
        assert magic == 0xDBAC0DED, "the options of the index are not here"
        return 16 * words, hashes

    def size(self, filter, items, rate):
        return self.size_of(filter["table"])

    def integers(self, numbers):
        return [(number & 0xFFFF_FFFF) - (1 << 31) for number in numbers]
