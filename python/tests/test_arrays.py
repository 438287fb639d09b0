"""Tests that a call with a NumPy array or a list does what one call for each key does."""

import subprocess
import sys

import pytest
from bloom_suite import (
    BlockedBloomFilter,
    BloomFilter,
    CountingBloomFilter,
    PartitionedBloomFilter,
    ScalableBloomFilter,
)

numpy = pytest.importorskip("numpy")
KINDS = [BloomFilter, BlockedBloomFilter, PartitionedBloomFilter, CountingBloomFilter, ScalableBloomFilter]
TYPES = {"i64": numpy.int64, "u64": numpy.uint64, "u32": numpy.uint32}


@pytest.mark.parametrize("keys", TYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_an_array_does_what_one_call_for_each_key_does(kind, keys):
    values = numpy.random.default_rng(5).integers(0, 2**31, 3000).astype(TYPES[keys])
    many, single = (kind(3000, 0.01, keys=keys) for _ in range(2))
    new = many.add_many(values)
    assert new == sum(single.add(int(value)) for value in values)
    assert many == single
    asked = numpy.concatenate([values[:100], numpy.arange(5000, dtype=TYPES[keys])])
    answers = many.contains_many(asked)
    assert answers.dtype == bool and answers.shape == asked.shape
    assert answers.tolist() == [int(key) in many for key in asked]
    # The slice, every second key from the end, is an array that is not contiguous.
    assert many.contains_many(asked[::-2]).tolist() == answers[::-2].tolist()
    assert many.contains_many(asked[:0]).tolist() == []


@pytest.mark.parametrize("keys, values", [("str", ["ant", "bee"]), ("bytes", [b"ant", b"bee"]), ("i64", [-1, 2])])
def test_lists_are_taken_too(keys, values):
    made = BloomFilter(1000, 0.01, keys=keys)
    assert made.add_many(values) == 2 and made.add_many(tuple(values)) == 0
    assert made.contains_many(values).tolist() == [True, True]
    assert made.contains_many(key for key in values).all()
    assert made.contains_many(numpy.array(values)).all()


@pytest.mark.parametrize("keys, dtype", [("i64", "float64"), ("i64", "object"), ("i64", bool), ("u32", "float32"), ("u64", "datetime64[s]"), ("i64", "timedelta64[s]")])
def test_arrays_of_another_type_are_refused(keys, dtype):
    made = BloomFilter(1000, 0.01, keys=keys)
    for ask in [made.add_many, made.contains_many, made.update]:
        with pytest.raises(TypeError, match="one dimension and integers, got"):
            ask(numpy.zeros(3, dtype=dtype))
    with pytest.raises(TypeError, match="one dimension"):
        made.add_many(numpy.zeros((2, 2), dtype=numpy.int64))
    with pytest.raises(TypeError):
        BloomFilter(10, 0.1).add_many(numpy.array([1, 2]))
    assert not made


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", ">i8", ">u2"])
@pytest.mark.parametrize("keys", TYPES)
def test_arrays_of_every_width_are_taken_by_value(keys, dtype):
    values = numpy.array([0, 1, 100, -3 if numpy.dtype(dtype).kind == "i" and keys == "i64" else 3], dtype=dtype)
    many, single = (BloomFilter(1000, 0.01, keys=keys) for _ in range(2))
    many.add_many(values)
    single.update([int(value) for value in values])
    assert many == single
    assert many.contains_many(values[::-1]).all()


@pytest.mark.parametrize("keys, dtype, wrong", [("i64", "uint64", 2**63), ("u64", "int64", -1), ("u64", "int8", -1), ("u32", "int64", -1), ("u32", "int64", 2**32), ("u32", "uint64", 2**64 - 1)])
def test_a_value_that_does_not_fit_is_refused_and_none_is_added(keys, dtype, wrong):
    made = BloomFilter(1000, 0.01, keys=keys)
    values = numpy.array([1, wrong], dtype=dtype)
    for call in [made.add_many, made.contains_many, made.update, lambda all: made.add(all[1])]:
        with pytest.raises(OverflowError, match=f"key must be an integer that fits {keys}, got {wrong}$"):
            call(values)
    assert not made


@pytest.mark.parametrize("unit", ["ns", "us", "ms", "s", "m", "h", "D"])
def test_moments_are_their_nanoseconds_in_every_unit(unit):
    days = numpy.array(["2026-11-27", "1970-01-01", "1678-01-01", "2261-12-31"], dtype="datetime64[D]")
    made, single = (BloomFilter(1000, 0.01, keys="i64") for _ in range(2))
    assert made.add_many(days.astype(f"datetime64[{unit}]")) == 4
    single.update([(int(day) * 86_400 * 10**9) for day in days.astype("int64")])
    assert made == single
    for day in days.astype(f"datetime64[{unit}]"):
        assert day in made and not single.add(day)
    assert made.contains_many(days).all() and not made.contains_many(days + numpy.timedelta64(1, "D")).any()


def test_moments_that_nanoseconds_cannot_express_are_refused():
    made = BloomFilter(1000, 0.01, keys="i64")
    none = numpy.array(["2026-11-27", "NaT"], dtype="datetime64[s]")
    with pytest.raises(ValueError, match="a null is not a key, and 1 of 2 values are null"):
        made.add_many(none)
    with pytest.raises(ValueError, match=r"NaT \(not a time\) is not a key"):
        made.add(none[1])
    far = numpy.array(["2262-04-12", "1677-09-21"], dtype="datetime64[s]")
    fine = numpy.array([1, 1001], dtype="datetime64[ps]")
    for moments in [far[:1], far[1:], fine[:1], fine]:
        for ask in [made.add_many, made.contains_many, lambda all: made.add(all[0])]:
            with pytest.raises(ValueError, match="datetimes must be whole nanoseconds from 1677-09-21 to 2262-04-11"):
                ask(moments)
    with pytest.raises(TypeError, match="one dimension"):
        made.add_many(numpy.zeros((2, 2), dtype="datetime64[s]"))
    with pytest.raises(TypeError, match="keys of this filter must be u64, got datetime64"):
        BloomFilter(10, 0.1, keys="u64").add(none[0])
    assert not made
    made.add_many(none[:1])
    assert made.contains_many(none).tolist() == [True, False]
    # If the array has integers and not datetimes, the number that stands for not-a-time is a key like any other.
    full = BloomFilter(bits=1, hashes=1, keys="i64")
    full.add_many(numpy.array([-(2**63)]))
    assert full.contains_many(none).tolist() == [True, False]


@pytest.mark.parametrize("width", "i1 i2 i4 i8 u1 u2 u4 u8".split())
@pytest.mark.parametrize("keys", TYPES)
def test_fields_of_records_are_taken_at_any_alignment(keys, width):
    known = numpy.arange(100)
    for before in ["u1", "u2", "S3", "S5", "u4", "S7", "u8"]:
        records = numpy.zeros(100, dtype=[("before", before), ("id", width), ("after", "u1")])
        records["id"] = known
        apart = numpy.frombuffer(b"x" + known.astype(width).tobytes(), dtype=width, offset=1)
        for array in [records["id"], records["id"][::-1], records[::3]["id"], numpy.rec.array(records).id, apart]:
            made, single = BloomFilter(1000, 1e-6, keys=keys), BloomFilter(1000, 1e-6, keys=keys)
            made.add_many(array)
            single.update(map(int, array))
            assert made == single and made.contains_many(array).all()


def test_a_masked_array_is_refused_and_its_values_are_taken():
    masked = numpy.ma.array([1, 2], mask=[False, True])
    made = BloomFilter(1000, 0.01, keys="i64")
    for call in [made.add_many, made.update, made.contains_many]:
        with pytest.raises(TypeError, match=r"keys must not be a masked array: give its compressed\(\) or filled\(\) values"):
            call(masked)
    made.add_many(masked.compressed())
    assert made.contains_many(masked.filled(7)).tolist() == [True, False]


def test_an_object_that_has_a_numpy_array_is_taken_like_the_array():
    pandas = pytest.importorskip("pandas")
    made, single = (BloomFilter(1000, 0.01, keys="i64") for _ in range(2))
    single.update([1, 2, 3])
    for keys in [pandas.Index([1, 2, 3]), pandas.RangeIndex(1, 4), pandas.Series([1, 2, 3]).array, pandas.Index([1, 2, 3], dtype="int8")]:
        made.add_many(keys)
        assert made == single and made.contains_many(keys).all()
    days = pandas.DatetimeIndex(["2026-11-27"])
    made.add_many(days)
    assert days.to_numpy()[0] in made
    for keys in [pandas.Index([1.5]), pandas.period_range("2020-01", periods=2, freq="M"), pandas.Index([True]), pandas.Index(["a"])]:
        with pytest.raises(TypeError, match="one dimension and integers, got"):
            made.add_many(keys)


def test_numbers_of_numpy_are_keys():
    made = BloomFilter(1000, 0.01, keys="i64")
    made.add(numpy.int32(7))
    assert 7 in made and numpy.int64(7) in made
    with pytest.raises(TypeError):
        made.add(numpy.float64(7))
    with pytest.raises(TypeError):
        made.add(numpy.bool_(True))


def test_only_answers_in_arrays_need_numpy():
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "import bloom_suite\n"
        "f = bloom_suite.BloomFilter(10, 0.1)\n"
        "assert f.add_many(['ant']) == 1 and 'ant' in f\n"
        "try: f.contains_many(['ant'])\n"
        "except ImportError: print('no numpy')\n"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert said.stdout == "no numpy\n", said.stderr
