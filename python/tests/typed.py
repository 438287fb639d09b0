"""A program for test_docs.py: mypy must accept its types, and must refuse each line that has a comment `type: ignore`."""

from pathlib import Path

import bloom_suite
import numpy as np


def sizes() -> int | None:
    answer = bloom_suite.size(n=2000, p="1%", like="guava", overfill=True)
    lines: list[str] = answer.explain() + answer.notes
    return answer.m if lines else None


def filters(path: Path) -> float:
    seen = bloom_suite.BloomFilter(2000, 0.01, keys="i64")
    new: bool = seen.add(7)
    seen.update(range(10))
    count: int = seen.add_many(np.arange(10, dtype=np.int64))
    count += seen.add_many(np.array(["2026-11-27"], dtype="datetime64[D]"))
    seen |= seen.copy()
    both: bloom_suite.BloomFilter = seen | bloom_suite.BloomFilter.load(path, keys="i64")
    found = both.contains_many([1, 2]).all()
    return both.rate if found and new and count and 7 in both else both.estimated_items


def systems(path: Path) -> bytes:
    made = bloom_suite.build("spark", n=1000, p=0.03, keys=["ant"], key_type="text")
    made.merge(bloom_suite.open(path))
    return made.to_bytes() if made.contains("ant") else bytes(made)


def refused(seen: bloom_suite.BloomFilter, blocked: bloom_suite.BlockedBloomFilter) -> None:
    seen.add(None)  # type: ignore[arg-type]
    seen | blocked  # type: ignore[operator]
    bloom_suite.BloomFilter(2000, 0.01, keys="int")  # type: ignore[call-overload]
    bloom_suite.BloomFilter.load("f")  # type: ignore[call-arg]
    seen.rate = 0.5  # type: ignore[misc]
