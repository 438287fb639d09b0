"""Checks that two Go libraries and bloom-formats build the same filters, byte for byte, and find the same keys in them.

The script `run` in this folder starts this one. `peer` is the program built from main.go, which calls the libraries.
"""

import subprocess
import sys

from checks import Checks, build, found, inspect, saved

ITEMS, QUERIES, RATE = 100_000, 1_000_000, 0.01

folder, peer, *formats = sys.argv[1:]
checks = Checks("Go: bits-and-blooms/bloom, binary and JSON, and DCSO/bloom")
items = [f"user-{i}" for i in range(ITEMS)]
absent = [f"guest-{i}" for i in range(QUERIES)]


def go(*arguments, keys):
    text = "".join(f"{key}\n" for key in keys).encode()
    return subprocess.run([peer, *map(str, arguments)], input=text, stdout=subprocess.PIPE, check=True).stdout


def go_found(format, file, keys):
    return go("query", format, file, keys=keys).decode().splitlines()


for format in formats:
    theirs = go("build", format, ITEMS, RATE, keys=items)
    file = saved(folder, f"{format}.theirs", theirs)
    checks.equal(f"{format}: items found of {ITEMS:,} that Go added", ITEMS, len(found(format, file, items)))
    hits = go_found(format, file, absent)
    checks.equal(f"{format}: the same false positives among {QUERIES:,} absent keys: number", hits, found(format, file, absent))
    checks.rate(f"{format}: false-positive rate: measured; computed", len(hits), QUERIES, inspect(format, file)["p"])
    ours = build(format, ITEMS, RATE, items)
    checks.equal(f"{format}: filter of the same items, built by Go; built in Rust: bytes", theirs, ours)
    file = saved(folder, f"{format}.ours", ours)
    checks.equal(f"{format}: filter built in Rust: items that Go finds; items added", len(go_found(format, file, items)), ITEMS)
checks.exit()
