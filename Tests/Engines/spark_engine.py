"""Spark SQL in ANSI mode, on one local thread. Statements of a request run as one, joined by UNION ALL."""
import re

import engine
from pyspark.sql import SparkSession, types


class Spark(engine.Engine):
    quote_mark = "`"
    types = {
        "boolean": types.BooleanType(), "integer": types.LongType(), "double": types.DoubleType(),
        "date": types.DoubleType(), "decimal": types.DecimalType(38, 10), "text": types.StringType(),
        "url": types.StringType(), "data": types.BinaryType(), "uuid": types.StringType(),
    }

    def start(self, folder):
        settings = {
            "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1", "spark.default.parallelism": "1",
            "spark.driver.memory": "1g", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.ansi.enabled": "true", "spark.sql.warehouse.dir": folder, "spark.local.dir": folder,
            "spark.sql.session.timeZone": "UTC", "spark.sql.codegen.wholeStage": "false", "spark.log.level": "ERROR",
            "spark.sql.adaptive.enabled": "false",
        }
        builder = SparkSession.builder.master("local[1]").appName("predicate")
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.spark = builder.getOrCreate()

    def stop(self):
        if hasattr(self, "spark"):
            self.spark.stop()

    def decoded(self, text, kind):
        if kind == "uuid":
            return text
        value = super().decoded(text, kind)
        return bytearray(value) if kind == "data" and value is not None else value

    def load(self, tables):
        for table in tables:
            fields = [
                types.StructField(column["name"], self.types[column["type"]], column["optional"])
                for column in table["columns"]
            ]
            rows = [tuple(row) for row in self.decoded_rows(table)]
            frame = self.spark.createDataFrame(rows, types.StructType(fields))
            frame.coalesce(1).createOrReplaceTempView(self.quoted(table["name"]))

    def run(self, sql, values=()):
        arguments = {f"p{index + 1}": value for index, value in enumerate(values)}
        return self.spark.sql(sql, args=arguments).collect()

    def select(self, queries):
        if len(queries) == 1:
            return super().select(queries)
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
        for row in self.spark.sql(" UNION ALL ".join(parts), args=arguments).collect():
            results[row[0]]["ids"].append(row[1])
        return results


engine.main(Spark())
