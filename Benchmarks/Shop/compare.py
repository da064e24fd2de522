"""Measures PostgreSQL on the predicates of Tests/House/Engines/Shop: our SQL and the best SQL that a person wrote.

    swift build -c release --product predicate
    .build/engines/bin/python3 Benchmarks/Shop/compare.py [--size 200000] [--only WORD] [--worst 10] > Benchmarks/Shop/README.md

Uses a private server with `size` rows for every entity, the usual indexes, and ANALYZE. Checks that both statements of a pair
select the same rows. Both statements select the same columns, because `c.*` in the handwritten one would also select the columns
of folded texts. A time is the processor time of the server's process in milliseconds, planning included, so that other work on the
machine has little effect: the median of rounds. Each round runs our statement, the handwritten one, and the handwritten one again.
The difference between the last two is the noise.
"""
import argparse
import io
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHOP = os.path.join(ROOT, "Tests/House/Engines/Shop")
sys.path.insert(0, os.path.join(ROOT, "Tests/House/Engines"))
sys.dont_write_bytecode = True

from postgresql_engine import PostgreSQL  # noqa: E402
from rows import Shop  # noqa: E402

TYPES = {
    "integer": "bigint", "text": 'text COLLATE "C"', "url": 'text COLLATE "C"', "decimal": "numeric(12, 2)", "boolean": "boolean",
    "double": "float8", "uuid": "uuid", "timestampWithZone": "timestamptz", "timestamp": "timestamp",
    "text[]": 'text[] COLLATE "C"',
}
# In addition to primary keys: foreign keys, and columns that an app searches and sorts by.
INDEXES = {
    "customer": ["name", "name_search", "email", "email_lower", "city", "country", "phone", "postcode", "signed_up", "last_seen",
                 "birthday", "points", "credit", "token", "referrer_id"],
    "category": ["slug", "parent_id"],
    "product": ["sku", "name_search", "barcode", "page", "price", "stock", "rating", "color", "created_at", "discontinued_at",
                "category_id"],
    "orders": ["number", "status", "placed_at", "shipped_at", "delivered_at", "total", "coupon", "customer_id"],
    "order_line": ["order_id", "product_id"],
    "review": ["stars", "created_at", "product_id", "author_id"],
    "favorite": ["product_id, customer_id"],
}


class Server(PostgreSQL):
    settings = {"shared_buffers": "1GB", "work_mem": "64MB", "max_parallel_workers_per_gather": "0",
                "statement_timeout": "120s", "TimeZone": "UTC"}

    def fill(self, size):
        for table, (columns, rows) in Shop(size).tables().items():
            described = ", ".join(
                f"{name} {TYPES[kind]}" + (" PRIMARY KEY" if name == "id" else "") for name, kind in columns.items())
            self.run(f"CREATE TABLE {table} ({described}" + (", PRIMARY KEY (customer_id, product_id))" if table == "favorite" else ")"))
            text = io.StringIO()
            for row in rows:
                text.write("\t".join(copied(value, kind) for value, kind in zip(row, columns.values())) + "\n")
            with self.connection.cursor().copy(f"COPY {table} FROM STDIN") as copy:
                copy.write(text.getvalue())
            for index in INDEXES[table]:
                self.run(f"CREATE INDEX ON {table} ({index})")
        self.run("VACUUM ANALYZE")

    def milliseconds(self, sql, values=()):
        before = self.nanoseconds()
        self.run("EXPLAIN (ANALYZE, TIMING OFF) " + sql, values)
        return (self.nanoseconds() - before) / 1e6

    def nanoseconds(self):
        """The processor time that our connection's process has used."""
        with open(f"/proc/{self.connection.info.backend_pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[0])

    def keys(self, sql, values=()):
        return self.run(f"SELECT COUNT(*), MD5(STRING_AGG(s.id::text, ',' ORDER BY s.id)) FROM ({sql}) AS s", values)[0]


def copied(value, kind):
    """A value in the format of COPY."""
    if value is None:
        return "\\N"
    if kind == "text[]":
        return "{" + ",".join(value) + "}"
    if kind.startswith("timestamp"):
        zone = "+00" if kind.endswith("Zone") else ""
        return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(value)) + zone
    return str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def bound(value):
    """A binding from tagged JSON as a text for PostgreSQL. The placeholder has its type."""
    if isinstance(value, dict):
        value = next(iter(value.values()))
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value) if isinstance(value, list) else str(value)


def translated(predicate, lines):
    """Returns the output of `predicate sql` for each line."""
    requests = "".join(
        json.dumps({"id": line["name"], "entity": line["entity"], "format": line["predicate"]["format"],
                    "arguments": line["predicate"].get("arguments", [])}) + "\n" for line in lines)
    answer = subprocess.run(
        [predicate, "sql", "--dialect", "postgresql", "--schema", os.path.join(SHOP, "schema.json"), "--batch", "-"],
        input=requests, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in answer.splitlines()]


class Different(Exception):
    """Raised if the two statements of a pair select different rows."""


def with_columns(hand, ours):
    """The handwritten statement with our columns instead of `c.*`."""
    columns = re.findall(r'"t0"\.("[^"]+")', ours[:ours.index(" FROM ")])
    return re.sub(r"\bSELECT (\w+)\.\*", lambda found: "SELECT " + ", ".join(f"{found[1]}.{name}" for name in columns), hand)


def compared(server, line, answer, rounds):
    """(ours, by hand, by hand again, rows, whether ours is exact, our SQL, our values)"""
    ours, values = answer["statement"], [bound(value) for value in answer["bindings"]]
    hand = with_columns(line["hand"], ours)
    exact = answer["exactness"] == "exact"
    expected, found = server.keys(hand), server.keys(ours, values)
    if exact and expected != found:
        raise Different(f"{line['entity']}, {line['name']}: ours selects {found}, by hand {expected}\n{ours}\n{values}\n{line['hand']}")
    times = ([], [], [])
    spent = time.monotonic()
    while len(times[0]) < min(3, rounds) or len(times[0]) < rounds and time.monotonic() - spent < 1.5:
        times[0].append(server.milliseconds(ours, values))
        times[1].append(server.milliseconds(hand))
        times[2].append(server.milliseconds(hand))
    return *(statistics.median(one) for one in times), expected[0], exact, ours, values


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--size", type=int, default=200_000)
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--only", default="")
    options.add_argument("--worst", type=int, default=0, help="print the SQL of the N worst pairs to standard error")
    options.add_argument("--predicate", default=os.path.join(ROOT, ".build/release/predicate"))
    options = options.parse_args()
    with open(os.path.join(SHOP, "predicates.jsonl"), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    lines = [line for line in lines if options.only in f"{line['entity']}, {line['name']}, {line['predicate']['format']}"]
    answers = translated(options.predicate, lines)
    server, folder = Server(), tempfile.mkdtemp(prefix="predicate-")
    os.chmod(folder, 0o755)
    try:
        server.start(folder)
        server.fill(options.size)
        pairs, different = [], []
        for line, answer in zip(lines, answers):
            try:
                pairs.append((line, compared(server, line, answer, options.rounds)))
            except Different as difference:
                different.append(difference)
            print(f"{len(pairs)} of {len(lines)} pairs", end="\r", file=sys.stderr)
        version = server.run("SHOW server_version")[0][0]
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
    report(pairs, options, version)
    if different:
        sys.exit("\n".join(map(str, different)))


def report(pairs, options, version):
    ratio = lambda pair: pair[1][0] / pair[1][1]  # noqa: E731
    ratios = sorted(map(ratio, pairs))
    noise = sorted(max(one[1], one[2]) / min(one[1], one[2]) for _, one in pairs)
    slow = [pair for pair in pairs if ratio(pair) > 2]
    other = [pair for pair in pairs if "finds" in pair[0]]
    print(f"""# Our SQL against SQL written by hand

`Tests/House/Engines/Shop` contains predicates that apps use. For each of them, a person wrote the best SQL for PostgreSQL.
`compare.py` runs our SQL and the handwritten SQL on {options.size:,} customers, orders, products and reviews, and on twice as many
lines. There is an index on every key and on every column that an app searches ({platform.system()}, {os.cpu_count()} processors, PostgreSQL {version.split()[0]},
one process per query). Both statements select the same rows and the same columns. A time is the processor time in
milliseconds, planning included: the median of at most {options.rounds} rounds.

- Pairs: {len(pairs)}. The ratio of our time to the time of the handwritten SQL: median {statistics.median(ratios):.2f}, 90th percentile {ratios[len(ratios) * 9 // 10]:.2f}, maximum {ratios[-1]:.2f}.
- Pairs where our statement takes more than twice as long: {len(slow)}.
- Pairs with ≈: {len(other)}. Here the handwritten SQL has another meaning than the predicate; it selects the same rows in this data only.
  `finds` in `predicates.jsonl` describes its meaning. Of these pairs, our statement takes more than twice as long in: {sum(pair in slow for pair in other)}.
- Noise, the handwritten statement compared with itself: median {statistics.median(noise):.2f}, 90th percentile {noise[len(noise) * 9 // 10]:.2f}, maximum {noise[-1]:.2f}.

| entity, predicate | rows | ours | by hand | ratio |
|---|---|---|---|---|""")
    for line, (ours, hand, _, rows, exact, *_) in pairs:
        mark = ("" if exact else " (not exact)") + (" ≈" if "finds" in line else "")
        text = line["predicate"]["format"].replace("|", "\\|")
        print(f"| {line['entity']}: `{text}`{mark} | {rows} | {ours:.2f} | {hand:.2f} | {ours / hand:.2f} |")
    for line, (ours, hand, _, rows, _, sql, values) in sorted(pairs, key=ratio, reverse=True)[:options.worst]:
        print(f"\n{ours / hand:.2f}: {ours:.2f} against {hand:.2f}, {rows} rows: {line['entity']}, {line['name']}\n{sql[:1500]}\n"
              f"{str(values)[:300]}\n{line['hand'][:600]}", file=sys.stderr)


if __name__ == "__main__":
    main()
