#!/usr/bin/env python3
"""Counts instructions and allocations of the kernels: these numbers do not depend on the load of the machine.

    instructions.py             compares with instructions.tsv; exits 1 if a kernel grew by more than 1 %
    instructions.py --update    writes instructions.tsv
    instructions.py NAME…       runs only these kernels
    instructions.py --bench F   runs this build of bench, which must be built as in .ci/run

Every kernel runs under callgrind, which counts only inside the function `countedCalls`: without start-up, preparing data and the
first two calls. Needs valgrind and the release build of bench. Counts are valid for one compiler on one
architecture, which the first line of the file names. For another, the comparison is only printed.
"""
import argparse, concurrent.futures, os, pathlib, platform, re, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
BENCH = HERE.parent / ".build/release/bench"  # or that of --bench
TABLE = HERE / "instructions.tsv"
GROWTH = 1.01
# One call of a filtering benchmark processes all records; one call of a parsing benchmark processes one text.
CALLS = {"rows": 20, "text": 300}
ALLOCATORS = ("malloc", "posix_memalign", "aligned_alloc", "calloc", "realloc")


def environment():
    version = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    return re.search(r"Swift version (\S+)", version).group(1) + " " + platform.machine()


def callgrind(bench, name, calls):
    """Returns the numbers of instructions and of malloc calls of `bench run NAME CALLS`."""
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/out"
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", "--toggle-collect=*countedCalls*", "--dump-instr=yes",
             "--compress-pos=no", f"--callgrind-out-file={out}", bench, "run", name, str(calls)],
            capture_output=True, text=True, env=os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"})
        if run.returncode != 0:
            sys.exit(f"bench run '{name}' failed:\n{run.stdout}{run.stderr}")
        # The number of calls of a function is the count of its first instruction. (The numbers of `calls=` lines include
        # calls outside of countedCalls.)
        instructions, names, function, first = 0, {}, "", {}
        lines = iter(open(out, errors="replace"))
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
        allocations = sum(count for _, count in first.values())
        if instructions == 0:
            sys.exit(f"bench run '{name}': the function countedCalls was not found")
        return instructions, allocations


def measure(bench, name, kind):
    calls = CALLS[kind]
    return tuple(round(count / calls) for count in callgrind(bench, name, calls))


def main():
    parser = argparse.ArgumentParser(description="Counts instructions and allocations of the kernels.")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--bench", default=BENCH)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    kernels = [
        line.split("\t") for line in subprocess.run([options.bench, "kernels"], capture_output=True, text=True).stdout.splitlines()]
    kernels = [(name, kind) for name, kind in kernels if not options.names or any(word in name for word in options.names)]
    known, made_for = {}, ""
    if TABLE.exists():
        made_for, _, *rows = TABLE.read_text().splitlines()
        known = {name: (int(a), int(b)) for name, a, b in (row.split("\t") for row in rows)}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip([name for name, _ in kernels], pool.map(lambda kernel: measure(options.bench, *kernel), kernels)))
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
