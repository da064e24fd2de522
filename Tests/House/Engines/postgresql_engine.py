"""PostgreSQL: a private cluster on a socket in the folder. Texts compare by bytes."""
import glob
import os
import signal
import subprocess
import sys

import engine
import psycopg


class PostgreSQL(engine.Engine):
    types = {
        "boolean": "boolean", "integer": "bigint", "double": "float8", "date": "float8", "decimal": "numeric",
        "text": 'text COLLATE "C"', "url": 'text COLLATE "C"', "data": "bytea", "uuid": "uuid",
        "timestamp": "timestamp", "timestampWithZone": "timestamptz", "json": "jsonb",
    }
    casts = {**types, "text": "text", "url": "text"}
    # Settings in addition to those in start.
    settings = {}
    server = None

    def start(self, folder):
        places = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
        programs = (places or [os.path.dirname(subprocess.check_output(["which", "postgres"], text=True))])[-1]
        account = engine.account_if_root("postgres", "nobody")
        data = os.path.join(folder, "data")
        os.mkdir(data, 0o700)
        if account:
            for path in (folder, data):
                engine.shutil.chown(path, account, account if account != "nobody" else None)
        engine.finished(
            [f"{programs}/initdb", "-D", data, "-U", "tests", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
            folder, account)
        settings = {
            "listen_addresses": "", "unix_socket_directories": folder, "fsync": "off", "synchronous_commit": "off",
            "full_page_writes": "off", "autovacuum": "off", "jit": "off",
            # A zone far from UTC, so that a mistake shows.
            "TimeZone": "Asia/Tokyo", **self.settings,
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        self.server = engine.spawn([f"{programs}/postgres", "-D", data, *options], folder, account)
        self.connection = engine.connected(
            lambda: psycopg.connect(
                host=folder, user="tests", dbname="postgres", autocommit=True, cursor_factory=psycopg.RawCursor,
                prepare_threshold=None),
            self.server, folder)

    def stop(self):
        engine.ended(self.server, signal.SIGINT)

    def list_type(self, kind):
        name, *collation = self.types[kind].split(" ", 1)
        return " ".join([name + "[]", *collation])

    def place(self, position, column):
        return f"${position}::{self.casts[column['type']]}" + ("[]" if column["list"] else "")

    def run(self, sql, values=()):
        with self.connection.cursor() as cursor:
            cursor.execute(sql, values or None)
            return cursor.fetchall() if cursor.description else []


if __name__ == "__main__":
    engine.main(PostgreSQL())
