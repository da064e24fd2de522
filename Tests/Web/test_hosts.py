#!/usr/bin/env python3
"""Runs the examples of hosts as a person does:

    test_hosts.py predicate.wasm        with a python that has wasmtime
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

module = pathlib.Path(sys.argv[1]).resolve()
hosts = pathlib.Path(__file__).resolve().parents[2] / "Sources/Web/PredicateWasm/Hosts"
folder = pathlib.Path(tempfile.mkdtemp())
schema = {"entity": "Person", "entities": {"Person": {"attributes": {"name": "string", "age": "integer"}}}}
(folder / "schema.json").write_text(json.dumps(schema))
(folder / "good.predicate").write_text("# adults\n\nage >= 18\nname BEGINSWITH[cd] 'é'\n", encoding="utf-8")
(folder / "bad.predicate").write_text("age >= 18\nnmae == 'é' AND age >\nage == 'x'\n", encoding="utf-8")
(folder / "Firefox.pkginfo").write_text(
    "<plist><dict><key>installable_condition</key>\n"
    "<string>arch == 'arm64' AND os_ver &gt;= '14'</string></dict></plist>\n")
hook = [sys.executable, hosts / "check_predicates.py", "--module", module]
node = ["node", hosts / "predicates.mjs", module]
typed = ["--schema", "schema.json"]
cases = [
    ([*hook, "good.predicate"], 0, []),
    ([*hook, *typed, "good.predicate"], 0, []),
    ([*hook, *typed, "good.predicate", "bad.predicate"], 1, [
        "bad.predicate:2:1: error: Person has no key 'nmae' (did you mean name?)",
        "bad.predicate:2:22: error: expected a value here, found the end (write a key or a value after >)",
        "bad.predicate:3:1: warning: this comparison is always false: an integer never equals a text"
        " (change it, or remove it)",
    ]),
    ([*hook, "Firefox.pkginfo"], 0, [
        "Firefox.pkginfo:2:29: warning: munki has no key 'os_ver' (did you mean os_vers?)",
    ]),
    ([*node, "age > 3"], 0, []),
    ([*node, "age > 3 AND nmae == 'x'", json.dumps(schema)], 1, [
        "1:13: error: Person has no key 'nmae' (did you mean name?)",
    ]),
]
failed = 0
for command, code, lines in cases:
    run = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")
    if (run.returncode, run.stdout.splitlines()) != (code, lines):
        failed += 1
        print(f"FAILED {command[1:]}: {run.returncode}\n{run.stdout}{run.stderr}")

sys.path.insert(0, str(hosts))
from check_predicates import Predicates  # noqa: E402

start = time.perf_counter()
predicates = Predicates(str(module))
loaded = time.perf_counter()
for _ in range(500):
    predicates.ask("check", format='age > 21 AND name BEGINSWITH[cd] "é"')
each = (time.perf_counter() - loaded) / 500
print(f"    wasmtime: loaded in {(loaded - start) * 1e3:.0f} ms, a check {each * 1e6:.0f} µs")
print(f"{len(cases) - failed} passed, {failed} failed")
sys.exit(failed > 0)
