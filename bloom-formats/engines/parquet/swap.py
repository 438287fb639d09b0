"""Replaces the Bloom filter in a Parquet file that an engine wrote by one that Rust built, and checks that the engine
consults it.
"""

import os

from checks import build

ITEMS, RATE = 20_000, 0.01
# Multiples of 7: statistics cannot exclude the numbers between them.
IDS = range(0, 7 * ITEMS, 7)
PROBE = IDS[ITEMS // 2]


def swap(checks, folder, file, offset, length, rows):
    """Compares the engine's filter, at an offset in a file, with that of Rust. Counts the rows of a key with each of the two
    filters and with damaged filters. `rows` counts the rows of the key in a file.
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
    checks.damaged("no bit set: rows of the key", count("theirs", theirs), count("cleared", cleared))
    others = build("parquet", ITEMS, RATE, (key for key in IDS if key != PROBE), "i64")
    checks.damaged("Rust's filter of all other keys: rows of the key", count("theirs", theirs), count("others", others))
