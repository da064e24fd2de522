#!/usr/bin/env python3
"""Checks the predicates in files, as 'predicate lint' does: a hook for pre-commit. It needs wasmtime from PyPI.

    check_predicates.py --module predicate.wasm [--schema schema.json] FILE…

Reads Munki pkginfos and manifests, AutoPkg recipes, property lists, JSON, YAML, Swift, Objective-C, Python, shell
scripts, and .predicate files with a predicate on each line. Exits with 1 if a predicate has an error.
"""

import argparse
import json
import pathlib
import random
import sys
import time

import wasmtime


class Predicates:
    """The module. It is compiled once for each version of wasmtime, in seconds; reading the result takes none."""

    def __init__(self, path):
        config = wasmtime.Config()
        config.cache = True
        engine = wasmtime.Engine(config)
        self.store = wasmtime.Store(engine)
        linker = wasmtime.Linker(engine)
        number = wasmtime.FuncType([], [wasmtime.ValType.f64()])
        linker.define_func("env", "clock", number, time.time)
        linker.define_func("env", "random", number, random.random)
        exports = linker.instantiate(self.store, wasmtime.Module.from_file(engine, path)).exports(self.store)
        self.memory = exports["memory"]
        self.allocate, self.free, self.run = (exports[f"predicate_{name}"] for name in ["alloc", "free", "answer"])

    def ask(self, command, **fields):
        request = json.dumps({"command": command, **fields}).encode()
        # Addresses are unsigned.
        place = self.allocate(self.store, len(request)) & 0xFFFFFFFF
        self.memory.write(self.store, request, place)
        result = self.run(self.store, place, len(request)) & 0xFFFFFFFF
        if not place or not result:
            raise MemoryError("the module has no memory left")
        self.free(self.store, place)
        start = result + 4
        length = int.from_bytes(self.memory.read(self.store, result, start), "little")
        answer = json.loads(self.memory.read(self.store, start, start + length))
        self.free(self.store, result)
        return answer


def main():
    parser = argparse.ArgumentParser(description="Checks the predicates in files.")
    parser.add_argument("--module", required=True, help="predicate.wasm")
    parser.add_argument("--schema", type=pathlib.Path, help="the keys and their types, as JSON")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    predicates = Predicates(options.module)
    fields = {}
    if options.schema:
        answer = predicates.ask("schema", schema=json.loads(options.schema.read_text()))
        if not answer["ok"]:
            sys.exit(f"{options.schema}: {answer['diagnostics'][0]['message']}")
        fields["schema"] = answer["schema"]
    has_errors = False
    for file in options.files:
        answer = predicates.ask("lint", name=str(file), text=file.read_text(encoding="utf-8"), **fields)
        has_errors |= not answer["ok"]
        for one in answer.get("diagnostics", []):
            hint = f" ({one['hint']})" if "hint" in one else ""
            print(f"{file}:{one['line']}:{one['column']}: {one['severity']}: {one['message']}{hint}")
    return int(has_errors)


if __name__ == "__main__":
    sys.exit(main())
