"""Crawls a web without visiting an address twice, not even after a restart, because its filter is saved in a file.

    python crawler.py        makes up a web, crawls a part of it, and goes on with the saved filter
"""

import collections
import pathlib
import tempfile

from bloom_suite import BloomFilter

PAGES = 20_000


def links(page):
    """Returns the addresses on a page of a web that is made up."""
    return [f"https://example.org/{(page * step + 7) % PAGES}" for step in (3, 5, 11)]


def crawl(start, file, limit):
    """Visits up to `limit` pages. Returns their addresses, and the queue of addresses that are not visited yet."""
    seen = BloomFilter.load(file, keys="str") if file.exists() else BloomFilter(PAGES, 0.001)
    queue, visited = collections.deque(start), []
    while queue and len(visited) < limit:
        address = queue.popleft()
        # True: certainly new. At most about one in 1,000 new addresses is a false positive, and is never visited.
        if seen.add(address):
            visited.append(address)
            queue.extend(links(int(address.rsplit("/", 1)[1])))
    seen.save(file)
    return visited, queue


with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder, "seen.bloom")
    first, queue = crawl(["https://example.org/1"], file, 5000)
    second, queue = crawl(queue, file, PAGES)
    visited = first + second
    assert len(set(visited)) == len(visited), "an address was visited twice"
    assert not queue and len(first) == 5000
    # Finds all addresses that can be reached, with a set in place of the filter.
    reached, todo = set(), ["https://example.org/1"]
    while todo:
        address = todo.pop()
        if address not in reached:
            reached.add(address)
            todo += links(int(address.rsplit("/", 1)[1]))
    missed = len(reached) - len(visited)
    print(f"{len(visited):,} of {len(reached):,} addresses visited, in two runs; {missed} missed as false positives")
    assert set(visited) <= reached and missed < 0.01 * len(reached)
