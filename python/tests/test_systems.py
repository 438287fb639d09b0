"""Tests filters of other systems: their bytes, facts and answers are those of the command bloom-file. Also tests that the other
calls for these filters do what their docstrings say."""

import copy
import enum
import json
import pickle

import bloom_suite
import pytest

# Each format that can be built, with a type of its keys.
FORMATS = {
    "spark": "text", "spark-1": "i64", "spark-dataframe": "text", "guava": "text", "guava-32": "i32",
    "redis": "text", "redis-nonscaling": "text", "bits-and-blooms": "text", "bits-and-blooms-json": "i64-be",
    "parquet": "i64", "parquet-bitset": "text", "hadoop": "text", "hadoop-jenkins": "text", "hadoop-dynamic": "hex",
    "hudi": "text", "hudi-dynamic": "text", "orc": "i64", "hive": "text", "datasketches": "text", "dcso": "text",
    "bloom-core": "i64", "bloom-core-blocked": "text",
}


def values(keys):
    numbers = range(1, 301)
    if keys == "text":
        return [f"user-{n}" for n in numbers]
    return [b"%d" % n for n in numbers] if keys == "hex" else list(numbers)


def rate(format):
    """Returns a rate that the system takes. Hive takes only one rate."""
    return "0.05" if format == "hive" else "0.01"


def lines(keys, known):
    write = bytes.hex if keys == "hex" else str
    return "".join(write(key) + "\n" for key in known).encode()


def build(bloom_file, format, path, known, keys):
    sizes = ["--n", "1000", "--p", rate(format)]
    said = bloom_file("build", "--format", format, *sizes, "--keys", keys, "--output", path, stdin=lines(keys, known))
    assert said.returncode == 0, said.stderr.decode()


@pytest.mark.parametrize("format", FORMATS)
def test_a_filter_is_that_of_the_command(format, tmp_path, bloom_file):
    keys, path = FORMATS[format], tmp_path / "filter"
    known = values(keys)
    build(bloom_file, format, path, known, keys)
    made = bloom_suite.build(format, n=1000, p=rate(format), keys=known, key_type=keys)
    assert made.to_bytes() == bytes(made) == path.read_bytes()

    said = bloom_file("inspect", path, "--json")
    name = None
    if said.returncode != 0:
        # For a filter without a header, the format must be given.
        name = made.format
        said = bloom_file("inspect", path, "--json", "--format", name)
        with pytest.raises(ValueError, match="must be a filter of a known format"):
            bloom_suite.open(path)
    facts = json.loads(said.stdout)["filters"]
    read = bloom_suite.open(path, format=name)
    assert read.facts == made.facts == facts[0] and len(facts) == 1
    assert read.format == facts[0]["format"]
    assert read.rate == facts[0]["p"] and read.estimated_items == facts[0]["n"]
    assert all(read.contains(key, keys=keys) for key in known)
    others = [key * 1000 for key in known]
    said = bloom_file("query", path, *(["--format", name] if name else []), "--keys", keys, "--only", "yes", stdin=lines(keys, others))
    assert said.stdout == lines(keys, [key for key in others if read.contains(key, keys=keys)])


@pytest.mark.parametrize("format", ["spark", "guava", "hadoop", "bits-and-blooms", "orc", "bloom-core", "bloom-core-blocked"])
def test_merging_is_inserting_both(format):
    ours, theirs, both = (bloom_suite.build(format, n=1000, p=0.01) for _ in range(3))
    known = values("text")
    ours.update(known[:200])
    theirs.update(known[100:])
    both.update(known)
    ours.merge(theirs)
    assert ours.to_bytes() == both.to_bytes()
    assert ours.facts == both.facts
    with pytest.raises(TypeError, match="itself"):
        ours.merge(ours)


def test_what_does_not_fit_is_refused(tmp_path):
    spark, guava = (bloom_suite.build(name, n=1000, p=0.01) for name in ("spark", "guava"))
    with pytest.raises(ValueError, match="systems of all filters must be equal, got spark and guava"):
        spark.merge(guava)
    redis = [bloom_suite.build("redis", n=1000, p=0.01) for _ in range(2)]
    with pytest.raises(ValueError, match="redis filters cannot be merged"):
        redis[0].merge(redis[1])
    with pytest.raises(ValueError, match="format must be one of .*spark.*, got sparc"):
        bloom_suite.build("sparc", n=1000, p=0.01)
    with pytest.raises(ValueError, match="m takes the place of p: give only one of them"):
        bloom_suite.build("guava", p=0.01, m=1000, k=3)
    with pytest.raises(ValueError, match="k can be given only with m"):
        bloom_suite.build("guava", n=1000, p=0.01, k=3)
    with pytest.raises(ValueError, match="must be a filter of a known format"):
        bloom_suite.read_bytes(b"nothing at all")
    with pytest.raises(ValueError):
        bloom_suite.read_bytes(spark.to_bytes()[:-1], "spark")


@pytest.mark.parametrize("format, key_type, key, other", [
    ("guava", "i32", 7, "7"), ("parquet", "i32", 7, 7.0), ("guava", "utf16", "ant", 7), ("datasketches", "f64", 7.0, 7),
])
def test_a_filter_remembers_the_type_of_its_keys(tmp_path, format, key_type, key, other):
    made = bloom_suite.build(format, n=1000, p=0.001, keys=[key], key_type=key_type)
    made.save(tmp_path / "made")
    copies = [pickle.loads(pickle.dumps(made)), bloom_suite.open(tmp_path / "made", format, key_type)]
    copies.append(bloom_suite.read_bytes(made.to_bytes(), key_type=key_type, format=format))
    for filter in [made, *copies]:
        assert key in filter and filter.contains(key, keys=key_type) and filter.contains_many([key]).all()
        assert not filter.add(key)
        with pytest.raises(ValueError, match=f"key must be of type {key_type}, got"):
            other in filter
    with pytest.raises(ValueError, match="keys must be one of .*, got nonsense"):
        bloom_suite.read_bytes(made.to_bytes(), format, "nonsense")


def test_a_key_of_another_type_is_refused():
    spark = bloom_suite.build("spark", n=1000, p=0.01)
    for key, keys in [("7", "i64"), (7, "text"), (b"7", "text"), (7.0, "i64"), (2**63, None), (2**31, "i32"), (7.0, None), ("7", "int")]:
        for ask in (spark.contains, spark.add):
            with pytest.raises(ValueError):
                ask(key, keys=keys)
    for key in [True, None, ["a"]]:
        with pytest.raises(TypeError):
            spark.contains(key)
    redis = bloom_suite.build("redis", n=1000, p=0.01)
    with pytest.raises(ValueError, match="decimal digits"):
        7 in redis
    with pytest.raises(TypeError, match="iterable of keys, got str"):
        redis.update("abc")
    with pytest.raises(ValueError):
        bloom_suite.build("spark", n=1000, p=0.01, keys=["a", 7], key_type="text")


def test_arrays_and_columns_do_what_one_call_for_each_key_does():
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    for format, keys, known in [("spark", None, [1, -7, 2**40]), ("spark", "i32", [1, 7, 9]), ("guava", "text", ["ant", "käse", ""])]:
        single = bloom_suite.build(format, n=1000, p=0.001)
        for key in known:
            single.add(key, keys)
        asked = [*known, *("no" + key if isinstance(key, str) else key + 1000 for key in known)]
        answers = [single.contains(key, keys) for key in asked]
        assert answers[:3] == [True] * 3 and not all(answers)
        for form in [list, iter, numpy.array, pandas.Series, polars.Series, pyarrow.array, lambda all: pyarrow.chunked_array([all])]:
            many = bloom_suite.build(format, n=1000, p=0.001, keys=form(known), key_type=keys)
            assert many.to_bytes() == single.to_bytes()
            found = many.contains_many(form(asked), keys)
            assert found.dtype == bool and found.tolist() == answers
    # A query for a null answers False, and adding a null is refused.
    assert single.contains_many(pyarrow.array(["ant", None])).tolist() == [True, False]
    for nulls in [pyarrow.array(["ant", None]), polars.Series(["ant", None])]:
        with pytest.raises(TypeError, match="got NoneType"):
            single.update(nulls)
    with pytest.raises(TypeError, match="got NoneType"):
        single.update(["ant", None])
    with pytest.raises(ValueError):
        single.contains_many(numpy.array([1, 2]), "text")
    with pytest.raises(TypeError, match="got bool"):
        single.contains_many(numpy.array([True]))
    with pytest.raises(TypeError, match="got list"):
        single.contains_many(numpy.array([["ant"]]))


def test_nulls_and_tables_of_pandas_are_no_keys():
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    made = bloom_suite.build("spark", n=10, p=1e-6, keys=["ant", 7])
    for nothing in [None, float("nan"), pandas.NA]:
        # A null is not found even in a filter that has NaN as a key.
        parquet = bloom_suite.build("parquet", n=10, p=0.01, keys=[float("nan")])
        for dtype in [object, "string", "str"]:
            texts = pandas.Series(["ant", nothing], dtype=dtype)
            assert made.contains_many(texts).tolist() == [True, False]
            assert parquet.contains_many(texts).tolist()[1] is False
            for filter in [made, parquet]:
                before = bytes(filter)
                with pytest.raises(TypeError, match="got NoneType"):
                    filter.update(texts[1:])
                assert bytes(filter) == before
    numbers = pandas.Series([7, None], dtype="Int64")
    masked = numpy.ma.array([7, 7], mask=[False, True])
    for nulls in [numbers, masked]:
        assert made.contains_many(nulls).tolist() == [True, False]
        with pytest.raises(TypeError, match="got NoneType"):
            made.update(nulls)
    table = pandas.DataFrame({"ant": [1]})
    for ask in [made.update, made.contains_many]:
        with pytest.raises(TypeError, match="key must be str, bytes, int or float, got list"):
            ask(table)
    assert made.contains_many(pandas.Series([None, None], dtype=object)).tolist() == [False, False]


def test_a_masked_number_and_an_array_with_one_number_are_no_keys():
    numpy = pytest.importorskip("numpy")
    # A filter of Parquet accepts floats as keys.
    made = bloom_suite.build("parquet", n=10, p=1e-6, keys=[7, 0.0])
    masked = numpy.ma.array([7, 8], mask=[False, True])
    assert masked[0] in made and numpy.array(7) in made
    for key, got in [(masked[1], "NoneType"), (numpy.ma.masked, "NoneType"), (numpy.array([7]), "list")]:
        for call in [made.add, made.contains]:
            with pytest.raises(TypeError, match=f"key must be str, bytes, int or float, got {got}"):
                call(key)


@pytest.mark.parametrize("format, keys", FORMATS.items())
def test_a_filter_is_pickled_and_copied(format, keys):
    known = values(keys)
    made = bloom_suite.build(format, n=1000, p=rate(format), keys=known, key_type=keys)
    for again in [pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)]:
        assert (again.format, bytes(again)) == (made.format, bytes(made))
        assert all(again.contains(key, keys=keys) for key in known)
        again.update(values(keys)[:1], keys=keys)


def test_a_seed_is_taken_as_it_is_printed():
    for seed in [0, 9001, 2**63 - 1, 2**63, 2**64 - 1]:
        assert bloom_suite.build("datasketches", n=10, p=0.01, seed=seed).facts["seed"] == seed
    # Java's seed is a signed long, so -1 is the largest unsigned seed.
    assert bloom_suite.build("datasketches", n=10, p=0.01, seed=-1).facts["seed"] == 2**64 - 1
    for seed in [2**64, -(2**63) - 1]:
        with pytest.raises(ValueError, match="seed must be from -9223372036854775808 to 18446744073709551615, got"):
            bloom_suite.build("datasketches", n=10, p=0.01, seed=seed)
    with pytest.raises(ValueError, match="seed of a spark filter must be from .*, got 9223372036854775808"):
        bloom_suite.build("spark", n=10, p=0.01, seed=2**63)


def test_a_type_of_keys_is_refused_also_without_keys():
    with pytest.raises(ValueError, match="keys must be one of text, hex, .*, got nonsense"):
        bloom_suite.build("spark", n=10, p=0.01, key_type="nonsense")
    with pytest.raises(ValueError, match="keys of a redis filter must be .*, got i64"):
        bloom_suite.build("redis", n=10, p=0.01, key_type="i64")


def test_an_integer_is_its_value_whatever_it_prints():
    number = type("Number", (int,), {"__str__": lambda self: "#7", "__repr__": lambda self: "#7"})
    made = bloom_suite.build("guava", n=10, p=1e-6, keys=[number(7), enum.IntEnum("Code", {"ANT": 8}).ANT])
    assert 7 in made and 8 in made and number(8) in made


def test_filters_of_bloom_core_are_opened_and_filled_too():
    for kind in (bloom_suite.BloomFilter, bloom_suite.BlockedBloomFilter, bloom_suite.PartitionedBloomFilter, bloom_suite.CountingBloomFilter, bloom_suite.ScalableBloomFilter):
        made, other = (kind(100, 0.01, keys="i64") for _ in range(2))
        made.update(range(50))
        read = bloom_suite.read_bytes(bytes(made))
        assert read.format == "bloom-core" and 7 in read and read.rate == made.rate
        assert read.to_bytes() == bytes(made)
        other.add(77)
        theirs = bloom_suite.read_bytes(bytes(other))
        if kind is bloom_suite.ScalableBloomFilter:
            with pytest.raises(ValueError, match="its stages depend on the order of keys"):
                read.merge(theirs)
            made.add(77)
            read.add(77)
        else:
            made |= other
            read.merge(theirs)
        assert read.to_bytes() == bytes(made)
        made.add(99)
        read.add(99)
        assert read.to_bytes() == bytes(made)
    blocked = bloom_suite.read_bytes(bytes(bloom_suite.BlockedBloomFilter(100, 0.01)))
    with pytest.raises(ValueError, match="kind of both filters must be equal, got ScalableBloomFilter and BlockedBloomFilter"):
        read.merge(blocked)


def test_a_filter_is_saved(tmp_path):
    made = bloom_suite.build("guava", n="1k", p="1%", keys=["ant"])
    made.save(tmp_path / "f")
    assert "ant" in bloom_suite.open(tmp_path / "f")
    assert repr(made) == "SystemFilter(format='guava')"
