// The groups of an engine's capabilities. The defaults are those of standard SQL.

/// What an engine can do.
struct SQLEngine: Sendable {
    let name: String
    var names = NameSyntax()
    var bindings = BindingSyntax()
    var constants = (true: "TRUE", false: "FALSE")
    /// Equality that treats two NULLs as equal, and its negation. Never NULL.
    var sameness: (equal: SQLTemplate, different: SQLTemplate) = (
        "{0} IS NOT DISTINCT FROM {1}", "{0} IS DISTINCT FROM {1}"
    )
    var texts = TextSupport()
    var numbers = NumberSupport()
    var decimals = DecimalSupport()
    /// Templates of the functions whose results equal those in memory.
    var scalars = SQLDialect.commonScalars
    /// Faster products and quotients that repeat their operands. They are used for operands that cost little, and for a
    /// first operand that is never extreme.
    var quickScalars: (plain: [Scalar: SQLTemplate], firstIsModerate: [Scalar: SQLTemplate])?
    /// Whether the functions of `SQLFunction` are registered with the connection.
    var hasRegisteredFunctions = false
    var timestamps = TimestampSupport()
    var lists = ListSupport()
    /// How values inside JSON columns are read; nil if the engine does not read them with the required behaviour.
    var json: JSONSupport?
    var subqueries = SubquerySupport()
    var selection = SelectionSyntax()
    var changes = ChangeSupport()
    /// How tables are declared; nil for an engine without transactions.
    var tableSyntax: TableSyntax?
    var limits = SQLLimits()
    var stored = StoredColumns()

    init(_ name: String) { self.name = name }
}

/// How an engine writes names.
struct NameSyntax: Sendable {
    /// The quotation mark; doubled inside a name.
    var quote = UInt8(ascii: "\"")
    /// Whether a backslash is doubled in a quoted name.
    var escapesBackslash = false
    /// The prefix of table aliases, before the number. `naming` adapts it to a schema.
    var aliasPrefix = "t"
    /// The maximum length of a name in bytes.
    var maximumBytes = 64
}

/// How an engine binds values.
struct BindingSyntax: Sendable {
    var placeholders = Placeholders.question
    /// The type names in placeholders. Types may be missing.
    var types: TypeNames = [:]
    /// Converts an integer to 64 bits, for engines in which 32-bit integers overflow.
    var integer64: SQLTemplate?
    /// Whether integers may be bound as unsigned, or columns may be unsigned; both are then cast.
    var mayBeUnsigned = false

    enum Placeholders: Sendable {
        /// `?`, or `CAST(? AS DATETIME(6))` for a type in `types`
        case question
        /// `$1`, or `$1::text` for a type in `types`
        case dollar
        /// `{p1:String}`
        case braces
        /// `CAST(:p1 AS STRING)`
        case named
    }
}

/// A small map. It is read for each placeholder, and comparing few keys is faster than hashing.
struct TypeNames: Sendable, ExpressibleByDictionaryLiteral {
    private let names: [(SQLType, String)]

    init(dictionaryLiteral names: (SQLType, String)...) { self.names = names }

    subscript(type: SQLType) -> String? { names.first { $0.0 == type }?.1 }
}

/// How an engine compares texts and searches in them.
struct TextSupport: Sendable {
    /// How it looks for the needle {1}, which is not empty, in the text {0}. Compares code points.
    var tests = TextTests(
        prefix: "SUBSTRING({0} FROM 1 FOR CHAR_LENGTH({1})) = {1}",
        suffix: "SUBSTRING({0} FROM CHAR_LENGTH({0}) - CHAR_LENGTH({1}) + 1) = {1}",
        anywhere: "POSITION({1} IN {0}) > 0")
    /// nil if the database has no regular expressions with the required behaviour.
    var regex: RegexCapability?
    /// nil if the engine has no LIKE or GLOB with the required behaviour.
    var glob: GlobCapability?
    /// A LIKE or GLOB that ignores the case of ASCII letters, if the engine's regular expressions are much slower.
    var caselessGlob: GlobCapability?
    /// Whether the engine matches glob patterns without backtracking.
    var matchesGlobs: Bool { glob != nil || regex?.hasAtomicGroups ?? false }
    /// Whether a text may contain U+0000.
    var storesNUL = true
    /// Whether columns compare texts by code points by default. If not, the query requires this of its columns.
    var comparesByCodePoint = true
    /// The collation that compares by code points; nil if columns have no collations or it is unknown.
    var binaryCollation: String?
    /// Whether an index uses its column's collation and serves equality only with that collation.
    var indexesInCollations = false
    /// The type of a column that compares by code points.
    var foldedColumnType = "TEXT"
}

/// How an engine computes with integers and doubles.
struct NumberSupport: Sendable {
    /// Converts an integer to a double, and to a type that can hold the result of every operation and every sum; nil if
    /// there is none.
    var integers: (asDouble: SQLTemplate, wide: SQLTemplate?) = ("CAST({0} AS DOUBLE PRECISION)", nil)
    /// For engines without wide integers: the sum of integers as an integer, NULL on overflow of 64 bits; as the
    /// nearest double; and clamped.
    var checkedSum: (integer: SQLTemplate, double: SQLTemplate, clamped: SQLTemplate)?
    var storesNaN = true
    /// Whether NaN equals itself and is greater than all other values; otherwise it is unordered as in IEEE
    /// 754, or not stored.
    var nanIsGreatest = false
    var storesInfinity = true
    /// Whether equality may distinguish 0.0 from -0.0, because the engine turns it into a list or a join that
    /// compares bits.
    var equalitySeparatesZeros = false
}

/// How an engine stores points in time.
struct TimestampSupport: Sendable {
    /// Those that can be bound as text, in microseconds since 1970. The default is years 1 to 9999.
    var range: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999
    /// Suffix that marks a timestamp as UTC.
    var zone = "+00:00"
    /// The session setting with which a timestamp without a zone is in UTC.
    var sessionSetting: String?
}

/// How an engine reads lists: values that are bound, and columns.
struct ListSupport: Sendable {
    /// Tests whether {0} is in the JSON array {1}, by element type. Binds a list as a single value.
    var jsonLists: [SQLType: SQLTemplate] = [:]
    /// The same for NOT IN, if another form is faster. No index can serve NOT IN.
    var jsonAbsences: [SQLType: SQLTemplate] = [:]
    /// The maximum number of elements that are bound separately, if the engine has another way.
    let inlineLimit = 64
    /// How to access the elements of a list column, by element type.
    var elements: [SQLType: ListElements] = [:]
    /// Templates that test whether the list {0} contains the element {1}, or one of the elements {1}; nil if expanding
    /// the list to rows is as fast.
    var membership: (one: SQLTemplate, some: SQLTemplate)?
    /// The brackets of texts that the engine converts to arrays, such as `{1,2}`; nil if lists are stored as JSON
    /// texts.
    var arrayBrackets: (open: String, close: String)?
    /// Whether a list column may be NULL. If not, it is empty even if an outer join finds no row.
    var mayBeNull = true
}

/// What an engine's subqueries and joins can do, and which of their forms are fast.
struct SubquerySupport: Sendable {
    /// Whether a subquery may read columns only of the directly enclosing query.
    var correlatesNextOnly = false
    /// Whether a subquery returns no rows if a column of the enclosing query is NULL.
    var correlationLosesNull = false
    /// Whether a join inside a subquery is wrapped as `(SELECT * FROM "person" OFFSET 0)`. Needed for engines that
    /// confuse it with an equal join elsewhere and return wrong results.
    var fencesJoins = false
    /// Whether a correlated COUNT over no rows is NULL.
    var countOfNoRowsIsNull = false
    /// Whether the comparison of an aggregate of a to-many key with a constant is faster as one subquery over all
    /// groups than as one for each row (Benchmarks/Shop/thresholds.py).
    var groupsThresholds = false
    /// Whether the comparison of an aggregate with another key is faster as a join with all groups.
    var joinsGroups = false
    /// {0} is an expression of the columns {1}, which are computed once; nil if repeating them is as fast.
    var operandBinding: SQLTemplate?
    /// Whether an OR of selective conditions on different tables is written as a UNION, because the engine would not
    /// use an index for the OR.
    var splitsDisjunctions = false
    /// The session setting with which an outer join fills missing rows with NULL.
    var outerJoinSetting: String?
}

/// How an engine selects rows.
struct SelectionSyntax: Sendable {
    /// Whether every result column gets a name. Without one, ClickHouse calls it `t0.name` if another table has
    /// a column of that name.
    var namesResults = false
    /// Whether ORDER BY supports NULLS FIRST and NULLS LAST.
    var ordersNulls = true
    /// The LIMIT needed for an OFFSET without a limit; nil if OFFSET can stand alone.
    var limitOfAll: String?
    var hasIndexes = true
    /// What follows a selection so that no other transaction changes its rows; nil if the whole database is locked, or
    /// if a transaction fails whose rows another one has changed.
    var rowLock: SQLFragment?
}

/// How an engine changes rows.
package struct ChangeSupport: Sendable {
    /// Whether transactions have savepoints.
    package var hasSavepoints = true
    /// The reason why the engine cannot UPDATE and DELETE with a condition; nil if it can.
    package var refusal: String?
    var upsert = Upsert.onConflict
    /// Whether INSERT has RETURNING.
    package var returnsInserted = true
    /// Moves the counter of generated keys past a key that the app gives. {0} and {1} are the table and the column as
    /// texts, {2} is the key. nil if INSERT moves it, or if there is none.
    var keyCounter: SQLTemplate?
    /// Whether a subquery sees rows that the statement has already changed. Then all rows are selected before the first
    /// one is changed.
    var seesItsChanges = false
    /// Whether DELETE gives its table an alias.
    var aliasesDeleted = true
    /// Fails when it is evaluated. {0} is a number, so that no engine evaluates it before it reads a row. Stands for
    /// computed values that a column cannot hold; nil if these are computed in memory.
    var failure: SQLTemplate?
}

/// The limits of an engine's statements.
package struct SQLLimits: Sendable {
    /// The approximate size in bytes of SQL with its values, after which the rest of a predicate is tested in memory.
    package var translation = 4_000_000
    /// The maximum length of a condition without its values, in bytes.
    package var text = 4_000_000
    /// The maximum number of parameters of a statement.
    var parameters = 30_000
    /// The maximum nesting of AND and OR groups.
    var nesting = 100
    /// The maximum nesting of EXISTS.
    var subqueries = 50
    /// The maximum number of terms of one AND or OR; longer chains are written as a tree.
    let chain = 100
    /// The maximum height of an expression.
    var depth = 5_000
    /// The maximum number of entries on the stack of a parser (Height.swift).
    var parserStack = 500
}

/// What is known about the columns of one database.
package struct StoredColumns: Sendable {
    /// Text columns with another collation, in addition to those in the schema.
    package var collated: Set<SQLColumn> = []
    /// Text columns that SQLite compares as numbers, and double columns in which it stores integers.
    package var numeric: [SQLColumn: NumericColumn] = [:]
    /// Columns that SQLite declares as numbers, in which it keeps a decimal only as a double.
    package var rounding: Set<SQLColumn> = []
    /// By table: foreign keys that no index serves, by which a subquery for each row would read the whole table.
    package var unindexedKeys: [String: Set<[String]>] = [:]
    /// The attributes inside JSON columns that an index serves, by table and place.
    package var indexedDocuments: Set<SQLColumn> = []

    package init() {}
}

/// How an engine stores decimals and computes with them.
struct DecimalSupport: Sendable {
    /// Whether decimals of 38 digits are stored and compared exactly. If not, a column with a scale stores integers.
    var areStored = false
    /// Whether decimals are bound as texts, which `cast` converts.
    var areBoundAsText = false
    /// Converts a number or a text to a decimal with a given number of digits, for engines whose decimal results have
    /// at most 38.
    var cast: (@Sendable (DecimalDigits) -> SQLTemplate)?
    /// Whether a sum or product with too many digits is stored anyway, or becomes a double, instead of raising an
    /// error.
    var keepsWide = false
    /// Whether a decimal of more than 15 digits is converted to the nearest double.
    var convertsLong = false

    /// The conversion of most engines.
    static let standardCast: @Sendable (DecimalDigits) -> SQLTemplate = {
        "CAST({0} AS DECIMAL(\($0.all), \($0.scale)))"
    }
}

/// How an engine looks for the needle {1}, which is not empty, in the text {0}. Compares code points.
struct TextTests: Sendable {
    let prefix: SQLTemplate
    let suffix: SQLTemplate
    let anywhere: SQLTemplate

    subscript(place: TextPlace) -> SQLTemplate {
        switch place {
        case .prefix: prefix
        case .suffix: suffix
        case .anywhere: anywhere
        }
    }
}

/// How an engine accesses the elements of the list {0}.
enum ListElements: Sendable {
    /// As rows {1} with one column `value`.
    case rows(SQLTemplate)
    /// With functions that apply the condition {2} to each element {1}: whether it holds for some element, for
    /// how many, and the number of elements. NULL for a NULL list.
    case lambda(exists: SQLTemplate, count: SQLTemplate, size: SQLTemplate)

    /// The same access for all element types.
    var ofAllTypes: [SQLType: ListElements] {
        [.boolean: self, .integer: self, .double: self, .date: self, .text: self]
    }
}

/// How an engine matches a pattern of explicit code-point sets (SQL of each construct: Case and diacritics; SQL of each
/// construct: MATCHES).
struct RegexCapability: Sendable {
    /// {0} is the text, {1} the pattern, which is searched in it.
    var test: SQLTemplate
    /// Anchor at the beginning of a text.
    var opening = "^"
    /// Anchor at its end.
    var closing = "$"
    /// One code point, also a newline.
    var anyScalar = "(?s:.)"
    /// Whether escapes have the form `\x{1F600}`, rather than `\u00E9` and `\U0001F600`, and `\x1F600` in a set.
    var bracedEscapes = true
    var repetitionLimit = 1000
    /// Whether it is faster to look for the literal parts of a pattern first.
    var isSlow = false
    /// Whether it backtracks, so that an ambiguous pattern may give an error or a wrong answer.
    var backtracks = false
    /// Whether it supports atomic groups, possessive quantifiers and negative look-ahead.
    var hasAtomicGroups = false
    /// The maximum number of parts of a pattern (sets, alternatives, repetitions, sequences), for engines that
    /// recurse for each part.
    var partLimit = Int.max
    /// The maximum length of a pattern in bytes.
    let patternLimit = 1 << 16
}
