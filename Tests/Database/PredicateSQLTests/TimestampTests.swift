// Tests of dates in the engines' timestamp types. A constant between two microseconds is rounded to the one for which
// the comparison stays exact, so that an index can be used.

import PredicateSQL
import PredicateTestSupport
import Testing

@Suite struct TimestampTests {
    private static func schema() throws -> PredicateSchema {
        try PredicateSchema([
            .init(
                "Visit", table: "visit", primaryKey: ["id"],
                attributes: [
                    .init("began", .date).with { $0.dateStorage = .timestamp },
                    .init("ended", .date, isOptional: true).with { $0.dateStorage = .timestamp },
                    .init("told", .date, isOptional: true).with { $0.dateStorage = .timestampWithZone },
                ])
        ])
    }

    private static func query(_ format: String, _ seconds: [Double], _ dialect: SQLDialect) throws -> SQLQuery {
        try FormatPredicate(format, arguments: seconds.map(PredicateValue.date)).sql(
            dialect, entity: "Visit", in: schema())
    }

    @Test(.cases) func constantsAreRoundedToMicroseconds() {
        let cases: [(String, Double, String, [String])] = [
            ("began > %@", 0.5, #""t0"."began" >= $1::timestamp"#, ["2001-01-01 00:00:00.500001"]),
            ("began >= %@", 0.5, #""t0"."began" >= $1::timestamp"#, ["2001-01-01 00:00:00.500000"]),
            ("began == %@", 0.1, #""t0"."began" = $1::timestamp"#, ["2001-01-01 00:00:00.100000"]),
            // Between two microseconds.
            ("began == %@", 1e-7, "FALSE", []),
            ("began < %@", 1e-7, #""t0"."began" <= $1::timestamp"#, ["2001-01-01 00:00:00.000000"]),
            ("began >= %@", -1e-7, #""t0"."began" >= $1::timestamp"#, ["2001-01-01 00:00:00.000000"]),
            ("began < %@", -1e-7, #""t0"."began" <= $1::timestamp"#, ["2000-12-31 23:59:59.999999"]),
            ("began != %@", 0, #""t0"."began" <> $1::timestamp"#, ["2001-01-01 00:00:00.000000"]),
            (
                "NOT ended <= %@", 0, #""t0"."ended" > $1::timestamp OR "t0"."ended" IS NULL"#,
                ["2001-01-01 00:00:00.000000"]
            ),
            ("ended == nil OR ended > began", 0, #""t0"."ended" IS NULL OR "t0"."ended" > "t0"."began""#, []),
            ("told > %@", 0, #""t0"."told" >= $1::timestamptz"#, ["2001-01-01 00:00:00.000001+00:00"]),
            // For a date this late, several microseconds have the same nearest double. All of them are equal to the
            // constant.
            (
                "began == %@", 200_000_000_000, #""t0"."began" >= $1::timestamp AND "t0"."began" <= $2::timestamp"#,
                ["8338-10-01 19:33:19.999984", "8338-10-01 19:33:20.000016"]
            ),
            // Dates before and after all dates that a timestamp text can represent.
            ("began > %@", 1e15, "FALSE", []), ("ended < %@", 1e15, #""t0"."ended" IS NOT NULL"#, []),
            ("ended > %@", -Double.infinity, #""t0"."ended" IS NOT NULL"#, []),
            ("began == %@", Double.nan, "FALSE", []),
        ]
        forEachCase(cases) { format, seconds, text, bindings in
            let count = format.split(separator: "%@", omittingEmptySubsequences: false).count - 1
            let query = try Self.query(format, [Double](repeating: seconds, count: count), .postgreSQL)
            #expect(query.text == text)
            #expect(query.bindings == bindings.map(PredicateValue.string))
            #expect(query.isExact)
        }
    }

    @Test(.cases) func everyDialectHasItsTimestampText() {
        let cases: [(String, String, String)] = [
            (
                "postgresql", #""t0"."began" IN ($1::timestamp, $2::timestamp) OR "t0"."told" = $3::timestamptz"#,
                "+00:00"
            ),
            ("sqlite", #""t0"."began" IN (?, ?) OR "t0"."told" = ?"#, ""),
            (
                "mysql",
                "`t0`.`began` IN (CAST(? AS DATETIME(6)), CAST(? AS DATETIME(6))) OR `t0`.`told` = CAST(? AS DATETIME(6))",
                ""
            ),
            ("duckdb", #""t0"."began" IN ($1::TIMESTAMP, $2::TIMESTAMP) OR "t0"."told" = $3::TIMESTAMPTZ"#, "+00:00"),
            (
                "clickhouse",
                "`t0`.`began` IN ({p1:DateTime64(6, 'UTC')}, {p2:DateTime64(6, 'UTC')}) OR `t0`.`told` = {p3:DateTime64(6, 'UTC')}",
                ""
            ),
            (
                "spark",
                "`t0`.`began` IN (CAST(:p1 AS TIMESTAMP_NTZ), CAST(:p2 AS TIMESTAMP_NTZ)) OR `t0`.`told` = CAST(:p3 AS TIMESTAMP)",
                "+00:00"
            ),
            (
                "ansi",
                #""t0"."began" IN (CAST(? AS TIMESTAMP(6)), CAST(? AS TIMESTAMP(6))) OR "t0"."told" = CAST(? AS TIMESTAMP(6) WITH TIME ZONE)"#,
                "+00:00"
            ),
        ]
        forEachCase(cases) { name, text, zone in
            let dialect = try #require(SQLDialect.named(name))
            let query = try Self.query("began IN {%@, %@} OR told == %@", [0, 1, 2], dialect)
            #expect(query.text == text)
            let texts = [
                "2001-01-01 00:00:00.000000", "2001-01-01 00:00:01.000000", "2001-01-01 00:00:02.000000" + zone,
            ]
            #expect(query.bindings == texts.map(PredicateValue.string))
            #expect(query.bindingTypes == [.timestamp, .timestamp, .timestampWithZone])
            #expect(query.isExact)
            #expect(query.requirements == (name == "mysql" ? [.setting("time_zone = '+00:00'")] : []))
        }
    }

    /// A timestamp without a time zone is in UTC, even if the session has another zone.
    @Test(.cases) func columnsWithAndWithoutZoneAreComparedInUTC() {
        let cases: [(String, String)] = [
            ("sqlite", #""t0"."told" < "t0"."began""#), ("clickhouse", "`t0`.`told` < `t0`.`began`"),
            ("mysql", "`t0`.`told` < `t0`.`began`"),
            ("postgresql", #""t0"."told" < ("t0"."began" AT TIME ZONE 'UTC')"#),
            ("duckdb", #""t0"."told" < ("t0"."began" AT TIME ZONE 'UTC')"#),
        ]
        forEachCase(cases) { name, text in
            let query = try Self.query("told < began", [], try #require(SQLDialect.named(name)))
            #expect(query.text == text)
            #expect(query.isExact)
            #expect(query.requirements == (name == "mysql" ? [.setting("time_zone = '+00:00'")] : []))
        }
    }

    @Test(.cases) func columnsOfBothTypesAreComparedInMemory() {
        forEachCase([SQLDialect.spark, .ansi] as [SQLDialect]) { dialect in
            let query = try Self.query("told < began", [], dialect)
            #expect(query.reasons.map(\.sentence) == ["the database reads timestamps in the time zone of the session"])
        }
    }

    @Test func assignedDatesAreTimestamps() throws {
        func statement(_ value: PredicateValue, _ dialect: SQLDialect) throws -> SQLStatement {
            let request = SQLQuery.Request.update([KeyAssignment("told", value)])
            return try FormatPredicate("TRUEPREDICATE").sql(request, dialect, entity: "Visit", in: Self.schema())
        }
        let update = try statement(.date(0.25), .postgreSQL)
        #expect(update.text == #"UPDATE "visit" AS "t0" SET "told" = $1::timestamptz WHERE TRUE"#)
        #expect(update.bindings == [.string("2001-01-01 00:00:00.250000+00:00")])
        let nothing = try statement(.null, .postgreSQL)
        #expect(nothing.text == update.text && nothing.bindings == [.null])
        #expect(nothing.bindingTypes == [.timestampWithZone])
        #expect(try statement(.date(0.25), .sqlite).bindings == [.string("2001-01-01 00:00:00.250000")])
        #expect(throws: PredicateFailure.self) { try statement(.date(1e300), .postgreSQL) }
    }
}
