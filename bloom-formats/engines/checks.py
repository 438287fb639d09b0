"""Compares what an engine, such as Redis, returns with what the command bloom-file returns, and prints a table of the checks.

All checks run, even if one fails; the exit status is 0 only if all of them pass. With BREAK=1 in the environment, this module
and the scripts that use it damage the results of bloom-file, and the exit status is 0 only if every check fails. This shows
that each check can fail.
"""

import json
import math
import os
import subprocess
import sys
import time

BREAK = os.environ.get("BREAK") == "1"


def bloom_file(*arguments, keys=None):
    """Runs bloom-file with keys on its standard input, one a line, and returns what it prints. With BREAK=1, damages the
    filters that the commands `build`, `merge` and `convert --to redis` print.
    """
    text = None if keys is None else "".join(f"{key}\n" for key in keys).encode()
    command = [os.environ["BLOOM_FILE"], *map(str, arguments)]
    output = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True).stdout
    if BREAK and arguments[0] in ("build", "merge"):
        half = len(output) // 2
        # A filter in JSON has its bits in base64, where the letter A stands for clear bits. The last ten characters are kept,
        # so that the text is still JSON.
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
    """Returns what `bloom-file inspect` says about the filter in a file."""
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
    """A table of checks. Each check is printed as a line when it is made."""

    def __init__(self, title):
        self.failures = self.count = 0
        self.start = time.monotonic()
        print(f"\n{title}\n{'check':<80} {'engine':>12} {'bloom-formats':>13}", flush=True)

    def equal(self, name, theirs, ours):
        """Fails unless both values are equal. For bytes and lists, the table shows the lengths."""
        shown = [f"{len(value):,}" if isinstance(value, (bytes, list)) else value for value in (theirs, ours)]
        self._line(name, *shown, theirs == ours)

    def rate(self, name, hits, queries, computed):
        """Fails if the number of hits is 6.2 standard deviations or more from the number that follows from `computed`, the rate
        that bloom-file computes. If this rate is exact and the keys are random, fewer than one in 10^9 checks fails.
        """
        deviation = math.sqrt(queries * computed * (1 - computed))
        passed = abs(hits - queries * computed) < 6.2 * deviation
        self._line(name, f"{hits / queries:.5%}", f"{computed:.5%}", passed)

    def near(self, name, measured, predicted, tolerance):
        """Fails if a measured number differs from the predicted one by more than `tolerance` times the predicted one."""
        self._line(name, f"{measured:,}", f"{predicted:,.0f}", abs(measured - predicted) <= tolerance * predicted)

    def damaged(self, name, intact, damaged):
        """Fails if the engine gives the same value with an intact filter and with one that was damaged on purpose. With BREAK=1
        the verdict is inverted, because this filter is damaged anyway."""
        self._line(name, intact, damaged, (intact != damaged) != BREAK)

    def show(self, name, theirs, ours, verdict=""):
        """Prints a line of the table. Callers outside this class print measurements, which cannot fail."""
        print(f"{name:<80} {theirs!s:>12} {ours!s:>13}  {verdict}".rstrip(), flush=True)

    def _line(self, name, theirs, ours, passed):
        self.count += 1
        self.failures += not passed
        self.show(name, theirs, ours, "ok" if passed else "FAILED")

    def exit(self):
        """Prints the totals and exits: with status 0 if no check failed (with BREAK=1: if every check failed), else with 1."""
        seconds = time.monotonic() - self.start
        print(f"{self.count} checks, {self.failures} failed, {seconds:.0f} s", flush=True)
        sys.exit(self.failures != (self.count if BREAK else 0))
