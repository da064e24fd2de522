// Tests that values are never in the SQL text and that names are always quoted. The text is the same for all values of
// one shape.

import Foundation
import PredicateSQL
import PredicateTestSupport
import Testing

@Suite struct InjectionTests {
    static let hostile =
        Pools.texts.filter { !$0.isEmpty && !$0.utf8.contains(0) } + [
            "'; DROP TABLE person; --", "\\", "\\'", "--", "/*", "{p1:String}", "$1", "?1", ":p1", "%s", "\u{202E}",
            "\"\"", "x' OR 'a' = 'a", "` OR 1 = 1 -- ", "\n; SELECT 1", "$$", "E'\\x'",
            String(repeating: "'", count: 300), "%", "_",
        ]

    /// Formats with one text argument each. The value must not change the SQL text.
    static let formats = [
        "name == %@", "name != %@", "nick == %@", "NOT nick == %@", "name < %@", "NOT nick >= %@", "name CONTAINS %@",
        "name ENDSWITH %@", "NOT nick CONTAINS %@", "name IN {%@, 'b'}", "name BETWEEN {'\u{1}', %@}",
        "boss.name == %@", "ANY orders.note == %@", "ALL orders.note != %@", "%@ IN orders.note", "%@ CONTAINS name",
        "SUBQUERY(orders, $o, $o.note == %@).@count > 1", "name == %@ AND nick == %@",
    ]

    @Test(.cases) func valuesDoNotChangeTheText() {
        forEachCase(SQLDialect.all) { dialect in
            let schema = try Fixtures.schema()
            func query(_ format: String, _ text: String) throws -> SQLQuery {
                let count = format.components(separatedBy: "%@").count - 1
                let predicate = try FormatPredicate(format, arguments: Array(repeating: .string(text), count: count))
                return try predicate.sql(dialect, entity: "Person", in: schema)
            }
            for format in Self.formats {
                let plain = try query(format, "plain")
                #expect(!plain.statement.contains("plain"), "\(format)")
                #expect(plain.bindings.contains(.string("plain")))
                for text in TestDepth.some(Self.hostile, every: 6) {
                    let query = try query(format, text)
                    #expect(query.statement == plain.statement, "\(format) with \(text)")
                    #expect(query.bindings.contains(.string(text)))
                    #expect(query.isExact)
                }
            }
        }
    }

    @Test(.cases) func patternsAreBound() {
        forEachCase(SQLDialect.all) { dialect in
            let schema = try Fixtures.schema()
            for text in TestDepth.some(Self.hostile, every: 3) {
                for format in ["name ==[c] %@", "name CONTAINS[cd] %@", "name LIKE %@"] {
                    let query = try FormatPredicate(format, text).sql(dialect, entity: "Person", in: schema)
                    let allowed = Set(
                        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,_()<>=?$:{}'\"`-|*~")
                    let skipped = dialect.name == "clickhouse" || dialect.name == "postgresql"
                    // The only backslashes are in SQLite's own code, which escapes names for JSON.
                    let statement = query.statement.replacing(#"'\\', '\u005C'), '\u0000', '\uFFFF'"#, with: "")
                    #expect(statement.allSatisfy(allowed.contains), "\(query.statement)")
                    #expect(skipped || !query.statement.contains("::"))
                    #expect(!query.statement.contains("DROP") && !query.statement.contains("--"))
                }
            }
        }
    }

    /// The parts of a text outside quoted names.
    private static func unquoted(_ text: String, _ quote: Character) -> String {
        text.split(separator: quote, omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 0 }.map { String($0.element) }.joined(separator: "_")
    }

    @Test(.cases) func namesAreQuoted() {
        forEachCase(SQLDialect.all) { dialect in
            let quote: Character = ["mysql", "clickhouse", "spark"].contains(dialect.name) ? "`" : "\""
            for name in [
                "a\"b", "a`b", "select", "a b", "x\"; DROP TABLE y; --", "x`; DROP TABLE y; --", "é", "a'b", "a\\b",
                "a.b", "\"\u{301}", "`\u{301}; DROP",
            ] {
                let schema = try PredicateSchema([
                    .init("E", table: name, primaryKey: [name], attributes: [.init("k", .integer, column: name)])
                ])
                let query = try FormatPredicate("k == 1").sql(dialect, entity: "E", in: schema)
                let doubled = name.unicodeScalars.map { scalar in
                    Character(scalar) == quote || (scalar == "\\" && dialect.name == "clickhouse")
                        ? "\(scalar)\(scalar)" : String(scalar)
                }.joined()
                #expect(query.text.contains("\(quote)t0\(quote).\(quote)\(doubled)\(quote) = "), "\(query.text)")
                // A quotation mark inside a name is doubled, so the pieces between quotation marks are alternately outside
                // and inside names.
                let scalars = query.statement.unicodeScalars.map { String($0) }
                let rest = Self.unquoted(scalars.joined(separator: "\u{0}"), quote).replacing("\u{0}", with: "")
                #expect(!rest.contains("DROP"), "\(rest)")
            }
        }
    }

    @Test(.cases) func unquotableNamesAreRejected() {
        forEachCase(SQLDialect.all) { dialect in
            for name in ["", "a\0b", String(repeating: "x", count: 5000)] {
                let schema = try PredicateSchema([
                    .init("E", table: "t", primaryKey: ["id"], attributes: [.init("k", .integer, column: name)])
                ])
                let failure = #expect(throws: PredicateFailure.self) {
                    try FormatPredicate("k == 1").sql(dialect, entity: "E", in: schema)
                }
                #expect(failure?.diagnostics.map(\.id) == [.sqlInexact])
            }
        }
    }
}
