"""Bloom filters that keep the false-positive rate they promise.

`size` computes the size of a filter. `BloomFilter`, `BlockedBloomFilter`, `PartitionedBloomFilter`, `CountingBloomFilter` and
`ScalableBloomFilter` store keys. `open` and `read_bytes` read filters of other systems, and `build` builds them. The
package is written in Rust.
"""

from ._native import *
from ._native import __version__ as __version__

# `import *` brings all names except `open`, which would replace Python's own `open`.
__all__ = [name for name in dir() if not name.startswith("_") and name != "open"]
