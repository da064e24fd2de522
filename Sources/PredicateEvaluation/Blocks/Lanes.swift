// Numbers of the rows of a block, one behind the other: stored in the objects, or computed into memory of the run.

/// What a lane holds: 64 bits.
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
    /// From one row's to the next: 8, or more in objects; 0 where one number serves all.
    let stride: Int
    let count: Int
    /// Whether each row's may be read, or only those of the rows that have one.
    let isWhole: Bool
    /// The rows that have a number: which is not nil, and whose evaluation did not raise.
    let present: RowMask
    /// The piece of the run's scratch memory that holds them, which whoever uses them last gives back.
    let scratch: UnsafeMutableRawPointer?

    /// Computed ones.
    init(_ scratch: UnsafeMutableRawPointer, stride: Int = MemoryLayout<UInt64>.stride, count: Int, present: RowMask) {
        start = UnsafeRawPointer(scratch)
        self.stride = stride
        self.count = count
        isWhole = true
        self.present = present
        self.scratch = scratch
    }

    /// Stored ones.
    init(_ rows: Rows, at offset: Int, present: RowMask) {
        start = rows.start + offset
        stride = rows.stride
        count = rows.count
        isWhole = rows.isWhole
        self.present = present
        scratch = nil
    }

    /// The same as rows, so that what tests stored numbers tests them.
    var rows: Rows { Rows(start: start, stride: stride, count: count, isWhole: isWhole) }

    @inline(__always) private func read<Number: Lane>(_ row: Int, as type: Number.Type) -> Number {
        (start + row &* stride).load(as: Number.self)
    }

    func giveBack(to run: inout BlockRun) { if let scratch { run.scratch.giveBack(scratch) } }

    /// A rule's results for two numbers of each row. Where it raises there is none, and doubt.
    static func apply<Rule: NumberRule>(_ rule: Rule.Type, _ a: Lanes, _ b: Lanes, _ run: inout BlockRun) -> Lanes {
        let live = a.present.intersection(b.present)
        let isWhole = a.isWhole && b.isWhole
        let target = a.reusable ?? b.reusable ?? run.scratch.take()
        let raised = rows(live, isWhole, a.count) { row in
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

    /// Results may take the place of operands.
    private var reusable: UnsafeMutableRawPointer? { stride == MemoryLayout<UInt64>.stride ? scratch : nil }

    /// The rows that have two numbers for which a test holds.
    @inline(__always) static func select<Number: Lane>(
        _ a: Lanes, _ b: Lanes, as type: Number.Type, _ holds: (Number, Number) -> Bool
    ) -> RowMask {
        rows(a.present.intersection(b.present), a.isWhole && b.isWhole, a.count) { row in
            Rows.bit(holds(a.read(row, as: type), b.read(row, as: type)))
        }
    }

    /// The live rows for which a bit is 1. Where most rows of a word are live, all of them are asked.
    @inline(__always) private static func rows(
        _ live: RowMask, _ isWhole: Bool, _ count: Int, _ bit: (Int) -> UInt64
    ) -> RowMask {
        var found = RowMask.none
        for word in 0..<4 where live.words[word] != 0 {
            let (bits, first) = (live.words[word], word &* 64)
            var ones: UInt64 = 0
            if Rows.isDense(bits, isWhole, first, count) {
                // From the last to the first, so that each bit is one addition with carry.
                var row = first &+ 63
                for _ in 0..<64 {
                    ones = ones &+ ones &+ bit(row)
                    row &-= 1
                }
            } else {
                var rest = bits
                while rest != 0 {
                    let place = rest.trailingZeroBitCount
                    ones |= bit(first &+ place) &<< UInt64(truncatingIfNeeded: place)
                    rest &= rest &- 1
                }
            }
            found.words[word] = ones & bits
        }
        return found
    }
}
