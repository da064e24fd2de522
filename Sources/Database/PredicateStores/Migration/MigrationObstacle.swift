// The obstacles to a migration, and its progress.

/// Something that prevents a migration, and how to resolve it.
///
/// ```text
/// Item.email: 12 of 4,000 rows have nil, and it is required: give it a default, or a mapping
/// ```
public struct MigrationObstacle: Error, Sendable, Equatable, CustomStringConvertible {
    /// The entity of the new version, or a table.
    public let entity: String
    /// The attribute or relationship; nil if the obstacle concerns the entity.
    public let key: String?
    /// The obstacle and how to resolve it; the subject is the entity and the key.
    public let message: String

    init(_ entity: String, _ key: String?, _ message: String) {
        self.entity = entity
        self.key = key
        self.message = message
    }

    public var description: String { (key.map { "\(entity).\($0)" } ?? entity) + ": " + message }
}

extension [MigrationObstacle] {
    mutating func add(_ entity: String, _ key: String?, _ message: String) {
        append(MigrationObstacle(entity, key, message))
    }
}

/// The obstacles that prevented a migration. The database is unchanged.
public struct MigrationFailure: Error, Sendable, CustomStringConvertible {
    /// What the migration would have done without the obstacles.
    public let report: MigrationReport
    /// The obstacles, at least one.
    public var obstacles: [MigrationObstacle] { report.obstacles }

    /// One line for each obstacle.
    public var description: String { obstacles.map(\.description).joined(separator: "\n") }
}

/// The progress of a migration.
public struct MigrationProgress: Sendable {
    /// The entity of the new version whose objects are being made.
    public let entity: String
    /// The number of old objects read for it so far, and the total.
    public let done: Int
    public let total: Int
}

/// The result of a migration, or of a check.
public struct MigrationReport: Sendable {
    /// An entity whose objects are created again. Objects of other entities stay unchanged.
    public struct Step: Sendable, Equatable {
        /// The entity of the new version, and that of the old one.
        public let entity: String
        public let source: String
        /// The number of old objects, and of new objects that were made.
        public let read: Int
        public let made: Int
        /// The number of old objects that the mapping's `where` leaves out.
        public let leftOut: Int
    }

    public let differences: [SchemaDifference]
    public let steps: [Step]
    /// What is lost in addition to the dropped keys: the indexes, triggers, views and constraints whose loss is
    /// allowed, and those of dropped tables.
    public let notes: [String]
    /// The obstacles; empty after a migration that succeeded.
    public let obstacles: [MigrationObstacle]
}

/// Counts the rows that prevent the migration.
struct ObstacleLog {
    enum Kind: Hashable {
        case missing, value, evaluation, several, key, policy, other
    }

    private struct Place: Hashable {
        let entity: String
        let key: String?
        let kind: Kind
    }

    private struct Count {
        var rows = 0
        let example: String
    }

    /// The entities some of whose rows are missing.
    private(set) var entities: Set<String> = []
    private var order: [Place] = []
    private var counts: [Place: Count] = [:]

    /// - Parameter example: evaluated only for the first row.
    mutating func add(_ kind: Kind, _ entity: String, _ key: String?, _ example: @autoclosure () -> String = "") {
        let place = Place(entity: entity, key: key, kind: kind)
        entities.insert(entity)
        if counts[place] == nil {
            order.append(place)
            counts[place] = Count(example: example())
        }
        counts[place]?.rows += 1
    }

    /// - Parameter totals: the number of rows of each entity.
    func obstacles(_ totals: [String: Int]) -> [MigrationObstacle] {
        order.compactMap { place in
            guard let count = counts[place] else { return nil }
            let rows = "\(count.rows.grouped) of \((totals[place.entity] ?? count.rows).grouped) rows"
            let example = count.example
            let message =
                switch place.kind {
                case .missing: "\(rows) have nil, and it is required: give it a default, or a mapping"
                case .value: "\(rows) have values that do not fit, such as \(example): give a mapping for it"
                case .evaluation: "\(rows) cannot be evaluated: \(example)"
                case .several: "\(rows) refer to several objects, and it is to-one: give a mapping that picks one"
                case .key: "\(rows) have the key of another row (\(example)): map the key to different values"
                case .policy: "\(rows) are refused by the policy: \(example)"
                case .other: "\(rows) cannot be stored: \(example)"
                }
            return MigrationObstacle(place.entity, place.key, message)
        }
    }
}

extension Int {
    /// The number with separators: `4,000`.
    var grouped: String {
        var text = String(magnitude)
        var end = text.count - 3
        while end > 0 {
            text.insert(",", at: text.index(text.startIndex, offsetBy: end))
            end -= 3
        }
        return self < 0 ? "-" + text : text
    }
}
