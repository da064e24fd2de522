// Running the block plan over contiguous storage.
import PredicateSyntax

extension Matcher {
    /// Calls back with the selection of each block of 256 elements, until told to stop; false where there is no block
    /// plan, and nothing was called.
    func forEachBlock(
        of objects: UnsafeBufferPointer<Root>, _ body: (_ start: Int, _ selected: RowMask) -> Bool
    ) -> Bool {
        guard let blocks else { return false }
        guard let base = objects.baseAddress else { return true }
        let value = value
        var run = BlockRun(blocks) { value($0.assumingMemoryBound(to: Root.self).pointee) }
        let stride = MemoryLayout<Root>.stride
        var start = 0
        while start < objects.count {
            let rows = Rows(
                start: UnsafeRawPointer(base + start), stride: stride,
                count: min(RowMask.capacity, objects.count - start))
            if !body(start, run.select(rows, blocks)) { return true }
            start += RowMask.capacity
        }
        return true
    }

    /// The positions of the elements that satisfy the predicate; nil where there is no block plan.
    func positions(in objects: UnsafeBufferPointer<Root>) -> [Int]? {
        var positions: [Int] = []
        let isDone = forEachBlock(of: objects) { start, selected in
            selected.forEach { positions.append(start + $0) }
            return true
        }
        return isDone ? positions : nil
    }

    func count(in objects: UnsafeBufferPointer<Root>) -> Int? {
        var count = 0
        let isDone = forEachBlock(of: objects) { _, selected in
            count += selected.count
            return true
        }
        return isDone ? count : nil
    }

    /// The first position, or -1; nil where there is no block plan.
    func firstPosition(in objects: UnsafeBufferPointer<Root>) -> Int? {
        var first = -1
        let isDone = forEachBlock(of: objects) { start, selected in
            guard let row = selected.first else { return true }
            first = start + row
            return false
        }
        return isDone ? first : nil
    }

    /// The elements that satisfy the predicate, in an array of just that size; nil where there is no block plan.
    func elements(of objects: UnsafeBufferPointer<Root>) -> [Root]? {
        var blocks: [RowMask] = []
        var count = 0
        let isDone = forEachBlock(of: objects) { _, selected in
            blocks.append(selected)
            count += selected.count
            return true
        }
        guard isDone else { return nil }
        return Array(unsafeUninitializedCapacity: count) { result, written in
            for (block, selected) in blocks.enumerated() {
                selected.forEach { row in
                    result.initializeElement(at: written, to: objects[block * RowMask.capacity + row])
                    written += 1
                }
            }
        }
    }
}
