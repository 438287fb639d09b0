"""DuckDB writes a Parquet file with a Bloom filter, Rust replaces the filter, and DuckDB consults it."""

import os
import sys

import duckdb
from checks import Checks
from swap import IDS, PROBE, RATE, swap

folder = sys.argv[1]
file = os.path.join(folder, "duckdb.parquet")
checks = Checks(f"DuckDB {duckdb.__version__}: a filter in a Parquet file")
database = duckdb.connect()
# DuckDB writes filters only for columns that it stores as a dictionary.
options = f"FORMAT parquet, ROW_GROUP_SIZE 1000000, DICTIONARY_SIZE_LIMIT 1000000, BLOOM_FILTER_FALSE_POSITIVE_RATIO {RATE}"
database.execute(f"COPY (SELECT unnest(range({IDS.start}, {IDS.stop}, {IDS.step})) AS id) TO '{file}' ({options})")
place = database.execute(f"SELECT bloom_filter_offset, bloom_filter_length FROM parquet_metadata('{file}')").fetchone()


def rows(path):
    return database.execute(f"SELECT count(*) FROM '{path}' WHERE id = {PROBE}").fetchone()[0]


swap(checks, folder, file, *place, rows)
checks.exit()
