// The REPL's interface to its records. MemorySource.swift implements it for files, DatabaseSource.swift for a
// database.

/// Records of one or more entities, selected by predicates.
protocol DataSource: AnyObject {
    /// The name in the first line of the session: `people.json`.
    var name: String { get }
    var schema: PredicateSchema { get }
    /// A summary in one line: `3 records of people`.
    var summary: String { get }
    /// The SQL dialect of a database; nil for records in memory.
    var dialect: SQLDialect? { get }
    /// The entities that can be queried: those of the schema that are not nested in others.
    var entities: [String] { get }
    /// Whether the schema lists all keys of an entity, so that an unknown key is an error. False for records
    /// without keys.
    func isDescribed(_ entity: String) -> Bool
    /// The keys of all records of an entity, in order of first appearance: the columns of CSV.
    func columns(of entity: String) -> [String]
    /// The files that were read, named as the user named them.
    var files: [String] { get }
    /// The number of records; nil if cancelled.
    func count(of entity: String, isCancelled: () -> Bool) throws -> Int?
    /// The distinct values of a key for completion and `.schema` if there are only a few, else an empty list.
    func domain(of path: [String], in entity: String) -> [PredicateValue]
    /// Returns the records that match. Throws `PredicateFailure` if the predicate cannot be bound, `CommandEnd`
    /// if the records cannot be read.
    func select(_ selection: Selection) throws -> SelectedRecords
    /// The steps of a selection, one per line, for `.explain`.
    /// - Parameter width: the width of the terminal; nil for a program.
    func plan(of selection: Selection, width: Int?) throws -> [String]
    /// Throws the error that occurred when a relationship of these records was read, if any. Reading a key cannot
    /// throw.
    func checkFaults(_ records: [PredicateValue]) throws
}

/// A query for a data source.
struct Selection {
    var entity: String
    var predicate: FormatPredicate
    var variables: PredicateVariables = [:]
    var run = PredicateRun()
    var sort = RecordOrder()
    /// The maximum number of records to return; nil returns all. `count` includes the others.
    var limit: Int?
    /// The keys that will be read; nil means all. The records may lack other keys.
    var keys: Set<String>?
    /// Polled about every 50 ms during long work; true cancels it.
    var isCancelled: () -> Bool = { false }
    /// Called with the reason if a database takes long.
    var tellSlowness: (String) -> Void = { _ in }
}

/// The result of a selection.
struct SelectedRecords: Sendable {
    /// Dictionaries, or objects of a store with their relationships. `withoutObjects` converts objects to dictionaries.
    var records: [PredicateValue] = []
    /// The number of matches, including those after the limit.
    var count = 0
    /// The number of records for which evaluation failed, and the first failure with the record's index, if it is
    /// known.
    var failed = 0
    var firstFailure: (row: Int?, failure: PredicateFailure)?
    var wasCancelled = false
}
