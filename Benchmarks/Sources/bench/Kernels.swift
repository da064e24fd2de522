// The calls for instructions.py, which counts their instructions and allocations. No time is measured.

import Foundation
import PredicateCheckCommands
import PredicateEvaluation
import PredicateModel
import PredicateRecords
import PredicateSQL
import PredicateStores
import PredicateSyntax

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

struct Kernel {
    let name: String
    /// Whether one call processes all records instead of one text.
    let isOverRows: Bool
    /// How many calls are counted; nil follows from `isOverRows`.
    var counted: Int?
    /// Returns the call to measure.
    let prepare: () -> () -> Int

    /// How many calls are counted.
    var calls: Int { counted ?? (isOverRows ? 20 : 300) }

    static func parsing(_ name: String, _ text: String) -> [Kernel] {
        [
            Kernel(name: "parse, \(name)", isOverRows: false) { { FormatParser.predicate(text).tree.span.end } },
            Kernel(name: "parse and check, \(name)", isOverRows: false) {
                { FormatPredicate.parse(text).tree.span.end }
            },
        ]
    }

    /// Kernels for the predicate and the schema of SQLBenchmarks.swift.
    static func translating() -> [Kernel] {
        func kernel(_ name: String, _ make: @escaping () throws -> () -> Int) -> Kernel {
            Kernel(name: "sql, \(name)", isOverRows: false) { (try? make()) ?? { 0 } }
        }
        return [
            kernel("a new shape") {
                let (predicate, schema) = (try SQLBenchmarks.predicate(), try SQLBenchmarks.schema())
                return { (try? predicate.sql(.postgreSQL, entity: "Person", in: schema))?.bindings.count ?? 0 }
            },
            kernel("type check") {
                let predicate = try SQLBenchmarks.predicate()
                let checker = try TypeChecker(schema: SQLBenchmarks.schema(), entity: "Person")
                return { checker.check(predicate.root, source: SQLBenchmarks.text).count }
            },
            kernel("a known shape") {
                let predicate = try SQLBenchmarks.predicate()
                let compiler = SQLCompiler(.postgreSQL, schema: try SQLBenchmarks.schema())
                return { (try? compiler.query(predicate, entity: "Person"))?.bindings.count ?? 0 }
            },
        ]
    }

    static func binding(_ name: String, _ text: String) -> Kernel {
        Kernel(name: "bind, \(name)", isOverRows: false) {
            guard let predicate = try? FormatPredicate(text) else { return { 0 } }
            return { (try? predicate.compiled(for: Citizen.self)) == nil ? 0 : 1 }
        }
    }

    static func structs(_ one: PeopleBenchmarks.Case) -> Kernel {
        Kernel(name: "count \(one.id), structs", isOverRows: true) {
            let matcher: PredicateMatcher<Person> = PeopleBenchmarks.compiled(one.text)
            return { Kernels.people.count(matching: matcher) }
        }
    }

    static func citizens(_ name: String, _ text: String) -> Kernel {
        Kernel(name: "count \(name), structs", isOverRows: true) {
            guard let matcher = try? FormatPredicate(text).compiled(for: Citizen.self) else { return { 0 } }
            return { Kernels.citizens.count(matching: matcher) }
        }
    }

    /// `predicate filter` on CSV files with 6,000 rows together.
    static func filtering(_ name: String, _ options: [String], files: Int) -> Kernel {
        Kernel(name: name, isOverRows: true) {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID())")
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let names = (0..<files).map { "\($0).csv" }
            for (part, name) in names.enumerated() {
                let rows = (0..<6000 / files).map { row in
                    let id = part * (6000 / files) + row
                    return "\(id),\(2000 + id % 25),City \(id * 7 % 200),\(id * 7919 % 100_000).25,\(id % 100)\n"
                }
                let text = "id,year,city,price,qty\n" + rows.joined()
                try? Data(text.utf8).write(to: folder.appendingPathComponent(name))
            }
            let command = PredicateCommand(
                commands: [.filter], database: { _, _ in nil }, decompressing: nil, inWords: nil)
            return {
                var bytes = 0
                let code = command.run(
                    ["filter", "TRUEPREDICATE"] + names + options + ["--threads", "1"],
                    input: CommandInput(text: "", directory: folder.path),
                    output: CommandOutput(write: { bytes += $0.count }, writeError: { _ in }))
                return code == 0 ? bytes : 0
            }
        }
    }

    static func columns(_ one: PeopleBenchmarks.Case) -> Kernel {
        Kernel(name: "count \(one.id), columns", isOverRows: true) {
            guard let matcher = try? FormatPredicate(one.text).compiled(for: Kernels.table) else { return { 0 } }
            return { matcher.count() }
        }
    }
}

extension Kernel {
    /// Makes a table in memory and imports CSV with integers, texts, doubles, Booleans and nil.
    static func importing() -> Kernel {
        Kernel(name: "import, 20,000 rows", isOverRows: true, counted: 2) {
            let lines = (1...20_000).map { number in
                let name = number % 3 == 0 ? "" : "a name of some length \(number)"
                return "\(number),\(name),\(number % 90),\(Double(number) / 8),\(number % 2 == 0),\"x, \(number % 7)\""
            }
            let bytes = Array((["id,name,age,score,active,note"] + lines).joined(separator: "\n").utf8)
            let schema = try? PredicateSchema([
                .init(
                    "person", primaryKey: ["id"],
                    attributes: [
                        .init("id", .integer), .init("name", .string, isOptional: true), .init("age", .integer),
                        .init("score", .double), .init("active", .boolean), .init("note", .string),
                    ])
            ])
            var options = ReaderOptions()
            (options.isVerbatim, options.keepsText) = (true, false)
            return { [options] in
                guard let schema, let store = try? SQLiteStore(path: ":memory:", schema: schema, mode: .create) else {
                    return 0
                }
                let reader = { RecordReader(bytes: bytes, name: "people.csv", options: options) }
                try? store.create(schema)
                return (try? store.importRecords([(entity: "person", open: reader)], ImportOptions()))?.report.rows[
                    "person"] ?? 0
            }
        }
    }
}

enum Kernels {
    /// A small number for callgrind, and a multiple of the block size.
    private static let rows = 4096
    static let people = People.make(rows)
    static let citizens = Citizen.make(rows)
    static let table = PeopleTable.make(people)

    /// Constructs that the cases of Peers.swift do not have: functions and operators on fields, nested compounds,
    /// wildcards with folding.
    private static let expressions: [(name: String, text: String)] = [
        ("length", "age > 95 AND lastName.length > 8"), ("lowercase:", "lowercase:(lastName) == 'smith'"),
        ("sum", "id + age > 2000"), ("optional product", "rank * 2 > age"), ("remainder", "modulus:by:(id, 3) == 1"),
        ("abs:", "abs:(score - 500) < 100"), ("two fields", "age < rank"),
        ("compound", "(age > 20 AND (address.city == 'Rome' OR score > 900)) OR NOT (active == YES OR rank > 500)"),
        ("LIKE[c] with ?", "lastName LIKE[c] 's?i*a'"),
    ]

    static var all: [Kernel] {
        ParsingBenchmarks.texts.flatMap { Kernel.parsing($0.name, $0.text) } + Kernel.translating()
            + RowBenchmarks.bound.map { Kernel.binding($0.name, $0.text) }
            + PeopleBenchmarks.cases.flatMap { [Kernel.structs($0), Kernel.columns($0)] }
            + expressions.map { Kernel.citizens($0.name, $0.text) }
            + [
                .importing(),
                Kernel.filtering(
                    "group, two aggregates", ["--group", "city, year, @avg.price, @max.price"], files: 1),
                Kernel.filtering("group, 20 files", ["--group", "id, @sum.qty"], files: 20),
                Kernel.filtering("sort, 20 files", ["--sort=-price,id"], files: 20),
            ]
    }

    /// Runs each kernel in a child process, and prints the identifier of the process and the name. Callgrind starts once, the
    /// data is made once, and no kernel changes the memory of the next.
    static func run(_ names: [String]) {
        let chosen = all.filter { names.contains($0.name) }
        if let unknown = Set(names).subtracting(chosen.map(\.name)).min() { fail("no kernel is named '\(unknown)'") }
        // Makes the data before the first child.
        _ = (people, citizens, table)
        for kernel in chosen {
            // A child would print what is still in the buffer again.
            fflush(nil)
            #if canImport(Glibc)
                let child = fork()
            #else
                let child: pid_t = -1  // Swift has no fork for other platforms.
            #endif
            if child < 0 { fail("no child process") }
            if child == 0 {
                let call = kernel.prepare()
                // The first calls fill caches.
                for _ in 0..<2 { _ = call() }
                exit(countedCalls(call, kernel.calls) < 0 ? 1 : 0)
            }
            var status: Int32 = 0
            if waitpid(child, &status, 0) != child || status != 0 { fail("kernel '\(kernel.name)' failed") }
            print(child, kernel.name, separator: "\t")
        }
    }

    private static func fail(_ message: String) -> Never {
        print(message)
        exit(2)
    }
}

/// The calls that instructions.py counts. It finds the function by this name.
@inline(never)
private func countedCalls(_ call: () -> Int, _ calls: Int) -> Int {
    var sum = 0
    for _ in 0..<calls { sum &+= call() }
    return sum
}
