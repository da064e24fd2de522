// Compares the answers of the module with those of the command, which are the same but for what the module lacks:
//
//     node Tests/Web/compare.mjs predicate.wasm predicate [MUTATIONS]
//
// The requests are made from the golden cases, the files of the tests of lint and seeded mutations of both. Then the
// module gets texts that are deep, long or malformed: it must answer each, and not trap.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { load } from "../../Sources/Web/PredicateWasm/Hosts/predicates.mjs";

const [modulePath, command, mutations = "2000"] = process.argv.slice(2);
const tests = path.join(import.meta.dirname, "..");
const dialects = ["sqlite", "postgresql", "mysql", "duckdb", "clickhouse", "spark", "ansi"];

// MARK: Requests

/// The cases of a golden file: its texts with the directives above them.
function goldenCases(file) {
    const [head, ...blocks] = fs.readFileSync(file, "utf8").split(/^=== /m);
    const shared = /^schema (\w+)/m.exec(head)?.[1];
    return blocks.flatMap(block => {
        const found = { schema: shared, file };
        for (const line of block.split("\n").slice(1)) {
            const directive = /^(kind|input|args|schema|entity) (.*)$/.exec(line);
            if (line.startsWith("--- ")) break;
            if (directive) found[directive[1]] = directive[2];
            else if (line.trim() && !/^[a-z]+ [^=<>]*$/.test(line)) found.format ??= line;
        }
        return found.format ? [found] : [];
    });
}

function json(text) {
    try { return JSON.parse(text); } catch { return undefined; }
}

const cases = fs.readdirSync(path.join(tests, "Golden"), { recursive: true }).sort()
    .filter(name => /\/.*\.golden$/.test(name)).flatMap(name => goldenCases(path.join(tests, "Golden", name)));
const schemas = Object.fromEntries(fs.readdirSync(path.join(tests, "Golden/Schemas")).map(name => {
    const { rows, ...schema } = JSON.parse(fs.readFileSync(path.join(tests, "Golden/Schemas", name), "utf8"));
    return [path.parse(name).name, schema];
}));

/// A generator of numbers (mulberry32), so that each run has the same mutations.
let seed = 45;
function random(bound) {
    seed = (seed + 0x6D2B79F5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
}
const any = list => list[random(list.length)];

const pieces = [
    ..."AND OR NOT == = < > && IN BETWEEN LIKE MATCHES ANY nil \" ' ( ) { } %@ $x contains é 🙂 \\ SELF .".split(" "),
    ..."@count [cd] 1e400 0x1F #key * [ ] SUBQUERY( , : - ** CAST( TERNARY( e\u0301 \u0000".split(" "), "\u2028",
];
function mutated(text) {
    for (let count = 1 + random(3); count > 0; count--) {
        const letters = Array.from(text), at = random(letters.length + 1);
        const change = random(4);
        if (change == 0) letters.splice(at, 0, any(pieces));
        else if (change == 1) letters.splice(at, 1 + random(4));
        else if (change == 2) letters.splice(at, 0, " ", any(pieces), " ");
        else letters.splice(at, random(6), ...letters.slice(random(letters.length + 1)).slice(0, 8));
        text = letters.join("");
    }
    return text;
}

const objects = [
    { a: 1, b: 2.5, name: "Élodie", age: 30, tags: ["vip"], c: { $date: 1e8 }, s: "ǆ ﬁ ß", n: { $decimal: "0.10" } },
    { a: null, name: "STRASSE", age: -1, tags: [], orders: [{ total: 5 }, { total: 7.25 }], u: { $set: [1, 2] } },
    { a: [1, 2, 3], name: "", age: 1.5, s: "e\u0301", orders: { $set: [{ total: 1 }] } },
];

/// Requests for a text, of every command.
function requests({ format, kind, args, input, schema, entity, file }) {
    const given = { format, ...kind && { kind }, ...args && { arguments: json(`[${args}]`) } };
    const object = json(input) ?? any(objects);
    const made = [{ command: "check", ...given }, { command: "eval", ...given, input: object }];
    if (kind != "expression") {
        made.push({ command: "filter", ...given, objects: [...objects, object] }, { command: "simplify", format },
            { command: "complete", format }, { command: "check", ...given, profile: any(profiles) },
            { command: "why", ...given, input: object });
    }
    made.push({ command: "format", ...given, shape: any(["tree", "pretty", "redacted"]), ...kind && { kind } });
    const known = schemas[schema] ?? (file?.includes("/sql/") ? schemas.crew : undefined);
    if (known) {
        const target = { schema: known, entity: entity ?? known.entity ?? Object.keys(known.entities)[0] };
        made.push({ command: "check", ...given, ...target, profile: any(profiles) });
        for (const dialect of dialects) made.push({ command: "sql", ...given, ...target, dialect });
    }
    return made;
}

const profiles = ["munki", "cloudkit", "realm", "ddm", "xcuitest", "photos", { extends: "oslog", keys: { open: true } }];

/// Requests to lint a file.
const lints = (name, text) => [
    { command: "lint", name, text, list: true },
    { command: "lint", name, text, profile: any(profiles), schema: schemas.people, keys: ["rule"] },
];
const fixtures = path.join(tests, "Tool/Sessions/fixtures/lint");
const files = fs.readdirSync(fixtures, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath ?? entry.path, entry.name)).sort()
    .map(file => [path.relative(fixtures, file), fs.readFileSync(file, "utf8")]);

const records = ["", "a,b\n1,x\n2,\"y\n", `[{"a":1},{"a":2.5,"b":[1,{"c":null}]}]`, `{"a":1}\n{"a":\n{"b":2}`,
"é;ü\n"];
const all = [
    ...cases.flatMap(requests), ...records.map(text => ({ command: "records", text, keep: true })),
    ...files.flatMap(file => lints(...file)), { command: "profiles" }, { command: "schema", schema: schemas.crew },
    { command: "release", schema: 1 }, { command: "release", schema: 9 },
    ...Array.from(fs.readFileSync(path.join(tests, "../Sources/Language/PredicateSyntax/Diagnostics/Messages.swift"), "utf8")
        .matchAll(/"([a-z]+-[a-z-]+)"/g), found => ({ command: "explain", diagnostic: found[1] })),
];
for (let count = Number(mutations); count > 0; count--) {
    const one = any(cases), [name, text] = any(files);
    all.push(count % 8 ? any(requests({ ...one, format: mutated(one.format) })) : any(lints(name, mutated(text))));
}
// The two clocks and random numbers differ.
const lines = all.filter(one => !/now|random|today|yesterday|tomorrow/i.test(one.format))
    .map((one, id) => JSON.stringify({ id, ...one }));

// MARK: Comparison

/// The diagnostics that say what the module lacks: patterns with look-around or back-references, and [l].
const lacking = ["malformed-pattern", "unsupported-function"];

/// Why two answers may differ; null if they must not.
function allowedDifference(request, ours, theirs) {
    const said = [...ours.diagnostics ?? [], ...ours.failures ?? []].filter(one => /Foundation|ICU/.test(one.message));
    if (said.some(one => !one.id || lacking.includes(one.id))) return "needs Foundation";
    // A comparison that may fail is not simplified, and whether a pattern with look-around is well formed is not known.
    const isForeign = /MATCHES/i.test(request.format) && /\(\?|\\\d/.test(request.format);
    if (request.command == "simplify" && isForeign) return "needs Foundation";
    // The last digit of log10 and pow is that of each C library.
    const rounded = answer => JSON.stringify(answer).replace(/\d+\.\d{12,}/g, number => Number(number).toPrecision(12));
    return /log|\*\*|raise/.test(request.format) && rounded(ours) == rounded(theirs) ? "last digit" : null;
}

const predicates = load(modulePath);
console.log(`${cases.length} golden cases, ${files.length} files, ${lines.length} requests`);
const native = spawnSync(command, ["answer"], { input: lines.join("\n") + "\n", maxBuffer: 1 << 30, encoding: "utf8" });
const expected = native.stdout.split("\n").slice(0, -1);
let failures = 0, passed = 0, allowed = {};
function fail(...text) {
    failures += 1;
    if (failures <= 20) console.log(...text);
}
if (expected.length != lines.length) fail(`the command gave ${expected.length} answers: ${native.stderr}`);
const started = performance.now();
for (const [index, line] of lines.entries()) {
    try {
        const answer = predicates.answer(line);
        const reason = answer == expected[index] ? null
            : allowedDifference(JSON.parse(line), JSON.parse(answer), json(expected[index]) ?? {});
        if (reason) allowed[reason] = (allowed[reason] ?? 0) + 1;
        else if (answer != expected[index]) fail(`DIFFERENT ${line}\n  ours   ${answer}\n  theirs ${expected[index]}`);
        passed += 1;
    } catch (error) {
        fail(`TRAP ${line}\n  ${error}`);
        predicates.restart();
    }
}
const each = (performance.now() - started) / lines.length * 1000;
console.log(`${each.toFixed(0)} µs each, ${predicates.memory / 1e6} MB; allowed differences:`, JSON.stringify(allowed));

// MARK: Texts that are deep, long or malformed

const repeated = (part, count, middle = "", end = "") => part.repeat(count) + middle + end.repeat(count);
const deep = [100, 199, 250, 3000, 100000].flatMap(count => [
    repeated("(", count, "a == 1", ")"), `a == ${repeated("(1 + ", count, "1", ")")}`, "NOT ".repeat(count) + "a == 1",
    "a == " + repeated("TERNARY(a == 1, ", count, "1", ", 2)"), "a IN " + repeated("{", count, "1", "}"),
    "a" + ".a".repeat(count) + " == 1", "a == 1" + " AND a == 1".repeat(count), "a == 1" + " + 1".repeat(count),
    repeated("SUBQUERY(a, $x, ", count, "a == 1", ").@count == 0"), `a MATCHES "${repeated("(", count, "x", ")")}"`,
    "a MATCHES \"" + "(a*)*".repeat(count) + "b\"", "-".repeat(count) + "1 == a", "a == \"" + "é".repeat(count) + "\"",
]);
const malformed = [
    "", " ", "nope", "[]", "null", "7", `"a"`, "{", "{}", "\u0000", `{"format":"`, "[".repeat(1e6), `{"a":`.repeat(1e5),
    `{"command":"zz"}`, `{"command":7}`, `{"format":"\\ud800"}`, `{"format":"a\\u0000b"}`, `{"format":1e999}`,
    `{"command":"check","format":"a","schema":7}`, `{"command":"filter","format":"a","objects":7}`,
    `{"command":"release","schema":99999999999999999999}`, `{"command":"schema","schema":[]}`,
    `{"command":"why","format":"a == 1","objects":1,"index":-9223372036854775808}`,
    `{"command":"records","text":7}`, `{"command":"lint","text":7}`, `{"command":"lint","text":"a","name":"a.txt"}`,
    `{"format":"a","profile":7}`, `{"format":"a","profile":{"extends":"x"}}`, `{"command":"lint","text":"","calls":[7]}`,
    `{"command":"format","format":"a ==","shape":"pretty","width":-9223372036854775808}`,
    Uint8Array.of(0xFF, 0xFE, 0x7B), Uint8Array.of(0x7B, 0x22, 0xC3, 0x28, 0x22, 0x3A, 0x31, 0x7D),
    new Uint8Array(100 << 20).fill(0x20), new Uint8Array(100 << 20).fill(0x5B), `[${"1,".repeat(15 << 20)}1]`,
    `{"format":"a","input":[${"[],".repeat(10 << 20)}1]}`,
];
const large = [
    `{"command":"filter","format":"a == 1","objects":[${`{"a":1},`.repeat(1e6)}1]}`,
    `{"command":"records","text":"${"[".repeat(1e5)}"}`, `{"command":"records","text":"${"a,".repeat(2e3)}"}`,
    ...["swift", "m", "py", "sh", "plist", "json", "yaml", "predicates"].flatMap(kind => [
        "(NSPredicate(format: \"", "[predicateWithFormat:@\"", "<dict><key>condition</key>", "{\"condition\": [",
        "- condition:\n ", "log show --predicate '$(", "\"\\(", "a == 1 OR\n  (",
    ].map(part => JSON.stringify({ command: "lint", name: `a.${kind}`, text: part.repeat(20000) }))),
];
for (const request of [
    ...deep.flatMap(format => ["check", "eval", "simplify", "format"].map(
        command => JSON.stringify({ command, format, input: { a: 1 }, shape: "tree" }))),
    ...large, ...malformed,
]) {
    try {
        const answer = JSON.parse(predicates.answer(request));
        if (answer.ok !== false && !answer.file && (answer.ok !== true || malformed.includes(request))) {
            fail(`NO ERROR ${String(request).slice(0, 80)}: ${JSON.stringify(answer).slice(0, 200)}`);
        }
        passed += 1;
    } catch (error) {
        fail(`TRAP ${String(request).slice(0, 120)} (${request.length})\n  ${error}`);
        predicates.restart();
    }
}
console.log(`${passed} passed, ${failures} failed`);
process.exitCode = failures ? 1 : 0;
