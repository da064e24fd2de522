#!/usr/bin/env python3
"""Prints the types of status items for Data/ddm.json.

    generate-ddm-profile.py CLONE

CLONE is a clone of https://github.com/apple/device-management. The types are read from declarative/status. An item that the
clone lacks keeps its name in ddm.json and has no type.
"""
import json, pathlib, sys
import yaml

types = {"string": "string", "boolean": "boolean", "integer": "integer", "real": "double", "date": "date", "data": "data"}


def members(keys):
    """The types of a dictionary's keys; a type that has none here is any."""
    return {one["key"]: types.get(one["type"].strip("<>"), "any") for one in keys or []}


items = {}
for path in sorted(pathlib.Path(sys.argv[1], "declarative/status").glob("*.yaml")):
    status = yaml.safe_load(path.read_text(encoding="utf-8"))
    for key in status.get("payloadkeys") or []:
        kind, subkeys = key["type"].strip("<>"), key.get("subkeys") or []
        if kind == "array" and subkeys and subkeys[0].get("subkeys"):
            items[key["key"]] = members(subkeys[0]["subkeys"])
        elif kind in types:
            items[key["key"]] = types[kind]
print(json.dumps({"types": items}, indent=2))
