// A small world of people with hostile data, once as objects and once as tables.

import PredicateModel
import PredicateSyntax

/// SplitMix64, so that a seed names a run.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(next() % UInt64(elements.count))]
    }

    mutating func chance(_ percent: UInt64) -> Bool { next() % 100 < percent }
}

enum Pools {
    static let texts = [
        "", " ", "a", "A", "ab", "abc", "Abc", "a ", " a", "a%c", "a_c", "a\\c", "a*c", "a?c", "'", "\"", "a'b\"c", "é",
        "e\u{301}", "É", "ß", "ss", "SS", "ẞ", "İ", "i", "ı", "K", "k", "ſ", "s", "ﬁ", "fi", "σ", "ς", "Σ", "が",
        "か\u{3099}",
        "한", "👨‍👩‍👧", "🇩🇪", "a\0b", "\0", "a\0", "\u{FFFF}", "\u{E000}", "\u{10000}", "\u{10FFFF}", "\u{D7FF}", "a\nb",
        "a\r\nb",
        "'; DROP TABLE person; --", "?", "$1", "{p1:String}",
    ]
    static let integers: [Int64] = [
        0, 1, -1, 2, 3, 42, 1 << 31, -(1 << 31), 1 << 53, (1 << 53) + 1, .min, .max, .max - 1,
    ]
    static let doubles: [Double] = [
        0, -0.0, 0.1, 0.30000000000000004, 1, 2, 2.5, -2.5, .leastNonzeroMagnitude, 1e300, 0x1p53, 0x1p63, -0x1p63,
        .infinity,
        -.infinity, 42,
    ]
    static let dates: [Double] = [0, -0.0, 1.5, 700_000_000.123456, -1e9, 1e-7]
    static let ids = [
        UniversalID(high: 0, low: 0), UniversalID(high: 1, low: .max), UniversalID(high: .max, low: 7),
    ]
    static let data: [[UInt8]] = [[], [0], [0, 255], [97]]
    static let decimals = ["0", "0.1", "-12.5", "1e14", "42", "3.14"].compactMap { DecimalNumber($0) }

    static func value(_ type: SQLTypeName, _ random: inout Seeded) -> Value {
        switch type {
        case .text: .string(random.pick(texts))
        case .integer: .integer(random.pick(integers))
        case .double: .double(random.pick(doubles))
        case .boolean: .bool(random.chance(50))
        case .date: .date(random.pick(dates))
        case .data: .data(random.pick(data))
        case .uuid: .uuid(random.pick(ids))
        case .decimal: .decimal(random.pick(decimals))
        }
    }
}

enum SQLTypeName: CaseIterable { case text, integer, double, boolean, date, data, uuid, decimal }

struct World {
    typealias Column = (key: String, column: String, type: SQLTypeName, optional: Bool)

    static let personColumns: [Column] = [
        ("name", "name", .text, false), ("nick", "nick", .text, true), ("age", "age_years", .integer, true),
        ("rank", "rank", .integer, false), ("height", "height", .double, true), ("weight", "weight", .double, false),
        ("active", "active", .boolean, false), ("vip", "vip", .boolean, true), ("born", "born", .date, true),
        ("photo", "photo", .data, true), ("token", "token", .uuid, true), ("debt", "debt", .decimal, true),
    ]
    static let orderColumns: [Column] = [
        ("total", "total", .integer, true), ("note", "note", .text, true), ("weight", "weight", .double, true),
    ]

    private var people: [[Value]] = []
    private var bosses: [Int?] = []
    private var friends: [(Int, Int)] = []
    private var orders: [(owner: Int, values: [Value])] = []
    private var items: [(order: Int, title: Value, count: Int64)] = []

    init(_ random: inout Seeded) {
        func row(_ columns: [Column], _ random: inout Seeded) -> [Value] {
            columns.map { $0.optional && random.chance(25) ? .null : Pools.value($0.type, &random) }
        }
        let count = 7
        for _ in 0..<count {
            people.append(row(Self.personColumns, &random))
            bosses.append(random.chance(40) ? nil : Int(random.next() % UInt64(count)))
            for _ in 0..<random.next() % 3 { friends.append((people.count - 1, Int(random.next() % UInt64(count)))) }
            for _ in 0..<(random.chance(30) ? 0 : random.next() % 4) {
                orders.append((people.count - 1, row(Self.orderColumns, &random)))
                for _ in 0..<random.next() % 3 {
                    let title = random.chance(25) ? Value.null : Pools.value(.text, &random)
                    items.append((orders.count - 1, title, random.pick(Pools.integers)))
                }
            }
        }
    }

    // MARK: As objects

    /// Everyone, with the objects around them as far as the generated paths go.
    var objects: [Value] { people.indices.map { person($0, depth: 3) } }

    private func person(_ index: Int, depth: Int) -> Value {
        var fields = zip(Self.personColumns, people[index]).map { ($0.key, $1) }
        if depth > 0 {
            fields.append(("boss", bosses[index].map { person($0, depth: depth - 1) } ?? .null))
            let mine = orders.indices.filter { orders[$0].owner == index }
            fields.append(("orders", .array(mine.map { order($0, depth: depth - 1) })))
            fields.append(
                ("friends", .array(friends.filter { $0.0 == index }.map { person($0.1, depth: depth - 1) })))
        }
        return .dictionary(ValueDictionary(fields))
    }

    private func order(_ index: Int, depth: Int) -> Value {
        var fields = zip(Self.orderColumns, orders[index].values).map { ($0.key, $1) }
        fields.append(
            (
                "items",
                .array(
                    items.filter { $0.order == index }.map {
                        .dictionary(ValueDictionary([("title", $0.title), ("count", .integer($0.count))]))
                    })
            ))
        if depth > 0 { fields.append(("owner", person(orders[index].owner, depth: depth - 1))) }
        return .dictionary(ValueDictionary(fields))
    }

    // MARK: As tables

    func fill(_ database: SQLiteDatabase) throws {
        func insert(_ table: String, _ values: [Value]) throws {
            let places = values.map { _ in "?" }.joined(separator: ", ")
            try database.run("INSERT INTO \(table) VALUES (\(places))", values)
        }
        func declared(_ columns: [Column]) -> String {
            columns.map { column in
                let types: [SQLTypeName: String] = [
                    .integer: "INTEGER", .decimal: "INTEGER", .boolean: "INTEGER", .double: "REAL", .date: "REAL", .data: "BLOB",
                ]
                return "\(column.column) \(types[column.type] ?? "TEXT")"
            }.joined(separator: ", ")
        }
        try database.run(
            "CREATE TABLE person (id INTEGER PRIMARY KEY, \(declared(Self.personColumns)), extra, boss_id INTEGER)")
        try database.run(
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, \(declared(Self.orderColumns)), person_id INTEGER)")
        try database.run("CREATE TABLE item (id INTEGER PRIMARY KEY, title TEXT, count INTEGER, order_id INTEGER)")
        try database.run("CREATE TABLE friendship (a INTEGER, b INTEGER)")
        for (index, exact) in people.enumerated() {
            // Without decimals, SQLite has cents.
            let values = exact.map { value in
                guard case .decimal(let number) = value else { return value }
                let cents = try? number.multiplied(by: DecimalNumber(100))
                return .integer(Int64(cents?.description ?? "") ?? 0)
            }
            let boss = bosses[index].map { Value.integer(Int64($0)) } ?? .null
            try insert("person", [.integer(Int64(index))] + values + [.null, boss])
        }
        for (index, order) in orders.enumerated() {
            try insert("orders", [.integer(Int64(index))] + order.values + [.integer(Int64(order.owner))])
        }
        for (index, item) in items.enumerated() {
            try insert("item", [.integer(Int64(index)), item.title, .integer(item.count), .integer(Int64(item.order))])
        }
        for pair in friends { try insert("friendship", [.integer(Int64(pair.0)), .integer(Int64(pair.1))]) }
    }
}
