// Commands on a database over a driver. The outputs must be those for the same rows in SQLite.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct DatabaseSessionTests {
    @Test func duckDBAnswersAsSQLite() throws {
        let libraries = DriverLibraries.shared
        guard DriverLibraries.isChosen("duckdb") else { return }
        let folder = FileManager.default.temporaryDirectory.path + "/predicate-\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        guard let library = libraries.duckdb,
            // Python's library is opened here, so that the commands find its symbols.
            let driver = try? ADBCDriver(library, after: libraries.python.map { [$0] } ?? [])
        else {
            TestDepth.note("skipped: DuckDB's driver is not installed; run Tests/House/Engines/install")
            #expect(DriverLibraries.environment["CI"] == nil, "CI needs DuckDB's driver")
            return
        }
        let tables = [
            "CREATE TABLE company (id bigint PRIMARY KEY, title text NOT NULL)",
            "CREATE TABLE person (id bigint PRIMARY KEY, name text NOT NULL, age bigint, company_id bigint REFERENCES company (id))",
            "INSERT INTO company VALUES (1, 'Engines'), (2, 'Compilers')",
            "INSERT INTO person VALUES (1, 'Ada', 36, 1), (2, 'Zoë', NULL, 2), (3, 'élodie', 21, NULL)",
        ]
        do {
            let sqlite = try SQLiteStore(path: folder + "/shop.sqlite", mode: .create)
            let duckDB = try SQLStore(driver: driver, options: ["path": folder + "/shop.duckdb"])
            for statement in tables {
                _ = try sqlite.rows(statement)
                _ = try duckDB.rows(statement)
            }
        }
        var shell = SessionShell(directory: folder)
        for command in [
            "fetch 'age >= 21' DB --entity person --sort 'name[cd]' --to csv",
            "fetch 'company.title == \"Engines\" OR name.length > 5' DB --entity person --keys name,company.title --to jsonl",
            "fetch 'ANY person.age > 30' DB --entity company --count", "fetch 'age > 100' DB --entity person",
            "fetch 'agee > 1' DB --entity person", "check 'company.titel == 1' DB --entity person",
        ] {
            func answer(_ database: String) throws -> [String] {
                try shell.run("predicate " + command.replacing("DB", with: "--database " + database))
            }
            let found = try answer("duckdb:shop.duckdb --driver \(library)")
            #expect(try found == answer("shop.sqlite"), "\(command)")
        }
        let options = "--database duckdb:shop.duckdb --driver \(library) --entity person"
        let sql = try shell.run("predicate sql 'age > 3' " + options)
        #expect(sql.first?.hasSuffix("WHERE \"t0\".\"age\" > $1") == true)
        #expect(try shell.run("predicate fetch 'age > 3' \(options) --explain").contains("plan:"))
        #expect(try shell.run("predicate fetch 'age > 3' \(options) --verify").last == "exit 2")
        #expect(try shell.run("predicate fetch 'age > 3' \(options) --option access_mode=nonsense").last == "exit 5")
        #expect(
            try shell.run("predicate schema duckdb:shop.duckdb --driver \(library)").contains {
                $0.contains("company_id")
            })
        let missing = try shell.run("predicate fetch 'age > 3' --database duckdb:none.duckdb --driver \(library)")
        #expect(missing.first?.contains("there is no such file") == true)
        let noDriver = try shell.run("predicate fetch 'a > 3' --database postgresql://x --driver /nowhere/lib.so")
        #expect(noDriver.first?.contains("cannot open the driver '/nowhere/lib.so'") == true)
    }
}
