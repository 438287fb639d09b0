#!/usr/bin/env python3
"""Prints test vectors of hashes, positions and saved filters, also for ports to other languages.

The program was written from the documentation of the layout (`bloom_core::persist`). It uses no code of the
crate, and computes with Python's integers, which may have any length. `layout.rs` compares the crate with the tables that the
following commands write, and checks on machines with Python that the program still prints these tables:

    python3 layout.py hashes     > layout_hashes.csv
    python3 layout.py positions  > layout_positions.csv
    python3 layout.py files      > layout_files.csv
"""

import struct
import sys

WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
STEP = 0xD1342543DE82EF95
FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
SECRETS = (
    0xABD15F7AFCEB044D,
    0x5CE21F024A4D11A8,
    0x8DDED36E468BE806,
    0x9147FC25F15EA77C,
    0x1650263D2196869D,
    0x88C84B755980D7D5,
    0xF93C386F7EECD428,
)
# The constants of the reference implementation of rapidhash, which computes the checksums of a file. Only
# its final step uses the last constant.
REFERENCE = (
    0x2D358DCCAA6C78A5,
    0x8BB84B93962EACC9,
    0x4B33A62ED433D4A3,
    0x4D5A2DA51DE1AA47,
    0xA0761D6478BD642F,
    0xE7037ED1A0B428DB,
    0x90ED1765281C388C,
    0xAAAAAAAAAAAAAAAA,
)


def fold(a, b):
    product = a * b
    return (product & WORD) ^ (product >> 64)


def number(data):
    return int.from_bytes(data, "little")


def mix(h):
    h ^= h >> 30
    h = h * FACTORS[0] & WORD
    h ^= h >> 27
    h = h * FACTORS[1] & WORD
    return h ^ h >> 31


def absorb(data, e, c):
    """Processes bytes as the hasher and the checksum do, up to their final step.

    Returns a, b and e of the documentation, and r: the number of bytes that are left when a and b are read.
    """
    l = len(data)
    if l > 16:
        left = data
        if len(left) > 112:
            lanes = [e] * 7
            while len(left) > 112:
                for j in range(7):
                    w = left[16 * j : 16 * j + 16]
                    lanes[j] = fold(number(w[:8]) ^ c[j], number(w[8:]) ^ lanes[j])
                left = left[112:]
            e = 0
            for lane in lanes:
                e ^= lane
        r = len(left)
        for j in (2, 2, 1, 1, 2, 1):
            if len(left) > 16:
                e = fold(number(left[:8]) ^ c[j], number(left[8:16]) ^ e)
                left = left[16:]
        return number(data[-16:-8]) ^ r, number(data[-8:]), e, r
    if l >= 8:
        return number(data[:8]), number(data[-8:]), e ^ l, l
    if l >= 4:
        return number(data[:4]), number(data[-4:]), e ^ l, l
    if l:
        return data[0] << 45 | data[-1], data[l // 2], e, l
    return 0, 0, e, l


def rapidhash_v3(data):
    """Returns the checksum of bytes: their rapidhash V3 with seed 0, as its reference implementation computes it."""
    c = REFERENCE
    e = fold(c[2], c[1])
    a, b, e, r = absorb(data, e, c)
    product = (a ^ c[1]) * (b ^ e)
    low, high = product & WORD, product >> 64
    return fold(low ^ c[7], high ^ c[1] ^ r)


class Hasher:
    """The default hasher of bloom-core."""

    def __init__(self, seed=0):
        self.state = mix(seed) ^ GOLDEN

    def integer(self, n):
        self.state = fold(self.state ^ n & WORD, STEP) + GOLDEN & WORD
        return self

    def byte(self, b):
        self.state = (self.state ^ b) * STEP & WORD
        return self

    def bytes(self, data):
        a, b, e, _ = absorb(data, self.state ^ len(data) << 32, SECRETS)
        self.state = fold(a ^ SECRETS[1], b ^ e)
        return self


def hash_integer(n, seed=0):
    return Hasher(seed).integer(n).state


def hash_text(text, seed=0):
    return Hasher(seed).bytes(text.encode()).byte(0xFF).state


def hash_slice(data, seed=0):
    return Hasher(seed).integer(len(data)).bytes(data).state


def folded(h, folds):
    """Returns x of the documentation: the hash after 2, 1 or 0 folds."""
    for factor in FACTORS[2 - folds :]:
        h = fold(h, factor)
    return h


def probes(h, folds, k):
    probe = folded(h, folds) + GOLDEN & WORD
    for i in range(k):
        if i and i % 4 == 0:
            probe = probe * STEP + h & WORD
        elif i:
            probe = (probe << 16 | probe >> 48) & WORD
        yield probe


def reduce(probe, m):
    return probe * m >> 64


def positions(kind, h, folds, size, k):
    if kind == "blocked":
        x = folded(h, folds)
        y = x * STEP + h & WORD
        block = reduce(x, size)
        return [512 * block + 64 * i + (y >> 16 + 6 * i) % 64 for i in range(8)]
    if kind == "partitioned":
        result, start = [], 0
        for i, probe in enumerate(probes(h, folds, k)):
            bits = size // k + (i < size % k)
            result.append(start + reduce(probe, bits))
            start += bits
        return result
    return [reduce(probe, size) for probe in probes(h, folds, k)]


KINDS = {"basic": 1, "blocked": 2, "counting": 3, "partitioned": 4}


def file_of(kind, folds, size, k, width, hashes, seed=0, default=1, intersected=0):
    """Returns the bytes of a saved filter into which items with these hashes were inserted."""
    units = 512 * size if kind == "blocked" else size
    counts = [0] * units
    for h in hashes:
        for position in positions(kind, h, folds, size, k):
            counts[position] = min(counts[position] + 1, 2 ** max(width, 1) - 1)
    per_word = 64 // max(width, 1)
    words = [0] * -(-units // per_word)
    for position, count in enumerate(counts):
        words[position // per_word] |= count << position % per_word * max(width, 1)
    header = b"\x89BLOOM\r\n" + struct.pack(
        "<HBBBBBBQQQ4Q",
        1,
        KINDS[kind],
        width,
        k,
        default,
        folds,
        intersected,
        size,
        len(words),
        0,
        *(hash_integer(n, seed) for n in (0, 1, 0x0123456789ABCDEF, WORD)),
    )
    header += bytes(112 - len(header))
    header += struct.pack("<QQ", rapidhash_v3(header), 0)
    body = header + struct.pack(f"<{len(words)}Q", *words)
    return body + struct.pack("<Q", rapidhash_v3(body))


TEXTS = ["", "a", "ant", "Zürich", "https://example.org/", "日本", "x" * 17, "y" * 112, "z" * 113, "w" * 500]
INTEGERS = [0, 1, 2, 42, 255, 2**32 - 1, 2**32, 2**63, WORD, 0x0123456789ABCDEF]


def print_hashes():
    print("type,item,seed,hash")
    for seed in (0, 42):
        for n in INTEGERS:
            print(f"integer,{n},{seed},{hash_integer(n, seed):#018x}")
        for text in TEXTS:
            print(f"text,{text.encode().hex()},{seed},{hash_text(text, seed):#018x}")
            print(f"slice,{text.encode().hex()},{seed},{hash_slice(text.encode(), seed):#018x}")


def print_positions():
    print("kind,hash,folds,size,hashes,positions")
    sizes = {
        "basic": [(1, 1), (64, 3), (1000, 10), (19188, 7), (2**32 + 5, 17), (2**63, 8)],
        "counting": [(64, 3), (19188, 7)],
        "partitioned": [(7, 7), (64, 3), (19188, 7), (1003, 10), (2**63, 8)],
        "blocked": [(1, 8), (7, 8), (40, 8), (2**32 + 5, 8), (2**54, 8)],
    }
    hashes = [0, 1, 7, WORD, 2**63, 0x0123456789ABCDEF, GOLDEN, WORD - GOLDEN + 1, *map(mix, range(1, 5))]
    for kind, shapes in sizes.items():
        for size, k in shapes:
            for folds in (2, 1, 0):
                for h in hashes:
                    row = " ".join(map(str, positions(kind, h, folds, size, k)))
                    print(f"{kind},{h:#018x},{folds},{size},{k},{row}")


def print_files():
    print("kind,folds,size,hashes,counter_bits,seed,items,file")
    numbers = range(1, 13)
    for kind, size, k, width in (
        ("basic", 175, 10, 0),
        ("blocked", 3, 8, 0),
        ("counting", 90, 5, 4),
        ("counting", 75, 4, 8),
        ("partitioned", 200, 7, 0),
    ):
        for folds in (2, 1, 0):
            for seed in (0, 42):
                hashes = [hash_integer(n, seed) for n in numbers]
                data = file_of(kind, folds, size, k, width, hashes, seed, int(seed == 0))
                print(f"{kind},{folds},{size},{k},{width},{seed},{len(hashes)},{data.hex()}")


if __name__ == "__main__":
    programs = {"hashes": print_hashes, "positions": print_positions, "files": print_files}
    if len(sys.argv) != 2 or sys.argv[1] not in programs:
        sys.exit(__doc__)
    programs[sys.argv[1]]()
