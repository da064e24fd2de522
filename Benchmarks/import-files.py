#!/usr/bin/env python3
"""Measures `predicate import` into a new SQLite database beside `sqlite3 .import`: user time and peak memory.

usage: import-files.py [--rows 200000,1250000] [--rounds N] [--directory DIR] [--predicate FILE]

Writes records of 12 columns as CSV and JSON Lines into DIR (by default a temporary folder), imports them alternately, theirs,
ours, theirs, ours …, and prints the median of each. The ratio is ours to that of sqlite3 with the CSV file, which keeps every
value as its text. The stored rows are compared with Python's csv module before anything is timed.
"""
import argparse, csv, json, os, resource, sqlite3, statistics, sys, tempfile
from random import Random

NAMES = "Alice Adam Anna Bob Carlos Diana Émile Élodie Frank Grace Hannah Ivan Julia Łukasz Maria Noah Олег 美咲".split()
TYPES = {"id": "integer", "name": "string", "city": "string", "age": "integer", "salary": "double", "score": "double",
         "active": "boolean", "created": "date", "nickname": {"type": "string", "optional": True}, "note": "string",
         "qty": "integer", "rate": "double"}


def records(count):
    random = Random(5)
    for number in range(count):
        day, second = random.randrange(9000), random.randrange(86400)
        yield {
            "id": number + 1, "name": random.choice(NAMES) + " " + random.choice(NAMES),
            "city": random.choice(["Paris", "Berlin", "São Paulo", "New York"]), "age": random.randint(18, 90),
            "salary": round(random.uniform(2e4, 2e5), 2), "score": round(random.random(), 6),
            "active": random.random() < 0.5,
            "created": f"20{day // 360:02}-{day % 12 + 1:02}-{day % 28 + 1:02}T{second // 3600:02}:{second // 60 % 60:02}:00Z",
            "nickname": None if random.random() < 0.4 else random.choice(NAMES)[:3],
            "note": "lorem ipsum, dolor" if random.random() < 0.1 else "sit amet consectetur",
            "qty": random.randint(0, 100000), "rate": round(random.uniform(0, 9), 3),
        }


def write(directory, rows):
    paths = {form: os.path.join(directory, f"import-{rows}.{form}") for form in ("csv", "jsonl")}
    if all(os.path.exists(path) for path in paths.values()):
        return paths
    with open(paths["jsonl"], "w", encoding="utf-8") as lines, \
            open(paths["csv"], "w", encoding="utf-8", newline="") as table:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(TYPES)
        for record in records(rows):
            lines.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
            texts = dict(record, active=str(record["active"]).lower())
            writer.writerow("" if value is None else value for value in texts.values())
    return paths


def run(arguments, database):
    """Returns the user time in seconds and the peak memory in megabytes of a command that makes the database."""
    if os.path.exists(database):
        os.remove(database)
    process = os.fork()
    if process == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execvp(arguments[0], arguments)
    _, status, usage = os.wait4(process, 0)
    if status != 0:
        sys.exit(f"{' '.join(arguments)} failed")
    return usage.ru_utime, usage.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)


def compare(database, table, path):
    """Compares the stored integers, texts and doubles with those of the file."""
    with open(path, encoding="utf-8", newline="") as file:
        wanted = [(int(row["id"]), row["name"], int(row["age"]), float(row["salary"]), row["nickname"] or None,
                   row["note"], int(row["qty"]), float(row["rate"])) for row in csv.DictReader(file)]
    columns = "id, name, age, salary, nickname, note, qty, rate"
    found = sqlite3.connect(database).execute(f'SELECT {columns} FROM "{table}" ORDER BY id').fetchall()
    if found != wanted:
        sys.exit(f"{database}: the rows are not those of {path}")


def main():
    parser = argparse.ArgumentParser(description="Measures imports.")
    parser.add_argument("--rows", default="200000,1250000")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--directory")
    parser.add_argument("--predicate", default=os.path.join(os.path.dirname(__file__), "../.build/release/predicate"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        directory = options.directory or folder
        schema = os.path.join(directory, "schema.json")
        with open(schema, "w") as file:
            json.dump({"entity": "t", "entities": {"t": {"table": "t", "primaryKey": "id", "attributes": TYPES}}}, file)
        database = os.path.join(directory, "import.sqlite")
        print("rows\timport\tuser, s\tratio\tMB")
        for rows in map(int, options.rows.split(",")):
            paths = write(directory, rows)
            command = [options.predicate, "import", "--into", database, "--entity", "t"]
            commands = {
                "sqlite3, CSV": ["sqlite3", database, "-cmd", ".mode csv", f".import {paths['csv']} t"],
                "CSV, a schema": command + [paths["csv"], "--schema", schema],
                "CSV": command + [paths["csv"]],
                "JSON Lines, a schema": command + [paths["jsonl"], "--schema", schema],
                "JSON Lines": command + [paths["jsonl"]],
            }
            for name, arguments in commands.items():
                run(arguments, database)
                if "sqlite3" not in name:
                    compare(database, "t", paths["csv"])
            figures = {name: [] for name in commands}
            for _ in range(options.rounds):
                for name, arguments in commands.items():
                    figures[name].append(run(arguments, database))
            theirs = statistics.median(time for time, _ in figures["sqlite3, CSV"])
            for name, pairs in figures.items():
                time, memory = (statistics.median(values) for values in zip(*pairs))
                print(f"{rows}\t{name}\t{time:.2f}\t{time / theirs:.1f}\t{memory:.0f}", flush=True)


main()
