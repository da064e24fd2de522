// The errors of ADBC drivers as errors of a store.
import CArrow

extension ADBCDriver {
    func failure(_ status: AdbcStatusCode, _ error: UnsafePointer<AdbcError>, _ statement: String) -> StoreFailure {
        let details = details(of: error)
        let own = error.pointee.message.map { String(cString: $0).trimmed }
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
        // DuckDB begins a message with the kind of the error.
        if status == 11 || state == "57014" || message.hasPrefix("INTERRUPT Error") { return .cancelled }
        switch state {
        case "55P03": return .unusable(.locked, statement: statement)
        case "53100": return .unusable(.diskFull, statement: statement)
        case "25006": return .readOnly
        default: break
        }
        if state?.hasPrefix("23") ?? message.hasPrefix("Constraint Error") {
            return .constraint(StoreConstraint(message, state, details))
        }
        return .engine(code: Int32(status), message: message, statement: statement, sqlState: state)
    }
}

extension StoreConstraint {
    fileprivate init(_ message: String, _ state: String?, _ details: [String: String]) {
        let words = message.lowercased()
        let kind: Kind =
            switch state {
            case "23505": details["PG_DIAG_CONSTRAINT_NAME"]?.hasSuffix("_pkey") ?? false ? .primaryKey : .unique
            case "23502": .notNull
            case "23503": .foreignKey
            case "23514": .check
            // DuckDB does not say which one: "PRIMARY KEY or UNIQUE constraint violation".
            case nil where words.contains("primary key or unique"): .unique
            case nil where words.contains("primary key"): .primaryKey
            case nil where words.contains("foreign key"): .foreignKey
            case nil where words.contains("unique"): .unique
            case nil where words.contains("not null"): .notNull
            case nil where words.contains("check constraint"): .check
            default: .other
            }
        // PostgreSQL: "Key (a, b)=(1, 2) already exists."
        let names = details["PG_DIAG_MESSAGE_DETAIL"]?.split(separator: ")").first?.split(separator: "(").last ?? ""
        var columns = details["PG_DIAG_COLUMN_NAME"].map { [$0] } ?? names.split(separator: ", ").map(String.init)
        var table = details["PG_DIAG_TABLE_NAME"]
        // DuckDB: "NOT NULL constraint failed: item.name"
        if kind == .notNull, state == nil, let place = message.split(separator: "\n").first?.split(separator: " ").last
        {
            let names = place.filter { $0 != "\"" }.split(separator: ".").map(String.init)
            if names.count == 2 { (table, columns) = (names[0], [names[1]]) }
        }
        self.init(kind, table: table, columns: columns, message: message)
    }
}

extension String {
    /// Without white space at the end.
    fileprivate var trimmed: String {
        String(decoding: utf8.reversed().drop { $0 <= 32 }.reversed(), as: UTF8.self)
    }

    /// Spark's driver puts it into the message: `SQLSTATE: 42703`.
    fileprivate var sqlState: String? {
        let words = split(whereSeparator: { $0.isWhitespace || $0 == ";" || $0 == "." || $0 == ")" })
        guard let place = words.firstIndex(where: { $0.hasSuffix("SQLSTATE:") }), place + 1 < words.count,
            words[place + 1].utf8.count == 5
        else { return nil }
        return String(words[place + 1])
    }
}
