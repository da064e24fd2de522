// Converts the errors of ADBC drivers to errors of a store.
import CArrow

extension ADBCDriver {
    func failure(_ status: AdbcStatusCode, _ error: UnsafePointer<AdbcError>, _ statement: String) -> StoreFailure {
        let details = details(of: error)
        let own = error.pointee.message.map { String(cString: $0).trimmingSpaces }
        let state = withUnsafeBytes(of: error.pointee.sqlstate) { bytes in
            bytes.contains(0) ? own?.sqlState : String(decoding: bytes, as: UTF8.self)
        }
        let message = details["PG_DIAG_MESSAGE_PRIMARY"] ?? own ?? "the driver reports the status \(status)"
        return Self.failure(status, message, state, details, statement)
    }

    /// - Parameters:
    ///   - status: the driver's status: 9 for a violated constraint, 11 for a cancelled statement.
    ///   - state: the SQLSTATE.
    static func failure(
        _ status: AdbcStatusCode, _ message: String, _ state: String?, _ details: [String: String],
        _ statement: String
    ) -> StoreFailure {
        // DuckDB starts a message with the kind of the error.
        if status == 11 || message.hasPrefix("INTERRUPT Error") { return .cancelled }
        if state == nil, message.hasPrefix("Constraint Error") {
            return .constraint(StoreConstraint(ofDuckDB: message))
        }
        let fields: [Character: String] = ["C": state, "M": message].compactMapValues(\.self)
        let names: [Character: String] = [
            "D": "PG_DIAG_MESSAGE_DETAIL", "t": "PG_DIAG_TABLE_NAME", "c": "PG_DIAG_COLUMN_NAME",
            "n": "PG_DIAG_CONSTRAINT_NAME",
        ]
        let failure = StoreFailure.postgreSQL(statement: statement) { fields[$0] ?? details[names[$0] ?? ""] }
        guard case .engine(_, let message, let statement, let state) = failure else { return failure }
        return .engine(code: Int32(status), message: message, statement: statement, sqlState: state)
    }
}

extension StoreConstraint {
    fileprivate init(ofDuckDB message: String) {
        // This text names two kinds: "PRIMARY KEY or UNIQUE constraint violation".
        let kinds: [(words: String, kind: Kind)] = [
            ("primary key or unique", .unique), ("primary key", .primaryKey), ("foreign key", .foreignKey),
            ("unique", .unique), ("not null", .notNull), ("check constraint", .check),
        ]
        let text = message.lowercased()
        let kind = kinds.first { text.contains($0.words) }?.kind ?? .other
        // "NOT NULL constraint failed: item.name"
        let place = kind == .notNull ? message.split(separator: "\n").first?.split(separator: " ").last : nil
        let names = place?.filter { $0 != "\"" }.split(separator: ".").map(String.init) ?? []
        let column = names.count == 2 ? (table: names[0], name: names[1]) : nil
        self.init(kind, table: column?.table, columns: column.map { [$0.name] } ?? [], message: message)
    }
}

extension String {
    /// The SQLSTATE, which Spark's driver includes in the message: `SQLSTATE: 42703`.
    fileprivate var sqlState: String? {
        let words = split(whereSeparator: { $0.isWhitespace || $0 == ";" || $0 == "." || $0 == ")" })
        guard let place = words.firstIndex(where: { $0.hasSuffix("SQLSTATE:") }), place + 1 < words.count,
            words[place + 1].utf8.count == 5
        else { return nil }
        return String(words[place + 1])
    }
}
