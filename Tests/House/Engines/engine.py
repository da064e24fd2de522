"""Code shared by all sidecars of the engine tests: requests and answers as JSON lines, creating and filling tables, servers
that stop with the process. Each engine is a small file in this folder; Engine.swift lists the engines.

    {"load": [{"name": "person", "key": "id", "columns": [{"name": "age", "type": "integer", "list": false, "optional": true}],
               "rows": [["0", null]]}]}                                   {"ok": true}
    {"select": [{"sql": "SELECT …", "types": ["integer"], "values": ["5"]}]}  {"results": [{"ids": [0, 3]}, {"error": "…"}]}
    {"run": "EXPLAIN …", "types": [], "values": []}                       {"rows": [["…"]]}

Values are texts or null; the type determines how a text is read. A value of a "list" column is a JSON array of such texts.
"""
import atexit
import ctypes
import json
import os
import pwd
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import uuid
from decimal import Decimal

DECODERS = {
    "boolean": lambda text: text == "1",
    "integer": int,
    "double": float,
    "date": float,
    "decimal": Decimal,
    "data": bytes.fromhex,
    "uuid": uuid.UUID,
}


class Engine:
    quote_mark = '"'
    # The SQL column type for each type of value.
    types = {}
    # The suffix of a timestamp in UTC.
    zone = "+00:00"
    # The text after CREATE TABLE (…).
    table_options = ""

    def start(self, folder):
        """Opens the engine. A server keeps its files in the folder."""

    def stop(self):
        """Stops what start opened."""

    def run(self, sql, values=()):
        """Runs one statement and returns its rows."""
        raise NotImplementedError

    def decoded(self, text, kind):
        """A value of a row. Timestamps are in UTC; not every engine needs the suffix."""
        if kind == "timestampWithZone" and text is not None:
            return text + self.zone
        return None if text is None else DECODERS.get(kind, str)(text)

    def bound(self, text, kind):
        """A value that is bound to a placeholder."""
        if kind.startswith("timestamp"):
            return text
        return self.decoded(text, kind)

    def quoted(self, name):
        return self.quote_mark + name.replace(self.quote_mark, self.quote_mark * 2) + self.quote_mark

    def column_type(self, column):
        kind = self.list_type(column["type"]) if column["list"] else self.types[column["type"]]
        return kind + ("" if column["optional"] else " NOT NULL")

    def list_type(self, kind):
        return self.types[kind] + "[]"

    # Tables

    def load(self, tables):
        for table in tables:
            for column in table["columns"]:
                # An engine without a type for JSON stores documents as texts.
                if column["type"] not in self.types:
                    column["type"] = "text"
            self.drop(table)
            self.create(table)
            self.fill(table)

    def drop(self, table):
        self.run("DROP TABLE IF EXISTS " + self.quoted(table["name"]))

    def create(self, table):
        columns = [self.quoted(column["name"]) + " " + self.column_type(column) for column in table["columns"]]
        if table["key"] is not None:
            columns.append("PRIMARY KEY (" + self.quoted(table["key"]) + ")")
        self.run(f"CREATE TABLE {self.quoted(table['name'])} ({', '.join(columns)}){self.table_options}")

    def decoded_rows(self, table):
        return [
            [
                self.decoded_list(text, column["type"]) if column["list"] else self.decoded(text, column["type"])
                for text, column in zip(row, table["columns"])
            ] for row in table["rows"]
        ]

    def decoded_list(self, text, kind):
        return None if text is None else [self.decoded(element, kind) for element in json.loads(text)]

    def place(self, position, column):
        return "?"

    def fill(self, table):
        rows = self.decoded_rows(table)
        if not rows:
            return
        count = 0
        groups = []
        for row in rows:
            places = [self.place(count + index + 1, column) for index, column in enumerate(table["columns"])]
            groups.append("(" + ", ".join(places) + ")")
            count += len(row)
        values = [value for row in rows for value in row]
        self.run(f"INSERT INTO {self.quoted(table['name'])} VALUES {', '.join(groups)}", values)

    # Requests

    def select(self, queries):
        return [self.select_one(query) for query in queries]

    def select_one(self, query):
        try:
            values = [self.bound(text, kind) for text, kind in zip(query["values"], query["types"])]
            return {"ids": [int(row[0]) for row in self.run(query["sql"], values)]}
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"[:800]}

    def answer(self, request):
        if "load" in request:
            self.load(request["load"])
            return {"ok": True}
        if "select" in request:
            return {"results": self.select(request["select"])}
        values = [self.bound(text, kind) for text, kind in zip(request["values"], request["types"])]
        rows = self.run(request["run"], values)
        return {"rows": [[None if value is None else str(value) for value in row] for row in rows]}


def reversed_bits(text):
    """The eight bytes of a double as hexadecimal digits, the least significant byte first."""
    return struct.pack("<d", float(text)).hex()


def die_with_parent():
    """Makes the kernel stop a server when its sidecar ends, also after a crash."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def spawn(arguments, folder, account=None):
    """Starts a server in the folder. As root, it runs under the account, because some servers refuse to run as root."""
    as_account = {"user": account, "group": account, "extra_groups": []} if account else {}
    log = open(os.path.join(folder, "log"), "ab")
    return subprocess.Popen(
        arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=die_with_parent, **as_account)


def finished(arguments, folder, account=None):
    process = spawn(arguments, folder, account)
    if process.wait() != 0:
        with open(os.path.join(folder, "log"), errors="replace") as log:
            raise RuntimeError(f"{arguments[0]} failed: {log.read()[-2000:]}")


def connected(connect, server, folder, seconds=60):
    """Returns a connection as soon as the server accepts one."""
    end = time.monotonic() + seconds
    while True:
        try:
            return connect()
        except Exception as error:
            if server.poll() is not None or time.monotonic() > end:
                with open(os.path.join(folder, "log"), errors="replace") as log:
                    raise RuntimeError(f"{error}: {log.read()[-2000:]}") from error
            time.sleep(0.05)


def ended(server, how=signal.SIGTERM):
    if server is None or server.poll() is not None:
        return
    server.send_signal(how)
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def account_if_root(*names):
    """The first account that exists, if we are root; otherwise None."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in names if name in known), None)


def main(engine):
    folder = tempfile.mkdtemp(prefix="predicate-")
    os.chmod(folder, 0o755)

    def close():
        engine.stop()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(close)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    # Engines may print to standard output, which is only for answers. Redirect it to standard error.
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def write(answer):
        output.write(json.dumps(answer) + "\n")
        output.flush()

    try:
        engine.start(folder)
    except Exception as error:
        write({"error": f"{type(error).__name__}: {error}"})
        sys.exit(1)
    write({"ok": True})
    for line in sys.stdin.buffer:
        try:
            write(engine.answer(json.loads(line)))
        except Exception as error:
            write({"error": f"{type(error).__name__}: {error}"})
