#!/usr/bin/env python3
"""Measures the delays of `predicate repl`: from start to prompt, and from a key press to the end of drawing.

    python3 Benchmarks/repl-latency.py .build/release/predicate

The command runs in a pseudo-terminal with 100,000 records and a predicate of 500 characters. Prints the
median and the maximum of the elapsed time of all keys, and the command's processor time per key, which does not depend
on other work on the machine.
"""
import json, os, pty, select, statistics, subprocess, sys, tempfile, time

COMMAND = sys.argv[1]
TERMS = ["age > 30", 'name BEGINSWITH[cd] "a"', "city IN {\"London\", \"Paris\"}", "score BETWEEN {1.5, 9.5}", "done == YES"]


def records(path, count):
    cities = ["London", "Paris", "Zagreb", "New York"]
    with open(path, "w") as file:
        for i in range(count):
            row = {"id": i, "name": f"person {i % 997}", "age": i % 90, "city": cities[i % 4],
                   "score": i % 1000 / 7, "done": i % 3 == 0, "note": f"record number {i}"}
            file.write(json.dumps(row) + "\n")


class Session:
    def __init__(self, arguments, state):
        self.start = time.monotonic()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", XDG_STATE_HOME=state)
            os.environ.pop("NO_COLOR", None)
            os.execv(COMMAND, [COMMAND, "repl", *arguments])
        import fcntl, struct, termios
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))

    def until(self, text, limit=60):
        seen = b""
        end = time.monotonic() + limit
        while text not in seen:
            if not select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]:
                sys.exit(f"no {text!r} in {seen[-400:]!r}")
            seen += os.read(self.fd, 65536)
        return time.monotonic()

    def processor(self):
        fields = open(f"/proc/{self.pid}/schedstat").read().split()
        return int(fields[0]) / 1e6

    def key(self, byte):
        """Returns the milliseconds until the drawing for a key is complete, and the command's processor time."""
        before, begun = self.processor(), time.monotonic()
        os.write(self.fd, byte)
        # Each drawing hides the cursor and ends by showing it.
        done = self.until(b"\x1b[?25h")
        return (done - begun) * 1e3, self.processor() - before

    def close(self):
        os.write(self.fd, b"\x03\x04")
        os.waitpid(self.pid, 0)


with tempfile.TemporaryDirectory() as folder:
    starts = []
    for _ in range(15):
        session = Session([], folder)
        starts.append((session.until(b"todo> ") - session.start) * 1e3)
        session.close()
    print(f"start to prompt, sample data: median {statistics.median(starts):.1f} ms, worst {max(starts):.1f} ms")

    path = os.path.join(folder, "people.jsonl")
    records(path, 100_000)
    session = Session([path], folder)
    print(f"start to prompt, 100,000 records: {(session.until(b'people> ') - session.start) * 1e3:.0f} ms")
    text = " AND ".join(TERMS * 20)[:500]
    walls, own = [], []
    for character in text:
        wall, processor = session.key(character.encode())
        walls.append(wall)
        own.append(processor)
    last = walls[-100:], own[-100:]
    print(f"a key, the last 100 of {len(text)}: median {statistics.median(last[0]):.2f} ms, worst {max(last[0]):.2f} ms,"
          f" processor {statistics.median(last[1]):.2f} ms")
    middle = []
    os.write(session.fd, b"\x01")
    time.sleep(0.1)
    for _ in range(100):
        middle.append(session.key(b"a")[0])
    print(f"a key at the beginning of 500 characters: median {statistics.median(middle):.2f} ms, worst {max(middle):.2f} ms")
    session.close()
