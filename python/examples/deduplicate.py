"""Reads Parquet files one by one with Polars, and drops each row whose key came before. The keys are Arrow columns.

    python deduplicate.py [ROWS]
"""

import pathlib
import sys
import tempfile
import time

import bloom_suite
import polars

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
PARTS = 10

with tempfile.TemporaryDirectory() as folder:
    files = [pathlib.Path(folder, f"{part}.parquet") for part in range(PARTS)]
    for part, file in enumerate(files):
        numbers = polars.int_range(part * ROWS // PARTS, (part + 1) * ROWS // PARTS, eager=True)
        # Every third row repeats the key of an earlier row.
        numbers = polars.select(polars.when(numbers % 3 == 2).then(numbers // 6 * 3).otherwise(numbers)).to_series()
        polars.DataFrame({"user": polars.Series([f"user-{n}" for n in numbers]), "row": numbers}).write_parquet(file)

    start = time.perf_counter()
    seen = bloom_suite.BloomFilter(ROWS, 0.001)
    kept = []
    for file in files:
        frame = polars.read_parquet(file).unique("user", keep="first", maintain_order=True)
        # Every key that came before is found, so its row is dropped. Up to about one in 1,000 new keys is found, too (a false
        # positive), and its row is lost.
        new = frame.filter(~polars.Series(seen.contains_many(frame["user"])))
        seen.add_many(new["user"])
        kept.append(new)
    rows = polars.concat(kept)
    seconds = time.perf_counter() - start

    everything = polars.concat([polars.read_parquet(file) for file in files])["user"]
    exact = everything.n_unique()
    print(f"{ROWS:,} rows, {exact:,} keys: {len(rows):,} rows kept in {seconds:.1f} s, with a filter of {seen.bits // 8 / 1024:,.0f} KiB")
    assert rows["user"].n_unique() == len(rows), "a key was kept twice"
    assert 0.998 * exact < len(rows) <= exact
    assert seen.contains_many(everything).all()
