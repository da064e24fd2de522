// A tree of the key sequences seen so far. Records often have the same keys. Reading an object with known keys takes
// one byte comparison per key and shares the shape, without creating or hashing key strings.

/// The key sequences of the objects read so far. Its size is bounded, so that hostile input cannot exhaust
/// memory.
struct ShapeTree {
    private struct Node {
        let keyStart: Int
        let keyCount: Int
        let parent: Int
        let depth: Int
        var firstChild = -1
        var nextSibling = -1
        var childCount = 0
        /// The number of members of the last object that passed this node, used to reserve capacity.
        var expectedCount = 0
    }

    /// The node of the empty sequence.
    static let root = 0
    private static let maximumNodes = 4096
    private static let maximumChildren = 16
    private static let maximumDepth = 64

    private var nodes = [Node(keyStart: 0, keyCount: 0, parent: -1, depth: 0)]
    private var names = [""]
    private var keyBytes: [UInt8] = []
    private var shapes: [ValueDictionary.Shape?] = [nil]

    /// Finds the child for the key that begins at `start` and ends before a quotation mark; nil for an unknown key.
    func step(from node: Int, in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> (node: Int, end: Int)? {
        var child = nodes[node].firstChild
        while child >= 0 {
            let keyCount = nodes[child].keyCount
            let end = start + keyCount
            if end < bytes.count, bytes[end] == UInt8(ascii: "\""),
                matches(bytes, start, nodes[child].keyStart, keyCount)
            {
                return (child, end)
            }
            child = nodes[child].nextSibling
        }
        return nil
    }

    private func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ keyStart: Int, _ count: Int) -> Bool {
        keyBytes.withUnsafeBufferPointer { pool in
            for offset in 0..<count where pool[keyStart + offset] != bytes[start + offset] { return false }
            return true
        }
    }

    /// Adds a key. Returns nil if the sequence has the key already or a limit is reached; the caller then
    /// collects the keys itself.
    mutating func add(_ name: String, to node: Int) -> Int? {
        guard nodes.count < Self.maximumNodes, nodes[node].childCount < Self.maximumChildren,
            nodes[node].depth < Self.maximumDepth, name.utf8.count < 256
        else { return nil }
        var ancestor = node
        while ancestor > 0 {
            if names[ancestor] == name { return nil }
            ancestor = nodes[ancestor].parent
        }
        let start = keyBytes.count
        keyBytes.append(contentsOf: name.utf8)
        var new = Node(keyStart: start, keyCount: keyBytes.count - start, parent: node, depth: nodes[node].depth + 1)
        new.nextSibling = nodes[node].firstChild
        nodes.append(new)
        names.append(name)
        shapes.append(nil)
        nodes[node].firstChild = nodes.count - 1
        nodes[node].childCount += 1
        return nodes.count - 1
    }

    func expectedCount(at node: Int) -> Int { nodes[node].expectedCount }

    mutating func expect(_ count: Int, at node: Int) { nodes[node].expectedCount = count }

    /// The keys from the root to the node.
    func keys(of node: Int) -> [String] {
        var keys: [String] = []
        var node = node
        while node > 0 {
            keys.append(names[node])
            node = nodes[node].parent
        }
        return keys.reversed()
    }

    /// The shape of an object whose last key is the node, cached.
    mutating func shape(of node: Int) -> ValueDictionary.Shape {
        if let shape = shapes[node] { return shape }
        let shape = ValueDictionary.Shape(keys(of: node))
        shapes[node] = shape
        return shape
    }
}
