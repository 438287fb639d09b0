"""Replaces the Bloom filter in a Parquet file that an engine wrote by one that Rust built, and checks that the engine
consults the filter from Rust.
"""

import os

from checks import build

ITEMS, RATE = 20_000, 0.01
# Multiples of 7, so that the lowest and highest id in the statistics exclude no number between them.
IDS = range(0, 7 * ITEMS, 7)
PROBE = IDS[ITEMS // 2]


def swap(checks, folder, file, offset, length, rows):
    """Compares the filter that the engine wrote, at `offset` in `file`, with Rust's filter of the same ids. Checks that the
    engine finds as many rows of PROBE with either filter, and another number with a damaged filter. `rows` counts these rows
    in a file.
    """
    with open(file, "rb") as source:
        data = source.read()
    theirs = data[offset : offset + length]
    ours = build("parquet", ITEMS, RATE, IDS, "i64")
    checks.equal("built by the engine, and in Rust: bytes", theirs, ours)

    def count(name, filter):
        path = os.path.join(folder, f"{name}.parquet")
        with open(path, "wb") as target:
            target.write(data[:offset] + filter + data[offset + length :])
        return rows(path)

    checks.equal("rows found: with the engine's filter; with Rust's", count("theirs", theirs), count("ours", ours))
    header = len(theirs) - 32 * (len(theirs) // 32)
    cleared = theirs[:header] + bytes(len(theirs) - header)
    checks.damaged("rows of a key: with the engine's filter; with a filter that has no set bit", count("theirs", theirs), count("cleared", cleared))
    others = build("parquet", ITEMS, RATE, (key for key in IDS if key != PROBE), "i64")
    checks.damaged("rows of a key: with the engine's filter; with Rust's filter of all other keys", count("theirs", theirs), count("others", others))
