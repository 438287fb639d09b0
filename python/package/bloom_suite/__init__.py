"""Bloom filters that keep the false-positive rate they promise.

`size` sizes a filter exactly. `BloomFilter`, `BlockedBloomFilter`, `CountingBloomFilter` and `ScalableBloomFilter` hold
keys. All of it is Rust.
"""

from ._native import *
from ._native import __version__ as __version__
