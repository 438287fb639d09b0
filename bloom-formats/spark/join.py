"""Runs the Spark jobs of the book on a cluster of two executors, and prints what a filter saves in a join.

First, Spark queries a filter built in Rust. It drops the rows of a table whose key is not in the filter, and shuffles only the
other rows for a join. Then Spark builds one filter for each partition of a table, and Rust merges these filters. The jobs are
listings in book/src/distributed.md, from which this script takes them. It needs Spark 4.
"""

import os
import shutil
import sys
import time

import pyspark
from checks import Checks, bloom_file, build, found, inspect, saved
from pyspark.sql import SparkSession
from pyspark.sql.functions import col

# VISITS has the user of each visit. One visit in 40 is by one of USERS. The filter of USERS is the file users.bloom, which the
# listings in book/src/distributed.md read.
USERS, RATE = range(1, 100_001), 0.01
VISITS = range(1, 4_000_001)

with open("book/src/distributed.md") as text:
    _, section = text.read().split("\n## Spark at work\n")
prune, partial, whole = (block.split("\n```\n")[0] for block in section.split("\n```python\n")[1:])
shown = section.split("\n```text\n")[1].splitlines()[1].split()[-1]

# The listings name their files, and bloom-file, without a folder. So this script makes the folder of the files the current one,
# and puts the folder of bloom-file into PATH.
os.environ["BLOOM_FILE"] = os.path.abspath(os.environ["BLOOM_FILE"])
folder = os.path.join(sys.argv[1], "join")
os.mkdir(folder)
os.chdir(folder)
os.environ["PATH"] = os.path.dirname(os.environ["BLOOM_FILE"]) + os.pathsep + os.environ["PATH"]
# Spark keeps files of the executors in its home, in a folder named after the second in which the application started. Another
# application may start in the same second, so this one has a home of its own.
home = os.path.join(folder, "home")
os.mkdir(home)
installed = os.path.dirname(pyspark.__file__)
for name in set(os.listdir(installed)) - {"work"}:
    os.symlink(os.path.join(installed, name), os.path.join(home, name))
os.environ.update(SPARK_HOME=home, PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
options = {
    "spark.ui.enabled": False,
    "spark.ui.showConsoleProgress": False,
    # The next two settings make Spark choose a sort-merge join, which shuffles both tables, and build no filter itself.
    # Adaptive execution is on, as by default.
    "spark.sql.autoBroadcastJoinThreshold": -1,
    "spark.sql.optimizer.runtime.bloomFilter.enabled": False,
    # Spark starts the first job only when both executors have registered.
    "spark.scheduler.minRegisteredResourcesRatio": 1,
}
builder = SparkSession.builder.master("local-cluster[2,1,1024]")
for name, value in options.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
context = spark.sparkContext
store = context._jsc.sc().statusStore()
checks = Checks(f"Spark {pyspark.__version__}: a join on two executors of one core each")
page = {"__name__": "__main__", "spark": spark}


def listed(sequence):
    """The elements of a Scala sequence, as a list."""
    return [sequence.apply(i) for i in range(sequence.size())]


def measured(job):
    """Runs a job. Returns how many seconds it takes, and how many rows and bytes of the visits its shuffles write."""
    group = str(time.monotonic_ns())
    context.setJobGroup(group, "")
    start = time.monotonic()
    job()
    seconds = time.monotonic() - start
    context._jsc.sc().listenerBus().waitUntilEmpty()
    tracker = context.statusTracker()
    ids = {stage for job in tracker.getJobIdsForGroup(group) for stage in tracker.getJobInfo(job).stageIds}
    stages = [store.lastStageAttempt(id) for id in ids]
    # A stage that writes as many rows as there are users shuffles the users. Such a stage is left out: the filter is applied to
    # the visits only.
    stages = [stage for stage in stages if stage.shuffleWriteRecords() != len(USERS)]
    return seconds, *(sum(getattr(stage, f"shuffleWrite{what}")() for stage in stages) for what in ("Records", "Bytes"))


def joined(frame):
    return frame.join(spark.read.parquet("users"), "user")


def digest(path):
    """The number of rows in a table, and a hash that does not depend on their order."""
    return spark.read.parquet(path).selectExpr("count(*)", "bit_xor(hash(*))").first()


spark.range(VISITS.start, VISITS.stop, 1, 8).selectExpr("id AS user", "sha2(string(id), 256) AS page").write.parquet("visits")
spark.range(USERS.start, USERS.stop, 1, 8).selectExpr("id AS user").write.parquet("users")
tasks = {executor.id(): executor.totalTasks() for executor in listed(store.executorList(True))}
if sorted(tasks) != ["0", "1", "driver"] or not (tasks["0"] and tasks["1"]):
    sys.exit(f"two executors are to share the work, not {tasks}")
visits = spark.read.parquet("visits")
ours = build("spark", len(USERS), RATE, USERS, "i64")
file = saved(folder, "users.bloom", ours)
computed = inspect("spark", file)["p"]

# Joins all visits with the users, and then the visits that a filter built in Rust passes. Both joins run twice: only the second
# time counts, as the executors are warm by then.
for _ in range(2):
    for table in ("all", "visits-of-users"):
        shutil.rmtree(table, ignore_errors=True)
    all_seconds, all_rows, all_bytes = measured(lambda: joined(visits).write.parquet("all"))
    seconds, rows, size = measured(lambda: exec(prune, page))
checks.show("visits that pass into the join: all; with the filter", f"{all_rows:,}", f"{rows:,}")
checks.show("their bytes in the shuffle", f"{all_bytes:,}", f"{size:,}")
checks.show("seconds of the join", f"{all_seconds:.1f}", f"{seconds:.1f}")
checks.equal("visits that the filter passes: in Spark; in Rust", rows, len(found("spark", file, VISITS, "i64")))
checks.equal("visits that the filter passes: here; in the book", f"{rows:,}", shown)
absent = len(VISITS) - len(USERS)
checks.rate("false-positive rate: measured; computed", rows - len(USERS), absent, computed)
predicted = (len(USERS) + absent * computed) * all_bytes / all_rows
checks.near("bytes in the shuffle: measured; predicted from the computed rate", size, predicted, 0.05)
(all_rows, all_hash), (rows, hash) = digest("all"), digest("visits-of-users")
checks.equal("rows of the join: without the filter; with it", all_rows, rows)
checks.equal("a hash of the rows of the join: without the filter; with it", all_hash, hash)
broken = ours[: len(ours) // 2] + bytes(len(ours) - len(ours) // 2)
rows = joined(visits.where(page["might_contain"](broken, col("user")))).count()
checks.damaged("rows of the join: intact filter; filter with half of its bytes cleared", len(USERS), rows)

# With the listing `partial`, Spark builds a filter for each partition of the users. With the listing `whole`, it builds a
# single filter of all users. Rust merges the filters of the partitions, and queries the merged filter.
exec(partial, page)
exec(whole, page)
parts = sorted(name for name in os.listdir(folder) if name.startswith("part-"))
with open("spark.bloom", "rb") as stream:
    theirs = stream.read()
checks.equal("built by one job of Spark; built in Rust: bytes", theirs, ours)
ours = bloom_file("merge", "--format", "spark", *parts)
checks.equal(f"built by one job of Spark; {len(parts)} filters, one per partition, merged by Rust: bytes", theirs, ours)
file = saved(folder, "merged.bloom", ours)
checks.equal("users; users that Rust finds in the merged filter", len(USERS), len(found("spark", file, USERS, "i64")))
lacking = len(found("spark", parts[0], USERS, "i64"))
checks.damaged("users found: in the merged filter; in the filter of one partition", len(USERS), lacking)

spark.stop()
checks.exit()
