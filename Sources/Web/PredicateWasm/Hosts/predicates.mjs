// The module in node, without a package:
//
//     node predicates.mjs predicate.wasm 'age > 21 AND nmae == "Ada"' '{"entity": "Person", "entities": …}'
import fs from "node:fs";
import { pathToFileURL } from "node:url";
import { Predicates } from "./module.mjs";

export function load(path) { return new Predicates(new WebAssembly.Module(fs.readFileSync(path))); }

if (import.meta.url == pathToFileURL(process.argv[1]).href) {
    const [path, format, schema] = process.argv.slice(2);
    const answer = load(path).ask({ command: "check", format, ...schema && { schema: JSON.parse(schema) } });
    for (const one of answer.diagnostics ?? []) {
        console.log(`${one.line}:${one.column}: ${one.severity}: ${one.message}${one.hint ? ` (${one.hint})` : ""}`);
    }
    process.exitCode = answer.ok ? 0 : 1;
}
