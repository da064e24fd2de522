// Converts values and errors that PostgreSQL sends as texts. For connections over an app's own client; ADBC uses the
// errors.

extension PredicateValue {
    /// A value that PostgreSQL sent in its text format.
    ///
    ///     PredicateValue(postgreSQLText: "42", type: 20)    // .integer(42)
    ///
    /// - Parameters:
    ///   - text: the text, such as `42` or `\x00ff`.
    ///   - type: the type's OID, as `PQftype` of libpq returns it. Numbers and `bytea` become values; the store converts the
    ///     texts of other types by its schema.
    public init(postgreSQLText text: String, type: UInt32) {
        let value: PredicateValue? =
            switch type {
            case 17: .data(Self.bytes(text))
            case 20, 21, 23: Int64(text).map { .integer($0) }
            case 700, 701: Double(text).map { .double($0) }
            default: nil
            }
        self = value ?? .string(text)
    }

    /// `\x00ff`
    private static func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text.utf8.dropFirst(2))
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }
}

extension StoreFailure {
    /// The failure for an error that PostgreSQL reports.
    ///
    ///     throw StoreFailure.postgreSQL(statement: text) { letter in notice[letter] }
    ///
    ///   - statement: the statement that failed.
    ///   - field: returns a field of the error by its letter, such as `C` for the SQLSTATE, or nil if the error lacks
    ///     it. https://www.postgresql.org/docs/current/protocol-error-fields.html
    public static func postgreSQL(statement: String, _ field: (Character) -> String?) -> StoreFailure {
        let message = field("M") ?? "PostgreSQL reports no reason"
        let kind: StoreConstraint.Kind
        switch field("C") {
        case "57014": return .cancelled
        case "55P03": return .unusable(.locked, statement: statement)
        case "53100": return .unusable(.diskFull, statement: statement)
        case "25006": return .readOnly
        case "23505": kind = field("n")?.hasSuffix("_pkey") ?? false ? .primaryKey : .unique
        case "23502": kind = .notNull
        case "23503": kind = .foreignKey
        case "23514": kind = .check
        case let state where state?.hasPrefix("23") ?? false: kind = .other
        case let state: return .engine(code: 0, message: message, statement: statement, sqlState: state)
        }
        // "Key (a, b)=(1, 2) already exists."
        let names = field("D")?.split(separator: ")").first?.split(separator: "(").last ?? ""
        let columns = field("c").map { [$0] } ?? names.split(separator: ", ").map(String.init)
        return .constraint(StoreConstraint(kind, table: field("t"), columns: columns, message: message))
    }
}
