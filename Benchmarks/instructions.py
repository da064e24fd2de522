#!/usr/bin/env python3
"""Counts instructions and allocations of the kernels: these numbers do not depend on the load of the machine.

    instructions.py             compares with instructions.tsv; exits 1 if a kernel grew by more than 1 %
    instructions.py --update    writes instructions.tsv
    instructions.py NAME…       runs only these kernels
    instructions.py --bench F   runs this build of bench, which must be built as in .ci/run

Every kernel runs under callgrind, which counts only inside the function `countedCalls`: without start-up, preparing data and
the first two calls. Callgrind needs a second to start, so bench starts once for many kernels and runs each in a child process.
Needs valgrind and the release build of bench. Counts are valid for one compiler on one architecture, which the first line of
the file names. For another, the comparison is only printed.
"""
import argparse, concurrent.futures, os, pathlib, platform, re, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
BENCH = HERE.parent / ".build/release/bench"  # or that of --bench
TABLE = HERE / "instructions.tsv"
GROWTH = 1.01
ALLOCATORS = ("malloc", "posix_memalign", "aligned_alloc", "calloc", "realloc")


def environment():
    version = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    return re.search(r"Swift version (\S+)", version).group(1) + " " + platform.machine()


def measure(bench, kernels):
    """Returns the numbers of instructions and of allocations of a call of each kernel."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", "--toggle-collect=*countedCalls*", "--dump-instr=yes",
             "--compress-pos=no", f"--callgrind-out-file={folder}/%p", bench, "run", *kernels],
            capture_output=True, text=True, env=os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"})
        if run.returncode != 0:
            sys.exit(f"bench run failed:\n{run.stdout}{run.stderr}")
        found = {}
        for line in run.stdout.splitlines():
            process, name = line.split("\t")
            instructions, allocations = totals(f"{folder}/{process}")
            if instructions == 0:
                sys.exit(f"kernel '{name}': the function countedCalls was not found")
            found[name] = (round(instructions / kernels[name]), round(allocations / kernels[name]))
        return found


def totals(path):
    """The numbers of instructions and of allocations in a file of callgrind."""
    # The number of calls of a function is the count of its first instruction. (The numbers of `calls=` lines include
    # calls outside of countedCalls.)
    instructions, names, function, first = 0, {}, "", {}
    with open(path, errors="replace") as lines:
        for line in lines:
            if line.startswith("totals:"):
                instructions = int(line.split()[1])
            elif match := re.match(r"(c?)fn=\((\d+)\)(?: (.*))?", line):
                if match.group(3):
                    names[match.group(2)] = match.group(3).strip()
                if not match.group(1):
                    function = names.get(match.group(2), "")
            elif line.startswith("calls="):
                next(lines, None)  # the cost of the call
            elif function in ALLOCATORS and line.startswith("0x"):
                address, _, cost = line.split()
                entry = first.setdefault(function, (int(address, 16), 0))
                if int(address, 16) <= entry[0]:
                    first[function] = (int(address, 16), (entry[1] if int(address, 16) == entry[0] else 0) + int(cost))
    return instructions, sum(count for _, count in first.values())


def main():
    parser = argparse.ArgumentParser(description="Counts instructions and allocations of the kernels.")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--bench", default=BENCH)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    listed = subprocess.run([options.bench, "kernels"], capture_output=True, text=True).stdout.splitlines()
    kernels = {name: int(calls) for name, calls in (line.split("\t") for line in listed)}
    if options.names:
        kernels = {name: calls for name, calls in kernels.items() if any(word in name for word in options.names)}
    if not kernels:
        sys.exit("no kernel has such a name")
    known, made_for = {}, ""
    if TABLE.exists():
        made_for, _, *rows = TABLE.read_text().splitlines()
        known = {name: (int(a), int(b)) for name, a, b in (row.split("\t") for row in rows)}
    processes = min(os.cpu_count(), len(kernels))
    parts = [dict(list(kernels.items())[part::processes]) for part in range(processes)]
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        measured = {name: counts for part in pool.map(lambda part: measure(options.bench, part), parts)
                    for name, counts in part.items()}
    found = {name: measured[name] for name in kernels}
    failed = []
    print(f"{'kernel':44} {'instructions':>14} {'before':>14} {'ratio':>7} {'allocations':>12} {'before':>8}")
    for name, (instructions, allocations) in found.items():
        before, allocated = known.get(name, (0, 0))
        ratio = instructions / before if before else 0
        print(f"{name:44} {instructions:14} {before:14} {ratio:7.3f} {allocations:12} {allocated:8}")
        # Ignore a few more allocations per call. One more for each row would be thousands.
        if before and (ratio > GROWTH or allocations > allocated * GROWTH + 8):
            failed.append(name)
    if options.update:
        known.update(found)
        lines = [f"# Swift {environment()}", "kernel\tinstructions a call\tallocations a call"]
        TABLE.write_text("\n".join(lines + [f"{name}\t{a}\t{b}" for name, (a, b) in sorted(known.items())]) + "\n")
    elif failed and made_for == f"# Swift {environment()}":
        sys.exit("grown by over 1 %: " + ", ".join(failed))
    elif failed:
        print(f"not compared: the table was made for {made_for[2:]}, this is Swift {environment()}")


main()
