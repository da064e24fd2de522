// The types, random filters, random predicates and random records of the tests.
@testable import PredicateEditor
import PredicateTestSupport

struct Artist: Queryable {
    var name: String
    var born: Int?
    static let keys: KeyTable<Artist> = [.key("name", \.name), .key("born", \.born)]
}

struct Song: Queryable {
    enum Genre: String, CaseIterable, QueryableValue { case rock, jazz, hipHop }

    var title: String
    var comment: String?
    var rating: Int
    var price: Double
    var cost: DecimalNumber
    var isLoved: Bool
    var genre: Genre?
    var added: PredicateValue
    var tags: [String]
    var artists: [Artist]
    var label: Artist?

    static let keys: KeyTable<Song> = [
        .key("title", \.title), .key("comment", \.comment), .key("rating", \.rating), .key("price", \.price),
        .key("cost", \.cost), .key("isLoved", \.isLoved), .key("genre", \.genre), .key("added", \.added),
        .key("tags", \.tags), .key("artists", \.artists), .key("label", \.label),
    ]

    /// The same as a store has it, with a date.
    static func schema() throws -> PredicateSchema {
        try PredicateSchema(
            [
                .init(
                    "Song",
                    attributes: [
                        .init("title", .string), .init("comment", .string, isOptional: true), .init("rating", .integer),
                        .init("price", .double), .init("cost", .decimal), .init("isLoved", .boolean),
                        .init("added", .date, isOptional: true), .init("tags", .list(of: .string)),
                    ], relationships: [.init("artists", toMany: "Artist")]),
                .init("Artist", attributes: [.init("name", .string), .init("born", .integer, isOptional: true)]),
            ], defaultEntity: "Song")
    }

    static func fields() throws -> EditorFields {
        try EditorFields(
            try schema(),
            keyPaths: [
                "title", "comment", "rating", "price", "cost", "isLoved", "added", "tags", "tags.@count",
                "artists.name", "artists.born", "artists.@count",
            ])
    }
}

struct RandomFilters {
    var random: SplitMix
    let fields: EditorFields
    /// Whether rows may be muted or have problems, and groups any number of rows.
    var isAny = false

    init(_ stream: UInt64, _ fields: EditorFields) {
        random = SplitMix(stream)
        self.fields = fields
    }

    mutating func filter() -> EditorGroup {
        if random.chance(10) { return EditorGroup(.all, [.row(row())]) }
        return group(depth: 3)
    }

    private mutating func group(depth: Int) -> EditorGroup {
        let count = isAny ? random.below(4) : 2 + random.below(3)
        var group = EditorGroup(random.pick(EditorGroup.Match.allCases))
        for _ in 0..<count {
            if depth > 1, random.chance(25) { group.append(self.group(depth: depth - 1)) } else { group.append(row()) }
        }
        group.isMuted = isAny && random.chance(5)
        return group
    }

    mutating func row() -> EditorRow {
        if random.chance(4) {
            let text = random.pick(["price * 2 > 5", "title MATCHES \"a.*\"", "1 == 2", "rating + 1 == 2"])
            return EditorRow("", .predicate, .string(text))
        }
        let field = random.pick(fields.all)
        var name = random.pick(EditorOperator.forms.map(\.base).filter(field.fits))
        if field.kind == .text, random.chance(50) {
            name = name.ignoring(
                random.pick([[.caseInsensitive, .diacriticInsensitive], .caseInsensitive, .diacriticInsensitive]))
        }
        var row = EditorRow(field.keyPath, name, value(name.operands, field))
        if name.operands == .one, field.list == nil, random.chance(8) {
            let others = fields.all.filter {
                $0.list == nil && ($0.kind == field.kind || $0.kind.isNumber && field.kind.isNumber)
            }
            (row.value, row.comparesFields) = (.string(random.pick(others).keyPath), true)
        }
        if field.list != nil {
            row.quantifier = random.pick([
                .any, .all, EditorQuantifier.none, .atLeast(random.below(3)), .atMost(1), .exactly(random.below(3)),
            ])
        }
        if isAny {
            row.isMuted = random.chance(10)
            if random.chance(10) { row.value = .null }
            if random.chance(5) { row.field = "none" }
            if random.chance(5) { row.operator = "foo" }
        }
        return row
    }

    private mutating func value(_ operands: EditorOperator.Operands, _ field: EditorField) -> PredicateValue {
        switch operands {
        case .none: .null
        case .one: one(field)
        case .list: .array((0...random.below(3)).map { _ in one(field) })
        case .bounds: .array([one(field), one(field)])
        case .period: EditorPeriod(1 + random.below(20), random.pick(EditorPeriod.Unit.allCases)).value
        }
    }

    private mutating func one(_ field: EditorField) -> PredicateValue {
        switch field.kind {
        case .integer: .integer(Int64(random.below(5)))
        case .number: random.chance(50) ? .integer(Int64(random.below(5))) : .double(Double(random.below(5)) + 0.5)
        case .decimal:
            random.chance(50) ? .integer(Int64(random.below(5))) : .string(random.pick(["0.5", "1.25", "2"]))
        case .boolean: .bool(random.chance(50))
        case .date, .dateTime: .string(random.pick(Self.dates))
        default: .string(random.pick(["a", "A", "ab", "b", "é", "e", "a,b", "'", "\"", "\\"]))
        }
    }

    static let dates = [
        "2026-11-25T00:00:00Z", "2026-11-26T10:00:00Z", "2026-11-26T00:00:00.5Z", "2025-12-31T23:59:59Z",
    ]

    // MARK: Records

    mutating func record() -> PredicateValue {
        var pairs: [(String, PredicateValue)] = []
        func text() -> PredicateValue { .string(random.pick(["", "a", "A", "ab", "b", "é", "e", "a,b"])) }
        pairs.append(("title", text()))
        pairs.append(("comment", random.chance(30) ? .null : text()))
        pairs.append(("rating", .integer(Int64(random.below(5)))))
        pairs.append(("price", .double(Double(random.below(10)) / 2)))
        pairs.append(("cost", .decimal(DecimalNumber(random.pick(["0.5", "1", "1.25", "2", "3"]))!)))
        pairs.append(("isLoved", .bool(random.chance(50))))
        let seconds = CalendarDate.seconds(iso8601: random.pick(Self.dates)) ?? 0
        pairs.append(("added", random.chance(20) ? .null : .date(seconds + Double(random.below(3) - 1) * 43_200)))
        pairs.append(("tags", .array((0..<random.below(3)).map { _ in text() })))
        let artists = (0..<random.below(3)).map { _ in
            PredicateValue.dictionary(
                ValueDictionary([
                    ("name", text()), ("born", random.chance(30) ? .null : .integer(Int64(random.below(5)))),
                ]))
        }
        pairs.append(("artists", .array(artists)))
        return .dictionary(ValueDictionary(pairs))
    }

    // MARK: Predicates

    mutating func predicate(depth: Int = 3) -> String {
        switch random.below(depth <= 1 ? 6 : 10) {
        case 6: "NOT (\(predicate(depth: depth - 1)))"
        case 7: "(\(predicate(depth: depth - 1))) AND (\(predicate(depth: depth - 1)))"
        case 8: "(\(predicate(depth: depth - 1))) OR (\(predicate(depth: depth - 1)))"
        case 9: "NOT (NOT (\(predicate(depth: depth - 1))))"
        default: comparison()
        }
    }

    private mutating func comparison() -> String {
        let numbers = ["rating", "price", "tags.@count", "artists.@count", "isLoved"]
        let text = random.pick(["'a'", "'A'", "'ab'", "''", "nil", "'é'"])
        let number = random.pick(["0", "1", "2.0", "2.5", "3", "YES", "nil", "1e3"])
        let options = random.pick(["", "", "[c]", "[d]", "[cd]", "[n]"])
        let order = random.pick(["==", "!=", "<", "<=", ">", ">="])
        let test = random.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "==", "!=", "<"])
        switch random.below(14) {
        case 0: return "\(random.pick(numbers)) \(order) \(number)"
        case 1: return "\(number) \(order) \(random.pick(numbers))"
        case 2: return "\(random.pick(["title", "comment"])) \(test)\(options) \(text)"
        case 3: return "\(text) IN\(options) \(random.pick(["title", "tags", "{'a', title}"]))"
        case 4: return "\(random.pick(["title", "comment"])) IN {\(text), 'b'}"
        case 5: return "rating BETWEEN {\(random.below(4)), \(random.below(4))}"
        case 6:
            return
                random.pick(["ANY", "ALL", "NONE", "SOME"]) + " " + random.pick(["tags", "artists.name"])
                + " \(test)\(options) \(text)"
        case 7: return "\(random.pick(["ANY", "ALL", "NONE"])) artists.born \(order) \(number)"
        case 8: return "tags CONTAINS\(options) \(text)"
        case 9: return "rating \(order) \(random.pick(["price", "rating", "price + 1"]))"
        case 10:
            let condition = random.pick([
                "$y.born > 2", "$y.name == 'a'", "NOT $y.name == 'a'", "$y.born == nil", "$y == nil",
            ])
            return "SUBQUERY(artists, $y, \(condition)).@count \(order) \(random.below(3))"
        case 11: return "cost \(order) \(random.pick(["0.5", "1", "2.0", "CAST('1.25', 'NSDecimalNumber')"]))"
        case 12: return "added \(order) CAST(\(random.pick(["785764800", "785800800.5", "1e20"])), 'NSDate')"
        default: return random.pick(["TRUEPREDICATE", "FALSEPREDICATE", "ANY tags == title", "1 == 2"])
        }
    }
}

extension FormatPredicate {
    /// The answer for a record; nil if evaluation fails.
    func answer(_ record: PredicateValue) -> Bool? { try? evaluate(record) }
}
