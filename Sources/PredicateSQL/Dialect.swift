// What an engine can say, as values: the compiler asks for capabilities and never for a name. One small file per engine
// in Dialects/.
package import PredicateModel
public import PredicateSyntax

/// An engine's SQL.
///
///     Dialect.named("postgresql")  // .postgreSQL
public struct Dialect: Sendable {
    /// As a command line names it: `sqlite`.
    public let name: String

    /// Around names; doubled inside.
    var quote = UInt8(ascii: "\"")
    /// Whether a backslash must be doubled inside a quoted name.
    var escapesBackslashInNames = false
    /// What aliases of tables begin with, before their numbers; `naming` fits it to a schema.
    private var aliasPrefix = "t"
    /// Bytes of a name that the engine keeps.
    var identifierBytes = 64
    var placeholders = Placeholders.question
    /// What a placeholder says of its type; a dialect may leave types out.
    var types: TypeNames = [:]

    var alwaysTrue = "TRUE"
    var alwaysFalse = "FALSE"
    /// Equality that takes two NULLs for equal, and its opposite. Never NULL.
    var sameOrBothNull: SQLTemplate = "{0} IS NOT DISTINCT FROM {1}"
    var notSame: SQLTemplate = "{0} IS DISTINCT FROM {1}"
    /// {0} is the text, {1} the needle, which is not empty. Code point by code point.
    var beginsWith: SQLTemplate = "SUBSTRING({0} FROM 1 FOR CHAR_LENGTH({1})) = {1}"
    var endsWith: SQLTemplate = "SUBSTRING({0} FROM CHAR_LENGTH({0}) - CHAR_LENGTH({1}) + 1) = {1}"
    var contains: SQLTemplate = "POSITION({1} IN {0}) > 0"
    var integerAsDouble: SQLTemplate = "CAST({0} AS DOUBLE PRECISION)"
    /// An integer in a type that holds the result of any two, and the sum of any number of them; nil where there is none.
    var wideInteger: SQLTemplate?
    /// The sum of integers where there is no such type: NULL where 64 bits do not hold it, and as the nearest double.
    var checkedSum: (integer: SQLTemplate, double: SQLTemplate)?
    /// What the engine computes as memory does.
    var scalars = Dialect.commonScalars
    /// nil: the engine has no regular expressions that can be trusted.
    var regex: RegexCapability?
    /// nil: the engine has no LIKE or GLOB that can be trusted.
    var glob: GlobCapability?
    /// Whether it has words for a glob that are better than any regular expression.
    var saysGlobs: Bool { glob != nil || regex?.hasAtomicGroups ?? false }
    /// Whether the functions of `SQLFunction` are registered with the connection.
    var hasRegisteredFunctions = false
    var storesNaN = true
    /// Whether NaN is stored, equal to itself and greater than all else; otherwise it is stored as IEEE 754 has it, or never.
    var nanIsGreatest = false
    /// Whether a text may hold U+0000.
    var storesNUL = true
    var storesInfinity = true
    /// The timestamps that a text can name for the engine, in microseconds since 1970; years 1 to 9999.
    var timestamps: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999
    /// What stands behind a moment to say that it is told in UTC.
    var zoneOfMoments = "+00:00"
    /// What the session must be told so that a moment without a zone is one of UTC.
    var momentSetting: String?
    /// Whether decimals of 38 digits are stored and compared as such; otherwise a column with a scale holds integers.
    var storesDecimals = false
    /// How a decimal of a scale is made of its digits, where the engine cannot be handed one.
    var decimalOfText: (@Sendable (Int) -> SQLTemplate)?
    /// Whether an unmarked column compares texts code point by code point. Otherwise the query requires it of the columns.
    var comparesTextByCodePoint = true
    /// What is said behind COLLATE to compare texts by code points; nil where columns have no collations, or nothing is known.
    var binaryCollation: String?
    /// Whether an index of a column is in the column's own collation, and serves equality in that one only.
    var indexesInCollations = false
    /// Columns of texts that compare otherwise unless told, beside those of which the schema says so.
    package var collatedColumns: Set<SQLColumn> = []
    /// Columns of texts that SQLite compares as numbers, and columns of doubles in which it keeps integers.
    package var numericColumns: [SQLColumn: NumericColumn] = [:]
    /// Membership of {0} in a JSON array {1}, of which types: one value, however many elements there are.
    var jsonLists: [SQLType: SQLTemplate] = [:]
    /// How the elements of a list that a column holds are reached, of which types.
    var elements: [SQLType: ListElements] = [:]
    /// Whether a column of lists may be NULL; otherwise it is not even in a row that a join has not found.
    var storesNullLists = true
    /// Elements of a list that stand in places of their own, where there is another way.
    var inlineLimit = 64
    /// Whether equality may tell 0.0 from -0.0: where the engine makes a list or a join of it, which compare bits.
    var equalityTellsZeros = false
    /// Whether a subquery reads columns of the query around it only, of none further outside.
    var correlatesNextOnly = false
    /// Whether it then finds nothing for a row whose columns that it reads are NULL.
    var correlationLosesNull = false
    /// Whether what is joined inside a subquery is kept by itself, `(SELECT * FROM "person" OFFSET 0)`: where the engine takes
    /// a plain join there and one elsewhere for the same, and answers wrongly.
    var fencesJoinsInside = false
    /// Whether a correlated COUNT over nothing is NULL.
    var countOfNothingIsNull = false

    /// Whether a result must be named, because the engine calls `t0.name` so where another table has a column of that name.
    var namesResults = false
    /// Whether ORDER BY takes NULLS FIRST and NULLS LAST.
    var ordersNulls = true
    /// What stands behind LIMIT where there is an offset only; nil where OFFSET stands by itself.
    var limitOfAll: String?
    /// Why the engine does not UPDATE and DELETE by any condition; nil where it does.
    var changesRefused: String?
    /// Whether a subquery sees the rows that its statement changed already: they are chosen before any is changed then.
    var seesItsChanges = false
    /// Whether DELETE gives its table an alias.
    var aliasesDeleted = true

    /// What the session must be told so that an outer join fills with NULL.
    var outerJoinSetting: String?

    /// Parameters of one statement.
    var parameterLimit = 30_000
    /// Groups of AND and OR inside each other.
    var nestingLimit = 100
    /// EXISTS inside each other.
    var subqueryLimit = 50
    /// Terms of one AND or OR before it is written as a tree.
    let chainLimit = 100
    /// The height of an expression.
    var depthLimit = 5_000

    /// Few, and asked for at each placeholder: compared one by one, they cost less than a hash.
    struct TypeNames: Sendable, ExpressibleByDictionaryLiteral {
        private let names: [(SQLType, String)]

        init(dictionaryLiteral names: (SQLType, String)...) { self.names = names }

        subscript(type: SQLType) -> String? { names.first { $0.0 == type }?.1 }
    }

    enum Placeholders: Sendable {
        /// `?`, `CAST(? AS DATETIME(6))` where types are given
        case question
        /// `$1`, `$1::text` where types are given
        case dollar
        /// `{p1:String}`
        case braces
        /// `CAST(:p1 AS STRING)`
        case named
    }

    init(_ name: String) { self.name = name }

    /// All engines, as a help page lists them.
    public static let all: [Dialect] = [
        .sqlite, .sqlitePlain, .postgreSQL, .mySQL, .duckDB, .clickHouse, .spark, .ansi,
    ]

    /// The dialect of a name, `mariadb` included; nil where there is none.
    public static func named(_ name: String) -> Dialect? {
        let lowered = name.lowercased()
        let known = aliases[lowered] ?? lowered
        return all.first { $0.name == known }
    }

    private static let aliases = ["mariadb": "mysql", "postgres": "postgresql", "sparksql": "spark"]

    /// The dialect with aliases that are no names of the schema.
    package func naming(_ schema: Schema) -> Dialect {
        if aliasPrefix == schema.aliasPrefix { return self }
        var dialect = self
        dialect.aliasPrefix = schema.aliasPrefix
        return dialect
    }

    /// Adds the alias of a table.
    func alias(_ number: Int, into text: inout [UInt8]) {
        text.append(quote)
        text.append(aliasPrefix)
        text.append(decimal: number)
        text.append(quote)
    }

    /// Adds a name between its quotes.
    func quote(_ name: String, into text: inout [UInt8]) {
        let backslash = UInt8(ascii: "\\")
        text.append(quote)
        var name = name
        name.withUTF8 { name in
            // Byte by byte where it must be: both are ASCII, so that neither is part of another scalar.
            guard name.contains(where: { $0 == backslash || $0 == quote }) else {
                text += name
                return
            }
            for byte in name {
                if byte == quote || (escapesBackslashInNames && byte == backslash) { text.append(byte) }
                text.append(byte)
            }
        }
        text.append(quote)
    }

    /// Whether the engine keeps the name whole.
    func canHold(identifier name: String) -> Bool {
        var name = name
        return name.withUTF8 { !$0.isEmpty && $0.count <= identifierBytes && !$0.contains(0) }
    }

    func placeholder(_ position: Int, _ type: SQLType, into text: inout [UInt8]) {
        switch placeholders {
        case .question:
            if let name = types[type] { text += "CAST(? AS \(name))".utf8 } else { text.append(UInt8(ascii: "?")) }
        case .dollar:
            text.append(UInt8(ascii: "$"))
            text.append(decimal: position)
            guard let type = types[type] else { return }
            text += "::".utf8
            text += type.utf8
        case .braces: text += "{p\(position):\(types[type] ?? "String")}".utf8
        case .named: text += (types[type].map { "CAST(:p\(position) AS \($0))" } ?? ":p\(position)").utf8
        }
    }
}

extension [UInt8] {
    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { self += $0 }
    }

    /// The digits of a number that is not negative.
    mutating func append(decimal number: Int) {
        if number < 10 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number))
        } else {
            self += String(number).utf8
        }
    }
}

extension Dialect: Hashable, CustomStringConvertible {
    public var description: String { name }

    public static func == (left: Dialect, right: Dialect) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// How an engine reaches the elements of a list {0}.
enum ListElements: Sendable {
    /// As rows {1} of one column, `value`.
    case rows(SQLTemplate)
    /// By functions that ask {2} of each element {1}: whether it is so of one, of how many it is, and how many there are. NULL
    /// where the list is.
    case lambda(exists: SQLTemplate, count: SQLTemplate, size: SQLTemplate)

    /// The same for whatever the lists may hold.
    var ofAllTypes: [SQLType: ListElements] {
        [.boolean: self, .integer: self, .double: self, .date: self, .text: self]
    }
}

/// How an engine takes a pattern of explicit code-point sets (SQL.md 3.6, 3.8).
struct RegexCapability: Sendable {
    /// {0} is the text, {1} the pattern.
    var test: SQLTemplate
    var opening = "^(?:"
    var closing = ")$"
    /// `\x{1F600}`, else `\u00E9` and `\U0001F600`.
    var bracedEscapes = true
    var repetitionLimit = 1000
    /// Whether it searches by trying, so that a pattern with several ways to match can end in a wrong answer or an error.
    var backtracks = false
    /// Whether it has atomic groups and possessive runs.
    var hasAtomicGroups = false
    /// Sets, choices, repetitions and sequences of a pattern, where the engine calls itself for each.
    var partLimit = Int.max
    /// Bytes of a pattern.
    let patternLimit = 1 << 16
}

/// A collation that SQLite must be given before a query that names it runs: texts folded, then by code points.
public enum SQLCollation: String, Sendable, Hashable, CaseIterable {
    case caseInsensitive = "predicate_c"
    case diacriticInsensitive = "predicate_d"
    case both = "predicate_cd"

    /// nil: no collation compares so.
    init?(_ options: ComparisonOptions) {
        guard let found = Self.allCases.first(where: { $0.options == options }) else { return nil }
        self = found
    }

    public var options: ComparisonOptions {
        switch self {
        case .caseInsensitive: [.caseInsensitive]
        case .diacriticInsensitive: [.diacriticInsensitive]
        case .both: [.caseInsensitive, .diacriticInsensitive]
        }
    }
}

/// A function that SQLite must be given before a query that names it runs: (text, operand, options) → 1, 0 or NULL where
/// a side is NULL; `predicate_compare` → -1, 0, 1; `predicate_matches` is NULL, too, where the evaluator gives up. The options
/// are `c`, `d`, `cd`, or nothing. What takes one argument, and `divide`, is said with each.
public enum SQLFunction: String, Sendable, Hashable, CaseIterable {
    case equal = "predicate_equal"
    case compare = "predicate_compare"
    case beginsWith = "predicate_beginswith"
    case endsWith = "predicate_endswith"
    case contains = "predicate_contains"
    case like = "predicate_like"
    case matches = "predicate_matches"
    case uppercase = "predicate_uppercase"
    case lowercase = "predicate_lowercase"
    /// In UTF-16 units.
    case length = "predicate_length"
    /// Of two doubles, by zero too: an infinity, or NULL for NaN.
    case divide = "predicate_divide"
    /// Of a double; NULL for NaN.
    case squareRoot = "predicate_sqrt"
    /// Of a list's JSON: the same list with the bits of each double, which are integers. SQLite's own doubles may be one bit off.
    case doubleBits = "predicate_double_bits"
    /// The double of such bits.
    case double = "predicate_double"

    /// How many arguments it takes.
    public var arity: Int {
        switch self {
        case .uppercase, .lowercase, .length, .squareRoot, .doubleBits, .double: 1
        case .divide: 2
        default: 3
        }
    }
}
