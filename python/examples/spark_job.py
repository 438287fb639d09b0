"""Broadcasts a filter that Spark built, and queries it by Python code in the executors. Also builds the filter in Python and
checks that it has the same bytes.

    python spark_job.py        needs PySpark 4 and Java
"""

import os
import sys

import bloom_suite
from pyspark.sql import SparkSession

USERS, RATE = 20_000, 0.01
# The executors run the same Python, which has the package.
os.environ["PYSPARK_PYTHON"] = sys.executable
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false").getOrCreate()

# `_jdf` is private to PySpark, but PySpark has no public way to build the filter.
users = spark.range(USERS)
theirs = users._jdf.stat().bloomFilter("id", USERS, RATE)
stream = spark.sparkContext._jvm.java.io.ByteArrayOutputStream()
theirs.writeTo(stream)
built = bytes(stream.toByteArray())

read = bloom_suite.read_bytes(built)
print(f"{read.format}: {read.facts['n']:,.0f} items, m = {read.facts['m']:,}, p = {read.rate:.4f}")
assert all(read.contains(user, keys="i64") for user in range(USERS))
ours = bloom_suite.build("spark-dataframe", n=USERS, p=RATE, keys=range(USERS), key_type="i64")
assert ours.to_bytes() == built, "Python builds the same bytes as Spark"

shared = spark.sparkContext.broadcast(read)


def known(rows):
    """Keeps the visits whose user the filter finds. Runs in the executors."""
    return (row.id for row in rows if shared.value.contains(row.id, keys="i64"))


visits = spark.range(0, 10 * USERS, 1, 4)
kept = visits.rdd.mapPartitions(known).collect()
false = len(kept) - USERS
print(f"{len(kept):,} of {10 * USERS:,} visits kept, {false:,} of them by false positives")
assert set(range(USERS)) <= set(kept) and 0 < false < 2 * read.rate * 9 * USERS
spark.stop()
