"""Sizes filters for a table of users, and plots their rates with fewer and with more users than expected.

    python plot.py [rates.png]
"""

import sys

import bloom_suite
import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

USERS = 10_000
figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
print("    p        m   k  KiB")
for rate in 0.05, 0.01, 0.001:
    answer = bloom_suite.size(n=USERS, p=rate)
    print(f"{rate:5} {answer.m:8,} {answer.k:3} {answer.m / 8192:4.0f}")
    assert answer.met and answer.p <= rate
    # Computes and measures the rates of filters of this size with a quarter to three times as many users.
    counts = range(USERS // 4, 3 * USERS + 1, USERS // 4)
    rates = [bloom_suite.size(n=count, m=answer.m, k=answer.k).p for count in counts]
    (line,) = axes.plot(counts, rates, label=f"m = {answer.m:,}, k = {answer.k}")
    seen, measured = bloom_suite.BloomFilter(bits=answer.m, hashes=answer.k, keys="i64"), []
    for count in counts:
        seen.add_many(range(count))
        measured.append(seen.contains_many(range(10**6, 10**6 + 10**5)).mean())
        assert abs(measured[-1] - rates[counts.index(count)]) < 0.1 * rates[counts.index(count)] + 0.0005
    axes.plot(counts, measured, "o", color=line.get_color())
axes.axvline(USERS, color="grey", linewidth=1)
axes.set(yscale="log", xlabel="users", ylabel="false-positive rate", title=f"Filters for {USERS:,} users: lines as computed, dots as measured")
axes.legend()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "rates.png", dpi=110)
