"""Checks that DuckDB consults filters that were built in Rust: one that replaces DuckDB's own filter in a Parquet file, and
others that are added to a file which DuckDB wrote without filters.
"""

import os
import sys

import duckdb
from add import OF_ROW_GROUPS, ROWS, add
from checks import Checks
from swap import IDS, PROBE, RATE, swap

folder = sys.argv[1]
file = os.path.join(folder, "duckdb.parquet")
checks = Checks(f"DuckDB {duckdb.__version__}: filters in Parquet files")
database = duckdb.connect()
# DuckDB writes filters only for columns that it stores as a dictionary. These limits give the column a dictionary.
options = f"FORMAT parquet, ROW_GROUP_SIZE 1000000, DICTIONARY_SIZE_LIMIT 1000000, BLOOM_FILTER_FALSE_POSITIVE_RATIO {RATE}"
database.execute(f"COPY (SELECT unnest(range({IDS.start}, {IDS.stop}, {IDS.step})) AS id) TO '{file}' ({options})")
place = database.execute(f"SELECT bloom_filter_offset, bloom_filter_length FROM parquet_metadata('{file}')").fetchone()


def rows(path):
    return database.execute(f"SELECT count(*) FROM '{path}' WHERE id = {PROBE}").fetchone()[0]


swap(checks, folder, file, *place, rows)

bare = os.path.join(folder, "bare.parquet")
ids = " UNION ALL ".join(f"(SELECT unnest(range({ids.start}, {ids.stop}, {ids.step})) AS id)" for ids in OF_ROW_GROUPS)
# DICTIONARY_SIZE_LIMIT 1 prevents a dictionary. Without a dictionary, DuckDB writes no filters.
database.execute("SET threads = 1")
database.execute(f"COPY ({ids}) TO '{bare}' (FORMAT parquet, ROW_GROUP_SIZE {ROWS}, DICTIONARY_SIZE_LIMIT 1)")


def rows_of(path, key):
    return database.execute(f"SELECT count(*) FROM '{path}' WHERE id = {key}").fetchone()[0]


def groups_of(path, key):
    if path == bare:
        plan = database.execute(f"EXPLAIN ANALYZE SELECT count(*) FROM '{path}' WHERE id = {key}").fetchone()[1]
        return int(plan.split("Row Groups Scanned: ")[1].split(" / ")[0])
    probe = f"SELECT count(*) FROM parquet_bloom_probe('{path}', 'id', {key}) WHERE NOT bloom_filter_excludes"
    return database.execute(probe).fetchone()[0]


add(checks, folder, bare, rows_of, groups_of)
checks.exit()
