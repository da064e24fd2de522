#!/usr/bin/env python3
"""Measures groups and sorting of `predicate filter` on files beside DuckDB (one thread) and sqlite3, if they are installed.

usage: group-files.py [--rows N] [--rounds N] [--directory DIR] [--predicate FILE] [--threads N] [NAME…]

Writes generated records as CSV and JSON Lines into DIR (by default a temporary folder) and imports them into a SQLite
database. Measures alternately: ours, DuckDB, sqlite3, ours … The figures are the user time in seconds and the peak memory
in MB: of ours and of sqlite3 those of the process, of DuckDB the time of the query alone and the memory of its process.
sqlite3 reads its database, the others read the file. The time is the least of the rounds. Checks that all programs print
the same number of rows. The last column is ours to DuckDB, with the goal.
"""
import argparse, csv, json, os, shutil, subprocess, sys, tempfile
from random import Random

CITIES = [f"City {number}" for number in range(200)]
# Name, file, arguments of `filter`, SQL (of DuckDB, and of sqlite3 where it differs), goal.
TASKS = [
    ("group by two keys, avg and max, CSV", "csv", ["--group", "city, year, @avg.price, @max.price"],
     "SELECT city, year, count(*), avg(price), max(price) FROM t GROUP BY 1, 2 ORDER BY 1, 2", None, 3),
    ("group by year, month, sum, CSV", "csv", ["--types", "day=date", "--group", "day.year, day.month, @sum.price"],
     "SELECT year(day), month(day), count(*), sum(price) FROM t GROUP BY 1, 2 ORDER BY 1, 2",
     "SELECT substr(day, 1, 4), substr(day, 6, 2), count(*), sum(price) FROM t GROUP BY 1, 2 ORDER BY 1, 2", 3),
    ("group by one key, avg, JSON Lines", "jsonl", ["--group", "city, @avg.price"],
     "SELECT city, count(*), avg(price) FROM t GROUP BY 1 ORDER BY 1", None, 2),
    ("full sort, CSV", "csv", ["--sort=-price,id"], "SELECT * FROM t ORDER BY price DESC, id", None, 1.5),
    ("sort, limit 10, CSV", "csv", ["--sort=-price,id", "--limit", "10"],
     "SELECT * FROM t ORDER BY price DESC, id LIMIT 10", None, 1.5),
    ("many groups, CSV", "csv", ["--group", "id, @sum.qty"],
     "SELECT id, count(*), sum(qty) FROM t GROUP BY 1 ORDER BY 1", None, None),
    ("distinct, CSV", "csv", ["--distinct", "--keys", "city, year"],
     "SELECT DISTINCT city, year FROM t ORDER BY 1, 2", None, None),
]
# Run in a process of its own: prints the user time of the query.
DUCKDB = """
import duckdb, resource, sys
source, query, target = sys.argv[1:]
reader = "read_csv" if source.endswith("csv") else "read_json"
connection = duckdb.connect(config={"threads": 1})
connection.execute("SET enable_progress_bar = false")
query = query.replace("FROM t", f"FROM {reader}('{source}')")
before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
connection.execute(f"COPY ({query}) TO '{target}' (FORMAT csv, HEADER false)")
print(resource.getrusage(resource.RUSAGE_SELF).ru_utime - before)
"""


def write(directory, rows):
    paths = {form: os.path.join(directory, f"sales-{rows}.{form}") for form in ("csv", "jsonl", "sqlite")}
    if all(os.path.exists(path) for path in paths.values()):
        return paths
    rnd = Random(1).random
    with open(paths["csv"], "w", newline="") as table, open(paths["jsonl"], "w") as lines:
        writer = csv.writer(table, lineterminator="\n")
        writer.writerow(["id", "year", "day", "city", "price", "qty"])
        for number in range(rows):
            year, month, day = 2000 + int(rnd() * 25), 1 + int(rnd() * 12), 1 + int(rnd() * 28)
            row = {"id": (number * 7919) % rows, "year": year, "day": f"{year}-{month:02}-{day:02}",
                   "city": CITIES[int(rnd() * 200)], "price": round(rnd() * 1000, 2), "qty": int(rnd() * 100)}
            writer.writerow(row.values())
            lines.write(json.dumps(row, separators=(",", ":")) + "\n")
    if shutil.which("sqlite3"):
        subprocess.run(["sqlite3", paths["sqlite"], "CREATE TABLE t(id INT, year INT, day TEXT, city TEXT, price REAL, qty INT)",
                        ".mode csv", f".import --skip 1 {paths['csv']} t"], check=True)
    return paths


def measured(command, target):
    """The user time and the peak memory of a command, and what it printed on standard error."""
    with open(target, "wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.PIPE)
        errors = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command} failed:\n{errors}")
    return usage.ru_utime, usage.ru_maxrss / 1024, errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_250_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--directory")
    parser.add_argument("--predicate", default=".build/release/predicate")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--python", default=sys.executable, help="a Python with the module duckdb")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    directory = options.directory or tempfile.mkdtemp()
    paths = write(directory, options.rows)
    hasDuckDB = subprocess.run([options.python, "-c", "import duckdb"], capture_output=True).returncode == 0
    print(f"{'task':38} {'ours':>13} {'DuckDB':>13} {'sqlite3':>13}  ratio (goal)")
    for name, form, arguments, query, other, goal in TASKS:
        if options.names and not any(word in name for word in options.names):
            continue
        best, counts = {}, {}
        for _ in range(options.rounds):
            for program in ["ours"] + ["DuckDB"] * hasDuckDB + ["sqlite3"] * bool(shutil.which("sqlite3")):
                target = os.path.join(directory, program + ".out")
                if program == "ours":
                    time, memory, _ = measured(
                        [options.predicate, "filter", "TRUEPREDICATE", paths[form], *arguments, "--to", "csv",
                         "--threads", options.threads], target)
                elif program == "sqlite3":
                    time, memory, _ = measured(["sqlite3", "-csv", paths["sqlite"], other or query], target)
                else:
                    printed = os.path.join(directory, "time.out")
                    _, memory, _ = measured([options.python, "-c", DUCKDB, paths[form], query, target], printed)
                    time = float(open(printed).read())
                with open(target, "rb") as output:
                    counts[program] = sum(1 for _ in output) - (program == "ours")
                if time < best.get(program, (1e9,))[0]:
                    best[program] = (time, memory)
        if len(set(counts.values())) != 1:
            sys.exit(f"{name}: the numbers of rows differ: {counts}")
        cells = [f"{best[key][0]:6.2f} {best[key][1]:4.0f} MB" if key in best else "-" for key in ("ours", "DuckDB", "sqlite3")]
        ratio = f"{best['ours'][0] / best['DuckDB'][0]:5.2f}" if "DuckDB" in best else "-"
        print(f"{name:38} {cells[0]:>13} {cells[1]:>13} {cells[2]:>13}  {ratio}" + (f" ({goal})" if goal else ""), flush=True)


main()
