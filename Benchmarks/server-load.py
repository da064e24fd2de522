#!/usr/bin/env python3
"""Loads the sample server (Tests/House/Samples) over the loopback: 200 requests a second for 30 seconds, with the server on one
processor and the clients on the others. Prints its latency, its share of the processor, and its memory every five seconds.

    PREDICATE_PLUGINS=1 swift build -c release --package-path Tests/House/Samples --scratch-path .build/samples --product BookServer
    Benchmarks/server-load.py [SECONDS] [RATE]

Eight clients send filters of five shapes with other constants. Three shapes of five have a mistake or a part that SQLite
cannot express. A time is from the instant at which a request was due until its answer was read, so waiting behind a slow
answer counts.
"""
import collections
import http.client
import os
import pathlib
import random
import subprocess
import sqlite3
import sys
import tempfile
import threading
import time
import urllib.parse

root = pathlib.Path(__file__).resolve().parent.parent
server = root / ".build/samples/release/BookServer"
seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
rate = int(sys.argv[2]) if len(sys.argv) > 2 else 200
clients = 8


def texts(random):
    year, price = random.randrange(1800, 2020), random.randrange(5, 40)
    return random.choice([
        f"year > {year} AND price < {price}",
        f"title CONTAINS[cd] '{random.choice('abcdefgh')}' AND shelf == 1",
        f"CAST(year, 'NSString') ENDSWITH '{year % 10}' AND price < {price}",
        f"yaer > {year}",
        f"title BEGINWITH '{random.choice('abc')}'",
    ])


def client(number, port, end, results):
    source = random.Random(number)
    connection = http.client.HTTPConnection("127.0.0.1", port)
    due = time.perf_counter() + number / rate
    while due < end:
        time.sleep(max(0, due - time.perf_counter()))
        query = urllib.parse.urlencode({"filter": texts(source), "sort": "-year", "limit": 20}, quote_via=urllib.parse.quote)
        connection.request("GET", "/books?" + query, headers={"x-shelf": "1"})
        answer = connection.getresponse()
        answer.read()
        results.append((answer.status, time.perf_counter() - due))
        due += clients / rate


def kilobytes(process):
    for line in open(f"/proc/{process}/status"):
        if line.startswith("VmRSS"):
            return int(line.split()[1])


def ticks(process):
    fields = open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "books.sqlite")
    port = "8099"
    cores = sorted(os.sched_getaffinity(0))
    process = subprocess.Popen(["taskset", "-c", str(cores[0]), server, path, port], stdout=subprocess.DEVNULL)
    try:
        for _ in range(100):
            try:
                http.client.HTTPConnection("127.0.0.1", int(port)).connect()
                break
            except OSError:
                time.sleep(0.1)
        os.sched_setaffinity(0, cores[1:] or cores)
        source = random.Random(1)
        with sqlite3.connect(path) as database:
            database.executemany("INSERT INTO book VALUES (?, ?, ?, ?, ?, ?)", (
                (number, "".join(source.choices("abcdefgh ", k=20)), "".join(source.choices("abcdefgh ", k=12)),
                 source.randrange(1700, 2025), source.randrange(100, 4000) / 100, source.randrange(1, 4))
                for number in range(10_000)))
        results, start, used = collections.deque(), time.perf_counter(), ticks(process.pid)
        threads = [threading.Thread(target=client, args=(n, int(port), start + seconds, results)) for n in range(clients)]
        for thread in threads:
            thread.start()
        for reading in range(5, seconds + 1, 5):
            time.sleep(max(0, start + reading - time.perf_counter()))
            if process.poll() is not None:
                sys.exit(f"the server ended with status {process.returncode}")
            print(f"{reading:3} s: {len(results)} answers, {kilobytes(process.pid):,} KB", flush=True)
        for thread in threads:
            thread.join()
        passed = time.perf_counter() - start
        times = sorted(duration for _, duration in results)
        share = (ticks(process.pid) - used) / os.sysconf("SC_CLK_TCK") / passed
        quantiles = ", ".join(f"{part} % {times[len(times) * part // 100] * 1000:.1f} ms" for part in (50, 95, 99))
        print(f"{len(times) / passed:.0f} requests a second; {quantiles}; {share:.0%} of a processor; "
              f"load of the machine {os.getloadavg()[0]:.1f} on {len(cores)} cores")
        print("answers by status:", dict(collections.Counter(status for status, _ in results)))
    finally:
        process.kill()
        process.wait()
