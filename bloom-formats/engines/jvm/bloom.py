"""Checks that five JVM libraries and bloom-formats build the same filters, byte for byte, and find the same keys in them.

The libraries are Guava, Hadoop, DataSketches, ORC and Hive, in the versions that come with PySpark. The script `run` in this
folder starts it.
"""

import sys

from checks import Checks, build, found, inspect, saved
from pyspark.java_gateway import launch_gateway

# The rate is 0.05 because Hive builds filters for no other.
ITEMS, QUERIES, RATE = 1_000, 5_000, 0.05

folder = sys.argv[1]
gateway = launch_gateway()
jvm = gateway.jvm
items = [f"user-{i}" for i in range(ITEMS)]
absent = [f"guest-{i}" for i in range(QUERIES)]
checks = Checks("Libraries for the JVM")


def written(write):
    """The bytes that a function writes to a stream."""
    stream = jvm.java.io.ByteArrayOutputStream()
    write(stream)
    return bytes(stream.toByteArray())


def stream(data):
    return jvm.java.io.ByteArrayInputStream(data)


class Guava:
    format = "guava"

    def __init__(self):
        self.funnel = jvm.com.google.common.hash.Funnels.stringFunnel(jvm.java.nio.charset.StandardCharsets.UTF_8)
        self.filter = jvm.com.google.common.hash.BloomFilter.create(self.funnel, ITEMS, RATE)
        self.add, self.bytes = self.filter.put, lambda: written(self.filter.writeTo)

    def loaded(self, data):
        return jvm.com.google.common.hash.BloomFilter.readFrom(stream(data), self.funnel).mightContain


class Hadoop:
    def __init__(self, format, name, arguments):
        self.format, self.type = format, getattr(jvm.org.apache.hadoop.util.bloom, name)
        self.filter = self.type(*arguments)

    def key(self, text):
        return jvm.org.apache.hadoop.util.bloom.Key(text.encode())

    def add(self, text):
        self.filter.add(self.key(text))

    def bytes(self):
        return written(lambda stream: self.filter.write(jvm.java.io.DataOutputStream(stream)))

    def loaded(self, data):
        filter = self.type()
        filter.readFields(jvm.java.io.DataInputStream(stream(data)))
        return lambda text: filter.membershipTest(self.key(text))


class DataSketches:
    format = "datasketches"

    def __init__(self):
        library = jvm.org.apache.datasketches.filters.bloomfilter
        # bloom-file builds filters of DataSketches with the same seed, 9001.
        self.filter = library.BloomFilterBuilder.createByAccuracy(ITEMS, RATE, 9001)
        self.add, self.bytes = self.filter.update, lambda: bytes(self.filter.toByteArray())

    def loaded(self, data):
        memory = jvm.org.apache.datasketches.memory.Memory.wrap(data)
        return jvm.org.apache.datasketches.filters.bloomfilter.BloomFilter.heapify(memory).query


class Orc:
    format = "orc"

    def __init__(self):
        self.filter = jvm.org.apache.orc.util.BloomFilterUtf8(ITEMS, RATE)
        self.add = self.filter.addString
        self.message = getattr(jvm, "org.apache.orc.OrcProto$BloomFilter")

    def bytes(self):
        builder = self.message.newBuilder()
        jvm.org.apache.orc.util.BloomFilterIO.serialize(builder, self.filter)
        return bytes(builder.build().toByteArray())

    def loaded(self, data):
        kind = getattr(jvm, "org.apache.orc.OrcProto$Stream$Kind").BLOOM_FILTER_UTF8
        encoding = getattr(jvm, "org.apache.orc.OrcProto$ColumnEncoding").getDefaultInstance()
        writer = getattr(jvm, "org.apache.orc.OrcFile$WriterVersion").ORC_135
        category = getattr(jvm, "org.apache.orc.TypeDescription$Category").STRING
        message = self.message.parseFrom(data)
        return jvm.org.apache.orc.util.BloomFilterIO.deserialize(kind, encoding, writer, category, message).testString


class Hive:
    format = "hive"

    def __init__(self):
        self.type = jvm.org.apache.hive.common.util.BloomKFilter
        self.filter = self.type(ITEMS)
        self.add, self.bytes = self.filter.addString, lambda: written(lambda stream: self.type.serialize(stream, self.filter))

    def loaded(self, data):
        return self.type.deserialize(stream(data)).testString


def size(format):
    """The numbers of bits and hashes of bloom-file's filter. Hadoop has no rule for them, so its filter gets these numbers."""
    facts = inspect(format, saved(folder, "size", build(format, ITEMS, RATE, [])))
    return facts["m"], facts["k"]


murmur, jenkins = 1, 0
hadoop = [Hadoop("hadoop", "BloomFilter", (*size("hadoop"), murmur)), Hadoop("hadoop-jenkins", "BloomFilter", (*size("hadoop"), jenkins))]
for peer in [Guava(), *hadoop, DataSketches(), Orc(), Hive()]:
    for item in items:
        peer.add(item)
    theirs, ours = peer.bytes(), build(peer.format, ITEMS, RATE, items)
    checks.equal(f"{peer.format}: the same items built in Rust: bytes", theirs, ours)
    checks.equal(f"{peer.format}: built in Rust, items found by the library", sum(map(peer.loaded(ours), items)), ITEMS)
    system = peer.format.removesuffix("-jenkins")
    file = saved(folder, peer.format, theirs)
    hits = list(filter(peer.loaded(theirs), absent))
    checks.equal(f"{peer.format}: false positives of {QUERIES:,} absent keys, the same ones", hits, found(system, file, absent))
    checks.rate(f"{peer.format}: false-positive rate: measured; computed", len(hits), QUERIES, inspect(system, file)["p"])
gateway.shutdown()
checks.exit()
