"""Bloom filters that keep the false-positive rate they promise.

`size` sizes a filter exactly. All of it is Rust: see `bloom_suite._native`.
"""

from ._native import *
from ._native import __version__ as __version__
