"""Tests that `size` gives the answers of the command `bloom-params`, to the byte."""

import random

import bloom_suite
import pytest


def question(rng):
    """Returns the flags of a random question. Most of these questions have an answer."""
    flags = {}
    known = rng.choice(["np", "nm", "nmk", "mp", "mk", "mkp", "nkp", "p", "nmp", "n", "nmkp"])
    if "n" in known:
        flags["n"] = rng.choice([rng.randrange(1, 10**6), f"{rng.randrange(1, 999)}k", float(rng.randrange(1, 10**7)), "2^20"])
    if "m" in known:
        flags["m"] = rng.choice([rng.randrange(64, 10**8), f"{rng.randrange(1, 999)}KiB", "10 Mbit"])
    if "k" in known:
        flags["k"] = rng.choice([rng.randrange(1, 20), rng.randrange(1, 300), "7"])
    if "p" in known:
        flags["p"] = rng.choice([rng.random(), 10 ** -rng.uniform(0, 15), "1%", "1/100", "2^-7", 1e-5, 0.01])
    extra = {
        "filter": ["classic", "partitioned", "blocked", "split-block", "counting", "scalable"],
        "like": ["guava", "spark", "redis", "rocksdb", "nobody"],
        "hash_bits": [32, "64", 5000],
        "round": ["8", 64, "pow2"],
        "overfill": [True, False],
        "explain": [True],
        "model": ["textbook", "asymptotic"],
        "growth": [2, 4],
        "distinct": ["80%", 0.5],
        "union": [3],
    }
    for name in rng.sample(sorted(extra), rng.choice([0, 0, 1, 1, 2])):
        flags[name] = rng.choice(extra[name])
    return flags


def typed(flags):
    """Yields the flags in the form in which the command line takes them."""
    for name, value in flags.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            yield flag
        elif value is not False:
            yield f"{flag}={value}"


def test_random_questions_have_the_answers_of_the_command(bloom_params):
    rng = random.Random(7)
    answered = refused = 0
    for _ in range(1000):
        flags = question(rng)
        said = bloom_params("--json", *typed(flags))
        if said.returncode < 2:
            assert bloom_suite.size(**flags).json + "\n" == said.stdout.decode(), flags
            answered += 1
            continue
        refused += 1
        with pytest.raises(ValueError) as raised:
            bloom_suite.size(**flags)
        # If a flag takes only values of a list, the parser of the command line refuses other values with a message of its own.
        if "invalid value" not in said.stderr.decode():
            assert f"error: {raised.value}\n" == said.stderr.decode(), flags
    assert answered > 300 and refused > 50


def test_an_answer_has_its_parts():
    answer = bloom_suite.size(2000, 0.01, overfill=True)
    assert (answer.n, answer.m, answer.k, answer.met) == (2000, 19188, 7, True)
    assert 0.0099 < answer.p <= 0.01
    assert any("usual rule" in note for note in answer.notes)
    assert "overfill" in answer.facts
    assert answer.explain()[0] == "How this answer is derived"
    assert repr(answer).startswith("Size(n=2000, m=19188, k=7, p=0.00999")
    each = bloom_suite.size(p=0.01)
    assert each.n is None and each.facts["bits_per_item"] > 9


def test_unknown_flags_and_types_are_refused():
    for name, meant in {"lik": "like", "hash_bit": "hash_bits", "later": "grow", "items": "n"}.items():
        with pytest.raises(ValueError, match=f"no flag has the name {name}\nhint: did you mean {meant}\\?"):
            bloom_suite.size(100, 0.01, **{name: 3})
    with pytest.raises(ValueError, match="no flag has the name capacity$"):
        bloom_suite.size(2000, 0.01, capacity=3)
    with pytest.raises(TypeError, match="n must be a number, a str or a bool, got list"):
        bloom_suite.size([2000], 0.01)
    with pytest.raises(ValueError, match="hint: "):
        bloom_suite.size(2000, 2)


@pytest.mark.parametrize("name", ["overfill", "spread", "explain"])
def test_a_switch_is_true_or_false(name):
    plain = bloom_suite.size(2000, 0.01)
    for off in [False, None]:
        assert bloom_suite.size(2000, 0.01, **{name: off}).json == plain.json
    assert bloom_suite.size(2000, 0.01, **{name: True}).json != plain.json
    for other in [0, 1, 0.0, "false", "no", "yes", ""]:
        with pytest.raises(ValueError, match=f"{name} must be true or left out, got"):
            bloom_suite.size(2000, 0.01, **{name: other})


def test_an_integer_is_its_value_whatever_its_text():
    class Named(int):
        def __str__(self):
            return "many"

        __repr__ = __str__

    assert bloom_suite.size(Named(2000), 0.01).json == bloom_suite.size(2000, 0.01).json
    assert bloom_suite.build("guava", n=Named(10), p=0.01).facts == bloom_suite.build("guava", n=10, p=0.01).facts
