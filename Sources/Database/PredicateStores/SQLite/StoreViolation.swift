// A difference between a live database and its schema. SQLitePreconditions.swift finds them.

/// A difference between the database and its schema. Affected rows may be selected wrongly, or reading them may fail.
public struct StoreViolation: Sendable, Equatable, CustomStringConvertible {
    /// The kind of difference.
    package enum Kind: String, Sendable, Hashable {
        case missingTable, missingColumn
        /// NULL in a column that is not optional.
        case missingValue
        /// A column affinity that converts texts to numbers, or numbers to texts, before comparing.
        case affinity
        /// A value of a storage class that does not fit the type.
        case storedType
        /// A value of the right storage class that is not valid for its type: a Boolean 2, an integer out of range,
        /// text that is not UTF-8, text that is not a decimal or a list, a UUID in another spelling, a date outside the
        /// column's range.
        case storedValue
        /// A folded column whose value is not the folded text.
        case foldedText
        /// A discriminator value that is not the code of any entity.
        case unknownCode
        /// A foreign key that refers to a missing row.
        case danglingKey
        /// A foreign key that SQLite cannot enforce: it refers to a table that does not exist, or to columns that are not
        /// unique. Changes no result.
        case brokenKey
        /// Several rows with the same primary key, or a row without one.
        case repeatedKey
        /// A collation other than BINARY. It changes no result, but the column's index is not used for all comparisons.
        case collation
        /// Texts stored as UTF-16. Changes no result, but costs conversions.
        case encoding
    }

    package let kind: Kind
    /// The identifier of the kind of difference: `storedType`.
    public var id: String { kind.rawValue }
    /// Whether the violation can change which rows are selected. The others affect the speed, or changes.
    public var changesResults: Bool { ![.collation, .encoding, .brokenKey].contains(kind) }
    public let table: String
    /// The column; nil if the violation concerns the whole table.
    public let column: String?
    /// The violation without its subject: `has text, but the schema says integer`.
    public let sentence: String
    /// The number of affected rows among those checked; nil for a violation of the table as a whole.
    public var rows: Int?
    /// The row number of the first affected row; nil if the table has none.
    public var firstRow: Int64?

    /// Example: `person.age has text, but the schema says integer (3 rows, the first with rowid 7)`
    public var description: String {
        var text = (column.map { "\(table).\($0)" } ?? table) + " " + sentence
        guard let rows else { return text }
        text += rows == 1 ? " (1 row" : " (\(rows) rows"
        if let firstRow { text += rows == 1 ? " with rowid \(firstRow)" : ", the first with rowid \(firstRow)" }
        return text + ")"
    }
}
