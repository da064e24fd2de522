// What the REPL asks of whatever holds its records. Files are MemorySource.swift, a database is SQLiteSource.swift.

import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateSyntax

/// Records of one or several entities, to be selected by predicates.
protocol DataSource: AnyObject {
    /// As the first line names it: `people.json`.
    var name: String { get }
    var schema: Schema { get }
    /// What there is, in one line: `3 records of people`.
    var summary: String { get }
    /// The SQL that it is asked in; nil where it is not.
    var dialect: Dialect? { get }
    /// The entities that can be asked for: those of the schema that are not parts of others.
    var entities: [String] { get }
    /// Whether the schema tells all about an entity, so that an unknown key is a mistake. Not so for records without keys.
    func isDescribed(_ entity: String) -> Bool
    /// nil where nobody wants to know any more.
    func count(of entity: String, isCancelled: () -> Bool) throws -> Int?
    /// The values of a key that occur, where they are few; for completion and `.schema`.
    func domain(of path: [String], in entity: String) -> [Value]
    /// The records for which a predicate is true. Throws a `PredicateFailure` where it cannot be bound, a `CommandEnd`
    /// where the records cannot be read.
    func select(_ selection: Selection) throws -> SelectedRecords
    /// How a selection is found, a step a line; for `.explain`.
    func plan(of selection: Selection) throws -> [String]
    /// What went wrong while the relationships of records that were selected together were read: a key cannot throw.
    func checkFaults(_ records: [Value]) throws
}

/// A question to a data source.
struct Selection {
    var entity: String
    var predicate: FormatPredicate
    var variables: PredicateVariables = [:]
    var options = EvaluationOptions()
    /// Records that are wanted; all are counted. nil is all.
    var limit: Int?
    /// What will be read of the records, where that is not all: others may be left out.
    var keys: Set<String>?
    /// Asked now and then while it takes long: whether nobody wants the answer any more.
    var isCancelled: () -> Bool = { false }
}

/// The answer.
struct SelectedRecords {
    /// Dictionaries, or the objects of a store, whose relationships can be followed: `withoutObjects` shows them.
    var records: [Value] = []
    /// How many there are, those over the limit included.
    var count = 0
    /// Records that the predicate could not be evaluated for, and the first reason.
    var failed = 0
    var firstFailure: (row: Int, failure: PredicateFailure)?
    var wasCancelled = false
}
