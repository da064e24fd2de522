"""DuckDB, in the sidecar's process."""
import duckdb
import engine


class DuckDB(engine.Engine):
    types = {
        "boolean": "BOOLEAN", "integer": "BIGINT", "double": "DOUBLE", "date": "DOUBLE", "decimal": "DECIMAL(38, 10)",
        "text": "VARCHAR", "url": "VARCHAR", "data": "BLOB", "uuid": "UUID",
        "timestamp": "TIMESTAMP", "timestampWithZone": "TIMESTAMPTZ", "json": "JSON",
    }

    def start(self, folder):
        self.connection = duckdb.connect()
        self.run("SET threads = 1")

    def run(self, sql, values=()):
        result = self.connection.execute(sql, list(values))
        return result.fetchall() if result.description else []


engine.main(DuckDB())
