"""Compares two forms of a threshold on a to-many key: a subquery for each row, and one grouped subquery.

    .build/engines/bin/python3 Benchmarks/Shop/thresholds.py [--size 200000] [--engines postgresql,mariadb,sqlite]

    t0.id IN (SELECT t1.customer_id FROM orders AS t1 GROUP BY t1.customer_id HAVING COUNT(*) > 3)

`Dialect.groupsThresholds` depends on the result. Prints a Markdown table with milliseconds: the median of rounds in which both
forms alternate.
"""
import argparse
import os
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time

from compare import INDEXES, Server, copied
from rows import Shop

from mariadb_engine import MariaDB

# (description, SQL for each row, grouped SQL); {c} is the correlation, {g} the grouping.
FORMS = [
    ("orders.@count > 3", "(SELECT COUNT(*) FROM orders t1 WHERE {c}) > 3", "t0.id IN (SELECT {k} FROM orders t1 GROUP BY {k} HAVING COUNT(*) > 3)"),
    ("SUBQUERY(returned).@count == 2", "(SELECT COUNT(*) FROM orders t1 WHERE {c} AND t1.status = 'returned') = 2",
     "t0.id IN (SELECT {k} FROM orders t1 WHERE t1.status = 'returned' GROUP BY {k} HAVING COUNT(*) = 2)"),
    ("orders.@sum.priority > 20", "(SELECT COALESCE(SUM(t1.priority), 0) FROM orders t1 WHERE {c}) > 20",
     "t0.id IN (SELECT {k} FROM orders t1 GROUP BY {k} HAVING SUM(t1.priority) > 20)"),
    ("orders.@max.placedAt < date", "(SELECT MAX(t1.placed_at) FROM orders t1 WHERE {c}) < '2022-01-01'",
     "t0.id IN (SELECT {k} FROM orders t1 GROUP BY {k} HAVING MAX(t1.placed_at) < '2022-01-01')"),
    ("orders.@count < 2", "(SELECT COUNT(*) FROM orders t1 WHERE {c}) < 2",
     "t0.id NOT IN (SELECT {k} FROM orders t1 WHERE {k} IS NOT NULL GROUP BY {k} HAVING COUNT(*) >= 2)"),
    ("active AND orders.@count > 3", "t0.active AND (SELECT COUNT(*) FROM orders t1 WHERE {c}) > 3",
     "t0.active AND t0.id IN (SELECT {k} FROM orders t1 GROUP BY {k} HAVING COUNT(*) > 3)"),
    ("country == 'DK' OR orders.@count > 3", "t0.country = 'DK' OR (SELECT COUNT(*) FROM orders t1 WHERE {c}) > 3",
     "t0.country = 'DK' OR t0.id IN (SELECT {k} FROM orders t1 GROUP BY {k} HAVING COUNT(*) > 3)"),
    ("country == 'DK' AND orders.@count > 3", "t0.country = 'DK' AND (SELECT COUNT(*) FROM orders t1 WHERE {c}) > 3",
     "t0.country = 'DK' AND t0.id IN (SELECT {k} FROM orders t1 GROUP BY {k} HAVING COUNT(*) > 3)"),
    ("id IN {3, 5, 7} AND orders.@count > 3", "t0.id IN (3, 5, 7) AND (SELECT COUNT(*) FROM orders t1 WHERE {c}) > 3",
     "t0.id IN (3, 5, 7) AND t0.id IN (SELECT {k} FROM orders t1 GROUP BY {k} HAVING COUNT(*) > 3)"),
]


INTEGERS = {"customer_id", "priority", "active"}


class Timed:
    """Runs statements in one engine, and measures the time with this process's clock."""

    def milliseconds(self, sql):
        start = time.monotonic()
        self.run(sql)
        return (time.monotonic() - start) * 1000


class SQLite(Timed):
    def __init__(self):
        self.connection = sqlite3.connect(":memory:")

    def run(self, sql):
        return self.connection.execute(sql).fetchall()

    def fill(self, tables):
        for name, columns, rows in tables:
            # Columns without types would be compared without their indexes.
            described = ", ".join(column + (" INTEGER" if column in INTEGERS else " TEXT") for column in columns[1:])
            self.run(f"CREATE TABLE {name} (id INTEGER PRIMARY KEY, {described})")
            self.connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", rows)
            for index in INDEXES[name]:
                if index in columns:
                    self.run(f"CREATE INDEX {name}_{index} ON {name} ({index})")
        self.run("ANALYZE")

    def stop(self):
        self.connection.close()


class Maria(Timed, MariaDB):
    kinds = {"integer": "BIGINT", "text": "VARCHAR(200)", "boolean": "BOOLEAN", "timestampWithZone": "DATETIME(6)"}

    def fill(self, tables):
        for name, columns, rows in tables:
            kinds = Shop(8).tables()[name][0]
            described = ", ".join(f"{column} {self.kinds[kinds[column]]}" for column in columns[1:])
            self.run(f"CREATE TABLE {name} (id BIGINT PRIMARY KEY, {described}){self.table_options}")
            cursor = self.connection.cursor()
            for start in range(0, len(rows), 5_000):
                values = ",".join("(" + ",".join("NULL" if cell is None else repr(cell) if isinstance(cell, str) else str(int(cell))
                                                 for cell in row) + ")" for row in rows[start:start + 5_000])
                cursor.execute(f"INSERT INTO {name} VALUES {values}")
            cursor.close()
            for index in INDEXES[name]:
                if index in columns:
                    self.run(f"CREATE INDEX {name}_{index} ON {name} ({index})")
            self.run(f"ANALYZE TABLE {name}")


def narrow(size):
    """The columns that both forms read."""
    kept = {"customer": ["id", "country", "active"], "orders": ["id", "customer_id", "status", "priority", "placed_at"]}
    shop = Shop(size).tables()
    for name, columns in kept.items():
        kinds, rows = shop[name]
        places = [list(kinds).index(column) for column in columns]
        dates = {column for column in columns if kinds[column].startswith("timestamp")}
        yield name, columns, [
            tuple(copied(row[place], "timestamp") if column in dates else row[place] for place, column in zip(places, columns))
            for row in rows]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--size", type=int, default=200_000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--engines", default="postgresql,mariadb,sqlite")
    options = options.parse_args()
    print(f"| {options.size:,} parents | engine | rows | for each row | grouped | ratio |\n|---|---|---|---|---|---|")
    for name in options.engines.split(","):
        folder = tempfile.mkdtemp(prefix="predicate-")
        os.chmod(folder, 0o755)
        engine = {"postgresql": Server, "mariadb": Maria, "sqlite": SQLite}[name]()
        try:
            if name != "sqlite":
                engine.start(folder)
            engine.fill(options.size if name == "postgresql" else list(narrow(options.size)))
            for what, each, grouped in FORMS:
                forms = ["SELECT t0.id FROM customer t0 WHERE " + form.format(c="t1.customer_id = t0.id", k="t1.customer_id")
                         for form in (each, grouped)]
                rows = [sorted(engine.run(form)) for form in forms]
                if rows[0] != rows[1]:
                    sys.exit(f"{name}: {forms} select other rows")
                times = ([], [])
                for _ in range(options.rounds):
                    for form, found in zip(forms, times):
                        found.append(engine.milliseconds(form))
                one, other = map(statistics.median, times)
                print(f"| `{what}` | {name} | {len(rows[0])} | {one:.2f} | {other:.2f} | {one / other:.2f} |", flush=True)
        finally:
            engine.stop()
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
