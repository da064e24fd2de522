"""MariaDB: a private server on a socket in the folder. The server prepares the statements."""
import json
import os
import pwd
import shutil

import engine
import mysql.connector


class MariaDB(engine.Engine):
    quote_mark = "`"
    types = {
        "boolean": "BOOLEAN", "integer": "BIGINT", "double": "DOUBLE", "date": "DOUBLE", "decimal": "DECIMAL(65, 30)",
        "text": "VARCHAR(700)", "url": "VARCHAR(700)", "data": "VARBINARY(700)", "uuid": "CHAR(36)",
        "timestamp": "DATETIME(6)", "timestampWithZone": "DATETIME(6)",
    }
    table_options = " CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin"
    zone = ""
    server = None

    def start(self, folder):
        data = os.path.join(folder, "data")
        socket = os.path.join(folder, "socket")
        user = pwd.getpwuid(os.geteuid()).pw_name
        # Servers that start at the same time give their temporary tables the same names. Each needs its own directory.
        temporary = f"--tmpdir={folder}"
        engine.finished(
            [
                self.program("mariadb-install-db"), "--no-defaults", f"--datadir={data}", f"--user={user}", temporary,
                "--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve",
            ], folder)
        self.server = engine.spawn(
            [
                self.program("mariadbd"), "--no-defaults", f"--datadir={data}", f"--socket={socket}", f"--user={user}",
                f"--pid-file={folder}/pid", temporary, "--skip-networking", "--innodb-flush-log-at-trx-commit=0",
                "--innodb-flush-method=nosync", "--character-set-server=utf8mb4",
                "--collation-server=utf8mb4_nopad_bin",
            ], folder)
        self.connection = engine.connected(
            lambda: mysql.connector.connect(
                unix_socket=socket, user="root", autocommit=True, use_pure=True, charset="utf8mb4",
                collation="utf8mb4_bin"),
            self.server, folder)
        self.report_errors_after_rows()
        self.run("SET NAMES utf8mb4 COLLATE utf8mb4_nopad_bin")
        self.run("SET sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'")
        self.run("CREATE DATABASE tests CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin")
        self.run("USE tests")

    def report_errors_after_rows(self):
        """Works around the connector, which ignores an error after the first rows and waits for more rows without end."""
        socket = self.connection._socket
        receive = socket.recv

        def received(*arguments, **options):
            packet = receive(*arguments, **options)
            if packet[4] == 0xFF:
                raise mysql.connector.errors.get_exception(bytes(packet))
            return packet

        socket.recv = received

    @staticmethod
    def program(name):
        found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin")
        if found is None:
            raise RuntimeError(f"there is no {name}")
        return found

    def stop(self):
        engine.ended(self.server)

    def decoded(self, text, kind):
        if kind == "uuid":
            return text
        if kind == "boolean" and text is not None:
            return int(text)
        return super().decoded(text, kind)

    def list_type(self, kind):
        return "LONGTEXT"

    def decoded_list(self, text, kind):
        if text is None:
            return None
        return json.dumps([super(MariaDB, self).decoded(element, kind) for element in json.loads(text)])

    def run(self, sql, values=()):
        cursor = self.connection.cursor(prepared=bool(values))
        try:
            cursor.execute(sql, tuple(values))
            return cursor.fetchall() if cursor.description else []
        finally:
            cursor.close()


if __name__ == "__main__":
    engine.main(MariaDB())
