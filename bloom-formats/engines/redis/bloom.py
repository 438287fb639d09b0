"""Checks that RedisBloom and bloom-formats build the same filters, byte for byte, and that each loads the filters of the other.

A filter of RedisBloom is a chain of Bloom filters, which are called links. If a chain is full, the next new item adds a link; a
chain that is created with NONSCALING refuses the item instead. The script `run` in this folder starts the server and this
script.
"""

import os
import subprocess
import sys

import redis
from checks import BREAK, Checks, bloom_file, build, found, inspect, saved

ITEMS, QUERIES = 100_000, 1_000_000

folder, socket = sys.argv[1:]
server = redis.Redis(unix_socket_path=socket)
module = next(module for module in server.module_list() if module[b"name"] == b"bf")
version = server.info("server")["redis_version"]
checks = Checks(f"Redis {version}, RedisBloom {module[b'ver']}")
items = [f"user-{i}" for i in range(ITEMS)]
absent = [f"guest-{i}" for i in range(QUERIES)]


def batches(keys):
    for start in range(0, len(keys), 10_000):
        yield keys[start : start + 10_000]


def add(name, keys):
    for batch in batches(keys):
        server.execute_command("BF.MADD", name, *batch)


def yes(name, keys):
    """The keys that the server finds in the filter `name`."""
    answers = []
    for batch in batches(keys):
        answers += server.execute_command("BF.MEXISTS", name, *batch)
    return [key for key, answer in zip(keys, answers) if answer]


def dump(name):
    """The dump of the filter `name`: the chunks that BF.SCANDUMP returns, joined."""
    chunks, iterator = [], 0
    while True:
        iterator, chunk = server.execute_command("BF.SCANDUMP", name, iterator)
        if iterator == 0:
            return b"".join(chunks)
        chunks.append(chunk)


def load(name, data):
    """Loads a dump as the filter `name`: redis-cli sends the commands that bloom-file writes with --chunks. Checks that
    redis-cli reports no errors, and that bloom-file reads the same dump from these commands.
    """
    commands = bloom_file("convert", "--format", "redis", saved(folder, name, data), "--chunks", name)
    sent = commands.replace(b"LOADCHUNK", b"LOADCHUNX") if BREAK else commands
    sent = subprocess.run(["redis-cli", "-s", socket, "--pipe"], input=sent, capture_output=True)
    checks.equal(f"{name}: errors of redis-cli --pipe", True, b"errors: 0" in sent.stdout)
    again = bloom_file("convert", saved(folder, f"{name}.commands", commands), "--to", "redis")
    checks.equal(f"{name}: the dump in these commands: bytes", data, again)


# Redis fills a chain that grows to three links, and a chain that cannot grow.
server.execute_command("BF.RESERVE", "grown", 0.01, ITEMS // 5)
server.execute_command("BF.RESERVE", "fixed", 0.001, ITEMS, "NONSCALING")
for name, format, size, rate in [("grown", "redis", ITEMS // 5, 0.01), ("fixed", "redis-nonscaling", ITEMS, 0.001)]:
    add(name, items)
    theirs = dump(name)
    file = saved(folder, name, theirs)
    checks.equal(f"{name}: items found of {ITEMS:,} that Redis holds", len(yes(name, items)), len(found("redis", file, items)))
    hits = yes(name, absent)
    checks.equal(f"{name}: false positives of {QUERIES:,} absent keys, the same ones", hits, found("redis", file, absent))
    checks.rate(f"{name}: false-positive rate: measured; computed", len(hits), QUERIES, inspect("redis", file)["p"])
    checks.equal(f"{name}: built in Rust by the same inserts: bytes", theirs, build(format, size, rate, items))

# The header of a dump states the bits per item, a number that depends on the last digit of the logarithm of the rate. So the
# dumps are compared at many rates.
rates = ["0.25", "0.2", "0.15", "0.1", "0.07", "0.05", "0.03", "0.02", "0.01", "0.005", "0.003", "0.002", "0.001", "0.0001", "1e-5", "1e-6"]
for name, format, options in [("grown far", "redis", []), ("reserved", "redis-nonscaling", ["NONSCALING"])]:
    keys = items[:300] if not options else items[:50]
    dumps = []
    for rate in rates:
        server.execute_command("BF.RESERVE", f"{name}-{rate}", rate, len(keys) if options else 10, *options)
        add(f"{name}-{rate}", keys)
        dumps.append(dump(f"{name}-{rate}"))
    checks.equal(f"{name}: bytes at {len(rates)} rates", dumps, [build(format, len(keys) if options else 10, rate, keys) for rate in rates])

# Rust fills a chain with half of the items. Redis loads the chain and adds the other half.
ours = build("redis", ITEMS // 5, 0.01, items[: ITEMS // 2])
load("loaded", ours)
checks.equal("built in Rust, loaded by Redis: items", ITEMS // 2, len(yes("loaded", items[: ITEMS // 2])))
file = saved(folder, "loaded", ours)
checks.equal("false positives, the same ones", yes("loaded", absent), found("redis", file, absent))
add("loaded", items[ITEMS // 2 :])
checks.equal("the other half added by Redis, and all by Rust: bytes", dump("loaded"), build("redis", ITEMS // 5, 0.01, items))

# This dump has more than one chunk of bits.
large = build("redis", 100 * ITEMS, 0.0001, items)
load("large", large)
checks.equal("built in Rust, more than one chunk: items found by Redis", ITEMS, len(yes("large", items)))
server.execute_command("BF.RESERVE", "reserved", 0.0001, 100 * ITEMS)
add("reserved", items)
checks.equal("the same items added by Redis: bytes", dump("reserved"), large)
checks.exit()
