// The rows of a statement of an ADBC driver, read from batches of columns.
import CArrow

/// The rows of a statement of an ADBC driver.
public final class ADBCRows: SQLRows {
    private let statement: ADBCStatement
    /// nil after the end.
    private var stream: ArrowStream?
    /// Batches that were read ahead and not used yet.
    private var ahead: [ArrowBatch] = []
    /// The error that ended reading ahead, thrown after the last batch.
    private var failure: StoreFailure?
    private var batch: ArrowBatch?
    private var row = 0
    public let changes: Int

    init(_ statement: ADBCStatement) throws(StoreFailure) {
        self.statement = statement
        (stream, changes) = try statement.run()
    }

    deinit { close() }

    public func close() { (stream, batch, ahead, failure) = (nil, nil, [], nil) }

    /// Reads all remaining batches into memory, so that another statement can run. An error is thrown after the last
    /// batch.
    func readAhead() {
        do throws(StoreFailure) {
            while let batch = try nextBatch() { ahead.insert(batch, at: 0) }
        } catch {
            (stream, failure) = (nil, error)
        }
    }

    private func nextBatch() throws(StoreFailure) -> ArrowBatch? {
        if let failure { throw failure }
        guard let stream else { return nil }
        if statement.handle.isCancelled.withLock({ $0 }) || Task.isCancelled { throw .cancelled }
        if let batch = try stream.next() { return batch }
        self.stream = nil
        return nil
    }

    /// The batch that contains the next row; nil at the end.
    private func current() throws(StoreFailure) -> ArrowBatch? {
        while batch.map({ row >= $0.length }) ?? true {
            let next = ahead.popLast()
            batch = if let next { next } else { try nextBatch() }
            row = 0
            if batch == nil { return nil }
        }
        return batch
    }

    public func next(_ count: Int) throws(StoreFailure) -> [[PredicateValue]] {
        guard let batch = try current() else { return [] }
        let rows = row..<min(row + max(1, count), batch.length)
        row = rows.upperBound
        return try rows.map { (row) throws(StoreFailure) in
            try batch.columns.indices.map { (index) throws(StoreFailure) in try value(batch, row, index) }
        }
    }
}

extension ADBCRows {
    /// Reads rows of a batch directly into the values of objects. Returns false at the end.
    func read(
        _ objects: inout [StoredObject], _ count: Int, _ reader: inout RowReader
    ) throws(StoreFailure) -> Bool {
        let layout = reader.layout
        let width = layout.columns.count
        let known = objects.count
        while objects.count == known {
            guard let batch = try current() else { return false }
            guard batch.columns.count >= width else { throw .schema("a row has too few columns") }
            let direct = batch.direct(layout.kinds)
            let rows = row..<min(row + max(1, count), batch.length)
            row = rows.upperBound
            for row in rows {
                var isCertain = false
                if reader.hasCertain, batch.columns.count > width { isCertain = try value(batch, row, width).isTrue }
                if isCertain, let tally = reader.tally {
                    tally()
                    continue
                }
                try reader.maker.add(to: &objects, isCertain: isCertain) { (values) throws(StoreFailure) in
                    for (index, column) in direct.enumerated() {
                        if let value = column.value(at: row) {
                            values.append(value)
                        } else {
                            let stored = try self.value(batch, row, index)
                            guard let value = layout.value(of: stored, layout.kinds[index], at: index) else {
                                throw layout.unfit(stored, at: index)
                            }
                            values.append(value)
                        }
                    }
                }
                if reader.keyCount > 0 {
                    let columns = batch.columns.indices.dropFirst(width).prefix(reader.keyCount)
                    reader.keys.append(
                        try columns.map { (index) throws(StoreFailure) in try value(batch, row, index) })
                }
            }
            reader.maker.finish(&objects)
        }
        return true
    }

    private func value(_ batch: ArrowBatch, _ row: Int, _ index: Int) throws(StoreFailure) -> PredicateValue {
        if let value = batch.columns[index].value(at: row) { return value }
        throw batch.columns[index].unreadable(statement.text)
    }
}

extension ArrowColumn {
    func unreadable(_ statement: String) -> StoreFailure {
        .engine(
            code: 2, message: "the column '\(name)' has a type or a value that this store cannot read: \(type)",
            statement: statement)
    }
}

/// The batches that a driver returns.
final class ArrowStream {
    private let driver: ADBCDriver
    private let statement: String
    private let stream = UnsafeMutablePointer<ArrowArrayStream>.allocate(capacity: 1)
    private let fields: [ArrowField]

    /// - Parameter start: calls the driver's function that creates the stream.
    init(
        _ driver: ADBCDriver, _ statement: String,
        _ start: (
            UnsafeMutablePointer<AdbcDriver>, UnsafeMutablePointer<ArrowArrayStream>, UnsafeMutablePointer<AdbcError>
        ) -> AdbcStatusCode?
    ) throws(StoreFailure) {
        (self.driver, self.statement) = (driver, statement)
        let stream = stream
        stream.initialize(to: ArrowArrayStream())
        do throws(StoreFailure) {
            try driver.call(statement) { start($0, stream, $1) }
            var schema = ArrowSchema()
            defer { schema.release?(&schema) }
            guard stream.pointee.get_schema?(stream, &schema) == 0 else { throw driver.failure(of: stream, statement) }
            fields = ArrowField.fields(of: schema)
        } catch {
            stream.pointee.release?(stream)
            stream.deallocate()
            throw error
        }
    }

    deinit {
        stream.pointee.release?(stream)
        stream.deallocate()
    }

    /// nil at the end.
    func next() throws(StoreFailure) -> ArrowBatch? {
        let array = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
        array.initialize(to: ArrowArray())
        guard stream.pointee.get_next?(stream, array) == 0 else {
            array.pointee.release?(array)
            array.deallocate()
            throw driver.failure(of: stream, statement)
        }
        guard array.pointee.release != nil else {
            array.deallocate()
            return nil
        }
        guard let batch = ArrowBatch(array, fields) else {
            throw .engine(
                code: 7, message: "the driver '\(driver.library)' returns a batch that does not fit its schema",
                statement: statement)
        }
        return batch
    }
}

/// Some rows, as columns. Releases the Arrow memory when it is deallocated.
final class ArrowBatch {
    let length: Int
    let columns: [ArrowColumn]
    private let array: UnsafeMutablePointer<ArrowArray>
    private var directColumns: [DirectColumn]?

    /// The columns of an object's values, without conversion where possible. Pass the same `kinds` in each call.
    func direct(_ kinds: [ColumnKind]) -> [DirectColumn] {
        if let directColumns { return directColumns }
        let made = zip(columns, kinds).map { $0.direct($1) }
        directColumns = made
        return made
    }

    init?(_ array: UnsafeMutablePointer<ArrowArray>, _ fields: [ArrowField]) {
        self.array = array
        length = Int(clamping: array.pointee.length)
        var columns: [ArrowColumn] = []
        let shift = Int(clamping: array.pointee.offset)
        if Int(array.pointee.n_children) == fields.count {
            for (index, field) in fields.enumerated() {
                guard let child = array.pointee.children?[index],
                    let column = ArrowColumn(field, child.pointee, shift: shift),
                    column.length >= length
                else { break }
                columns.append(column)
            }
        }
        self.columns = columns
        // All members are set, so deinit releases the array.
        if columns.count != fields.count { return nil }
    }

    deinit {
        array.pointee.release?(array)
        array.deallocate()
    }
}
