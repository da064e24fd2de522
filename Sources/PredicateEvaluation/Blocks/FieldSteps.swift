// Reaching fields that are not stored in the objects of a block: through optionals, through keys that are read by their
// loaders, and into lists, whose elements become rows themselves.
import PredicateModel
import PredicateSyntax

extension Field.Step {
    /// The scratch memory it needs.
    var scratchBytes: Int {
        switch self {
        case .unwrap: 0
        case .load(_, let loader): loader.stride * RowMask.capacity
        case .count: MemoryLayout<Int>.stride * RowMask.capacity
        }
    }

    /// A node over the objects behind the step, as one over those before it.
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
        }
    }

    private static func unwrap(
        _ offset: Int, _ type: any StoredOptional.Type, _ node: BlockNode, _ ifNil: Bool
    ) -> BlockTest {
        { rows, live, run in
            let present = type.present(rows, offset, live)
            let selected = node.select(rows.part(at: offset), present, &run)
            return ifNil ? selected.union(live.subtracting(present)) : selected
        }
    }

    private static func load(_ offset: Int, _ loader: KeyLoader, _ node: BlockNode) -> BlockTest {
        { rows, live, run in
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
            return node.select(
                Rows(start: values, stride: loader.stride, count: rows.count, isWhole: isWhole), live, &run)
        }
    }

    private static func count(_ walk: ListWalk, _ node: BlockNode) -> BlockTest {
        { rows, live, run in
            let scratch = run.scratch.take()
            defer { run.scratch.giveBack(scratch) }
            let counts = scratch.bindMemory(to: Int.self, capacity: RowMask.capacity)
            counts.update(repeating: 0, count: rows.count)
            live.forEach { counts[$0] = walk.list(of: rows.object($0)).count }
            return node.select(
                Rows(start: scratch, stride: MemoryLayout<Int>.stride, count: rows.count), live, &run)
        }
    }
}

/// Walks over lists that `StorageLayout` knows: the elements of many become rows, so that what tests rows tests them.
struct ListWalk: Sendable {
    private let offset: Int
    private let stride: Int
    private let countsSteps: Bool

    init(_ offset: Int, _ type: any StoredList.Type) {
        self.offset = offset
        stride = type.stride
        countsSteps = false
    }

    /// - Parameter countsSteps: whether each element is a step.
    init(_ list: Field, _ type: any StoredList.Type, countsSteps: Bool) {
        offset = list.offset
        stride = type.stride
        self.countsSteps = countsSteps
    }

    /// The list of an object; of nil there are no elements.
    @inline(__always) func list(of object: UnsafeRawPointer) -> (start: UnsafeRawPointer, count: Int) {
        guard let list = object.load(fromByteOffset: offset, as: UnsafeRawPointer?.self) else { return (object, 0) }
        return (list + StorageLayout.listStart, list.load(fromByteOffset: StorageLayout.listCount, as: Int.self))
    }

    /// Which rows have an element that passes.
    func some(_ inner: BlockNode) -> BlockTest {
        { rows, live, run in
            var found = RowMask.none
            walk(rows, live, inner, &run) { found.insert($0) }
            return found
        }
    }

    /// Which rows pass a test of how many of their elements pass.
    func counts(_ inner: BlockNode, _ test: BlockNode, ifNil: Bool) -> BlockTest {
        { rows, live, run in
            let scratch = run.scratch.take()
            defer { run.scratch.giveBack(scratch) }
            let counts = scratch.bindMemory(to: Int.self, capacity: RowMask.capacity)
            counts.update(repeating: 0, count: rows.count)
            walk(rows, live, inner, &run) { counts[$0] &+= 1 }
            let selected = test.select(
                Rows(start: scratch, stride: MemoryLayout<Int>.stride, count: rows.count), live, &run)
            let none = rows.selectSparsely(live) { $0.load(fromByteOffset: offset, as: UInt.self) == 0 }
            return ifNil ? selected.union(none) : selected.subtracting(none)
        }
    }

    /// Calls back with the row of each element that passes.
    @inline(__always) private func walk(
        _ rows: Rows, _ live: RowMask, _ inner: BlockNode, _ run: inout BlockRun, _ body: (Int) -> Void
    ) {
        let elements = run.scratch.take()
        let owners = run.scratch.take().bindMemory(to: UInt8.self, capacity: RowMask.capacity)
        defer {
            run.scratch.giveBack(elements)
            run.scratch.giveBack(owners)
        }
        // The lists of all rows are fetched at once, before the first is needed.
        var sum = 0
        live.forEach { sum &+= list(of: rows.object($0)).count }
        run.sum &+= UInt8(truncatingIfNeeded: sum)
        let most = countsSteps ? run.stepShare : .max
        var count = 0
        func flush() {
            let block = Rows(start: elements, stride: stride, count: count)
            inner.select(block, RowMask(first: count), &run).forEach { body(Int(owners[$0])) }
            count = 0
        }
        live.forEach { row in
            var (start, left) = list(of: rows.object(row))
            if left > most { run.doubt(row) }
            while left > 0 {
                let part = min(left, RowMask.capacity &- count)
                // As bits, without holding what they refer to: the list does that.
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
