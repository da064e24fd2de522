// Every construct of the language in every position, over keys of every type. The constructs come from the catalogues, so
// a new function, operator or part of a date is in the matrix by itself. The tests of SQL and of stores run its cells.

package import PredicateModel
package import PredicateSyntax

/// An expression of the matrix: `floor:(od)`, `s.length`, `parts.@sum.i`.
package struct MatrixExpression: Sendable {
    /// What it tests: `floor:`, `.length`, `@sum`.
    package let construct: String
    package let text: String
    /// The same value without texts that are read as dates or numbers; nil if there are none.
    package var meaning: String?

    package var parsed: FormatExpression? { try? FormatExpression(text, arguments: [], in: Matrix.environment) }
}

package enum Matrix {
    /// Where an expression stands.
    package enum Position: String, CaseIterable, Sendable {
        case left, right, not, list, member, between, isNil, besideMany, ternary, index, subquery, sort, page, update

        /// The condition with an expression; `%@` is a constant. nil for a position that is not in a condition.
        package func condition(_ text: String) -> String? {
            switch self {
            case .left: "\(text) == %@"
            case .right: "%@ >= \(text)"
            case .not: "NOT \(text) != %@"
            case .list: "\(text) IN {%@, 7}"
            case .member: "%@ IN {\(text), nil}"
            case .between: "\(text) BETWEEN {%@, %@}"
            case .isNil: "\(text) == nil"
            case .besideMany: "ANY parts.i > 1 OR \(text) < %@"
            case .ternary: "TERNARY(\(text) == %@, i, oi) > 1"
            case .index: "{1, 3, 5, 7, 9, 11}[\(text)] > 5"
            case .subquery: "SUBQUERY(parts, $p, \(text) == %@).@count > 0"
            case .sort, .page, .update: nil
            }
        }
    }

    package static let environment = PredicateEnvironment(language: [.dates, .typedTexts], timeZone: .utc)

    /// One entity with a required and an optional attribute of each type, an owner and many parts.
    package static func schema() throws -> PredicateSchema {
        typealias Attribute = PredicateSchema.Attribute
        let pairs: [(String, ExpressionType.Kind)] = [
            ("i", .integer), ("d", .double), ("m", .decimal), ("s", .string), ("b", .boolean), ("t", .date),
            ("u", .uuid), ("l", .url), ("x", .data),
        ]
        var attributes = [Attribute("id", .integer)]
        for (name, kind) in pairs {
            for isOptional in [false, true] {
                attributes.append(
                    Attribute(isOptional ? "o" + name : name, kind, isOptional: isOptional).with {
                        if kind == .decimal { $0.scale = 10 }
                    })
            }
        }
        attributes += [Attribute("tags", .list(of: .string)), Attribute("ns", .list(of: .integer))]
        return try PredicateSchema([
            .init(
                "Thing", table: "thing", primaryKey: ["id"], attributes: attributes,
                relationships: [
                    .init("owner", to: "Thing", link: .column("owner_id")),
                    .init("parts", toMany: "Thing", link: .foreignKey("owner_id")),
                ])
        ])
    }

    // MARK: Objects

    /// Objects for which most expressions have a value, or, if `isHostile`, objects with the limits of each type.
    package static func objects(isHostile: Bool, count: Int = 12) -> [ValueDictionary] {
        var random = SplitMix(state: isHostile ? 41 : 17)
        let pools = isHostile ? Self.hostile : Self.tame
        return (0..<count).map { number in
            var entries: [(String, PredicateValue)] = [("id", .integer(Int64(number)))]
            for (name, values) in pools {
                entries.append((name, random.pick(values)))
                entries.append(("o" + name, random.chance(30) ? .null : random.pick(values)))
            }
            let texts = ["", "a", "Éva", "zz"].prefix(random.below(5)).map(PredicateValue.string)
            let numbers = [3, -1, 40, 2].prefix(random.below(5)).map(PredicateValue.integer)
            entries += [("tags", .array(texts)), ("ns", .array(numbers))]
            entries.append(("owner", number == 0 || random.chance(20) ? .null : .integer(Int64(random.below(number)))))
            return ValueDictionary(entries)
        }
    }

    /// The objects as dictionaries that contain their owner and their parts, without relationships of those.
    package static func graphs(_ objects: [ValueDictionary]) -> [PredicateValue] {
        func plain(_ object: ValueDictionary) -> [(String, PredicateValue)] {
            zip(object.keys, object.values).filter { $0.0 != "owner" }
        }
        return objects.map { object in
            var entries = plain(object)
            if case .integer(let owner)? = object["owner"] {
                entries.append(("owner", .dictionary(ValueDictionary(plain(objects[Int(owner)])))))
            } else {
                entries.append(("owner", .null))
            }
            let parts = objects.filter { $0["owner"] == object["id"] }
            entries.append(("parts", .array(parts.map { .dictionary(ValueDictionary(plain($0))) })))
            return .dictionary(ValueDictionary(entries))
        }
    }

    /// The optional attribute of the type of a value.
    package static func key(for value: PredicateValue) -> String? {
        switch value {
        case .bool: "ob"
        case .integer: "oi"
        case .double: "od"
        case .decimal: "om"
        case .string: "os"
        case .date: "ot"
        case .uuid: "ou"
        case .url: "ol"
        case .data: "ox"
        default: nil
        }
    }

    /// Whether a value that was stored is the one that was computed.
    package static func isStored(_ value: PredicateValue, _ computed: PredicateValue?) -> Bool {
        guard let computed else { return false }
        if computed.isNil || value.isNil { return computed.isNil == value.isNil || computed.isNaN && value.isNil }
        return (try? Comparison(.equal).test(value, computed)) ?? false
    }

    private static func decimals(_ texts: [String]) -> [PredicateValue] {
        texts.compactMap { DecimalNumber($0) }.map(PredicateValue.decimal)
    }

    private static let ids = [UniversalID(high: 0, low: 0), UniversalID(high: 1, low: .max)].map(PredicateValue.uuid)
    private static let tame: KeyValuePairs<String, [PredicateValue]> = [
        "i": [1, 2, 3, 5], "d": [0.5, 2, 3, -2.5].map(PredicateValue.double),
        "m": decimals(["1.5", "2", "-3.25", "5"]),
        "s": ["a", "b", "Éva", "abc", "2", "1.5"], "b": [true, false],
        // 2026-05-31, 2003, 2004-02-29, and an hour in the year 2001.
        "t": [.date(801_878_400), .date(63_072_000), .date(99_792_000), .date(3_600)], "u": ids,
        "l": [.url("https://a.example/b"), .url("file:///tmp/x.txt")], "x": [.data([]), .data([1, 255])],
    ]
    private static let hostile: KeyValuePairs<String, [PredicateValue]> = [
        "i": [0, 1, -1, .integer(.max), .integer(.min), .integer(1 << 53 + 1), 2],
        "d": [0, .infinity, 1e300, 0x1p63, 0.1, .leastNonzeroMagnitude].map(PredicateValue.double),
        "m": decimals(["0", "12345678.0123456789", "-0.0000000001", "2", "99999999.5"]),
        "s": ["", " ", "a", "A", "e\u{301}", "é", "ß", "İ", "2026-05-31", .string(String(repeating: "xé", count: 90))],
        "b": [true, false],
        // The years 1 and 9999, and 1969.
        "t": [.date(-63_113_904_000), .date(252_423_993_599), .date(-999_999_999.5), .date(0), .date(1.25)], "u": ids,
        "l": [.url(""), .url("HTTPS://A.example/é?c=d")], "x": [.data([0]), .data([])],
    ]

    // MARK: Expressions

    /// All expressions over the keys of an object, or of an object in a variable: `$p.i`.
    package static func expressions(of variable: String = "") -> [MatrixExpression] {
        let keys = Keys(prefix: variable.isEmpty ? "" : variable + ".", isOuter: variable.isEmpty)
        return keys.paths + keys.calls + keys.operations + keys.conversions + keys.lists + keys.conditions
            + keys.compounds
    }

    /// Operands by type, and what is built of them.
    private struct Keys {
        let prefix: String
        let isOuter: Bool

        func of(_ name: String) -> [String] {
            [prefix + name, prefix + "o" + name] + (isOuter ? ["owner." + name] : [])
        }

        private static let constants: [String: String] = [
            "i": "2", "d": "0.5", "m": #"CAST("1.5", "NSDecimalNumber")"#, "s": #""a""#, "b": "YES",
            "t": #"CAST(99792000, "NSDate")"#,
        ]
        private static let kinds: KeyValuePairs<String, ExpressionType.Kind> = [
            "i": .integer, "d": .double, "m": .decimal, "s": .string, "b": .boolean, "t": .date, "u": .uuid, "l": .url,
            "x": .data,
        ]

        var paths: [MatrixExpression] {
            Self.kinds.flatMap { kind in of(kind.key).map { MatrixExpression(construct: "key", text: $0) } }
        }

        /// The arguments that a parameter takes: the keys of each type that fits, and a constant.
        private func arguments(_ function: PredicateFunction, _ index: Int) -> [String] {
            var found: [String] = []
            for (name, kind) in Self.kinds where function.accepts(ExpressionType(kind), at: index) {
                found += of(name) + [Self.constants[name]].compactMap { $0 }
            }
            let numbers = ExpressionType(.list(of: .integer)), texts = ExpressionType(.list(of: .string))
            if found.isEmpty, function.accepts(numbers, at: index) {
                found += ["\(prefix)ns", "{\(prefix)i, \(prefix)oi, 2}"] + (isOuter ? ["parts.i", "parts.od"] : [])
            }
            if found.isEmpty || function.accepts(texts, at: index), function.accepts(texts, at: index) {
                found.append("\(prefix)tags")
            }
            return found
        }

        /// For each first argument, three choices of the others.
        private func argumentLists(_ function: PredicateFunction) -> [[String]] {
            let choices = (0..<function.arity).map { arguments(function, $0) }
            guard let first = choices.first else { return [[]] }
            guard choices.allSatisfy({ !$0.isEmpty }) else { return [] }
            return first.indices.flatMap { index in
                (0..<(choices.count > 1 ? 3 : 1)).map { turn in
                    choices.enumerated().map { place, list in
                        list[(place == 0 ? index : index + turn * 5 + place * 3) % list.count]
                    }
                }
            }
        }

        var calls: [MatrixExpression] {
            let catalog = Matrix.environment.functions
            var found: [MatrixExpression] = []
            for function in catalog.functions where !function.isVolatile && !function.hasSyntax {
                for list in argumentLists(function) {
                    let text = "\(function.name)(\(list.joined(separator: ", ")))"
                    found.append(.init(construct: function.name, text: text))
                }
            }
            for method in catalog.methods {
                for list in argumentLists(method) {
                    let rest = list.dropFirst().map { ", " + $0 }.joined()
                    let call = "FUNCTION(\(list[0]), '\(method.name)'\(rest))"
                    found.append(.init(construct: "." + method.name, text: call))
                    // A constant has no keys.
                    guard list.count == 1, ["i", "s", "t"].contains(list[0].suffix(1)) else { continue }
                    found.append(.init(construct: "." + method.name, text: "\(list[0]).\(method.name)"))
                }
            }
            return found
        }

        var operations: [MatrixExpression] {
            var found: [MatrixExpression] = []
            for one in BinaryOperator.allCases where !one.isSetOperator {
                for (left, right) in [("i", "i"), ("i", "d"), ("d", "i"), ("m", "i"), ("d", "m")] {
                    let constant = Self.constants[right] ?? "2"
                    for (a, b) in zip(of(left), of(right).reversed()) {
                        for text in ["\(a) \(one.spelling) \(b)", "\(a) \(one.spelling) \(constant)"] {
                            found.append(.init(construct: one.spelling, text: text))
                        }
                    }
                    found.append(.init(construct: one.spelling, text: "\(constant) \(one.spelling) \(of(left)[1])"))
                }
            }
            for unit in CalendarStep.Unit.allCases {
                for key in of("t") {
                    for text in [
                        "\(key) + \(unit.rawValue)(1)", "\(key) - \(unit.rawValue)(\(of("i")[0]))",
                        "(\(key) + \(unit.rawValue)(1)).year",
                    ] { found.append(.init(construct: unit.rawValue, text: text)) }
                }
            }
            found += of("t").map { .init(construct: "-", text: "\($0) - \(of("t")[0])") }
            found += ["i", "d", "m"].flatMap { name in of(name).map { .init(construct: "negation", text: "-\($0)") } }
            return found
        }

        var conversions: [MatrixExpression] {
            CastType.allCases.flatMap { cast in
                ["i", "d", "m", "s", "b", "t", "u", "l"].flatMap { name in
                    of(name).map { .init(construct: "CAST \(cast.rawValue)", text: "CAST(\($0), '\(cast.rawValue)')") }
                }
            }
        }

        /// Of a list: elements, aggregates, subqueries and set operations.
        var lists: [MatrixExpression] {
            var found: [MatrixExpression] = []
            for index in ["0", "FIRST", "LAST", "SIZE", "\(prefix)i"] {
                for list in ["ns", "tags"] {
                    found.append(.init(construct: "index", text: "\(prefix)\(list)[\(index)]"))
                }
            }
            for one in CollectionOperator.all {
                let path = one.name + (one.takesKey ? ".self" : "")
                for list in ["ns", "tags"] {
                    let text = "\(prefix)\(list).\(path)"
                    found.append(.init(construct: one.name, text: one.kind == .union ? "\(text).@count" : text))
                }
                guard isOuter else { continue }
                for key in one.takesKey ? ["i", "od", "m", "t", "os"] : [""] {
                    let text = "parts.\(one.name)" + (key.isEmpty ? "" : "." + key)
                    found.append(.init(construct: one.name, text: one.kind == .union ? "\(text).@count" : text))
                }
            }
            for one in BinaryOperator.allCases where one.isSetOperator {
                found.append(
                    .init(construct: one.spelling, text: "(\(prefix)ns \(one.spelling) {3, \(prefix)i}).@count"))
            }
            guard isOuter else { return found }
            for (name, value) in [("i", "2"), ("od", "0.5"), ("os", "'a'"), ("t.year", "2003"), ("i", "i"), ("t", "t")]
            {
                let subquery = "SUBQUERY(parts, $q, $q.\(name) == \(value))"
                found.append(.init(construct: "SUBQUERY", text: "\(subquery).@count"))
                found.append(.init(construct: "SUBQUERY", text: "\(subquery).@max.i"))
            }
            return found
        }

        /// A condition as the choice of TERNARY, with each operator, and with texts that are read as dates and numbers.
        var conditions: [MatrixExpression] {
            var found: [MatrixExpression] = []
            func add(_ construct: String, _ condition: String, _ meaning: String? = nil) {
                let meaning = meaning.map { "TERNARY(\($0), 1, 0)" }
                found.append(.init(construct: construct, text: "TERNARY(\(condition), 1, 0)", meaning: meaning))
            }
            for op in ["==", "!=", "<", "<=", ">", ">="] {
                for (name, constant) in Self.constants.sorted(by: { $0.key < $1.key }) {
                    for key in of(name) { add(op, "\(key) \(op) \(constant)") }
                    if name != "b" || op == "==" { add(op, "\(of(name)[1]) \(op) \(of(name)[0])") }
                }
                for key in of("t") {
                    let date = #"CAST(801878400, "NSDate")"#
                    add("typed text", "\(key) \(op) '2026-05-31'", "\(key) \(op) \(date)")
                    add("typed text", "'2026-05-31' \(op) \(key)", "\(date) \(op) \(key)")
                }
            }
            for op in ComparisonOperator.words where op != .tokenMatches {
                for options in ["", "[c]", "[cd]"] {
                    for key in of("s") {
                        switch op {
                        case .in: add(op.spelling, "\(key) IN\(options) {'A', 'b'}")
                        case .between: if options.isEmpty { add(op.spelling, "\(key) BETWEEN {'a', 'b'}") }
                        case .like: add(op.spelling, "\(key) LIKE\(options) 'A*'")
                        case .utiConformsTo, .utiEquals:
                            if options.isEmpty { add(op.spelling, "\(key) \(op.spelling) 'public.text'") }
                        default: add(op.spelling, "\(key) \(op.spelling)\(options) 'A'")
                        }
                    }
                }
            }
            for key in of("i") + of("d") + of("m") {
                add("BETWEEN", "\(key) BETWEEN {\(of("i")[1]), 3}")
                add("IN", "\(key) IN {2, 0.5, nil, \(of("i")[1])}")
            }
            add("AND", "\(of("i")[0]) > 1 AND \(of("d")[1]) > 0")
            add("OR", "\(of("i")[1]) > 1 OR \(of("s")[1]) == 'a'")
            add("NOT", "NOT \(of("i")[1]) > 1")
            guard isOuter else { return found }
            for modifier in ["ANY", "ALL", "NONE", "SOME"] {
                add(modifier, "\(modifier) parts.oi > 1")
                add(modifier, "\(modifier) parts.os == 'a'")
                add(modifier, "\(modifier) parts.t == '2026-05-31'", "\(modifier) parts.t == CAST(801878400, 'NSDate')")
            }
            return found
        }

        /// An expression as the operand of another, where a missing parenthesis would show.
        var compounds: [MatrixExpression] {
            let inner = [
                "modulus:by:(\(of("i")[0]), 3)", "(\(of("i")[0]) - 1)", "-\(of("i")[0])", "\(of("t")[0]).year",
                "TERNARY(\(of("i")[0]) > 2, 1, 2)", "length:(\(of("s")[0]))", "CAST(\(of("d")[1]), 'NSNumber')",
                "abs:(\(of("d")[0]))", "(\(of("i")[0]) & 3)",
            ]
            return inner.flatMap { one in
                [
                    "\(of("i")[1]) * \(one)", "\(of("d")[0]) / \(one)", "\(one) - \(one)", "10 - (\(one) - 1)",
                    "-(\(one))", "abs:(\(one) - 3)", "(\(one) + 1) * 2", "\(one) / 2",
                ].map { .init(construct: "compound", text: $0) }
            }
        }
    }
}
