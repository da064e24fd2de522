#!/usr/bin/env python3
"""Compares the seventeen predicates in this package and in other programs that are installed here.

    compare.py [--records N] [--rounds R] [PEER…]     peers: gnustep sqlite duckdb polars (default: all)

Needs the release build of bench. A peer whose tools are missing is left out, with a line on what to install. Every figure is
nanoseconds per record: the minimum of all rounds, on one thread, with warm data. An x marks a program that selected other
records than the loop.
"""
import pathlib, shutil, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
BENCH = HERE.parent / ".build/release/bench"
NEEDS = {"gnustep": "apt-get install gnustep-devel", "sqlite": "python3 with sqlite3",
         "duckdb": "pip install duckdb", "polars": "pip install polars"}


def option(name, default):
    if name in sys.argv:
        place = sys.argv.index(name)
        value = int(sys.argv[place + 1])
        del sys.argv[place:place + 2]
        return value
    return default


def run(command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def gnustep(folder, data, rounds, formats):
    program = f"{folder}/gnustep"
    flags = run(["gnustep-config", "--objc-flags"]).stdout.split()
    libraries = run(["gnustep-config", "--base-libs"]).stdout.split()
    built = run(["gcc", *flags, "-MF", "/dev/null", "-std=gnu99", "-O2", "-o", program, HERE / "gnustep.m", *libraries])
    if built.returncode != 0:
        return built
    return run([program, data, max(3, rounds // 3)], input="".join(f"{name}\t{text}\n" for name, text in formats.items()))


def main():
    records, rounds = option("--records", 100_000), option("--rounds", 15)
    wanted = sys.argv[1:] or list(NEEDS)
    figures, matches, versions = {}, {}, []

    def take(peer, lines):
        for line in lines:
            if line.startswith("version\t"):
                versions.append(f"{peer} {line.split(chr(9))[1]}")
            elif line.count("\t") == 2:
                name, spent, found = line.split("\t")
                figures[name, peer] = None if spent == "-" else float(spent)
                matches[name, peer] = found

    # Ours runs before and after the peers; the smaller time counts.
    ours = run([BENCH, "peers", records, rounds]).stdout.splitlines()
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/people.tsv"
        with open(data, "w") as file:
            subprocess.run([BENCH, "people", str(records)], stdout=file, check=True)
        formats = dict(line.split("\t") for line in run([BENCH, "formats"]).stdout.splitlines())
        for peer in wanted:
            if peer == "gnustep" and not shutil.which("gnustep-config"):
                done = None
            elif peer == "gnustep":
                done = gnustep(folder, data, rounds, formats)
            else:
                done = run([sys.executable, HERE / "engines.py", peer, data, rounds])
            if done is None or done.returncode != 0:
                print(f"{peer}: left out; {NEEDS[peer]}", file=sys.stderr)
                if done is not None:
                    print(done.stderr[-2000:], file=sys.stderr)
                continue
            take(peer, done.stdout.splitlines())
    for line in ours + run([BENCH, "peers", records, rounds]).stdout.splitlines():
        name, peer, spent, found = line.split("\t")
        figures[name, peer] = min(float(spent), figures.get((name, peer), float("inf")))
        matches[name, peer] = found

    mine = [peer for peer in ("structs", "columns", "loop", "tuned", "#Predicate") if ("P01", peer) in figures]
    columns = mine + [peer for peer in wanted if ("P01", peer) in figures]
    print(f"{records} records; {', '.join(versions)}")
    print("| | predicate | " + " | ".join(columns) + " |\n|---|---|" + "---|" * len(columns))
    for name, text in formats.items():
        cells = []
        for peer in columns:
            spent = figures.get((name, peer))
            wrong = spent is not None and matches[name, peer] != matches[name, "loop"]
            cells.append("-" if spent is None else f"{spent:.3g}" + (" x" if wrong else ""))
        print(f"| {name} | `{text}` | " + " | ".join(cells) + " |")


main()
