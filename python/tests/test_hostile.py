"""Tests thousands of damaged files and arguments of every type: each call returns or raises an expected exception, and never
panics or crashes."""

import itertools
import os
import pathlib
import pickle
import random
import signal
import subprocess
import sys

import bloom_suite
import pytest
from bloom_suite import BloomFilter

numpy = pytest.importorskip("numpy")
ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = [path for crate in ("bloom-formats", "bloom-core") for path in sorted((ROOT / crate / "tests/golden").rglob("*")) if path.is_file()]
FORMATS = ["spark", "guava", "redis", "bits-and-blooms", "bits-and-blooms-json", "parquet", "parquet-bitset", "hadoop", "hadoop-dynamic", "hudi", "hudi-dynamic", "orc", "hive", "datasketches", "dcso", "bloom-core"]
# A bad value may raise only these exceptions. A panic is none of them, so it fails the test.
REFUSED = (ValueError, TypeError, OverflowError, MemoryError, OSError)


def damaged(data, rng):
    """Yields a file, and damaged copies of it: truncated, with flipped bits, with bytes of 255, and with bytes at the end."""
    yield data
    for _ in range(6):
        yield data[: rng.randrange(len(data) + 1)]
    for _ in range(12):
        flipped = bytearray(data)
        for _ in range(rng.choice([1, 1, 3])):
            # Most of the bytes that readers check are at the start of a file.
            flipped[rng.randrange(rng.choice([1, min(len(data), 64), len(data)]))] ^= 1 << rng.randrange(8)
        yield bytes(flipped)
    for width in 1, 4, 8:
        start = rng.randrange(min(len(data), 64))
        yield data[:start] + b"\xff" * width + data[start + width :]
    yield data + bytes(rng.randrange(1, 9))


def use(filter):
    """Reads what a filter reports, queries it and fills it."""
    repr(filter), filter.rate
    # Both calls may raise: `bytes` checks the bits of a filter that is opened in place, and a filter may have no estimate.
    for read in bytes, lambda filter: filter.estimated_items:
        try:
            read(filter)
        except ValueError:
            pass
    for key in "ant", b"ant", 7:
        try:
            key in filter
            filter.add(key)
        except REFUSED:
            pass
    if isinstance(filter, bloom_suite.SystemFilter):
        filter.facts


def test_damaged_files_are_read_or_refused(tmp_path):
    rng = random.Random(11)
    tried = refused = 0
    path = tmp_path / "damaged"
    readers = [
        bloom_suite.read_bytes,
        lambda data: bloom_suite.read_bytes(data, rng.choice(FORMATS)),
        lambda data: bloom_suite.Filter.from_bytes(data, "str"),
        lambda data: path.write_bytes(data) and bloom_suite.Filter.open(path, "str"),
    ]
    for golden in GOLDEN:
        data = golden.read_bytes()
        if not 0 < len(data) < 10**6:
            continue
        for left, read in itertools.product(damaged(data, rng), readers):
            tried += 1
            try:
                filter = read(left)
            except REFUSED:
                refused += 1
                continue
            # A reader that first writes the bytes to a file returns 0 if there are no bytes.
            if not isinstance(filter, (int, type(None))):
                use(filter)
    print(tried, refused)
    assert tried > 5000 and 0.3 * tried < refused < tried


VALUES = [
    None, True, 0, -1, 2**63, 2**64, 10**400, 0.0, 1.5, float("nan"), float("inf"), 1j, "", "ant", "\ud800", "\0", "i64", b"", b"ant",
    bytearray(b"ant"), memoryview(b"ant"), [], ["ant"], [1], [None], (), ("ant",), ("str", "i64"), {}, {"a": 1}, {1}, range(3), object(),
    object, len, lambda: 1, iter([1]), (n for n in "ab"), Ellipsis, type("Text", (str,), {})("ant"), type("Number", (int,), {})(7),
    numpy.array([1]), numpy.array(["ant"]), numpy.array([[1]]), numpy.float64(1), numpy.datetime64("2026-01-01"), numpy.array(5),
    numpy.array([1, None]), numpy.zeros(2, dtype=[("a", "i8")]), bloom_suite.BloomFilter(10, 0.1), bloom_suite.size(10, 0.1),
]


def things():
    """Yields names of calls, each with a function that makes the call with a given value."""
    for keys in "str", "bytes", "i64", "u64", "u32", ("str", "i64"):
        for kind in bloom_suite.BloomFilter, bloom_suite.BlockedBloomFilter, bloom_suite.PartitionedBloomFilter, bloom_suite.CountingBloomFilter, bloom_suite.ScalableBloomFilter:
            made = kind(100, 0.01, keys=keys)
            for name in "add", "__contains__", "update", "add_many", "contains_many", "__or__", "__ior__", "__and__", "__eq__":
                yield f"{kind.__name__}.{name}", getattr(made, name)
    for kind in bloom_suite.Filter, bloom_suite.BloomFilter, bloom_suite.ScalableBloomFilter:
        # `open` and `load` are left out: they would take a number as the descriptor of a file that the tests use.
        yield f"{kind.__name__}.from_bytes", lambda value, kind=kind: kind.from_bytes(value, "str")
        yield f"{kind.__name__} keys", lambda value, kind=kind: kind.from_bytes(b"", value)
    for kind in bloom_suite.BloomFilter, bloom_suite.CountingBloomFilter, bloom_suite.ScalableBloomFilter:
        yield f"{kind.__name__} items", lambda value, kind=kind: kind(value, 0.01)
        yield f"{kind.__name__} rate", lambda value, kind=kind: kind(100, value)
        yield f"{kind.__name__} keys", lambda value, kind=kind: kind(100, 0.01, keys=value)
    for name in "n", "p", "m", "k", "like", "explain", "union", "nobody":
        yield f"size {name}", lambda value, name=name: bloom_suite.size(**{"n": 100, "p": 0.01, name: value})
    system = bloom_suite.build("spark", n=100, p=0.01)
    for call in system.add, system.contains, system.update, system.merge, lambda value: system.add("ant", keys=value):
        yield "SystemFilter", call
    for call in bloom_suite.read_bytes, lambda value: bloom_suite.build(value, n=10, p=0.1), lambda value: bloom_suite.build("guava", n=10, p=0.1, keys=value):
        yield "system", call


def test_values_of_every_type_are_taken_or_refused():
    tried = refused = 0
    for (name, call), value in itertools.product(list(things()), VALUES):
        tried += 1
        try:
            call(value)
        except REFUSED:
            refused += 1
    print(tried, refused)
    assert tried > 15_000 and refused > 0.4 * tried


def test_what_only_looks_like_a_masked_array_is_refused():
    class Filled:
        dtype = 1

        def filled(self):
            return self

    with pytest.raises(TypeError, match="array of keys must have one dimension"):
        BloomFilter(10, 0.1, keys="i64").add_many(Filled())


@pytest.mark.parametrize("column", [["ant"], [7]])
def test_a_column_that_was_read_before_is_refused(column):
    pyarrow = pytest.importorskip("pyarrow")

    class Once:
        read = pyarrow.array(column).__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema=None):
            return self.read

    made, once = BloomFilter(10, 0.1, keys="str" if column == ["ant"] else "i64"), Once()
    assert made.add_many(once) == 1
    for call in [made.add_many, made.contains_many]:
        with pytest.raises(ValueError, match="column of keys must not have been read before"):
            call(once)


def test_a_number_of_thousands_of_digits_is_refused_quietly(capfd):
    with pytest.raises(OverflowError, match="key must be an integer that fits u32, got one of thousands of digits"):
        BloomFilter(10, 0.1, keys="u32").add(10**5000)
    assert capfd.readouterr().err == ""


LIMITED = """
import base64, bloom_suite, numpy, pyarrow, resource
from bloom_suite import BloomFilter
numbers, made = numpy.arange(10_000_000), BloomFilter(10, 0.1, keys="i64")
narrow, seconds = numbers.astype("i4"), numbers.astype("datetime64[s]")
column, moments = pyarrow.array(narrow), pyarrow.array(seconds)
text = base64.b64encode(bloom_suite.build("hadoop", m=800_000_000, k=3).to_bytes())
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (ROOM << 20),) * 2)
try:
    CALL
except (MemoryError, ValueError) as error:
    print(type(error).__name__, error)
"""

# Each call has a limit in MiB that is too low for it. The hashes take 80 MB, which is more than 40 MiB; hashes and answers
# together take 90 MB, which is more than 84 MiB. Copies of arrays of another type and the other filters do not fit in 40 MiB.
CALLS = [("made.add_many(numbers)", 40), ("made.contains_many(numbers)", 40), ("made.contains_many(numbers)", 84), ("made.add_many(narrow)", 40)]
CALLS += [("made.add_many(column)", 40), ("made.add_many(moments)", 40), ("made.contains_many(seconds)", 40), ("BloomFilter(10**9, 0.01)", 40)]
CALLS += [("bloom_suite.read_bytes(text, 'hudi')", 40), ("bloom_suite.read_bytes(text)", 40)]


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's")
@pytest.mark.parametrize("call, room", CALLS)
def test_too_little_memory_is_an_error(call, room):
    """Runs a call in a process whose memory is limited to `room` MiB more than it has before the call."""
    text = LIMITED.replace("CALL", call).replace("ROOM", str(room))
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    # The functions that read filters of other systems raise a ValueError for missing memory.
    error = "ValueError" if "bloom_suite" in call else "MemoryError"
    assert done.returncode == 0 and done.stdout.startswith(error), done


def test_the_error_shows_a_number_that_is_too_large():
    with pytest.raises(OverflowError, match="got 9223372036854775808"):
        BloomFilter(10, 0.1, keys="i64").add(numpy.uint64(2**63))


def test_a_stream_without_chunks_still_has_a_type():
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(TypeError, match="column of keys must be of a type that fits i64, got Utf8"):
        BloomFilter(10, 0.1, keys="i64").add_many(pyarrow.chunked_array([], pyarrow.string()))


def test_importing_all_names_keeps_the_builtin_open():
    names = {}
    exec("from bloom_suite import *", names)
    assert "open" not in names and names["build"] is bloom_suite.build


def test_damaged_bits_of_a_filter_in_place_are_not_copied(tmp_path):
    path = tmp_path / "damaged"
    whole = BloomFilter(100, 0.01)
    whole.update(map(str, range(100)))
    damaged = bytearray(bytes(whole))
    damaged[-100:-60] = bytes(40)
    path.write_bytes(damaged)
    opened = BloomFilter.open(path, "str")
    for again in (opened.copy, lambda: bytes(opened), lambda: opened.save(path), lambda: whole & opened, lambda: pickle.dumps(opened)):
        with pytest.raises(ValueError, match="checksum"):
            again()
    with pytest.raises(ValueError, match="checksum"):
        whole |= opened
    assert path.read_bytes() == damaged


def test_moments_are_no_keys_of_a_system():
    made = bloom_suite.build("spark", n=10, p=1e-6)
    for unit in ("M8[ns]", "M8[us]", "m8[ns]"):
        with pytest.raises(TypeError, match="datetimes"):
            made.update(numpy.array([1, 2], unit))
        with pytest.raises(TypeError, match="datetimes"):
            made.contains_many(numpy.array([1, 2], unit))


def test_sizes_may_be_numbers_of_numpy():
    made = bloom_suite.size(n=numpy.int64(2000), p=numpy.float32(0.5), overfill=numpy.bool_(True))
    assert (made.n, made.p, made.facts["overfill"]["rows"] != []) == (2000, bloom_suite.size(n=2000, p=0.5).p, True)
    assert len(bytes(bloom_suite.build("spark", n=numpy.int32(1000), p=0.03))) > 900


def test_a_signal_ends_a_long_call():
    # A timer sends SIGALRM after 0.2 s.
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)

    def interrupted(call):
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            call()

    made = bloom_suite.build("spark", n=10, p=0.1)
    interrupted(lambda: made.update(itertools.repeat("ant")))
    interrupted(lambda: made.contains_many(itertools.repeat("ant")))
    interrupted(lambda: BloomFilter(10, 0.1).update(itertools.repeat("ant")))
    signal.signal(signal.SIGALRM, before)
