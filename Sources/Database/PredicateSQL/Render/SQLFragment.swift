// SQL as segments instead of text, so that values and names are never inserted into a string. The dialect
// (SQLDialect.swift) quotes names and writes placeholders at the end.

/// The type of a bound value or a column in the engine. It differs from `ExpressionType.Kind`, because engines have types
/// that the language lacks, such as timestamps, but no entities or unknown types.
public enum SQLType: String, Sendable, Hashable, CaseIterable {
    case boolean, integer, double, decimal, text
    /// Seconds since 2001-01-01 00:00 UTC, as a double.
    case date
    /// A text `2024-01-31 13:45:00.000001` that the placeholder casts. `timestampWithZone` is in UTC.
    case timestamp, timestampWithZone
    case data, uuid, url
    /// The number of rows for LIMIT.
    case rowCount

    var isNumber: Bool { self == .integer || self == .double || self == .decimal }
}

/// A part of an SQL statement, with unquoted names and unnumbered values. A literal is SQL text; names and other fragments
/// can be inserted into it: `"SELECT \(columns) FROM \(name: table)"`.
struct SQLFragment: Sendable, Hashable {
    enum Segment: Sendable, Hashable {
        case sql(String)
        case identifier(String)
        /// `"t0"`
        case alias(Int)
        /// `"t0"."name"`
        case column(Int, String)
        case binding(Binding)
    }

    /// A value for a placeholder.
    struct Binding: Sendable, Hashable {
        let value: PredicateValue
        let type: SQLType
        /// How to compute the value from other constants; nil if it never changes.
        var source: ValueSource?
    }

    private(set) var segments: [Segment] = []

    init() {}
    init(capacity: Int) { segments.reserveCapacity(capacity) }
    init(_ sql: String) { self.init(.sql(sql)) }
    private init(_ segment: Segment) { segments = [segment] }

    static func identifier(_ name: String) -> SQLFragment { SQLFragment(.identifier(name)) }

    /// `"t0"`
    static func alias(_ number: Int) -> SQLFragment { SQLFragment(.alias(number)) }

    /// `"t0"."name"`
    static func column(_ alias: Int, _ name: String) -> SQLFragment { SQLFragment(.column(alias, name)) }

    static func binding(_ value: PredicateValue, _ type: SQLType) -> SQLFragment {
        binding(Binding(value: value, type: type))
    }

    static func binding(_ constant: Constant, _ type: SQLType) -> SQLFragment { binding(constant.binding(type)) }

    static func binding(_ binding: Binding) -> SQLFragment { SQLFragment(.binding(binding)) }

    mutating func append(_ constant: Constant, _ type: SQLType) { segments.append(.binding(constant.binding(type))) }

    /// `"t0"."name"`
    mutating func append(column name: String, of alias: Int) { segments.append(.column(alias, name)) }

    /// `"person" AS "t0"`
    mutating func append(table name: String, as alias: Int) {
        segments.append(.identifier(name))
        segments.append(.sql(" AS "))
        segments.append(.alias(alias))
    }

    // Disfavored, so that a plain literal is one segment without an array of its own.
    @_disfavoredOverload
    static func += (left: inout SQLFragment, right: SQLFragment) { left.segments += right.segments }
    static func += (left: inout SQLFragment, right: Literal) { left.segments.append(.sql(right.sql)) }

    /// SQL without insertions.
    struct Literal: ExpressibleByStringLiteral {
        fileprivate let sql: String
        init(stringLiteral sql: String) { self.sql = sql }
    }

    /// Appends a part of the dialect's syntax.
    mutating func append(sql: String) { segments.append(.sql(sql)) }

    static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment { "\(left)\(right)" }

    /// `(fragment)`
    var parenthesized: SQLFragment { "(\(self))" }

    static func joined(_ parts: [SQLFragment], _ separator: String) -> SQLFragment {
        var joined = SQLFragment()
        for (index, part) in parts.enumerated() {
            if index > 0 { joined.append(sql: separator) }
            joined += part
        }
        return joined
    }

    var bindingCount: Int { segments.count { if case .binding = $0 { true } else { false } } }

    /// Whether it has a column with the alias of its table.
    var readsColumns: Bool { segments.contains { if case .column = $0 { true } else { false } } }

    /// The approximate number of bytes of the text, without the values.
    var length: Int {
        segments.reduce(0) { length, segment in
            switch segment {
            case .sql(let text): length + text.utf8.count
            case .identifier(let name): length + name.utf8.count + 2
            case .column(_, let name): length + name.utf8.count + 7
            case .alias, .binding: length + 5
            }
        }
    }

    /// Appends the values and their types in the order of their placeholders.
    func collectBindings(_ values: inout [PredicateValue], _ types: inout [SQLType]) {
        let count = values.count + bindingCount
        values.reserveCapacity(count)
        types.reserveCapacity(count)
        for case .binding(let binding) in segments {
            values.append(binding.value)
            types.append(binding.type)
        }
    }

    /// The bindings in the order of their placeholders.
    var bindings: [Binding] { segments.compactMap { if case .binding(let binding) = $0 { binding } else { nil } } }

    /// The same fragment with bindings that are numbered constants.
    func numbered(from first: Int) -> SQLFragment {
        var numbered = self
        var next = first
        for (index, segment) in segments.enumerated() {
            guard case .binding(var binding) = segment else { continue }
            binding.source = ValueSource(constant: next)
            numbered.segments[index] = .binding(binding)
            next += 1
        }
        return numbered
    }

    /// The first name that an engine cannot accept, or nil.
    func unfit(for dialect: SQLDialect) -> String? {
        for segment in segments {
            switch segment {
            case .identifier(let name), .column(_, let name): if !dialect.canHold(identifier: name) { return name }
            case .sql, .alias, .binding: break
            }
        }
        return nil
    }

    /// The text in a dialect. Depends only on the fragment's structure, never on values.
    ///
    /// - Parameter values: the number of earlier placeholders.
    func text(in dialect: SQLDialect, after values: Int = 0) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(segments.count * 16)
        var position = values
        for segment in segments {
            switch segment {
            case .sql(let sql): text.append(sql)
            case .identifier(let name): dialect.quote(name, into: &text)
            case .alias(let number): dialect.alias(number, into: &text)
            case .column(let alias, let name):
                dialect.alias(alias, into: &text)
                text.append(UInt8(ascii: "."))
                dialect.quote(name, into: &text)
            case .binding(let binding):
                position += 1
                dialect.placeholder(position, binding.type, into: &text)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension SQLFragment: ExpressibleByStringInterpolation {
    init(stringLiteral sql: String) { self.init(sql) }
    init(stringInterpolation interpolation: StringInterpolation) { segments = interpolation.segments }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var segments: [Segment] = []

        init(literalCapacity: Int, interpolationCount: Int) { segments.reserveCapacity(2 * interpolationCount + 1) }

        mutating func appendLiteral(_ sql: String) { if !sql.isEmpty { segments.append(.sql(sql)) } }
        mutating func appendInterpolation(_ fragment: SQLFragment) { segments += fragment.segments }
        mutating func appendInterpolation(_ fragments: [SQLFragment], _ separator: String = ", ") {
            segments += joined(fragments, separator).segments
        }
        /// Inserts a part of the dialect's syntax.
        mutating func appendInterpolation(sql: String) { appendLiteral(sql) }
        mutating func appendInterpolation(name: String) { segments.append(.identifier(name)) }
        mutating func appendInterpolation(names: [String]) { appendInterpolation(names.map(SQLFragment.identifier)) }
    }
}
