"""Tests threads that use one filter at once: each thread gets its turn, and a signal ends the waiting of a thread."""

import signal
import threading
import time

import bloom_suite
import pytest
from bloom_suite import BloomFilter

numpy = pytest.importorskip("numpy")
ALL = numpy.arange(300_000)
CALLS = {
    "add": lambda made: made.add(5),
    "in": lambda made: 5 in made,
    "add_many": lambda made: made.add_many(ALL[:10]),
    "clear": lambda made: made.clear(),
    "or": lambda made: made.__ior__(made.copy()),
    "equal": lambda made: made == BloomFilter(10**6, 0.01, keys="i64"),
    "bits": lambda made: made.bits,
}


@pytest.fixture
def busy():
    """Returns a function that starts a thread for each call; the thread repeats the call until the test ends."""
    ended, threads = threading.Event(), []

    def start(*calls):
        def loop(call):
            while not ended.is_set():
                call(ALL)

        threads.extend(threading.Thread(target=loop, args=(call,), daemon=True) for call in calls)
        for thread in threads:
            thread.start()
        time.sleep(0.05)

    yield start
    ended.set()
    for thread in threads:
        thread.join(60)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("name", CALLS)
def test_threads_that_pass_array_after_array_do_not_starve_others(name, shared, busy):
    made, done = BloomFilter(10**6, 0.01, keys="i64", shared=shared), []
    busy(made.contains_many, made.contains_many, made.add_many)

    def call():
        for _ in range(3):
            done.append(CALLS[name](made))

    waiting = threading.Thread(target=call, daemon=True)
    waiting.start()
    waiting.join(60)
    assert len(done) == 3, "the thread never has its turn"


def test_comparing_two_filters_both_ways_waits_for_writers(busy):
    one, other = (BloomFilter(10**6, 0.01, keys="i64") for _ in range(2))
    busy(one.add_many, other.add_many, lambda _: one.clear(), lambda _: other.clear())
    done = []

    def compare(ours, theirs):
        for _ in range(10):
            done.append(ours == theirs)

    threads = [threading.Thread(target=compare, args=both, daemon=True) for both in [(one, other), (other, one)]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(done) == 20, "the threads wait for each other"


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer that sends a signal")
def test_a_signal_ends_the_waiting_and_its_handler_may_use_the_filter():
    made, large, waited = BloomFilter(10**8, 0.01, keys="i64"), numpy.arange(10_000_000), []
    began = time.monotonic()
    made.add_many(large)
    alone = time.monotonic() - began

    def handle(*_):
        waited.append(time.monotonic() - began if is_adding else alone)
        made.add(-7)
        raise KeyboardInterrupt

    # Python runs handlers between the instructions of the main thread, but a thread that waits executes none.
    before = signal.signal(signal.SIGALRM, handle)
    try:
        # A busy machine may delay the signal, so this is tried up to ten times.
        while len(waited) < 10 and not any(seconds < 0.6 * alone for seconds in waited):
            filling = threading.Thread(target=made.add_many, args=(large,), daemon=True)
            began = time.monotonic()
            filling.start()
            time.sleep(0.01)
            with pytest.raises(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, 0.01)
                is_adding = True
                made.add(5)
                is_adding = False
                time.sleep(1)
            filling.join(60)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert min(waited) < 0.6 * alone, "signals wait for the array"
    assert -7 in made


def test_an_iterator_may_use_the_filter_that_takes_its_keys():
    made = BloomFilter(1000, 0.01, keys="i64")
    made.update(key for key in range(10) if not made.add(key + 100) or True)
    assert all(key in made and key + 100 in made for key in range(10))


@pytest.mark.parametrize("name", ["update", "contains_many", "build", "a list"])
def test_other_threads_run_while_a_long_call_does(name):
    made, keys = bloom_suite.build("spark", n=10**6, p=0.01), list(range(2 * 10**6))
    seen = BloomFilter(10**6, 0.01, keys="i64")
    calls = {"update": lambda: made.update(keys), "contains_many": lambda: made.contains_many(keys)}
    calls |= {"build": lambda: bloom_suite.build("guava", n=2 * 10**8, p=0.001), "a list": lambda: seen.add_many(keys * 2)}
    ticks, ended = [], threading.Event()

    def tick():
        while not ended.wait(0.001):
            ticks.append(time.perf_counter())

    other = threading.Thread(target=tick)
    other.start()
    start = time.perf_counter()
    calls[name]()
    end = time.perf_counter()
    ended.set()
    other.join()
    times = [start, *(at for at in ticks if start < at < end), end]
    waits = [later - earlier for earlier, later in zip(times, times[1:])]
    # The longest wait shows whether other threads also run while keys are read. While a filter is filled they always run.
    assert max(waits) < 0.5 * (end - start), (max(waits), end - start)
