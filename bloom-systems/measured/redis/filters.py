"""Measures the filters of a Redis server: filters.py SOCKET REQUESTS FOLDER NAME...

For each named system, it writes the false-positive rates of its filters, and their sizes for the pairs of n and p in the file
REQUESTS.
"""

import socket
import sys

from cells import Full, System, measure

# The most keys in one command.
CHUNK = 10_000


class Server:
    """Sends commands to a Redis server and reads the answers, quicker than a general client does."""

    def __init__(self, path):
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(path)
        self.answers = self.connection.makefile("rb")

    def send(self, *words):
        parts = [b"$%d\r\n%s\r\n" % (len(word), word) for word in words]
        self.connection.sendall(b"*%d\r\n%s" % (len(parts), b"".join(parts)))

    def answer(self):
        """Reads an answer and returns a number, a text or a list; raises an exception if the answer is an error."""
        line = self.answers.readline()
        kind, rest = line[:1], line[1:-2]
        if kind == b"-":
            raise RuntimeError(rest.decode())
        if kind == b":":
            return int(rest)
        if kind == b"$":
            return self.answers.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return [self.element() for _ in range(int(rest))]
        return rest

    def element(self):
        try:
            return self.answer()
        except RuntimeError as error:
            return error

    def call(self, *words):
        self.send(*(word if isinstance(word, bytes) else str(word).encode() for word in words))
        return self.answer()


class RedisBloom(System):
    """The filters of RedisBloom. It takes only bytes, so an integer becomes its decimal digits. A filter that may not grow
    refuses items beyond its n."""

    max_operations = 12_000_000
    queries = (3, 2_000)

    def __init__(self, server, *options):
        self.server = server
        self.options = options

    def build(self, items, rate):
        try:
            self.server.call("BF.RESERVE", "filter", rate, items, *self.options)
        except RuntimeError:
            return None
        return "filter"

    def insert(self, filter, keys):
        for start in range(0, len(keys), CHUNK):
            for answer in self.server.call("BF.MADD", filter, *keys[start : start + CHUNK]):
                if isinstance(answer, RuntimeError):
                    raise Full

    def hits(self, filter, keys):
        return sum(sum(self.server.call("BF.MEXISTS", filter, *keys[start : start + CHUNK])) for start in range(0, len(keys), CHUNK))

    def size(self, filter, items, rate):
        """The bits of all filters of which a grown filter consists, and the hashes of the first one."""
        links = [line for line in self.server.call("BF.DEBUG", filter) if line.startswith(b"bytes:")]
        facts = [dict(fact.split(b":") for fact in line.split()) for line in links]
        return sum(int(fact[b"bits"]) for fact in facts), int(facts[0][b"hashes"])

    def free(self, filter):
        self.server.call("DEL", filter)


_, path, requests, folder, *names = sys.argv
server = Server(path)
systems = {"redis-2": RedisBloom(server), "redis-2-nonscaling": RedisBloom(server, "NONSCALING")}
measure(systems, requests, folder, names or systems)
