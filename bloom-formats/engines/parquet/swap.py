"""Takes a Parquet file that an engine wrote, and replaces its Bloom filter with one that Rust built. Checks that the engine
consults Rust's filter.
"""

import os

from checks import build

ITEMS, RATE = 20_000, 0.01
# PROBE lies between the lowest and the highest id. So the statistics of the file do not exclude PROBE, and only a filter can.
IDS = range(0, 7 * ITEMS, 7)
PROBE = IDS[ITEMS // 2]


def swap(checks, folder, file, offset, length, rows):
    """Compares the filter that the engine wrote, the `length` bytes at `offset` in `file`, with Rust's filter of the same ids.
    Checks that the engine finds equally many rows with the id PROBE with either filter, and another number with a filter that
    has no set bits, and with a filter of all ids except PROBE. `rows` counts the rows with the id PROBE in a file.
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
