"""Checks that Spark consults filters that were built in Rust: one that replaces Spark's own filter in a Parquet file, and
others that are added to a file which Spark wrote without filters.
"""

import glob
import os
import sys

import pyspark
from add import FIRST, ROW_GROUPS, ROWS, STEP, add
from checks import Checks
from pyspark.sql import SparkSession
from swap import IDS, ITEMS, PROBE, RATE, swap

folder = sys.argv[1]
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
jvm = spark.sparkContext._jvm
checks = Checks(f"Spark {pyspark.__version__}: filters in Parquet files")
target = os.path.join(folder, "spark")
# The column gets no dictionary, as Spark would consult the dictionary instead of the filter.
options = {"bloom.filter.enabled#id": True, "bloom.filter.expected.ndv#id": ITEMS, "bloom.filter.fpp#id": RATE}
writer = spark.range(IDS.start, IDS.stop, IDS.step, 1).write.option("parquet.enable.dictionary", False)
for name, value in options.items():
    writer = writer.option(f"parquet.{name}", value)
writer.parquet(target)
(file,) = glob.glob(f"{target}/part-*")

parquet = jvm.org.apache.parquet
configuration = jvm.org.apache.hadoop.conf.Configuration()


def opened(file, *options):
    path = jvm.org.apache.hadoop.fs.Path(file)
    return parquet.hadoop.ParquetFileReader.open(parquet.hadoop.util.HadoopInputFile.fromPath(path, configuration), *options)


footer = opened(file)
column = footer.getFooter().getBlocks().get(0).getColumns().get(0)
footer.close()


def rows(path):
    return spark.read.parquet(path).where(f"id = {PROBE}").count()


swap(checks, folder, file, column.getBloomFilterOffset(), column.getBloomFilterLength(), rows)

target = os.path.join(folder, "spark-bare")
# `quotient` is the index of the id of a row in the list of all ids. With it, the first ROWS rows have the ids of the first row
# group, the next ROWS rows those of the second, and so on.
quotient = f"{ROW_GROUPS} * (id % {ROWS}) + floor(id / {ROWS})"
ids = spark.range(0, ROW_GROUPS * ROWS, 1, 1).selectExpr(f"{FIRST} + {STEP} * ({quotient}) AS id")
writer = ids.write.option("parquet.enable.dictionary", False)
writer.option("parquet.block.row.count.limit", ROWS).parquet(target)
(bare,) = glob.glob(f"{target}/part-*")
predicates = parquet.filter2.predicate.FilterApi
column = predicates.longColumn("id")


def rows_of(path, key):
    return spark.read.parquet(path).where(f"id = {key}").count()


def groups_of(path, key):
    equal = predicates.eq(column, key)
    options = parquet.HadoopReadOptions.builder(configuration)
    options = options.withRecordFilter(parquet.filter2.compat.FilterCompat.get(equal)).useColumnIndexFilter(False)
    reader = opened(path, options.build())
    count = reader.getRowGroups().size()
    reader.close()
    return count


add(checks, folder, bare, rows_of, groups_of)
spark.stop()
checks.exit()
