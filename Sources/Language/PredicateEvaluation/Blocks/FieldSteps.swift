// Reads fields that the objects of a block do not store directly: inside optionals, in computed properties, and in list
// elements, which are tested as rows themselves.

extension Field.Step {
    /// The scratch memory that the step needs.
    var scratchBytes: Int {
        switch self {
        case .unwrap, .column: 0
        case .load(_, let loader): loader.stride * RowMask.capacity
        case .count, .listCount: MemoryLayout<Int>.stride * RowMask.capacity
        }
    }

    /// Converts a node for the objects after the step to a node for the objects before it.
    func node(_ node: BlockNode, ifNil: Bool) -> BlockNode {
        switch self {
        case .unwrap(let offset, let type):
            return .test(
                Self.unwrap(offset, type, node, ifNil), cost: node.cost + 1, mayRaise: node.mayRaise,
                runsCode: node.runsCode,
                row: node.row?.behind { test in
                    { object, run in type.isNil(object + offset) ? ifNil : test(object + offset, &run) }
                })
        case .load(let offset, let loader):
            if case .constant = node { return node }
            return .test(
                Self.load(offset, loader, node), cost: node.cost + 4, mayRaise: node.mayRaise, runsCode: true,
                row: node.row?.behind(runsCode: true) { test in
                    { object, run in loader.reach(object + offset, test, &run) }
                })
        case .count(let offset, let list):
            if case .constant = node { return node }
            return .test(Self.count(ListWalk(offset, list), node), cost: node.cost + 2)
        case .column(let column): return column.node(node, ifNil: ifNil)
        case .listCount(let lists): return lists.counted(node)
        }
    }

    private static func unwrap(
        _ offset: Int, _ type: any StoredOptional.Type, _ node: BlockNode, _ ifNil: Bool
    ) -> BlockTest {
        let test = node.block
        return { rows, live, run in
            let present = type.present(rows, offset, live)
            let selected = test(rows.part(at: offset), present, &run)
            return ifNil ? selected.union(live.subtracting(present)) : selected
        }
    }

    private static func load(_ offset: Int, _ loader: KeyLoader, _ node: BlockNode) -> BlockTest {
        let test = node.block
        return { rows, live, run in
            let values = run.scratch.take()
            for word in 0..<4 where live.words[word] != 0 {
                loader.load(
                    rows.object(word &* 64) + offset, rows.stride, live.words[word],
                    values + word &* 64 &* loader.stride)
            }
            defer {
                for word in 0..<4 where live.words[word] != 0 {
                    loader.discard(values + word &* 64 &* loader.stride, live.words[word])
                }
                run.scratch.giveBack(values)
            }
            let isWhole = live.words == RowMask(first: rows.count).words
            return test(Rows(start: values, stride: loader.stride, count: rows.count, isWhole: isWhole), live, &run)
        }
    }

    private static func count(_ walk: ListWalk, _ node: BlockNode) -> BlockTest {
        let test = node.block
        return { rows, live, run in
            run.withCounts(rows, live, test) { counts, _ in
                live.forEach { counts[$0] = walk.list(of: rows.object($0)).count }
            }
        }
    }
}

extension BlockRun {
    /// Tests a number for each row of a block.
    @inline(__always) mutating func withCounts(
        _ rows: Rows, _ live: RowMask, _ test: BlockTest, _ fill: (UnsafeMutablePointer<Int>, inout BlockRun) -> Void
    ) -> RowMask {
        let piece = scratch.take()
        defer { scratch.giveBack(piece) }
        fill(piece.bindMemory(to: Int.self, capacity: RowMask.capacity), &self)
        return test(Rows(start: piece, stride: MemoryLayout<Int>.stride, count: rows.count), live, &self)
    }
}

/// Tests the elements of lists as rows, so that the same nodes can test them.
protocol ElementWalk: Sendable {
    /// Selects the rows with at least one element that passes.
    func some(_ inner: BlockNode) -> BlockTest
    /// Selects the rows by a test of the number of elements that pass.
    func counts(_ inner: BlockNode, _ test: BlockNode, ifNil: Bool) -> BlockTest
}

/// Iterates over lists whose memory layout `StorageLayout` has verified. The elements of many lists become
/// rows, so that the same nodes can test them.
struct ListWalk: ElementWalk {
    private let offset: Int
    let stride: Int
    let countsSteps: Bool

    /// - Parameter countsSteps: whether each element counts as a step.
    init(_ offset: Int, _ type: any StoredList.Type, countsSteps: Bool = false) {
        self.offset = offset
        stride = type.stride
        self.countsSteps = countsSteps
    }

    /// The elements of an object's list; none for nil.
    @inline(__always) func list(of object: UnsafeRawPointer) -> (start: UnsafeRawPointer, count: Int) {
        guard let list = object.load(fromByteOffset: offset, as: UnsafeRawPointer?.self) else { return (object, 0) }
        return (list + StorageLayout.listStart, list.load(fromByteOffset: StorageLayout.listCount, as: Int.self))
    }

    func some(_ inner: BlockNode) -> BlockTest {
        let inner = inner.block
        return { rows, live, run in
            var found = RowMask.none
            walk(rows, live, inner, &run) { found.insert($0) }
            return found
        }
    }

    func counts(_ inner: BlockNode, _ test: BlockNode, ifNil: Bool) -> BlockTest {
        let (inner, test) = (inner.block, test.block)
        return { rows, live, run in
            let selected = run.withCounts(rows, live, test) { counts, run in
                counts.update(repeating: 0, count: rows.count)
                walk(rows, live, inner, &run) { counts[$0] &+= 1 }
            }
            let none = rows.selectSparsely(live) { $0.load(fromByteOffset: offset, as: UInt.self) == 0 }
            return ifNil ? selected.union(none) : selected.subtracting(none)
        }
    }

    /// Calls `body` with the row of each element that passes.
    @inline(__always) private func walk(
        _ rows: Rows, _ live: RowMask, _ inner: BlockTest, _ run: inout BlockRun, _ body: (Int) -> Void
    ) {
        let elements = run.scratch.take()
        let owners = run.scratch.take().bindMemory(to: UInt8.self, capacity: RowMask.capacity)
        defer {
            run.scratch.giveBack(elements)
            run.scratch.giveBack(owners)
        }
        // Prefetch: touch the lists of all rows before the first is used.
        var sum = 0
        live.forEach { sum &+= list(of: rows.object($0)).count }
        run.sum &+= UInt8(truncatingIfNeeded: sum)
        let most = countsSteps ? run.stepShare : .max
        var count = 0
        func flush() {
            let block = Rows(start: elements, stride: stride, count: count)
            inner(block, RowMask(first: count), &run).forEach { body(Int(owners[$0])) }
            count = 0
        }
        live.forEach { row in
            var (start, left) = list(of: rows.object(row))
            if left > most { run.doubt(row) }
            while left > 0 {
                let part = min(left, RowMask.capacity &- count)
                // Copied as raw bits without retaining. The list keeps the elements alive.
                copyWords(from: start, to: elements + count &* stride, bytes: part &* stride)
                for element in count..<count &+ part { owners[element] = UInt8(truncatingIfNeeded: row) }
                count &+= part
                left &-= part
                start += part &* stride
                if count == RowMask.capacity { flush() }
            }
        }
        if count > 0 { flush() }
    }

    @inline(__always) private func copyWords(
        from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, bytes: Int
    ) {
        guard bytes <= 128, bytes & 7 == 0 else { return target.copyMemory(from: source, byteCount: bytes) }
        var place = 0
        while place < bytes {
            target.storeBytes(
                of: source.loadUnaligned(fromByteOffset: place, as: UInt64.self), toByteOffset: place, as: UInt64.self)
            place &+= 8
        }
    }
}
