// An engine's SQL: names and placeholders, and its capabilities as values. The compiler uses only capabilities, never the
// engine's name. Dialects/SQLEngine.swift has the capabilities, and Dialects/ one file per engine.

/// An engine's SQL.
///
///     SQLDialect.named("postgresql")  // .postgreSQL
public struct SQLDialect: Sendable {
    /// One reference, because dialects are copied often and an engine has many templates.
    private let storage: Storage

    private final class Storage: Sendable {
        let engine: SQLEngine

        init(_ engine: SQLEngine) { self.engine = engine }
    }

    init(_ engine: SQLEngine) { storage = Storage(engine) }

    /// The name for the command line: `sqlite`.
    public var name: String { storage.engine.name }

    // Reading a part of a group copies only the part.
    var names: NameSyntax { _read { yield storage.engine.names } }
    var bindings: BindingSyntax { _read { yield storage.engine.bindings } }
    var constants: (true: String, false: String) { _read { yield storage.engine.constants } }
    var sameness: (equal: SQLTemplate, different: SQLTemplate) { _read { yield storage.engine.sameness } }
    var texts: TextSupport { _read { yield storage.engine.texts } }
    var numbers: NumberSupport { _read { yield storage.engine.numbers } }
    var decimals: DecimalSupport { _read { yield storage.engine.decimals } }
    var scalars: [Scalar: SQLTemplate] { _read { yield storage.engine.scalars } }
    var quickScalars: (plain: [Scalar: SQLTemplate], firstIsModerate: [Scalar: SQLTemplate])? {
        _read { yield storage.engine.quickScalars }
    }
    var hasRegisteredFunctions: Bool { _read { yield storage.engine.hasRegisteredFunctions } }
    var timestamps: TimestampSupport { _read { yield storage.engine.timestamps } }
    var lists: ListSupport { _read { yield storage.engine.lists } }
    var json: JSONSupport? { _read { yield storage.engine.json } }
    var subqueries: SubquerySupport { _read { yield storage.engine.subqueries } }
    var selection: SelectionSyntax { _read { yield storage.engine.selection } }
    package var changes: ChangeSupport { _read { yield storage.engine.changes } }
    package var tableSyntax: TableSyntax? { _read { yield storage.engine.tableSyntax } }
    package var limits: SQLLimits { _read { yield storage.engine.limits } }
    package var stored: StoredColumns { _read { yield storage.engine.stored } }
    package var zoneOfMoments: String { timestamps.zone }
    package var rowLockText: String { selection.rowLock?.text(in: self) ?? "" }

    /// The same engine with other capabilities.
    func changing(_ change: (inout SQLEngine) -> Void) -> SQLDialect {
        var engine = storage.engine
        change(&engine)
        return SQLDialect(engine)
    }

    /// All dialects, in the order of the help page.
    public static let all: [SQLDialect] = [
        .sqlite, .sqlitePlain, .postgreSQL, .mySQL, .duckDB, .clickHouse, .spark, .ansi,
    ]

    /// The dialect with a name or an alias such as `mariadb`; nil for an unknown name.
    public static func named(_ name: String) -> SQLDialect? {
        let lowered = name.lowercased()
        let known = aliases[lowered] ?? lowered
        return all.first { $0.name == known }
    }

    private static let aliases = ["mariadb": "mysql", "postgres": "postgresql", "sparksql": "spark"]

    /// The dialect for connections that bind values by position only: every placeholder is `?`.
    ///
    ///     SQLDialect.spark.bindingByPosition
    public var bindingByPosition: SQLDialect {
        changing { $0.bindings.placeholders = .question }
    }

    /// The dialect with table aliases that are different from all names in the schema.
    package func naming(_ schema: PredicateSchema) -> SQLDialect {
        names.aliasPrefix == schema.aliasPrefix ? self : changing { $0.names.aliasPrefix = schema.aliasPrefix }
    }

    /// The dialect for a database about whose columns more is known.
    package func knowing(_ stored: StoredColumns) -> SQLDialect { changing { $0.stored = stored } }

    /// Appends the alias of a table.
    func alias(_ number: Int, into text: inout [UInt8]) {
        text.append(names.quote)
        text.append(names.aliasPrefix)
        text.append(decimal: number)
        text.append(names.quote)
    }

    /// Appends a quoted name.
    func quote(_ name: String, into text: inout [UInt8]) {
        let backslash = UInt8(ascii: "\\")
        let quote = names.quote
        text.append(quote)
        var name = name
        name.withUTF8 { name in
            // Escaping byte by byte is correct: both characters are ASCII and never part of another scalar.
            guard name.contains(where: { $0 == backslash || $0 == quote }) else {
                text += name
                return
            }
            for byte in name {
                if byte == quote || (names.escapesBackslash && byte == backslash) { text.append(byte) }
                text.append(byte)
            }
        }
        text.append(quote)
    }

    /// Whether the engine accepts the name without truncation.
    func canHold(identifier name: String) -> Bool {
        var name = name
        return name.withUTF8 { !$0.isEmpty && $0.count <= names.maximumBytes && !$0.contains(0) }
    }

    /// Whether the engine can store the text.
    func stores(_ text: String) -> Bool { texts.storesNUL || !text.utf8.contains(0) }

    func placeholder(_ position: Int, _ type: SQLType, into text: inout [UInt8]) {
        switch bindings.placeholders {
        case .question:
            if let name = bindings.types[type] {
                text += "CAST(? AS \(name))".utf8
            } else {
                text.append(UInt8(ascii: "?"))
            }
        case .dollar:
            text.append(UInt8(ascii: "$"))
            text.append(decimal: position)
            guard let type = bindings.types[type] else { return }
            text += "::".utf8
            text += type.utf8
        case .braces: text += "{p\(position):\(bindings.types[type] ?? "String")}".utf8
        case .named: text += (bindings.types[type].map { "CAST(:p\(position) AS \($0))" } ?? ":p\(position)").utf8
        }
    }
}

extension [UInt8] {
    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { self += $0 }
    }

    /// Appends the digits of a non-negative number.
    mutating func append(decimal number: Int) {
        if number < 10 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number))
        } else {
            self += String(number).utf8
        }
    }
}

extension SQLDialect: Hashable, CustomStringConvertible {
    public var description: String { name }

    public static func == (left: SQLDialect, right: SQLDialect) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A collation to register with a SQLite connection before it runs a query that requires it. Compares folded
/// texts by code points.
package enum SQLCollation: String, Sendable, Hashable, CaseIterable {
    case caseInsensitive = "predicate_c"
    case diacriticInsensitive = "predicate_d"
    case both = "predicate_cd"

    /// nil if no collation has these options.
    init?(_ options: ComparisonOptions) {
        guard let found = Self.allCases.first(where: { $0.options == options }) else { return nil }
        self = found
    }

    /// The comparison options that the collation implements.
    package var options: ComparisonOptions {
        switch self {
        case .caseInsensitive: [.caseInsensitive]
        case .diacriticInsensitive: [.diacriticInsensitive]
        case .both: [.caseInsensitive, .diacriticInsensitive]
        }
    }
}

/// A function to register with a SQLite connection before it runs a query that requires it. Most take (text,
/// operand, options) and return 1, 0, or NULL if a side is NULL; `predicate_compare` returns -1, 0 or 1;
/// `predicate_matches` also returns NULL if evaluation gives up. The options are `c`, `d`, `cd` or empty.
/// Functions with other arguments are described below.
package enum SQLFunction: String, Sendable, Hashable, CaseIterable {
    case equal = "predicate_equal"
    case compare = "predicate_compare"
    case beginsWith = "predicate_beginswith"
    case endsWith = "predicate_endswith"
    case contains = "predicate_contains"
    case like = "predicate_like"
    case matches = "predicate_matches"
    case uppercase = "predicate_uppercase"
    case lowercase = "predicate_lowercase"
    /// The length of a text in UTF-16 units.
    case length = "predicate_length"
    /// Divides two doubles. Division by zero gives an infinity, or NULL for NaN.
    case divide = "predicate_divide"
    /// The square root of a double; NULL for NaN.
    case squareRoot = "predicate_sqrt"
    /// Converts a JSON list of doubles to a list of their bit patterns as integers, because SQLite's own reader
    /// is sometimes one bit off.
    case doubleBits = "predicate_double_bits"
    /// Converts a bit pattern back to a double.
    case double = "predicate_double"

    /// The number of arguments.
    package var arity: Int {
        switch self {
        case .uppercase, .lowercase, .length, .squareRoot, .doubleBits, .double: 1
        case .divide: 2
        default: 3
        }
    }
}
