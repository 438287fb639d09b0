"""Passes a filter whose keys are tuples to a program in Rust, and checks that it gives the same answers as Python.

    cargo build --release -p bloom-core --example service
    python rust_service.py target/release/examples/service
"""

import pathlib
import subprocess
import sys
import tempfile

from bloom_suite import BloomFilter

visits = BloomFilter(10_000, 0.01, keys=("str", "i64"))
visits.update((f"user-{n}", n % 7) for n in range(10_000))

with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder, "visits.bloom")
    visits.save(file)
    asked = [(f"user-{n}", (n + shift) % 7) for shift in (0, 1) for n in range(10_000)]
    lines = "".join(f"{user} {day}\n" for user, day in asked)
    said = subprocess.run([sys.argv[1], file], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()

answers = ["yes" if key in visits else "no" for key in asked]
print(f"{said.count('yes'):,} of {len(asked):,} visits are perhaps in the filter: all {10_000:,} that were added, {said[10_000:].count('yes')} that were not")
assert said == answers and set(said[:10_000]) == {"yes"} and said[10_000:].count("yes") < 200
