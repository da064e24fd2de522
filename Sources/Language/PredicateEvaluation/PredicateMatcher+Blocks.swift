// Runs a matcher over contiguous storage, block by block.

extension PredicateMatcher {
    /// Calls `body` with the selection of each block of at most 256 elements, until it returns false.
    /// - Parameter first: the size of the first block. Each block is twice as large as the previous one, up to 256. Use
    ///   a small size if the search may stop early.
    func forEachBlock(
        of objects: UnsafeBufferPointer<Root>, first: Int = RowMask.capacity,
        _ body: (_ start: Int, _ selected: RowMask) -> Bool
    ) {
        guard let base = objects.baseAddress else { return }
        let state = states.take()
        defer { states.give(state) }
        // Two separate loops, so that the choice is made once and not for each block.
        if let blocks {
            var run = BlockRun(blocks) { rows, row in (try? state.load(rows.object(row))) ?? .null }
            Self.cut(base, objects.count, first) { start, rows in
                !plan.isOver && body(start, run.select(rows, blocks))
            }
        } else {
            Self.cut(base, objects.count, first) { start, rows in
                !plan.isOver
                    && body(start, rows.selectSparsely(RowMask(first: rows.count)) { matches($0, state) })
            }
        }
    }

    @inline(__always) private static func cut(
        _ base: UnsafePointer<Root>, _ count: Int, _ first: Int, _ body: (_ start: Int, _ rows: Rows) -> Bool
    ) {
        let stride = MemoryLayout<Root>.stride
        var (start, size) = (0, first)
        while start < count {
            let rows = Rows(start: UnsafeRawPointer(base + start), stride: stride, count: min(size, count - start))
            if !body(start, rows) { break }
            start += size
            size = min(size * 2, RowMask.capacity)
        }
    }

    /// The indices of the elements that match.
    func positions(in objects: UnsafeBufferPointer<Root>) -> [Int] {
        var positions: [Int] = []
        forEachBlock(of: objects) { start, selected in
            selected.forEach { positions.append(start + $0) }
            return true
        }
        return positions
    }

    func count(in objects: UnsafeBufferPointer<Root>) -> Int {
        var count = 0
        forEachBlock(of: objects) { _, selected in
            count += selected.count
            return true
        }
        return count
    }

    func firstPosition(in objects: UnsafeBufferPointer<Root>) -> Int? {
        var first: Int?
        forEachBlock(of: objects, first: 8) { start, selected in
            first = selected.first.map { start + $0 }
            return first == nil
        }
        return first
    }

    /// The elements that match, in an array of exactly the needed size.
    func elements(of objects: UnsafeBufferPointer<Root>) -> [Root] {
        let (blocks, count) = selections(of: objects)
        return Array(unsafeUninitializedCapacity: count) { result, written in
            if let start = result.baseAddress { copy(blocks, of: objects, to: start) }
            written = count
        }
    }

    /// The selection of each block of 256, and the total number of selected elements.
    func selections(of objects: UnsafeBufferPointer<Root>) -> (blocks: [RowMask], count: Int) {
        var blocks: [RowMask] = []
        var count = 0
        forEachBlock(of: objects) { _, selected in
            blocks.append(selected)
            count += selected.count
            return true
        }
        return (blocks, count)
    }

    /// Copies the selected elements to `target`, which must have enough space.
    func copy(
        _ blocks: [RowMask], of objects: UnsafeBufferPointer<Root>, to target: UnsafeMutablePointer<Root>
    ) {
        var target = target
        for (block, selected) in blocks.enumerated() {
            selected.forEach { row in
                target.initialize(to: objects[block * RowMask.capacity + row])
                target += 1
            }
        }
    }
}
