// Tables over columns in memory that belongs to another owner, such as the batches of a database driver. A predicate
// tests their rows without copying them.

/// A column in memory that belongs to another owner, in the layout of Apache Arrow.
/// https://arrow.apache.org/docs/format/Columnar.html
package struct BorrowedColumn {
    package enum ElementType {
        case int64, int32, double, date, boolean, text
    }

    let elementType: ElementType
    /// The index of the first value in the buffers.
    let offset: Int
    /// A bit for each value that is not nil; nil if no value is nil.
    let validity: UnsafePointer<UInt8>?
    /// The numbers, the bits, or the offsets of texts.
    let values: UnsafeRawPointer
    /// The bytes of texts.
    let bytes: UnsafeRawPointer?

    package init(
        _ elementType: ElementType, offset: Int, validity: UnsafePointer<UInt8>?, values: UnsafeRawPointer,
        bytes: UnsafeRawPointer?
    ) {
        (self.elementType, self.offset, self.validity, self.values, self.bytes) = (
            elementType, offset, validity, values, bytes
        )
    }

    /// nil if plans cannot read the memory in place: numbers that are not aligned, or texts that are not UTF-8.
    fileprivate func column(count: Int, _ owner: AnyObject) -> Column? {
        let storage: Column.Storage?
        let kind: ExpressionType.Kind
        switch elementType {
        case .int64, .int32:
            let size = elementType == .int64 ? 8 : 4
            storage = packed(size, count, owner).map { .integers(IntegerColumn(borrowing: $0)) }
            kind = .integer
        case .double:
            storage = packed(8, count, owner).map { .doubles($0, integers: nil) }
            kind = .double
        case .date:
            storage = packed(8, count, owner).map { .dates($0) }
            kind = .date
        case .boolean:
            storage = .booleans(bits(values.assumingMemoryBound(to: UInt8.self), count, equal: true))
            kind = .boolean
        case .text:
            storage = texts(count, owner).map { .texts($0) }
            kind = .string
        }
        guard let storage else { return nil }
        let nils = validity.map { bits($0, count, equal: false) }
        return Column(storage, nils: nils.flatMap { $0.isEmpty ? nil : $0 }, valueKind: kind)
    }

    private func packed(_ size: Int, _ count: Int, _ owner: AnyObject) -> PackedValues? {
        let start = values + offset * size
        guard UInt(bitPattern: start) % UInt(size) == 0 else { return nil }
        return PackedValues(borrowing: start, stride: size, count: count, owner: owner)
    }

    private func bits(_ bytes: UnsafePointer<UInt8>, _ count: Int, equal value: Bool) -> Bits {
        var bits = Bits()
        for index in offset..<offset + count {
            bits.append((bytes[index >> 3] >> UInt8(truncatingIfNeeded: index & 7) & 1 == 1) == value)
        }
        return bits
    }

    private func texts(_ count: Int, _ owner: AnyObject) -> TextColumn? {
        var offsets: [Int] = []
        offsets.reserveCapacity(count + 1)
        for index in offset...offset + count {
            let end = Int(values.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
            guard end >= offsets.last ?? 0 else { return nil }
            offsets.append(end)
        }
        let size = offsets.last ?? 0
        guard let bytes = bytes ?? (size == 0 ? values : nil) else { return nil }
        let all = PackedValues(borrowing: bytes, stride: 1, count: size, owner: owner)
        let start = all.start.assumingMemoryBound(to: UInt8.self)
        guard isValidUTF8(start, (offsets.first ?? 0)..<size),
            offsets.allSatisfy({ $0 == size || start[$0] & 0xC0 != 0x80 })
        else { return nil }
        return TextColumn(offsets: offsets, borrowing: all)
    }
}

extension PredicateTable {
    /// A table over columns in memory that belongs to another owner, which the table keeps alive; nil if a plan cannot
    /// read the memory in place.
    package init?(borrowing columns: [(key: String, column: BorrowedColumn)], count: Int, owner: AnyObject) {
        var found: [Column] = []
        for (_, column) in columns {
            guard let column = column.column(count: count, owner) else { return nil }
            found.append(column)
        }
        let records = RecordColumns(keys: columns.map { $0.key }, columns: found)
        self.init(rows: Column(.records(records), nils: nil), others: [:], count: count)
    }

    /// The rows that match a predicate; nil if the rows must be tested one by one, because the predicate has no plan
    /// for these types, depends on the order of the rows, fails for a row, or exceeds its time.
    package func selection(of predicate: FormatPredicate) -> RowSelection? {
        guard let matcher = try? predicate.compiled(for: self), !matcher.dependsOnOrder else {
            return nil
        }
        let evaluation = matcher.evaluation()
        guard evaluation.failed.count == 0, (try? matcher.requireCompletion()) != nil else { return nil }
        return evaluation.selected
    }
}
