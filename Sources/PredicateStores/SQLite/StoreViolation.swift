// What a query relies on and a live database does not hold. How it is found out is in SQLitePreconditions.swift.

/// Something in the database that the schema does not say: rows that it concerns may be selected wrongly, or fail.
public struct StoreViolation: Sendable, Hashable, CustomStringConvertible {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case missingTable, missingColumn
        /// NULL where the schema says that there is a value.
        case missingValue
        /// A column that makes numbers of texts, or texts of numbers, before it compares them.
        case affinity
        /// A value of another storage class.
        case storedType
        /// A value of the right class that the type does not have: a boolean 2, an integer out of range, a text that is no
        /// UTF-8, no decimal or no list, a UUID spelled otherwise, a date too far off for its column.
        case storedValue
        /// A folded column that does not hold what its text folds to.
        case foldedText
        /// What stands in the discriminator of a shared table is the code of no entity.
        case unknownCode
        /// A foreign key to a row that is not there.
        case danglingKey
        /// Rows that share a primary key, or have none.
        case repeatedKey
        /// A collation other than BINARY; it changes no result, but no index of the column is used.
        case collation
        /// Texts as UTF-16; it changes no result, but costs conversions.
        case encoding

        /// Whether it changes what is selected, and not only how fast.
        public var changesResults: Bool { self != .collation && self != .encoding }
    }

    public let kind: Kind
    public let table: String
    public let column: String?
    /// `holds text where the schema says integer`
    public let sentence: String
    /// How many of the rows that were looked at; nil where it is about the table as a whole.
    public var rows: Int?
    /// The row number of the first of them; nil where the table has none.
    public var firstRow: Int64?

    /// `person.age holds text where the schema says integer (3 rows, the first with rowid 7)`
    public var description: String {
        var text = (column.map { "\(table).\($0)" } ?? table) + " " + sentence
        guard let rows else { return text }
        text += rows == 1 ? " (1 row" : " (\(rows) rows"
        if let firstRow { text += rows == 1 ? " with rowid \(firstRow)" : ", the first with rowid \(firstRow)" }
        return text + ")"
    }
}
