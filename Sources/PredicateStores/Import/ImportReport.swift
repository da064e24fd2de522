// What an import is asked to do, and what it has done. Importer.swift does it.
public import PredicateSyntax

/// How records are imported.
public struct ImportOptions: Sendable, Hashable {
    /// Whether the records that fit are imported although others do not. Otherwise one loss means that nothing is imported.
    public var keepsGoing = false
    /// Whether nothing is imported, only reported.
    public var isDryRun = false
    /// Whether a record whose primary key the store has changes that row. Otherwise it is a loss.
    public var updates = false
    /// The keys of records that are not imported.
    public var ignoredKeys: Set<String> = []

    /// All or nothing.
    public init() {}
}

/// A record, or a part of one, that was not imported.
public struct ImportLoss: Sendable, Hashable, CustomStringConvertible {
    /// Where it is, `people.csv:17` or `people.plist`.
    public let place: String
    public let entity: String
    public let reason: String
    /// The record, which can be imported again; nil if it could not be read, or if only a part of it was lost.
    public let record: ValueDictionary?

    public var description: String { "\(place): \(reason)" }
}

/// What an import has done.
public struct ImportReport: Sendable {
    /// The number of losses that `losses` has at most.
    public static let shownLosses = 1000

    /// The number of written rows of each entity.
    public internal(set) var rows: [String: Int] = [:]
    /// The number of links of to-many relationships that were written beside the rows.
    public internal(set) var links = 0
    /// The number of losses.
    public internal(set) var lossCount = 0
    /// The first losses.
    public internal(set) var losses: [ImportLoss] = []
    /// Whether the store has the rows: not after a dry run, and not if there were losses, unless it was told to keep going.
    public internal(set) var isCommitted = false
}
