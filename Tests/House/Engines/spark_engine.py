"""Spark SQL in ANSI mode, on one local thread. Up to 40 statements of a request are joined by UNION ALL and run as one."""
import gc
import math
import re

import engine
from pyspark.sql import SparkSession, types


class Spark(engine.Engine):
    quote_mark = "`"
    types = {
        "boolean": types.BooleanType(), "integer": types.LongType(), "double": types.DoubleType(),
        "date": types.DoubleType(), "decimal": types.DecimalType(38, 10), "text": types.StringType(),
        "url": types.StringType(), "data": types.BinaryType(), "uuid": types.StringType(),
        "timestamp": types.TimestampNTZType(), "timestampWithZone": types.TimestampType(), "json": types.StringType(),
    }

    def start(self, folder):
        settings = {
            "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1", "spark.default.parallelism": "1",
            "spark.driver.memory": "2g", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.ansi.enabled": "true", "spark.sql.warehouse.dir": folder, "spark.local.dir": folder,
            "spark.sql.session.timeZone": "UTC", "spark.sql.codegen.wholeStage": "false", "spark.log.level": "ERROR",
            "spark.sql.adaptive.enabled": "false",
            # A run is too short for Java's optimizing compiler: compiling took more time than it saved.
            "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xms2g -Xmn1400m",
            # A broadcast table takes 1 MB at least. The default has room for a thousand, which fills the heap; this has
            # room for a hundred.
            "spark.memory.fraction": "0.1",
            # Spark keeps the plans of a thousand statements, which fills the memory.
            "spark.sql.ui.retainedExecutions": "1", "spark.ui.retainedJobs": "1", "spark.ui.retainedStages": "1",
            "spark.ui.retainedTasks": "1", "spark.sql.maxPlanStringLength": "100",
            # Without this, the optimizer evaluates filters on constant tables itself; the tests must run them.
            "spark.sql.optimizer.excludedRules": "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation",
        }
        builder = SparkSession.builder.master("local[1]").appName("predicate")
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.spark = builder.getOrCreate()
        gc.freeze()

    def stop(self):
        if hasattr(self, "spark"):
            self.spark.stop()

    def answer(self, request):
        try:
            return super().answer(request)
        finally:
            # Data frames are in reference cycles. Until Python collects them, Spark keeps their plans and broadcast
            # tables.
            gc.collect()

    def decoded(self, text, kind):
        if kind == "uuid":
            return text
        value = super().decoded(text, kind)
        return bytearray(value) if kind == "data" and value is not None else value

    def column_type(self, column):
        kind = self.types[column["type"]].simpleString()
        return f"array<{kind}>" if column["list"] else kind

    def load(self, tables):
        for table in tables:
            # The rows are constants of a statement, because rows passed from Python start workers for every table.
            columns = [
                f"CAST(col{index + 1} AS {self.column_type(column)}) AS {self.quoted(column['name'])}"
                for index, column in enumerate(table["columns"])
            ]
            values, groups = [], []

            def place(value):
                if isinstance(value, list):
                    return "array(" + ", ".join(map(place, value)) + ")"
                # Not as parameters: for thousands of them, Spark takes more than a millisecond each.
                if value is None:
                    return "NULL"
                if type(value) is int:
                    return f"{value}L"
                if type(value) is float and math.isfinite(value):
                    return f"{value!r}D"
                values.append(value)
                return f":p{len(values)}"

            for row in self.decoded_rows(table) or [[None] * len(columns)]:
                groups.append("(" + ", ".join(map(place, row)) + ")")
            nobody = "" if table["rows"] else " WHERE FALSE"
            sql = f"SELECT {', '.join(columns)} FROM VALUES {', '.join(groups)}{nobody}"
            self.selected(sql, values).createOrReplaceTempView(self.quoted(table["name"]))

    def selected(self, sql, values):
        return self.spark.sql(sql, args={f"p{index + 1}": value for index, value in enumerate(values)})

    def run(self, sql, values=()):
        return self.selected(sql, values).collect()

    def select(self, queries):
        if len(queries) == 1:
            return super().select(queries)
        # Not more than 40, because Spark plans hundreds of joined statements more slowly than the same statements in parts.
        return [one for start in range(0, len(queries), 40) for one in self.joined(queries[start:start + 40])]

    def joined(self, queries):
        try:
            return self.together(queries)
        except Exception:
            return super().select(queries)

    def together(self, queries):
        parts, arguments = [], {}
        for number, query in enumerate(queries):
            sql = re.sub(r":p(\d+)\b", rf":q{number}_\1", query["sql"])
            parts.append(f"SELECT {number} AS number, one.* FROM ({sql}) AS one")
            for index, (text, kind) in enumerate(zip(query["values"], query["types"])):
                arguments[f"q{number}_{index + 1}"] = self.bound(text, kind)
        results = [{"ids": []} for _ in queries]
        # As one task, because every task reads the plan of the whole statement.
        for row in self.spark.sql(" UNION ALL ".join(parts), args=arguments).coalesce(1).collect():
            results[row[0]]["ids"].append(row[1])
        return results


engine.main(Spark())
