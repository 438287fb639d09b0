"""Builds filters in Spark from 8 partitions and compares them with those of bloom-formats, both ways.

Runs on Spark 3.5 (version 1 of the format) and Spark 4.1 or later (version 2). The script `run` in this folder starts it.
"""

import os
import sys

import pyspark
from checks import Checks, bloom_file, build, found, inspect, saved
from pyspark.sql import Column, SparkSession
from pyspark.sql.functions import col, concat, lit, spark_partition_id

ITEMS, ABSENT, PARTITIONS = 10**6, 10**7, 8

folder = sys.argv[1]
spark = SparkSession.builder.master("local[*]").config("spark.ui.showConsoleProgress", "false").config("spark.ui.enabled", "false").getOrCreate()
jvm = spark.sparkContext._jvm
modern = int(pyspark.__version__.split(".")[0]) >= 4
version = "spark" if modern else "spark-1"
checks = Checks(f"Spark {pyspark.__version__}: {version}, {PARTITIONS} partitions")


def spark_filter(frame, column, items, rate):
    """The filter that Spark builds over a column. The call is in Scala, which PySpark reaches by a private handle."""
    return frame._jdf.stat().bloomFilter(column, items, float(rate))


def written(name, handle):
    """The bytes that Spark's writeTo writes, and the path of a file with them."""
    stream = jvm.java.io.ByteArrayOutputStream()
    handle.writeTo(stream)
    data = bytes(stream.toByteArray())
    return data, saved(folder, name, data)


def loaded(data):
    """The filter that Spark's readFrom loads from bytes."""
    return jvm.org.apache.spark.util.sketch.BloomFilter.readFrom(jvm.java.io.ByteArrayInputStream(data))


def might_contain(data, column):
    """Spark's own query of a filter's bytes. The expression has no name in SQL."""
    catalyst = jvm.org.apache.spark.sql.catalyst.expressions
    binary = jvm.org.apache.spark.sql.types.DataType.fromDDL("binary")
    needle = column._jc.expr() if not modern else classic.expression(column._jc)
    query = catalyst.BloomFilterMightContain(catalyst.Literal.create(data, binary), needle)
    return Column(jvm.org.apache.spark.sql.Column(query) if not modern else classic.column(query))


if modern:
    classic = jvm.org.apache.spark.sql.classic.ExpressionUtils

# A filter that the partitions build and Spark merges.
ids = spark.range(0, ITEMS, 1, PARTITIONS)
theirs, file = written("whole", spark_filter(ids, "id", ITEMS, 0.03))
checks.equal(f"items found of {ITEMS:,} that Spark put", ITEMS, len(found("spark", file, range(ITEMS), "i64")))
absent = range(ITEMS, ITEMS + ABSENT)
hits = spark.range(absent.start, absent.stop).where(might_contain(theirs, col("id"))).count()
checks.equal(f"false positives of {ABSENT:,} absent longs", hits, len(found("spark", file, absent, "i64")))
checks.rate("false-positive rate: measured; computed", hits, ABSENT, inspect("spark", file)["p"])
checks.equal("the same items built in Rust: bytes", theirs, build(version, ITEMS, 0.03, range(ITEMS), "i64"))

# Strings.
names = ids.select(concat(lit("user-"), col("id").cast("string")).alias("name"))
strings, _ = written("strings", spark_filter(names, "name", ITEMS, 0.01))
checks.equal("strings: bytes", strings, build(version, ITEMS, 0.01, (f"user-{i}" for i in range(ITEMS))))

# Rust merges one filter for each partition.
parts = []
for partition in range(PARTITIONS):
    part = ids.where(spark_partition_id() == partition)
    parts.append(written(f"part-{partition}", spark_filter(part, "id", ITEMS, 0.03)))
merged = loaded(parts[0][0])
for data, _ in parts[1:]:
    merged.mergeInPlace(loaded(data))
ours = bloom_file("merge", "--format", "spark", *(file for _, file in parts))
checks.equal(f"{PARTITIONS} filters of a partition each, merged: bytes", written("merged", merged)[0], ours)
checks.equal("merged in Rust, and built by one job: bytes", theirs, ours)

if modern:
    # Spark 4 can still create filters of version 1.
    sketch = jvm.org.apache.spark.util.sketch.BloomFilter
    old = getattr(jvm, "org.apache.spark.util.sketch.BloomFilter$Version").V1
    old = sketch.create(old, 1000, sketch.optimalNumOfBits(1000, 0.03), 0)
    for item in range(1000):
        old.putLong(item)
    again, _ = written("again-1", loaded(build("spark-1", 1000, 0.03, range(1000), "i64")))
    checks.equal("version 1 by Spark; by Rust, loaded by Spark: bytes", written("old", old)[0], again)

    # The DataFrame call of Spark 4 caps the size without a warning.
    items, rate = 10 * ITEMS, 0.001
    capped, file = written("capped", spark_filter(spark.range(0, items, 1, PARTITIONS), "id", items, rate))
    ours = build("spark-dataframe", items, rate, range(items), "i64")
    checks.equal(f"n = {items:,}, p = {rate:.1%}, capped in silence: bytes", capped, ours)
    inspected = inspect("spark", file)
    bits = loaded(capped).bitSize()
    checks.equal("its bits: Spark's cap", bits, inspected["m"])
    hits = spark.range(items, items + ITEMS).where(might_contain(capped, col("id"))).count()
    checks.rate("false-positive rate: measured; computed", hits, ITEMS, inspected["p"])
    checks.equal("warnings of bloom-file", 1, len(inspected["warnings"]))

spark.stop()
checks.exit()
