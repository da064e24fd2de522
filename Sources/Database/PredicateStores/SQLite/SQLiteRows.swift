// The rows of a running SQLite statement.

/// The rows of a statement of SQLite.
public final class SQLiteRows: SQLRows {
    private let connection: SQLiteConnection
    /// nil after the end, because another step would restart the statement.
    private var statement: SQLiteStatement?
    private let row: SQLiteRow
    /// The error of the statement, which every later call throws.
    private var failure: StoreFailure?
    public private(set) var changes = 0

    init(_ connection: SQLiteConnection, _ statement: SQLiteStatement) {
        self.connection = connection
        self.statement = statement
        row = SQLiteRow(library: connection.library, handle: statement.handle)
    }

    deinit { close() }

    public func close() {
        if let statement { connection.finish(statement) }
        statement = nil
    }

    private func step() throws(StoreFailure) -> Bool {
        if let failure { throw failure }
        guard let statement else { return false }
        do throws(StoreFailure) {
            if try connection.step(statement) { return true }
        } catch {
            failure = error
            close()
            throw error
        }
        changes = connection.changes
        close()
        return false
    }

    public func next(_ count: Int) throws(StoreFailure) -> [[PredicateValue]] {
        var rows: [[PredicateValue]] = []
        while rows.count < count, try step() { rows.append(row.values) }
        return rows
    }

    /// Reads rows directly into the values of objects. Returns false at the end.
    func read(
        _ objects: inout [StoredObject], _ count: Int, _ reader: inout RowReader
    ) throws(StoreFailure) -> Bool {
        let layout = reader.layout
        let certain = reader.hasCertain ? Int32(truncatingIfNeeded: layout.columns.count) : nil
        var left = count
        while left > 0, try step() {
            let isCertain = certain.map { row.integer($0) == 1 } ?? false
            if isCertain, let tally = reader.tally {
                tally()
                continue
            }
            try reader.maker.add(to: &objects, isCertain: isCertain) { (values) throws(StoreFailure) in
                try row.read(layout, into: &values)
            }
            if reader.keyCount > 0 {
                let first = layout.columns.count
                reader.keys.append((first..<first + reader.keyCount).map { row.stored(Int32($0)) })
            }
            left -= 1
        }
        reader.maker.finish(&objects)
        return left == 0
    }
}
