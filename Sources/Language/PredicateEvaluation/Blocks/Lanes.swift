// The numbers of a block, one per row: either stored in the objects, or computed into scratch memory of the
// run.

/// A 64-bit number.
protocol Lane: Sendable, Comparable {
    init(lane: UInt64)
    var lane: UInt64 { get }
}

extension Int64: Lane {
    @inline(__always) init(lane: UInt64) { self.init(bitPattern: lane) }
    @inline(__always) var lane: UInt64 { UInt64(bitPattern: self) }
}

extension Double: Lane {
    @inline(__always) init(lane: UInt64) { self.init(bitPattern: lane) }
    @inline(__always) var lane: UInt64 { bitPattern }
}

struct Lanes {
    static let bytes = RowMask.capacity * MemoryLayout<UInt64>.stride

    let start: UnsafeRawPointer
    /// The distance between two rows in bytes: 8, more for numbers in objects, or 0 if one number serves all
    /// rows.
    let stride: Int
    let count: Int
    /// Whether every row can be read, or only the present ones.
    let isWhole: Bool
    /// The rows with a number: not nil, and evaluated without an error.
    let present: RowMask
    /// The scratch memory that contains computed numbers, or nil. The last user must return it with `giveBack`.
    let scratch: UnsafeMutableRawPointer?

    /// Computed numbers.
    init(_ scratch: UnsafeMutableRawPointer, stride: Int = MemoryLayout<UInt64>.stride, count: Int, present: RowMask) {
        start = UnsafeRawPointer(scratch)
        self.stride = stride
        self.count = count
        isWhole = true
        self.present = present
        self.scratch = scratch
    }

    /// Numbers stored in objects.
    init(_ rows: Rows, at offset: Int, present: RowMask) {
        start = rows.start + offset
        stride = rows.stride
        count = rows.count
        isWhole = rows.isWhole
        self.present = present
        scratch = nil
    }

    /// The numbers as rows, so that the tests for stored numbers can be used.
    var rows: Rows { Rows(start: start, stride: stride, count: count, isWhole: isWhole) }

    @inline(__always) private func read<Number: Lane>(_ row: Int, as type: Number.Type) -> Number {
        (start + row &* stride).load(as: Number.self)
    }

    func giveBack(to run: inout BlockRun) { if let scratch { run.scratch.giveBack(scratch) } }

    /// Applies a rule to two numbers of each row. Rows for which it throws become absent and doubtful.
    static func apply<Rule: NumberRule>(_ rule: Rule.Type, _ a: Lanes, _ b: Lanes, _ run: inout BlockRun) -> Lanes {
        let live = a.present.intersection(b.present)
        let target = a.reusable ?? b.reusable ?? run.scratch.take()
        let both = Rows(start: a.start, stride: a.stride, count: a.count, isWhole: a.isWhole && b.isWhole)
        let raised = both.selectBits(live) { row in
            let result = Rule.apply(a.read(row, as: Rule.Input.self), b.read(row, as: Rule.Input.self))
            target.storeBytes(of: result.value, toByteOffset: row &* 8, as: Rule.Output.self)
            return Rule.mayRaise ? Rows.bit(result.raises) : 0
        }
        for piece in [a.scratch, b.scratch == a.scratch ? nil : b.scratch] {
            if let piece, piece != target { run.scratch.giveBack(piece) }
        }
        if Rule.mayRaise, !raised.isEmpty { run.doubt(raised) }
        return Lanes(target, count: a.count, present: live.subtracting(raised))
    }

    /// The memory of an operand, if the results may overwrite it.
    private var reusable: UnsafeMutableRawPointer? { stride == MemoryLayout<UInt64>.stride ? scratch : nil }

    /// Selects the rows that have both numbers and pass the test.
    @inline(__always) static func select<Number: Lane>(
        _ a: Lanes, _ b: Lanes, as type: Number.Type, _ holds: (Number, Number) -> Bool
    ) -> RowMask {
        Rows(start: a.start, stride: a.stride, count: a.count, isWhole: a.isWhole && b.isWhole)
            .selectBits(a.present.intersection(b.present)) { row in
                Rows.bit(holds(a.read(row, as: type), b.read(row, as: type)))
            }
    }
}
