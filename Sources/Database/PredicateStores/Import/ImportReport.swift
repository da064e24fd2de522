// The options of an import and its report. Importer.swift does the import.

/// How records are imported.
public struct ImportOptions: Sendable {
    /// Whether the valid records are imported although others are not. Otherwise a single loss means that nothing is
    /// imported.
    public var keepsGoing = false
    /// Whether the import only reports what it would do.
    public var isDryRun = false
    /// Whether a record replaces values in an existing row with the same primary key. Otherwise such a record is a
    /// loss.
    public var updates = false
    /// Keys of the records that are ignored.
    public var ignoredKeys: Set<String> = []
    /// Whether each record is written by itself, for tests.
    @TaskLocal package static var isRowByRow = false

    /// Imports all records or none.
    public init() {}
}

/// A record, or a part of one, that was not imported.
public struct ImportLoss: Sendable, Equatable, CustomStringConvertible {
    /// The input and line, `people.csv:17`, or the input alone, `people.plist`.
    public let place: String
    public let entity: String
    public let reason: String
    /// The record, which can be imported again; nil if it could not be read, or if only a part of it was lost.
    public let record: ValueDictionary?

    public var description: String { "\(place): \(reason)" }

    /// In the reason of a row that exists, because `ImportOptions.updates` is not set.
    package static let updatesAreOff = "updates are off"

    package func replacing(_ words: String, by others: String) -> ImportLoss {
        ImportLoss(place: place, entity: entity, reason: reason.replacing(words, with: others), record: record)
    }
}

/// The result of an import.
public struct ImportReport: Sendable {
    /// The maximum number of losses in `losses`.
    package static let shownLosses = 1000

    /// The number of written rows of each entity.
    public internal(set) var rows: [String: Int] = [:]
    /// The number of links of to-many relationships that were written in addition to the rows.
    public internal(set) var links = 0
    /// The number of losses.
    public internal(set) var lossCount = 0
    /// The first losses.
    public internal(set) var losses: [ImportLoss] = []
    /// Whether the rows were stored. False after a dry run, and after losses unless `keepsGoing` was set.
    public internal(set) var isCommitted = false
}
