"""Prints requests.csv, the 1,000 pairs of items n and rate p for which the filters of every system are sized:

    python3 bloom-systems/measured/requests.py >bloom-systems/measured/requests.csv

The first pairs are all combinations of ITEMS and RATES. In the other pairs, n and p are log-uniform: n from 1 to 10^7, and p
from 0.5 to 1e-9. But in about an eighth of these pairs n is from ITEMS, and in another eighth p is from RATES.
"""

import math

COUNT, MAX_ITEMS, MAX_RATE, MIN_RATE = 1_000, 10**7, 0.5, 1e-9
ITEMS = [1, 2, 3, 7, 8, 9, 10, 63, 64, 65, 100, 127, 128, 1_000, 1_024, 4_096, 10_000, 65_536, 100_000, 10**6, 2**20, 10**7]
RATES = ["0.5", "0.25", "0.2", "0.1", "0.05", "0.01", "0.001", "0.0001", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9"]
MASK = 2**64 - 1


def splitmix64(state):
    """Yields random fractions in [0, 1)."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield ((z ^ (z >> 31)) >> 11) / 2**53


def edge(list, fraction):
    return list[int(fraction * len(list))]


random = splitmix64(1)
pairs = {(n, p): None for n in ITEMS for p in RATES}
while len(pairs) < COUNT:
    n = round(math.exp(next(random) * math.log(MAX_ITEMS)))
    p = f"{MAX_RATE * math.exp(next(random) * math.log(MIN_RATE / MAX_RATE)):.4g}"
    choice, place = next(random), next(random)
    if choice < 1 / 8:
        n = edge(ITEMS, place)
    elif choice < 1 / 4:
        p = edge(RATES, place)
    pairs[n, repr(float(p)).replace("e-0", "e-")] = None
print("n,p")
for n, p in pairs:
    print(f"{n},{p}")
