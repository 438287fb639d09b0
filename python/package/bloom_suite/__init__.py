"""Bloom filters that keep the false-positive rate they promise.

`size` sizes a filter exactly. `BloomFilter`, `BlockedBloomFilter`, `PartitionedBloomFilter`, `CountingBloomFilter` and
`ScalableBloomFilter` store keys; `open`, `read_bytes` and `build` are for the filters of other systems. The
package is written in Rust.
"""

from ._native import *
from ._native import __version__ as __version__

# `import *` brings all names except `open`, which would replace Python's own `open`.
__all__ = [name for name in dir() if not name.startswith("_") and name != "open"]
