"""ClickHouse, embedded in the sidecar's process."""
import json

import engine
from chdb import session


class ClickHouse(engine.Engine):
    quote_mark = "`"
    types = {
        "boolean": "Bool", "integer": "Int64", "double": "Float64", "date": "Float64", "decimal": "Decimal(38, 10)",
        "text": "String", "url": "String", "data": "String", "uuid": "String",
        "timestamp": "DateTime64(6, 'UTC')", "timestampWithZone": "DateTime64(6, 'Asia/Tokyo')",
    }

    def start(self, folder):
        self.session = session.Session(folder + "/data")
        self.run("CREATE DATABASE tests ENGINE = Memory")
        self.run("USE tests")

    def stop(self):
        self.session.close()

    def quoted(self, name):
        return "`" + name.replace("\\", "\\\\").replace("`", "``") + "`"

    def column_type(self, column):
        kind = self.types[column["type"]]
        if column["list"]:
            return f"Array(Nullable({kind}))"
        return f"Nullable({kind})" if column["optional"] else kind

    def create(self, table):
        columns = [self.quoted(column["name"]) + " " + self.column_type(column) for column in table["columns"]]
        self.run(f"CREATE TABLE {self.quoted(table['name'])} ({', '.join(columns)}) ENGINE = Memory")

    def fill(self, table):
        if not table["rows"]:
            return
        rows = ", ".join(
            "(" + ", ".join(self.cell(text, column) for text, column in zip(row, table["columns"])) + ")"
            for row in table["rows"])
        self.run(f"INSERT INTO {self.quoted(table['name'])} VALUES {rows}")

    def cell(self, text, column):
        if column["list"]:
            return "[" + ", ".join(self.literal(element, column["type"]) for element in json.loads(text)) + "]"
        return self.literal(text, column["type"])

    def literal(self, text, kind):
        if text is None:
            return "NULL"
        if kind == "data":
            return f"unhex('{text}')"
        if kind in ("text", "url", "uuid"):
            return f"unhex('{text.encode().hex()}')"
        if kind.startswith("timestamp"):
            return f"toDateTime64('{text}', 6, 'UTC')"
        if kind == "decimal":
            return f"toDecimal128('{text}', 10)"
        if kind == "boolean":
            return "true" if text == "1" else "false"
        return f"reinterpretAsFloat64(unhex('{engine.reversed_bits(text)}'))" if kind in ("double", "date") else text

    def bound(self, text, kind):
        """Escapes a value as in tab-separated files, because ClickHouse reads parameters in that form."""
        if kind == "data":
            return "".join(f"\\x{byte:02X}" for byte in bytes.fromhex(text))
        if kind in ("text", "url", "uuid"):
            for plain, escaped in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r"), ("\0", "\\0")):
                text = text.replace(plain, escaped)
            return text
        if kind == "boolean":
            return "true" if text == "1" else "false"
        return text

    def run(self, sql, values=()):
        parameters = {f"p{index + 1}": value for index, value in enumerate(values)}
        settings = " SETTINGS join_use_nulls = 1" if sql.startswith("SELECT") else ""
        result = self.session.query(sql + settings, "JSONCompact", params=parameters)
        text = result.bytes().decode("utf-8", "replace")
        return json.loads(text)["data"] if text else []


engine.main(ClickHouse())
