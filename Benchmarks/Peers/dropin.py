#!/usr/bin/env python3
"""Compares the names of NSPredicate (PredicateCompatibility) with GNUstep, on dictionaries in an NSArray.

    dropin.py [--count N] [--rounds R] [--build FOLDER]

Builds both programs, runs ours before and after GNUstep's, and prints milliseconds of processor time for all records:
medians, of which the smaller one of our two runs counts. An x marks another number of matches than GNUstep's. GNUstep is
left out if it is not installed: apt-get install gnustep-devel.
"""
import argparse, os, pathlib, shutil, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def run(command, **options):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed")
    return done.stdout.splitlines()


def gnustep(count, rounds, formats):
    if not shutil.which("gnustep-config"):
        return []
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/gnustep-dictionaries"
        flags = run(["gnustep-config", "--objc-flags"])[0].split()
        libraries = run(["gnustep-config", "--base-libs"])[0].split()
        source = HERE / "gnustep-dictionaries.m"
        run(["gcc", *flags, "-MF", "/dev/null", "-std=gnu99", "-O2", "-o", program, source, *libraries])
        return run([program, count, rounds], input="".join(f"{format}\n" for format in formats))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--build", default=".build")
    options = parser.parse_args()
    build = ["swift", "build", "-c", "release", "--product", "dropin", "--scratch-path", options.build]
    environment = os.environ | {"PREDICATE_BENCHMARKS": "1"}
    run(build, cwd=ROOT, env=environment)
    ours = [ROOT / options.build / "release/dropin", "--count", options.count, options.rounds]
    first = run(ours)
    formats = list(dict.fromkeys(line.split("\t")[0] for line in first))
    theirs = gnustep(options.count, options.rounds, formats)

    times, matches = {}, {}
    for line in first + theirs + run(ours):
        format, way, spent, found = line.split("\t")
        times[way, format] = min(float(spent), times.get((way, format), float("inf")))
        matches[way, format] = found
    print("| ms | " + " | ".join(f"`{format}`" for format in formats) + " |\n|---|" + "---|" * len(formats))
    for way in dict.fromkeys(way for way, _ in times):
        cells = []
        for format in formats:
            expected = matches.get(("GNUstep", format), matches["NSArray", format])
            wrong = "block" not in way and matches[way, format] != expected
            cells.append(f"{times[way, format]:g}" + (" x" if wrong else ""))
        print(f"| {way} | " + " | ".join(cells) + " |")


main()
