"""Compares what an engine, such as Redis, says with what bloom-file says, and prints a table of the checks.

All checks run; the exit status says whether all of them passed. With BREAK=1 in the environment, all
that bloom-file returns is damaged, and every check has to fail. This shows that each check can fail.
"""

import json
import math
import os
import subprocess
import sys
import time

BREAK = os.environ.get("BREAK") == "1"


def bloom_file(*arguments, keys=None):
    """Runs bloom-file with keys on its standard input, one a line, and returns what it prints."""
    text = None if keys is None else "".join(f"{key}\n" for key in keys).encode()
    command = [os.environ["BLOOM_FILE"], *map(str, arguments)]
    output = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True).stdout
    if BREAK and arguments[0] in ("build", "merge"):
        half = len(output) // 2
        # In JSON the bits are base64, where A is 0. The last ten characters, which end the JSON, stay.
        cleared = b"A" * (len(output) - half - 10) + output[-10:] if output[:1] == b"{" else bytes(len(output) - half)
        return output[:half] + cleared
    if BREAK and "redis" in arguments[-1:]:
        return output[:-1]
    return output


def build(format, items, rate, keys, kind="text"):
    """Returns the bytes of a filter that bloom-file builds."""
    return bloom_file("build", "--format", format, "-n", items, "-p", rate, "--keys", kind, keys=keys)


def found(format, file, keys, kind="text"):
    """Returns the keys that bloom-file finds in a file."""
    arguments = ["query", file, "--format", format, "--keys", kind, "--only", "yes"]
    answer = bloom_file(*arguments, keys=keys).decode().splitlines()
    return answer[:-1] if BREAK else answer


def inspect(format, file, *arguments):
    """Returns what bloom-file says about a file."""
    (facts,) = json.loads(bloom_file("inspect", file, "--format", format, *arguments, "--json"))["filters"]
    if BREAK:
        facts["m"] += 64
        facts["p"] *= 2
        facts["warnings"] = []
    return facts


def saved(folder, name, data):
    """Writes a file and returns its path."""
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


class Checks:
    """A table of checks, printed line by line as they are made."""

    def __init__(self, title):
        self.failures = self.count = 0
        self.start = time.monotonic()
        print(f"\n{title}\n{'check':<80} {'engine':>12} {'bloom-formats':>13}", flush=True)

    def equal(self, name, theirs, ours):
        """Fails unless both values are equal. For bytes and lists, the table shows the lengths."""
        shown = [f"{len(value):,}" if isinstance(value, (bytes, list)) else value for value in (theirs, ours)]
        self._line(name, *shown, theirs == ours)

    def rate(self, name, hits, queries, computed):
        """Fails if the hits are 6.2 standard deviations or more from `computed`, the rate that bloom-file computes. With an exact
        rate and random keys, this happens less than once in 10^9 times.
        """
        deviation = math.sqrt(queries * computed * (1 - computed))
        passed = abs(hits - queries * computed) < 6.2 * deviation
        self._line(name, f"{hits / queries:.5%}", f"{computed:.5%}", passed)

    def near(self, name, measured, predicted, tolerance):
        """Fails if a measured number differs from the predicted one by more than this part of the prediction."""
        self._line(name, f"{measured:,}", f"{predicted:,.0f}", abs(measured - predicted) <= tolerance * predicted)

    def damaged(self, name, intact, damaged):
        """Fails unless the values differ: the engine must notice a filter that was damaged on purpose."""
        self._line(name, intact, damaged, (intact != damaged) != BREAK)

    def show(self, name, theirs, ours, verdict=""):
        """Prints a line of the table. Callers outside this class print measurements, which cannot fail."""
        print(f"{name:<80} {theirs!s:>12} {ours!s:>13}  {verdict}".rstrip(), flush=True)

    def _line(self, name, theirs, ours, passed):
        self.count += 1
        self.failures += not passed
        self.show(name, theirs, ours, "ok" if passed else "FAILED")

    def exit(self):
        """Prints the total and exits with status 1 if a check failed or, with BREAK=1, if a check passed."""
        seconds = time.monotonic() - self.start
        print(f"{self.count} checks, {self.failures} failed, {seconds:.0f} s", flush=True)
        sys.exit(self.failures != (self.count if BREAK else 0))
