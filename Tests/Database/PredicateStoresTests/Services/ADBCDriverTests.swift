// Tests of drivers that fail, and of the types that drivers return.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct ADBCDriverTests {
    /// A file that is not a driver gives an error with advice.
    @Test func badLibrariesAreErrors() throws {
        func message(_ library: String, entryPoint: String? = nil, after: [String] = []) -> String {
            do throws(StoreFailure) {
                _ = try ADBCDriver(library, entryPoint: entryPoint, after: after)
                return "opened"
            } catch {
                guard case .noLibrary(let sentence) = error else { return "\(error)" }
                return sentence
            }
        }
        #expect(message("/nowhere/libadbc.so").contains("give the path of an ADBC driver"))
        #expect(message(#filePath).contains("give the path of an ADBC driver"))
        #expect(message("libx.so", after: ["/nowhere/liby.so"]).contains("which the driver needs"))
        #if os(Linux)
            let message = message("libm.so.6")
            #expect(
                message.contains("is not an ADBC driver: it has no function AdbcDriverInit or AdbcLibmInit")
                    || message.contains("is not an ADBC driver"))
            #expect(self.message("libm.so.6", "nothing").contains("no function nothing"))
        #endif
    }

    private func message(_ library: String, _ entryPoint: String) -> String {
        let error = #expect(throws: StoreFailure.self) { try ADBCDriver(library, entryPoint: entryPoint) }
        return error?.description ?? ""
    }

    @Test(.enabled(if: DriverLibraries.postgreSQL != nil)) func refusedConnectionsAreErrors() throws {
        let driver = try #require(DriverLibraries.postgreSQL)
        for options in [["uri": "postgresql://127.0.0.1:1/x"], ["nonsense": "1", "uri": "postgresql:///x"], [:]] {
            let error = try #require(throws: StoreFailure.self, "connected") { try ADBCConnection(driver, options) }
            guard case .cannotOpen(_, let reason) = error else { throw error }
            #expect(!reason.isEmpty)
        }
    }

    @Test(arguments: Backend.here.filter { $0 != .postgreSQL }) func errorsHaveTheStateOfTheEngine(
        _ backend: Backend
    ) throws {
        let store = try backend.store(Shop.schema())
        let error = try #require(throws: StoreFailure.self) { try store.rows("SELECT nothing") }
        guard case .engine(_, let message, let statement, let state) = error else { throw error }
        #expect(message.contains("nothing") && statement == "SELECT nothing")
        #expect(state == (backend == .duckDB ? nil : "42703"))
        #expect(throws: StoreFailure.self) { try store.rows("SELECT 1\0") }
        #expect(throws: StoreFailure.self) { try store.rows("") }
        #expect(throws: StoreFailure.self) { try store.rows("SELECT $1::bigint", []) }
        #expect(throws: StoreFailure.self) { try store.rows("SELECT $1::bigint", [.array([])]) }
        #expect(try store.rows("SELECT 1") == [[.integer(1)]], "the connection still works")
    }

    @Test(.enabled(if: DriverLibraries.duckDB != nil)) func theArticleOpensDuckDB() throws {
        let library = try #require(DriverLibraries.shared.duckdb)
        let file = FileManager.default.temporaryDirectory.path + "/predicate-\(UUID()).duckdb"
        defer { try? FileManager.default.removeItem(atPath: file) }
        do {
            let made = try SQLStore(driver: #require(DriverLibraries.duckDB), options: ["path": file])
            _ = try made.rows(
                "CREATE TABLE person (id bigint PRIMARY KEY, name text, boss_id bigint REFERENCES person (id))")
            for row in ["(1, 'Ada', NULL)", "(2, 'Zoe', 1)"] { _ = try made.rows("INSERT INTO person VALUES " + row) }
        }
        // Databases-and-drivers {
        let driver = try ADBCDriver(library)  // libduckdb.so
        let store = try SQLStore(driver: driver, options: ["path": file])
        let found = try store.fetch(StoreRequest("person", where: FormatPredicate("boss.name == 'Ada'")))
        // } Databases-and-drivers
        #expect(found.map { $0["name"] } == [.string("Zoe")])
    }

    /// The message of an error does not contain the password of an address.
    @Test(.enabled(if: DriverLibraries.postgreSQL != nil)) func passwordsAreNotShown() throws {
        let driver = try #require(DriverLibraries.postgreSQL)
        for address in [
            "postgresql://u:secret@127.0.0.1:1/x?sslpassword=secret", "host=127.0.0.1 port=1 password=secret",
        ] {
            let error = try #require(throws: StoreFailure.self) { try ADBCConnection(driver, ["uri": address]) }
            #expect(!error.description.contains("secret"), "\(error)")
        }
    }

    /// Reads every type that an engine can return.
    @Test(arguments: Backend.here.filter { $0 != .postgreSQL }) func typesAreRead(_ backend: Backend) throws {
        let store = try backend.store(Shop.schema())
        func value(_ sql: String) throws -> PredicateValue { try #require(store.rows("SELECT " + sql).first?.first) }
        let nan = try value("CAST('NaN' AS float8)")
        #expect(nan == .double(.nan))
        var expected: [(String, PredicateValue)] = [
            ("NULL", .null), ("CAST(NULL AS bigint)", .null), ("true", .bool(true)), ("false", .bool(false)),
            ("CAST(-3 AS smallint)", .integer(-3)), ("CAST(7 AS integer)", .integer(7)),
            ("CAST(-9223372036854775807 AS bigint)", .integer(-.max)), ("CAST(0.5 AS real)", .double(0.5)),
            ("CAST(0.1 AS float8)", .double(0.1)), ("CAST('zoë😀' AS varchar)", .string("zoë😀")),
            ("''", .string("")), ("CAST('2001-01-03' AS date)", .date(2 * 86_400)),
            ("CAST('2001-01-01 00:00:01.5' AS timestamp)", .date(1.5)),
            ("CAST('1999-01-01 00:00:00+01' AS timestamptz)", .date(-63_162_000)),
            ("CAST('13:45:00.5' AS time)", .string("13:45:00.5")),
            ("CAST('00000000-0000-0001-0000-000000000002' AS uuid)", .uuid(UniversalID(high: 1, low: 2))),
            ("sum(x) FROM (VALUES (CAST(1 AS bigint)), (2)) AS t(x)", .decimal(DecimalNumber(3))),
        ]
        if backend == .duckDB {
            expected[expected.count - 2].1 = .string("00000000-0000-0001-0000-000000000002")
            expected += [
                ("CAST('infinity' AS timestamp)", .date(.infinity)), ("CAST(200 AS utinyint)", .integer(200)),
                ("CAST(-2 AS tinyint)", .integer(-2)),
                ("CAST(18446744073709551615 AS ubigint)", try decimal("18446744073709551615")),
                ("CAST(12.50 AS decimal(38, 10))", try decimal("12.5")),
                ("CAST(-1.5 AS decimal(4, 1))", try decimal("-1.5")), ("'\\x00\\xFF'::blob", .data([0, 255])),
                ("[1, NULL, 3]", .array([.integer(1), .null, .integer(3)])),
                ("[[1], []]", .array([.array([.integer(1)]), .array([])])),
                ("{'a': 1, 'b': 'x'}", .dictionary(ValueDictionary([("a", .integer(1)), ("b", .string("x"))]))),
                ("'b'::ENUM('a', 'b')", .string("b")), ("INTERVAL 1 MONTH", .string("P1M0DT0S")),
                ("[1, 2]::INTEGER[2]", .array([.integer(1), .integer(2)])),
                ("union_value(a := 5)", .integer(5)), ("TIMESTAMP_NS '2001-01-01 00:00:00.000000001'", .date(1e-9)),
            ]
        } else {
            expected[expected.count - 1].1 = .string("3")
            expected += [
                ("CAST(12.50 AS numeric)", .string("12.50")), (#"'\x00ff'::bytea"#, .data([0, 255])),
                ("ARRAY[1, NULL, 3]", .array([.integer(1), .null, .integer(3)])),
                ("ARRAY['a', 'b']", .array([.string("a"), .string("b")])),
            ]
        }
        for (sql, expected) in expected {
            let found = try? value(sql)
            #expect(found == expected, "\(sql)")
        }
    }

    private func decimal(_ text: String) throws -> PredicateValue { .decimal(try #require(DecimalNumber(text))) }

    /// Other statements can run while the rows of one are read.
    @Test(arguments: Backend.here.filter { $0 != .postgreSQL }) func cursorsAreReadWhileStatementsRun(
        _ backend: Backend
    ) throws {
        let schema = try PredicateSchema([
            .init("Item", table: "item", primaryKey: ["id"], attributes: [.init("id", .integer)])
        ])
        let series = backend == .duckDB ? "range(0, 30000)" : "generate_series(0, 29999)"
        let store = try backend.store(schema, ["item AS SELECT CAST(n AS bigint) AS id FROM \(series) AS t(n)"])
        let first = try store.cursor(StoreRequest("Item", sort: [PredicateSortKey("id")]))
        let second = try store.cursor(StoreRequest("Item", sort: [PredicateSortKey("id")]))
        for number in 0..<30_000 {
            if number % 7000 == 0 { #expect(try store.count(StoreRequest("Item")) == 30_000) }
            guard try first.next()?["id"] == .integer(Int64(number)) else {
                Issue.record("\(number) is missing")
                return
            }
            if number < 100 { #expect(try second.next()?["id"] == .integer(Int64(number))) }
        }
        #expect(try first.next() == nil)
        // An interruption ends the open statement, but not statements that begin later.
        let third = try store.cursor(StoreRequest("Item", sort: [PredicateSortKey("id")]))
        _ = try third.next()
        store.interrupt()
        #expect(try store.count(StoreRequest("Item")) == 30_000)
    }

    /// Reads the schema of a database, with its keys.
    @Test(arguments: Backend.here.filter { $0 != .postgreSQL }) func schemasAreRead(_ backend: Backend) throws {
        let tables = [
            "company (code bigint, region text, title varchar NOT NULL, PRIMARY KEY (region, code))",
            """
            person (id integer PRIMARY KEY, name text COLLATE "C" NOT NULL, height float8, price numeric(12, 2), \
            born date, seen timestamptz, "at" timestamp, code uuid, photo bytea, flag boolean, scores bigint[], \
            lunch time, company_code bigint, company_region text, \
            FOREIGN KEY (company_region, company_code) REFERENCES company (region, code))
            """,
        ]
        let store = try backend.introspected(tables)
        #expect(store.schema.entityNames == ["company", "person"])
        let person = try #require(store.schema.entity("person"))
        let types = Dictionary(uniqueKeysWithValues: person.attributes.map { ($0.name, $0.type) })
        #expect(
            types == [
                "id": .integer, "name": .string, "height": .double, "price": .decimal, "born": .date, "seen": .date,
                "at": .date, "code": .uuid, "photo": .data, "flag": .boolean, "scores": .list(of: .integer),
                "lunch": .any, "company_code": .integer, "company_region": .string,
            ])
        #expect(person.primaryKey == ["id"])
        #expect(store.schema.entity("company")?.primaryKey == ["region", "code"])
        #expect(person.attributes.filter { !$0.isOptional }.map(\.name) == ["id", "name"])
        #expect(person.attributes.first { $0.name == "price" }?.scale == 2)
        #expect(person.attributes.first { $0.name == "seen" }?.dateStorage == .timestampWithZone)
        let company = try #require(person.relationships.first)
        #expect(company.target == "company" && !company.isToMany)
        #expect(company.link == .column(["company_region", "company_code"]))
        #expect(store.schema.entity("company")?.relationships.first?.target == "person")
        _ = try store.rows("INSERT INTO company VALUES (1, 'north', 'ACME')")
        _ = try store.rows(
            """
            INSERT INTO person VALUES (1, 'Ada', 1.5, 12.50, '2001-01-02', '2001-01-01 00:00:01+00', \
            '2001-01-01 00:00:02', '00000000-0000-0001-0000-000000000002', 'ab', true, ARRAY[1, 2], '10:00', 1, 'north')
            """)
        let code = PredicateValue.uuid(UniversalID(high: 1, low: 2))
        let predicates: [(String, [PredicateValue])] = [
            ("company.title == 'ACME'", []), ("price == 12.5", []), ("born == %@", [.date(86_400)]),
            ("seen == %@", [.date(1)]), ("at == %@", [.date(2)]), ("scores CONTAINS 2", []), ("code == %@", [code]),
            ("flag == YES AND lunch == '10:00:00'", []),
        ]
        for (text, arguments) in predicates {
            let predicate = try FormatPredicate(text, arguments: arguments)
            let found = try store.fetch(StoreRequest("person", where: predicate))
            #expect(found.map { $0["name"] } == [.string("Ada")], "\(text)")
        }
    }
}
