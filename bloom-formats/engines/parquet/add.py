"""Adds Bloom filters to a Parquet file that an engine wrote without them. Checks that, to find a key, the engine then reads
only as many row groups as bloom-file names for this key: those whose filters contain it.
"""

import json
import os

from checks import BREAK, bloom_file

# DuckDB can write row groups of ROWS rows, because ROWS is a multiple of 2,048. The filters have 2^19 bits. With ROWS keys,
# their rate is below RATE; with a few thousand keys more, it would be above RATE.
ROW_GROUPS, ROWS, RATE = 4, 23 * 2_048, 0.01
# IDS are every seventh number, dealt out to the row groups in turn. So the row groups have nearly the same lowest and highest
# id, and these statistics exclude no number between the two. IDS begin at 2^33, so that the Python interfaces of both engines
# take them as integers of 64 bits.
FIRST, STEP = 2**33, 7
IDS = range(FIRST, FIRST + STEP * ROW_GROUPS * ROWS, STEP)
OF_ROW_GROUPS = [IDS[group :: ROW_GROUPS] for group in range(ROW_GROUPS)]
PRESENT = [ids[ROWS // 2] for ids in OF_ROW_GROUPS]
ABSENT = range(FIRST + 1, FIRST + STEP * 2_000, STEP)


def add(checks, folder, file, rows, groups):
    """Checks that with filters the engine reads fewer row groups for a key, and finds the same rows. `file` is the Parquet file
    without filters. `rows` counts the rows in a file that have a key, and `groups` counts the row groups of a file that the
    engine reads for a key.
    """
    assert [groups(file, key) for key in PRESENT] == [ROW_GROUPS] * ROW_GROUPS, "statistics exclude row groups"
    copy = os.path.join(folder, "added.parquet")
    bloom_file("build", "--into", copy, "--column", "id", "-p", RATE, file)
    chunks = json.loads(bloom_file("inspect", copy, "--json"))["chunks"]
    cleared = os.path.join(folder, "cleared.parquet")
    with open(copy, "rb") as source, open(cleared, "wb") as target:
        data = bytearray(source.read())
        for chunk in chunks:
            end = chunk["bloom_filter_offset"] + chunk["bloom_filter_length"]
            bitset = chunk["filter"]["m"] // 8
            data[end - bitset : end] = bytes(bitset)
        target.write(data)
    answers = bloom_file("query", copy, "--column", "id", keys=PRESENT).decode().splitlines()
    computed = sum(chunk["filter"]["p"] for chunk in chunks) / len(chunks)
    if BREAK:
        copy, answers, computed = cleared, answers[:-1], 2 * computed

    ours = [len(answer.split()) - 1 for answer in answers]
    theirs = [groups(copy, key) for key in PRESENT]
    checks.equal(f"row groups read for keys in one of {ROW_GROUPS}: {theirs}", theirs, ours)
    read = sum(groups(copy, key) for key in ABSENT)
    checks.rate("row groups read for keys that no row group has", read, ROW_GROUPS * len(ABSENT), computed)
    counts = [[rows(path, key) for key in PRESENT] for path in (file, copy)]
    checks.equal("rows found: without filters; with filters", *counts)
    checks.damaged("rows of a key: without filters; with filters that have no set bit", rows(file, PRESENT[0]), rows(cleared, PRESENT[0]))
