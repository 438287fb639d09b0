"""Checks that Spark and bloom-formats build the same filters, byte for byte, and find the same keys in Spark's filters.

Spark builds a filter from a table of 8 partitions, or from one of the partitions. The script runs on Spark 3.5, which writes
version 1 of the format, and on Spark 4.1 or later, which writes version 2. The script `run` in this folder starts it.
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
    """The filter that Spark builds from the values of a column. PySpark lacks this method, so Spark's is called in the JVM."""
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
    """A column of Spark's own answers: whether the filter in `data` contains each value of `column`. SQL has no function for
    this, so the column is made from Spark's internal expression.
    """
    catalyst = jvm.org.apache.spark.sql.catalyst.expressions
    binary = jvm.org.apache.spark.sql.types.DataType.fromDDL("binary")
    needle = column._jc.expr() if not modern else classic.expression(column._jc)
    query = catalyst.BloomFilterMightContain(catalyst.Literal.create(data, binary), needle)
    return Column(jvm.org.apache.spark.sql.Column(query) if not modern else classic.column(query))


if modern:
    classic = jvm.org.apache.spark.sql.classic.ExpressionUtils

# One job: Spark builds a filter of the ids of each of the 8 partitions, and merges the 8 filters.
ids = spark.range(0, ITEMS, 1, PARTITIONS)
theirs, file = written("whole", spark_filter(ids, "id", ITEMS, 0.03))
checks.equal(f"items found of {ITEMS:,} that Spark put", ITEMS, len(found("spark", file, range(ITEMS), "i64")))
absent = range(ITEMS, ITEMS + ABSENT)
hits = spark.range(absent.start, absent.stop).where(might_contain(theirs, col("id"))).count()
checks.equal(f"false positives of {ABSENT:,} absent longs", hits, len(found("spark", file, absent, "i64")))
checks.rate("false-positive rate: measured; computed", hits, ABSENT, inspect("spark", file)["p"])
checks.equal("filter of the longs below 1,000,000, built by Spark; built in Rust: bytes", theirs, build(version, ITEMS, 0.03, range(ITEMS), "i64"))

# Strings.
names = ids.select(concat(lit("user-"), col("id").cast("string")).alias("name"))
strings, _ = written("strings", spark_filter(names, "name", ITEMS, 0.01))
checks.equal("strings: bytes", strings, build(version, ITEMS, 0.01, (f"user-{i}" for i in range(ITEMS))))

# Eight jobs build one filter for each partition. Then Spark merges the 8 filters into one, and Rust merges them, too.
parts = []
for partition in range(PARTITIONS):
    part = ids.where(spark_partition_id() == partition)
    parts.append(written(f"part-{partition}", spark_filter(part, "id", ITEMS, 0.03)))
merged = loaded(parts[0][0])
for data, _ in parts[1:]:
    merged.mergeInPlace(loaded(data))
ours = bloom_file("merge", "--format", "spark", *(file for _, file in parts))
checks.equal(f"{PARTITIONS} filters, one per partition, merged by Spark; merged by Rust: bytes", written("merged", merged)[0], ours)
checks.equal("filter of all items, built by one job of Spark; merged by Rust from the 8 parts: bytes", theirs, ours)

if modern:
    # Spark 4 can still create filters of version 1.
    sketch = jvm.org.apache.spark.util.sketch.BloomFilter
    old = getattr(jvm, "org.apache.spark.util.sketch.BloomFilter$Version").V1
    old = sketch.create(old, 1000, sketch.optimalNumOfBits(1000, 0.03), 0)
    for item in range(1000):
        old.putLong(item)
    again, _ = written("again-1", loaded(build("spark-1", 1000, 0.03, range(1000), "i64")))
    checks.equal("version 1, built by Spark; built in Rust and loaded by Spark: bytes", written("old", old)[0], again)

    # In Spark 4, df.stat.bloomFilter caps the size of a filter without a warning.
    items, rate = 10 * ITEMS, 0.001
    capped, file = written("capped", spark_filter(spark.range(0, items, 1, PARTITIONS), "id", items, rate))
    ours = build("spark-dataframe", items, rate, range(items), "i64")
    checks.equal(f"n = {items:,}, p = {rate:.1%}, filter capped by Spark; built in Rust with the same cap: bytes", capped, ours)
    inspected = inspect("spark", file)
    bits = loaded(capped).bitSize()
    checks.equal("bits of the capped filter", bits, inspected["m"])
    hits = spark.range(items, items + ITEMS).where(might_contain(capped, col("id"))).count()
    checks.rate("false-positive rate of the capped filter: measured; computed", hits, ITEMS, inspected["p"])
    checks.equal("warnings on the capped filter: expected; from bloom-file", 1, len(inspected["warnings"]))

spark.stop()
checks.exit()
