#!/usr/bin/env python3
"""Reads requests, answers and trees by their schemas in Grammar only: proof that another program can.

    Tests/Web/reader.py predicate

Each request and answer of the golden cases fits the schemas. And each tree has everything: the text that is written
from it here has the canonical form of the golden text.
"""

import json
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
schemas = {path.name: json.loads(path.read_text()) for path in (root / "Grammar").glob("*.schema.json")}
types = {"string": str, "array": list, "object": dict, "boolean": bool, "integer": int}


def misfit(value, schema, file="requests.schema.json", path="$"):
    """Where a value does not fit; None if it does."""
    if reference := schema.get("$ref"):
        name, _, place = reference.partition("#")
        file, target = name or file, schemas[name or file]
        for step in place.split("/")[1:]:
            target = target[step]
        return misfit(value, target, file, path)
    for word in ["oneOf", "anyOf"]:
        found = [misfit(value, one, file, path) for one in schema.get(word, [])]
        if found and (None not in found or word == "oneOf" and found.count(None) != 1):
            return max((one for one in found if one), key=len, default=f"{path} fits several")
    if "const" in schema and value != schema["const"] or "enum" in schema and value not in schema["enum"]:
        return f"{path} is {value!r}"
    kind = schema.get("type")
    if kind and (not isinstance(value, types[kind]) or kind == "integer" and isinstance(value, bool)):
        return f"{path} is not of type {kind}"
    pattern = schema.get("pattern", "")
    if kind == "integer" and value < schema.get("minimum", value) or not re.search(pattern, str(value)):
        return f"{path} is {value!r}"
    below = []
    if kind == "array":
        below = [(one, schema.get("items", {}), f"{path}[{at}]") for at, one in enumerate(value)]
    elif kind == "object" and (known := schema.get("properties")):
        if wrong := {*schema.get("required", [])} - {*value} | {*value} - {*known}:
            return f"{path} lacks or has {', '.join(wrong)}"
        below = [(value[name], known[name], f"{path}.{name}") for name in value]
    return next(filter(None, (misfit(one, schema, file, path) for one, schema, path in below)), None)


def literal(value):
    if isinstance(value, list):
        return "{" + ", ".join(map(literal, value)) + "}"
    if isinstance(value, dict):
        tag, inner = next(iter(value.items()), ("", None))
        if len(value) != 1 or not tag.startswith("$"):
            tag, inner = "$dictionary", [list(pair) for pair in value.items()]
        return f"CAST({literal(inner)}, \"{tag}\")"
    return {"None": "nil", "True": "TRUE", "False": "FALSE"}.get(repr(value)) or json.dumps(value, ensure_ascii=False)


# The text of a node, with parentheses around each part.
templates = {
    "not": "NOT ({child})", "self": "SELF", "anykey": "ANYKEY", "variable": "${name}", "symbol": "{symbol}",
    "member": "({base}).{step}", "operator": "({left} {operator} {right})", "negation": "-({operand})",
    "function": "{name}({arguments})", "method": "FUNCTION({target}, \"{selector}\", {arguments})",
    "cast": "CAST({operand}, \"{type}\")", "aggregate": "{{{elements}}}", "term": "{name}({argument})",
    "ternary": "TERNARY({condition}, {then}, {else})", "subquery": "SUBQUERY({collection}, ${variable}, {condition})",
    "assignment": "(${variable} := {value})", "fetch": "FETCH({arguments})", "argument": "{conversion}",
}


def write(node):
    if not isinstance(node, dict):
        return ", ".join(map(write, node)) if isinstance(node, list) else node
    match node["kind"]:
        case "constant": return literal(node["value"]) + "PREDICATE"
        case "value": return literal(node["value"])
        case "and" | "or": return f" {node['kind']} ".join(f"({write(one)})" for one in node["children"])
        case "keypath": return ".".join(key if key.startswith("@") else "#" + key for key in node["keys"])
        case "comparison":
            given = {"modifier": "", "options": "", **node, "left": write(node["left"]), "right": write(node["right"])}
            return "{modifier} {left} {operator}[{options}] {right}".format(**given).replace("[]", "", 1)
        case "index":
            # An index binds tighter than a dot.
            base, isTight = node["base"], node["base"]["kind"] == "index" or len(node["base"].get("keys", [])) == 1
            return f"{write(base) if isTight else f'({write(base)})'}[{write(node['index'])}]"
        case kind:
            return templates[kind].format(**{name: write(value) for name, value in node.items()}).replace(", )", ")")


def ask(requests):
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    run = subprocess.run([sys.argv[1], "answer"], input=lines, capture_output=True, encoding="utf-8", check=True)
    return [json.loads(line) for line in run.stdout.split("\n")[:-1]]


def main():
    texts = {}
    for file in sorted((root / "Tests/Golden").glob("*/*.golden")):
        for block in re.split(r"^=== .*\n", file.read_text(), flags=re.M)[1:]:
            head = block.split("--- ")[0].split("\n")
            texts[head[0]] = "expression" if "kind expression" in head else "predicate"
    schema = json.loads((root / "Tests/Golden/Schemas/people.json").read_text())
    del schema["rows"]
    target = {"schema": schema, "entity": next(iter(schema["entities"]))}
    asked = {"check": target, "eval": {"input": {"a": 1}}, "why": {"input": {"a": 1}}, "filter": {"objects": [{}]},
             "simplify": {}, "complete": {}, "sql": {**target, "dialect": "sqlite"}}
    shared = [{"command": "format", "format": text, "kind": kind, "shape": "tree"} for text, kind in texts.items()]
    trees = ask(shared)
    others = [{"command": command, "format": text, **more} for text, kind in texts.items() if kind == "predicate"
              for command, more in asked.items()]
    others += [{"command": "records", "text": "a,b\n1,\"\n", "keep": True}, {"command": "release", "objects": 1},
               {"command": "profiles"}, {"format": "a == 1", "profile": "munki"}]
    for file in (root / "Tests/Tool/Sessions/fixtures/lint").rglob("*.*"):
        text = file.read_text(errors="replace") if file.is_file() else ""
        others.append({"command": "lint", "name": file.name, "text": text, "list": len(others) % 2 == 0})
    wrong = []
    for request, answer in [*zip(shared, trees), *zip(others, ask(others))]:
        for name, value in [("request", request), ("answer", answer)]:
            if found := misfit(value, {"$ref": f"#/$defs/{name}"}):
                wrong.append(f"{name} of {request.get('command')} {request.get('format')!r}: {found}")
    good = [(request, answer) for request, answer in zip(shared, trees) if "tree" in answer]
    again = ask([{"format": write(answer["tree"]), "kind": request["kind"]} for request, answer in good])
    wrong += [f"{answer['canonical']!r} was written as {write(answer['tree'])!r}: {second}"
              for (_, answer), second in zip(good, again) if answer["canonical"] != second.get("canonical")]
    print(*wrong[:20], f"{len(trees) + len(others) + len(good)} passed, {len(wrong)} failed", sep="\n")
    return int(bool(wrong))


sys.exit(main())
