"""Reads a filter of Redis from a file with the chunks that `BF.SCANDUMP` returned. Prints the size, the fill and the rate of
the filter, and its answers to keys.

    python redis_dump.py FILE KEY...
"""

import sys

import bloom_suite

file, *keys = sys.argv[1:]
dumped = bloom_suite.open(file)
print(f"{file}: a filter of {dumped.format}")
for name in "n", "m", "k", "fill", "p":
    print(f"{name:6}{dumped.facts[name]}")
for key in keys:
    print(f"{key!r}: {'perhaps' if key in dumped else 'certainly not'}")

# The filter is the same after it is written and read again.
again = bloom_suite.read_bytes(dumped.to_bytes())
assert again.facts == dumped.facts and dumped.format == "redis"
assert all((key in again) == (key in dumped) for key in keys)
