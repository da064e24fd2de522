#!/usr/bin/env python3
"""Measures `predicate filter` on files, and jq and DuckDB if they are installed.

usage: filter-files.py [--rows N] [--rounds N] [--threads 1,2] [--directory DIR] [--predicate FILE] [--tsv]

Writes generated records as JSON Lines and CSV into DIR (by default a temporary folder), checks that all programs select the
same number of records, and measures alternately: theirs, ours, theirs, ours … For ours and jq the time is that of the whole
command, from start to exit. For DuckDB it is that of a query in this process, with the library loaded and the connection
open. `select` writes the records to /dev/null in their own format, `count` prints their number. Ratios are ours to theirs.
"""
import argparse, csv, json, os, shutil, statistics, subprocess, sys, tempfile, time
from random import Random

NAMES = "Alice Adam Anna Bob Carlos Diana Émile Élodie Frank Grace Hannah Ivan Julia Łukasz Maria Noah Олег 美咲".split()
SURNAMES = "Smith Johnson Williams Brown Jones Miller Davis Müller García O'Brien Иванов 佐藤".split()
CITIES = ["Paris", "Berlin", "London", "San Jose", "San Francisco", "São Paulo", "Zürich", "東京", "New York", "Oslo"]
TAGS = "red green blue black white vip new old trial gold silver".split()
WORDS = """lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore
magna aliqua enim ad minim veniam quis nostrud exercitation ullamco laboris nisi aliquip ex ea commodo""".split()

# The name, the predicate, the same condition for jq, and the same in SQL.
PREDICATES = [
    ("age >", "age > 30", ".age > 30", "age > 30"),
    ("BEGINSWITH", 'firstName BEGINSWITH "A"', '.firstName | startswith("A")', "starts_with(firstName, 'A')"),
    ("CONTAINS", 'bio CONTAINS "voluptate"', '.bio | contains("voluptate")', "contains(bio, 'voluptate')"),
]


def people(count):
    rnd = Random(1).random

    def pick(choices):
        return choices[int(rnd() * len(choices))]

    for number in range(count):
        first, last = pick(NAMES), pick(SURNAMES)
        bio = [pick(WORDS) + ("," if rnd() < 0.1 else "") for _ in range(12 + int(rnd() * 18))]
        if rnd() < 0.12:
            bio[int(rnd() * len(bio))] = "voluptate"
        yield {
            "id": number + 1, "firstName": first, "lastName": last, "email": f"user{number}@example.org",
            "city": pick(CITIES), "age": 18 + int(rnd() * 73), "salary": round(20000 + rnd() * 180000, 2),
            "active": rnd() < 0.7, "createdAt": round(1.2e9 + rnd() * 5e8, 3),
            "tags": [pick(TAGS) for _ in range(int(rnd() * 5))],
            "nickname": None if rnd() < 0.3 else pick(NAMES)[:3], "bio": " ".join(bio).capitalize(),
        }


def write(directory, rows):
    paths = {form: os.path.join(directory, f"people-{rows}.{form}") for form in ("jsonl", "csv")}
    if all(os.path.exists(path) for path in paths.values()):
        return paths
    with open(paths["jsonl"], "w", encoding="utf-8") as lines, \
            open(paths["csv"], "w", encoding="utf-8", newline="") as table:
        writer = csv.writer(table, lineterminator="\n")
        for person in people(rows):
            lines.write(json.dumps(person, ensure_ascii=False, separators=(",", ":")) + "\n")
            if person["id"] == 1:
                writer.writerow(person)
            row = dict(person, tags="|".join(person["tags"]), active=str(person["active"]).lower())
            writer.writerow("" if value is None else value for value in row.values())
    return paths


def command(arguments):
    def run():
        start = time.perf_counter()
        subprocess.run(arguments, stdout=subprocess.DEVNULL, check=True)
        return time.perf_counter() - start
    return run


def query(connection, text):
    def run():
        start = time.perf_counter()
        connection.execute(text).fetchall()
        return time.perf_counter() - start
    return run


def answer(arguments):
    return int(subprocess.run(arguments, capture_output=True, check=True).stdout.split()[-1])


def comparisons(options, paths):
    """(name, ours, the reference's name, reference). Ours and the reference select the same number of records."""
    try:
        import duckdb
    except ImportError:
        duckdb = None
    jq = shutil.which("jq")
    for threads in [int(part) for part in options.threads.split(",")]:
        for form, path in paths.items():
            for name, predicate, filter_, where in PREDICATES:
                ours = [options.predicate, "filter", predicate, path, "--threads", str(threads)]
                selected = answer(ours + ["--count"])
                row = f"{form}, {name}, {threads} thread{'s' if threads > 1 else ''}"
                if jq and form == "jsonl" and threads == 1:
                    theirs = [jq, "-c", f"select({filter_})", path]
                    assert answer([jq, "-n", f"reduce (inputs | select({filter_})) as $x (0; . + 1)", path]) == selected
                    yield f"{row}, select", command(ours), f"jq {version([jq, '--version'])}", command(theirs)
                if duckdb:
                    connection = duckdb.connect()
                    connection.execute(f"SET threads = {threads}")
                    source = f"read_{'json' if form == 'jsonl' else 'csv'}_auto('{path}')"
                    count = f"SELECT count(*) FROM {source} WHERE {where}"
                    assert connection.execute(count).fetchone()[0] == selected
                    copy = f"COPY (SELECT * FROM {source} WHERE {where}) TO '/dev/null' " \
                           f"(FORMAT {'json' if form == 'jsonl' else 'csv'})"
                    reference = f"DuckDB {duckdb.__version__}"
                    yield f"{row}, select", command(ours), reference, query(connection, copy)
                    yield f"{row}, count", command(ours + ["--count"]), reference, query(connection, count)


def version(arguments):
    return subprocess.run(arguments, capture_output=True, text=True).stdout.strip().removeprefix("jq-")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--directory")
    parser.add_argument("--predicate", default=os.path.join(os.path.dirname(__file__), "../.build/release/predicate"))
    parser.add_argument("--tsv", action="store_true")
    options = parser.parse_args()
    if not os.path.exists(options.predicate):
        sys.exit("there is no predicate to measure: swift build -c release --product predicate")
    with tempfile.TemporaryDirectory() as temporary:
        paths = write(options.directory or temporary, options.rows)
        if options.tsv:
            print("name", "ours_ns", "reference", "reference_ns", "ratio", "low", "high", sep="\t")
        else:
            print("| | ours, ms | reference | its ms | ratio | middle half |\n|---|---|---|---|---|---|")
        for name, ours, reference_name, reference in comparisons(options, paths):
            pairs = [(reference(), ours()) for _ in range(options.rounds + 1)][1:]
            theirs, own = (statistics.median(side) for side in zip(*pairs))
            ratios = sorted(mine / other for other, mine in pairs)
            low, high = ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]
            ratio = statistics.median(ratios)
            if options.tsv:
                figures = f"{own * 1e9:.0f}", reference_name, f"{theirs * 1e9:.0f}", f"{ratio:.3f}", f"{low:.3f}", f"{high:.3f}"
                print(name, *figures, sep="\t", flush=True)
            else:
                print(f"| {name} | {own * 1e3:.0f} | {reference_name} | {theirs * 1e3:.0f} | {ratio:.2f} | "
                      f"{low:.2f}–{high:.2f} |", flush=True)


if __name__ == "__main__":
    main()
