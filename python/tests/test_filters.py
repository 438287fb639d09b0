"""Tests the filters of the package: they find all keys, have the rate that they report, refuse keys of another type, and write the
files that the filters of Rust write."""

import copy
import pickle
import random
import threading
import time

import bloom_suite
import pytest
from bloom_suite import (
    BlockedBloomFilter,
    BloomFilter,
    CountingBloomFilter,
    Filter,
    PartitionedBloomFilter,
    ScalableBloomFilter,
)

KINDS = [BloomFilter, BlockedBloomFilter, PartitionedBloomFilter, CountingBloomFilter, ScalableBloomFilter]
KEYS = {
    "str": [f"käse-{n}" for n in range(500)] + [""],
    "bytes": [b"\x00\xff%d" % n for n in range(500)] + [b""],
    "i64": [n * 7919 - 2**20 for n in range(500)] + [-(2**63), 2**63 - 1],
    "u64": [n * 7919 for n in range(500)] + [2**64 - 1],
    "u32": list(range(500)) + [2**32 - 1],
}


def filled(kind, keys="str", items=1000):
    made = kind(items, 0.01, keys=keys)
    made.update(KEYS[keys])
    return made


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_filter_has_all_its_keys_and_few_others(kind, keys):
    made = kind(1000, 0.01, keys=keys)
    assert not made and made.estimated_items == 0
    known = KEYS[keys]
    assert made.add(known[0]) is True
    assert made.add(known[0]) is False
    made.update(iter(known))
    assert made and all(key in made for key in known)
    assert abs(made.estimated_items - len(known)) < 50
    assert 0 < made.rate < 0.01 and 0 < made.fill < 0.5
    assert type(made).__name__ in repr(made) and keys in repr(made)
    if keys == "i64":
        found = sum(key in made for key in range(10**7, 10**7 + 10**5))
        # The filter's own rate predicts the number of false positives, to within five standard deviations and five keys.
        mean = made.rate * 10**5
        assert abs(found - mean) < 5 * mean**0.5 + 5
    made.clear()
    assert not made and known[0] not in made


WRONG = [
    ("str", [1, b"a", None, True, 1.5, ["a"]], TypeError),
    ("bytes", ["a", 1, None, bytearray(b"a")], TypeError),
    ("i64", ["1", 1.0, True, None, b"1"], TypeError),
    ("i64", [2**63, -(2**63) - 1, 10**40], OverflowError),
    ("u64", [False, 1.0, "1"], TypeError),
    ("u64", [-1, 2**64], OverflowError),
    ("u32", [True, 2.0], TypeError),
    ("u32", [-1, 2**32], OverflowError),
]


@pytest.mark.parametrize("keys, wrong, error", WRONG)
def test_keys_of_another_type_are_refused(keys, wrong, error):
    made = filled(BloomFilter, keys)
    for key in wrong:
        with pytest.raises(error):
            made.add(key)
        with pytest.raises(error):
            key in made
        before = bytes(made)
        with pytest.raises(error):
            made.update([KEYS[keys][0], key])
        assert bytes(made) == before


def test_an_exception_of_a_key_is_not_lost():
    class Broken:
        def __index__(self):
            raise LookupError("no number yet")

    with pytest.raises(LookupError, match="no number yet"):
        BloomFilter(10, 0.1, keys="i64").add(Broken())


def test_a_text_is_no_list_of_keys_and_a_lone_surrogate_is_no_key():
    made = BloomFilter(10, 0.1)
    with pytest.raises(TypeError, match="iterable of keys, got str"):
        made.update("abc")
    with pytest.raises(UnicodeEncodeError):
        made.add("\ud800")


@pytest.mark.parametrize("kind", KINDS)
def test_files_bytes_pickles_and_copies_are_the_same_filter(kind, tmp_path):
    made, path = filled(kind), tmp_path / "keys.bloom"
    made.save(path)
    assert path.read_bytes() == bytes(made)
    again = [
        kind.load(path, "str"),
        Filter.load(str(path), keys="str"),
        kind.from_bytes(bytes(made), "str"),
        pickle.loads(pickle.dumps(made)),
        copy.copy(made),
        copy.deepcopy(made),
        made.copy(),
    ]
    if kind is not ScalableBloomFilter:
        again.append(kind.open(path, "str"))
        again.append(Filter.open(path, "str").copy())
    for other in again:
        assert type(other) is kind and other == made and other.keys == "str"
        assert all(key in other for key in KEYS["str"])
    made.add("another")
    assert made != again[0]
    with pytest.raises(ValueError):
        kind.from_bytes(bytes(made)[:-1], "str")
    with pytest.raises(ValueError):
        kind.from_bytes(b"", "str")
    with pytest.raises(FileNotFoundError):
        kind.load(tmp_path / "none", "str")
    with pytest.raises(TypeError):
        kind.load(path)
    with pytest.raises(ValueError, match="keys must be one of str, bytes, i64, u64, u32, or a tuple of them, got int"):
        kind.load(path, "int")


def test_errors_of_files_name_the_file(tmp_path):
    path, made = tmp_path / "none" / "file", filled(BloomFilter)
    reads = [lambda: BloomFilter.load(path, "str"), lambda: BloomFilter.open(path, "str"), lambda: bloom_suite.open(path)]
    for call in [*reads, lambda: made.save(path), lambda: bloom_suite.build("guava", n=10, p=0.1).save(path)]:
        with pytest.raises(FileNotFoundError) as raised:
            call()
        assert str(raised.value.filename) == str(path) and str(path) in str(raised.value)
    with pytest.raises(OSError):
        bloom_suite.open(tmp_path)


def test_errors_of_what_a_file_holds_name_the_file(tmp_path):
    path = tmp_path / "damaged"
    for content in [b"", b"no filter", bytes(filled(BloomFilter))[:-1]]:
        path.write_bytes(content)
        for call in [lambda: BloomFilter.load(path, "str"), lambda: BloomFilter.open(path, "str"), lambda: bloom_suite.open(path)]:
            with pytest.raises(ValueError) as raised:
                call()
            assert str(raised.value).startswith(str(path)) and str(raised.value).count(str(path)) == 1


def test_a_filter_of_another_kind_is_refused(tmp_path):
    path = tmp_path / "f"
    filled(BloomFilter).save(path)
    with pytest.raises(ValueError, match="BlockedBloomFilter"):
        BlockedBloomFilter.load(path, "str")


def test_a_filter_in_place_is_queried_and_not_changed(tmp_path):
    path = tmp_path / "f"
    made = filled(BlockedBloomFilter, "i64")
    made.save(path)
    mapped = BlockedBloomFilter.open(path, "i64")
    for change in [lambda: mapped.add(3), lambda: mapped.update([3]), mapped.clear]:
        with pytest.raises(ValueError, match="in place"):
            change()
    assert made | mapped == made and mapped | made == made
    # A file is replaced as a whole.
    made.clear()
    made.save(path)
    assert KEYS["i64"][0] in mapped
    grown = filled(ScalableBloomFilter)
    grown.save(path)
    assert Filter.open(path, "str") == grown


@pytest.mark.parametrize("kind", [BloomFilter, BlockedBloomFilter, PartitionedBloomFilter])
def test_union_inserts_both_and_intersection_keeps_common_keys(kind):
    ours, theirs, both = (kind(1000, 0.01, keys="i64") for _ in range(3))
    ours.update(range(300))
    theirs.update(range(200, 500))
    both.update(range(500))
    assert ours | theirs == both
    common = ours & theirs
    assert all(key in common for key in range(200, 300))
    assert sum(key in common for key in range(200)) < 30
    with pytest.raises(ValueError, match="intersection"):
        common.estimated_items
    ours |= theirs
    assert ours == both
    ours &= ours
    ours |= ours
    assert all(key in ours for key in range(500))


def test_filters_that_do_not_fit_are_not_united():
    one = BloomFilter(1000, 0.01)
    with pytest.raises(ValueError):
        one | BloomFilter(2000, 0.01)
    with pytest.raises(TypeError, match="keys of both filters must be equal, got str and i64"):
        one | BloomFilter(1000, 0.01, keys="i64")
    with pytest.raises(TypeError, match="kind of both"):
        one | BlockedBloomFilter(1000, 0.01)
    with pytest.raises(TypeError, match="order of keys"):
        ScalableBloomFilter(10, 0.1) | ScalableBloomFilter(10, 0.1)
    with pytest.raises(TypeError):
        one | {"ant"}
    assert one != {"ant"}
    assert one != BloomFilter(1000, 0.01, keys="i64")


def test_counters_add_up_and_keys_are_removed():
    one = CountingBloomFilter(1000, 0.01, keys="u32")
    one.add(7)
    one |= one
    assert one.remove(7) and 7 in one
    assert one.remove(7) and 7 not in one
    assert one.remove(7) is False
    with pytest.raises(ValueError, match="counter_bits must be 4 or 8, got 5"):
        CountingBloomFilter(10, 0.1, counter_bits=5)


def test_constructors_take_rates_or_sizes():
    assert (BloomFilter(2000, 0.01).bits, BloomFilter(2000, 0.01).hashes) == (19188, 7)
    assert BloomFilter(bits=1000, hashes=3).bits == 1000
    for arguments in [{}, {"items": 3}, {"items": 3, "rate": 0.1, "bits": 9}, {"bits": 9}]:
        with pytest.raises(TypeError, match="items and rate, or bits and hashes"):
            BloomFilter(**arguments)
    with pytest.raises(ValueError):
        BloomFilter(2000, float("nan"))
    with pytest.raises(TypeError):
        Filter()
    with pytest.raises(ValueError):
        ScalableBloomFilter(10, 0.1, growth=0)


def test_numbers_that_do_not_fit_are_refused_by_name():
    cases = [({"items": -1, "rate": 0.1}, f"items must be from 0 to {2**64 - 1}, got -1")]
    cases += [({"items": 2**64, "rate": 0.1}, f"items must be from 0 to {2**64 - 1}, got {2**64}")]
    for kind in KINDS:
        for arguments, message in cases:
            with pytest.raises(ValueError, match=message):
                kind(**arguments)
    with pytest.raises(ValueError, match="hashes must be from 0 to 255, got 256"):
        BloomFilter(bits=8, hashes=256)
    with pytest.raises(ValueError, match="bits must be from 0 to .*, got -8"):
        CountingBloomFilter(bits=-8, hashes=2)
    with pytest.raises(ValueError, match="growth must be from 0 to 4294967295, got -2"):
        ScalableBloomFilter(10, 0.1, growth=-2)


def test_there_is_no_length_and_no_hash():
    made = filled(BloomFilter)
    with pytest.raises(TypeError, match="use estimated_items"):
        len(made)
    with pytest.raises(TypeError):
        hash(made)


def test_threads_unite_two_filters_both_ways_while_others_add_arrays():
    numpy = pytest.importorskip("numpy")
    one, other = (BloomFilter(200_000, 0.01, keys="i64") for _ in range(2))
    numbers, ended = numpy.arange(200_000), []

    def fill(filter, keys):
        for _ in range(20):
            filter.add_many(keys)
            time.sleep(0.001)
            assert filter.contains_many(keys).all()
        ended.append(fill)

    def unite(filter, other):
        while fill not in ended:
            filter |= other
        ended.append(unite)

    calls = [(fill, one, numbers[::2]), (fill, other, numbers[1::2]), (unite, one, other), (unite, other, one)]
    threads = [threading.Thread(target=call, args=filters, daemon=True) for call, *filters in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(ended) == 4, "a thread waits for ever, or has failed"
    one |= other
    assert one.contains_many(numbers).all() and 0.009 < one.rate < 0.011


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("kind", [BloomFilter, BlockedBloomFilter])
def test_threads_share_a_filter(kind, shared):
    made = kind(100_000, 0.01, keys="i64", shared=shared)
    parts = [range(n * 1000, n * 1000 + 1000) for n in range(8)]
    threads = [threading.Thread(target=made.update, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(key in made for part in parts for key in part)
    single = kind(100_000, 0.01, keys="i64")
    single.update(range(8000))
    assert made == single


@pytest.mark.parametrize("kind", [BloomFilter, BlockedBloomFilter])
def test_a_shared_filter_does_what_others_do(kind, tmp_path):
    made, other = (kind(1000, 0.01, keys="i64", shared=shared) for shared in (True, False))
    assert made.add(7) is True and made.add(7) is False and 7 in made
    other.update(range(100))
    assert made != other
    again = [made.copy(), pickle.loads(pickle.dumps(made)), kind.from_bytes(bytes(made), "i64", shared=True), made | other, made & other]
    made.save(tmp_path / "f")
    again.append(Filter.load(tmp_path / "f", "i64", shared=True))
    for one in again:
        assert type(one) is kind and repr(one).endswith("keys='i64', shared=True)") and 7 in one
    assert "shared" not in repr(kind.load(tmp_path / "f", "i64"))
    assert made | other == other | made == other and made & other == made
    made |= other
    made &= made
    assert made == other
    with pytest.raises(TypeError, match="kind of both"):
        made |= PartitionedBloomFilter(1000, 0.01, keys="i64")
    assert made == other
    made.clear()
    assert not made
    with pytest.raises(TypeError, match="a CountingBloomFilter cannot be shared"):
        CountingBloomFilter.from_bytes(bytes(CountingBloomFilter(10, 0.1)), "str", shared=True)


PAIR = ("str", "i64")


@pytest.mark.parametrize("kind", KINDS)
def test_tuples_are_keys(kind, tmp_path):
    made = kind(1000, 0.01, keys=PAIR)
    assert made.add(("ant", 7)) is True and made.add(("ant", 7)) is False
    made.update(zip(["bee", "cat"], [1, 2]))
    assert ("bee", 1) in made and ("bee", 2) not in made and made.keys == PAIR
    assert repr(made).endswith("keys=('str', 'i64'))")
    made.save(tmp_path / "f")
    for other in [pickle.loads(pickle.dumps(made)), made.copy(), kind.load(tmp_path / "f", PAIR)]:
        assert other == made and other.keys == PAIR and ("cat", 2) in other
    for wrong in ["ant", 7, None, ("ant",), ("ant", "7"), (7, "ant"), ("ant", 7, 7), ["ant", 7], ("ant", 7.0), ("ant", True), (b"ant", 7)]:
        for ask in [made.add, made.__contains__, lambda key: made.update([key])]:
            with pytest.raises(TypeError, match="keys of this filter must be"):
                ask(wrong)
    with pytest.raises(OverflowError):
        ("ant", 2**63) in made
    for keys in [(), ("str", "int"), (PAIR, "i64"), ["str"], 7]:
        with pytest.raises(ValueError, match="or a tuple of them"):
            kind(10, 0.1, keys=keys)
    with pytest.raises(ValueError, match="or a tuple of them, got None"):
        kind.load(tmp_path / "f", keys=None)
    with pytest.raises(TypeError, match=r"got \('str', 'i64'\) and str"):
        made | kind(1000, 0.01)


def test_the_order_and_the_parts_of_a_tuple_matter():
    made = BloomFilter(1000, 1e-9, keys=("str", "str"))
    made.add(("a", "bc"))
    assert ("a", "bc") in made and ("ab", "c") not in made and ("bc", "a") not in made and ("abc", "") not in made


LINES = {"str": ("text", str.encode), "bytes": ("hex", lambda key: key.hex().encode()), "i64": ("i64", lambda key: b"%d" % key)}


@pytest.mark.parametrize("keys", LINES)
@pytest.mark.parametrize("kind, format", [(BloomFilter, "bloom-core"), (BlockedBloomFilter, "bloom-core-blocked")])
def test_files_and_answers_are_those_of_rust(kind, format, keys, tmp_path, bloom_file):
    name, line = LINES[keys]
    # The command reads an empty line as an empty key, so the empty key is left out here.
    known = [key for key in KEYS[keys] if key not in ("", b"")]
    text = b"".join(line(key) + b"\n" for key in known)
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    built = bloom_file("build", "--format", format, "--n", "1000", "--p", "0.01", "--keys", name, "--output", theirs, stdin=text)
    assert built.returncode == 0, built.stderr.decode()
    made = kind(1000, 0.01, keys=keys)
    made.update(known)
    assert bytes(made) == theirs.read_bytes()
    # Values of other Python types must be refused: otherwise the filter would answer False, although it has an equal key.
    values = {"str": "7", "bytes": b"7", "i64": 7, "float": 7.0, "bool": True, "None": None, "tuple": (7,)}
    for loaded in [kind.load(theirs, keys=keys), kind.open(theirs, keys=keys)]:
        assert all(key in loaded for key in known)
        for value in [value for name, value in values.items() if name != keys]:
            with pytest.raises(TypeError, match=f"keys of this filter must be {keys}, got"):
                value in loaded
            with pytest.raises(TypeError):
                loaded.contains_many([value])
    made.save(ours)
    others = known[:50] + ([f"none-{n}" for n in range(2000)] if keys == "str" else [])
    asked = b"".join(line(key) + b"\n" for key in others)
    said = bloom_file("query", ours, "--keys", name, "--only", "yes", stdin=asked)
    found = set(said.stdout.splitlines())
    assert found == {line(key) for key in others if key in made}


def test_random_operations_agree_with_a_set():
    rng = random.Random(3)
    for kind in KINDS:
        made, model = kind(500, 0.001, keys="u64"), set()
        for _ in range(1500):
            key = rng.randrange(2**64) if rng.random() < 0.3 else rng.randrange(300)
            if rng.random() < 0.5:
                was_new = made.add(key)
                assert not (was_new and key in model)
                model.add(key)
            elif key in model:
                assert key in made
        assert all(key in made for key in model)
        assert abs(made.estimated_items - len(model)) < 0.2 * len(model)
