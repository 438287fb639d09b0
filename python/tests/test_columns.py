"""Tests that a call with an Arrow column of any library does what one call for each key does, and that nulls are not keys."""

import pytest
from bloom_suite import BloomFilter

numpy = pytest.importorskip("numpy")
pyarrow = pytest.importorskip("pyarrow")

TEXTS = ["ant", "bee", "käse", "", "a text that is longer than twelve bytes"] * 3
NUMBERS = [0, 1, 7, 100, 127]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
TYPES = {
    "str": ["string", "large_string", "string_view"],
    "bytes": ["binary", "large_binary", "binary_view", 3],
    "i64": INTEGERS,
    "u64": INTEGERS,
    "u32": INTEGERS,
}
CASES = [(keys, name) for keys, names in TYPES.items() for name in names]


def column(keys, name):
    """Returns keys, and the column of pyarrow that has them."""
    if name == 3:
        known = [b"ant", b"bee", b"\x00\xff\x00"]
        return known, pyarrow.array(known, pyarrow.binary(3))
    known = {"str": TEXTS, "bytes": [text.encode() + b"\x00" for text in TEXTS]}.get(keys, NUMBERS)
    return known, pyarrow.array(known, getattr(pyarrow, name)())


@pytest.mark.parametrize("keys, name", CASES)
def test_a_column_does_what_one_call_for_each_key_does(keys, name):
    known, array = column(keys, name)
    single = BloomFilter(1000, 0.01, keys=keys)
    new = sum(single.add(key) for key in known)
    # The column is passed whole, in chunks, and from the middle of a longer column.
    longer = pyarrow.concat_arrays([array[:2], array, array[:2]])
    for form in [array, pyarrow.chunked_array([array[:2], array[2:], array[:0]]), longer[2:-2]]:
        many = BloomFilter(1000, 0.01, keys=keys)
        assert many.add_many(form) == new and many == single
        assert many.contains_many(form).tolist() == [True] * len(known)
    assert not BloomFilter(1000, 0.01, keys=keys).contains_many(array).any()


@pytest.mark.parametrize("keys, name", CASES)
def test_nulls_are_refused_and_never_contained(keys, name):
    known, array = column(keys, name)
    nulls = pyarrow.array([known[0], None, known[1], None], array.type)
    made = BloomFilter(1000, 0.01, keys=keys)
    for form in [nulls, nulls[1:2], pyarrow.chunked_array([array, nulls])]:
        for add in [made.add_many, made.update]:
            with pytest.raises(ValueError, match="a null is not a key, and [12] of .* values are null: drop them"):
                add(form)
    assert not made
    # A filter whose bits are all set contains every hash, and still no null.
    made.add_many(array)
    full = BloomFilter(bits=1, hashes=1, keys=keys)
    full.add_many(array)
    for filter in [made, full]:
        assert filter.contains_many(nulls).tolist() == [True, False, True, False]


WRONG = [("str", "binary"), ("bytes", "string"), ("u64", "float32"), ("u32", "string"), ("u64", "bool_"), ("i64", "float64"), ("i64", "bool_"), ("i64", "date32"), ("str", "int64")]


@pytest.mark.parametrize("keys, name", WRONG)
def test_columns_of_another_type_are_refused(keys, name):
    made = BloomFilter(1000, 0.01, keys=keys)
    for array in [pyarrow.nulls(3, getattr(pyarrow, name)()), pyarrow.array([], getattr(pyarrow, name)())]:
        for ask in [made.add_many, made.contains_many]:
            with pytest.raises(TypeError, match=f"column of keys must be of a type that fits {keys}, got"):
                ask(array)
    for array in [pyarrow.array(["a"]).dictionary_encode(), pyarrow.table({"a": ["a"]}), pyarrow.array([["a"]])]:
        with pytest.raises(TypeError, match="column of keys must be of a type that fits"):
            made.add_many(array)
    with pytest.raises(TypeError, match="keys must be an iterable of tuples, got a column"):
        BloomFilter(10, 0.1, keys=("str", "i64")).add_many(pyarrow.array(["a"]))


@pytest.mark.parametrize("keys, name, wrong", [("i64", "uint64", 2**63), ("u64", "int8", -1), ("u32", "int64", 2**32)])
def test_a_value_that_does_not_fit_is_refused_and_none_is_added(keys, name, wrong):
    made = BloomFilter(1000, 0.01, keys=keys)
    for call in [made.add_many, made.contains_many]:
        with pytest.raises(OverflowError, match=f"key must be an integer that fits {keys}, got {wrong}$"):
            call(pyarrow.array([1, wrong], getattr(pyarrow, name)()))
    assert not made


@pytest.mark.parametrize("keys", TYPES)
def test_a_column_without_values_fits_any_type_of_keys(keys):
    made = BloomFilter(bits=1, hashes=1, keys=keys)
    made.add_many(column(keys, TYPES[keys][0])[1])
    columns = [pyarrow.nulls(2), pyarrow.chunked_array([pyarrow.nulls(1), pyarrow.nulls(1)])]
    empty = [pyarrow.nulls(0), pyarrow.chunked_array([pyarrow.nulls(0)])]
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    columns.append(polars.Series([None, None]))
    if hasattr(pandas.Series, "__arrow_c_stream__"):
        columns.append(pandas.Series([None, None], dtype=object))
        empty.append(pandas.Series([], dtype=object))
    for nulls in columns:
        assert made.contains_many(nulls).tolist() == [False, False]
        with pytest.raises(ValueError, match="a null is not a key, and 2 of 2 values are null"):
            made.add_many(nulls)
    for none in empty:
        assert made.contains_many(none).tolist() == [] and made.add_many(none) == 0


def test_an_empty_slice_has_no_keys():
    for keys, name in CASES:
        known, array = column(keys, name)
        made = BloomFilter(1000, 0.01, keys=keys)
        for none in [array[2:2], array[len(known) :], pyarrow.chunked_array([array[3:3]])]:
            assert made.add_many(none) == 0 and made.contains_many(none).tolist() == []
        assert made.contains_many(pyarrow.chunked_array([array[3:3], array[:1]])).tolist() == [False]
        other = BloomFilter(1000, 0.01, keys="i64" if keys == "str" else "str")
        with pytest.raises(TypeError, match="column of keys must be of a type that fits"):
            other.add_many(array[2:2])


def test_columns_whose_values_are_not_those_of_their_type_are_refused():
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    numbers, objects = BloomFilter(1000, 0.01, keys="i64"), BloomFilter(1000, 0.01, keys="bytes")
    bools = pyarrow.ExtensionArray.from_storage(pyarrow.bool8(), pyarrow.array([1, 0], pyarrow.int8()))
    cases = [(numbers, bools), (objects, polars.Series([b"abc"], dtype=polars.Object))]
    months = pandas.Series(pandas.period_range("2020-01", periods=2, freq="M"))
    cases += [(numbers, months)] if hasattr(months, "__arrow_c_stream__") else []
    for made, series in cases:
        for ask in [made.add_many, made.contains_many]:
            with pytest.raises(TypeError, match="column of keys must be of a type that fits (i64|bytes), got (arrow.bool8|pandas.period|Object): cast it"):
                ask(series)
        assert not made
    # A UUID is a key of its 16 bytes.
    known = pyarrow.ExtensionArray.from_storage(pyarrow.uuid(), pyarrow.array([b"an identifier 16"], pyarrow.binary(16)))
    objects.add_many(known)
    assert b"an identifier 16" in objects
    # In pandas, bytes of a fixed length are keys; in Polars they would be addresses of objects.
    fixed = pandas.Series([b"ant"], dtype=pandas.ArrowDtype(pyarrow.binary(3)))
    if hasattr(fixed, "__arrow_c_stream__"):
        objects.add_many(fixed)
        assert b"ant" in objects


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "Europe/Berlin"])
def test_timestamps_are_their_nanoseconds_in_every_unit(unit, zone):
    moments = numpy.array(["2026-11-27", "1970-01-01", "NaT"], dtype=f"datetime64[{unit}]")
    made, single = (BloomFilter(1000, 0.01, keys="i64") for _ in range(2))
    column = pyarrow.array(moments).cast(pyarrow.timestamp(unit, zone))
    made.add_many(column[:2])
    single.add_many(moments[:2])
    assert made == single
    assert made.contains_many(column).tolist() == [True, True, False]
    with pytest.raises(ValueError, match="a null is not a key"):
        made.add_many(column)
    if unit != "ns":
        far = pyarrow.array(numpy.array(["2262-04-12"], dtype=f"datetime64[{unit}]"))
        with pytest.raises(ValueError, match="datetimes must be whole nanoseconds from 1677-09-21 to 2262-04-11, got"):
            made.add_many(far)


def test_malformed_columns_are_refused():
    made = BloomFilter(1000, 0.01)
    bytes_of = lambda values: pyarrow.py_buffer(numpy.array(values, dtype="int32").tobytes())
    text = pyarrow.py_buffer(b"\xff\xfeab")
    broken = [
        # Bytes that are not UTF-8, and texts that end before they begin.
        pyarrow.StringArray.from_buffers(2, bytes_of([0, 2, 4]), text),
        pyarrow.StringArray.from_buffers(3, bytes_of([0, 3, 1, 4]), text),
    ]
    for array in broken:
        with pytest.raises(ValueError):
            made.add_many(array)

    class Fake:
        def __init__(self, answer):
            self.answer = answer

        def __arrow_c_array__(self, requested_schema=None):
            return self.answer

        __arrow_c_stream__ = __arrow_c_array__

    array, stream = pyarrow.array(["a"]), pyarrow.chunked_array([["a"]])
    schema, content = array.__arrow_c_array__()
    for answer in [None, 7, (), (1, 2), (schema, schema), (content, schema), stream.__arrow_c_stream__()]:
        with pytest.raises(Exception):
            made.add_many(Fake(answer))
    assert not made
    assert made.add_many(Fake((schema, content))) == 1
    # A column can be read only once.
    with pytest.raises(BaseException):
        made.add_many(Fake((schema, content)))


def test_columns_of_polars_pandas_and_duckdb_are_taken():
    polars, pandas, duckdb = (pytest.importorskip(name) for name in ("polars", "pandas", "duckdb"))
    made = BloomFilter(1000, 0.01)
    made.update(TEXTS)
    relation = duckdb.sql("select 'ant' as name union all select 'käse'")
    for series in [polars.Series(TEXTS), pandas.Series(TEXTS, dtype="string[pyarrow]"), relation.to_arrow_table()["name"]]:
        many = BloomFilter(1000, 0.01)
        many.add_many(series)
        assert made.contains_many(series).all() and "ant" in many
    numbers = BloomFilter(1000, 0.01, keys="i64")
    columns = [polars.Series(NUMBERS), polars.Series(NUMBERS, dtype=polars.UInt8)]
    # Only since pandas 3 does a series offer Arrow's interface, so for older versions this uses the NumPy array.
    series = pandas.Series(NUMBERS)
    columns.append(series if hasattr(series, "__arrow_c_stream__") else series.to_numpy())
    for series in columns:
        numbers.add_many(series)
        assert numbers.contains_many(series).all()
    assert numbers.contains_many(polars.Series([7, None])).tolist() == [True, False]
    moments = numpy.array(["2026-11-27", "1970-01-01"], dtype="datetime64[us]")
    numbers.add_many(moments)
    series = pandas.Series(moments)
    for column in [polars.Series(moments), series if hasattr(series, "__arrow_c_stream__") else series.to_numpy()]:
        assert numbers.contains_many(column).all()
