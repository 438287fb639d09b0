"""Spark writes a Parquet file with a Bloom filter, Rust replaces the filter, and Spark consults it."""

import glob
import os
import sys

import pyspark
from checks import Checks
from pyspark.sql import SparkSession
from swap import IDS, ITEMS, PROBE, RATE, swap

folder = sys.argv[1]
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
jvm = spark.sparkContext._jvm
checks = Checks(f"Spark {pyspark.__version__}: a filter in a Parquet file")
target = os.path.join(folder, "spark")
# Without a dictionary, which would be asked instead of the filter.
options = {"bloom.filter.enabled#id": True, "bloom.filter.expected.ndv#id": ITEMS, "bloom.filter.fpp#id": RATE}
writer = spark.range(IDS.start, IDS.stop, IDS.step, 1).write.option("parquet.enable.dictionary", False)
for name, value in options.items():
    writer = writer.option(f"parquet.{name}", value)
writer.parquet(target)
(file,) = glob.glob(f"{target}/part-*")

hadoop = jvm.org.apache.parquet.hadoop
path = jvm.org.apache.hadoop.fs.Path(file)
footer = hadoop.ParquetFileReader.open(hadoop.util.HadoopInputFile.fromPath(path, jvm.org.apache.hadoop.conf.Configuration()))
column = footer.getFooter().getBlocks().get(0).getColumns().get(0)
footer.close()


def rows(path):
    return spark.read.parquet(path).where(f"id = {PROBE}").count()


swap(checks, folder, file, column.getBloomFilterOffset(), column.getBloomFilterLength(), rows)
spark.stop()
checks.exit()
