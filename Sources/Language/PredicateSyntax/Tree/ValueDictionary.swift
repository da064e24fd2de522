// A dictionary with a shared list of keys. The records of a file usually have the same keys in the same order, so they
// share one shape. Reading a field takes a few string comparisons and no hashing.

/// String keys with values, in their original order.
public struct ValueDictionary: Sendable, Hashable {
    /// A list of keys. Dictionaries with the same keys should share one shape.
    package final class Shape: Sendable {
        package let keys: [String]
        /// An index by key, used only for shapes so large that a linear search would be slower.
        private let positions: [String: Int]

        /// A repeated key keeps its first position; `ValueDictionary.init` keeps its last value.
        package init(_ keys: [String]) {
            self.keys = keys
            positions =
                keys.count > 16
                ? Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
                : [:]
        }

        func position(of key: String) -> Int? {
            if !positions.isEmpty { return positions[key] }
            for index in keys.indices where keys[index] == key { return index }
            return nil
        }
    }

    /// The list of keys.
    package let shape: Shape
    /// The values in the order of the shape's keys.
    public private(set) var values: [PredicateValue]

    /// Creates a dictionary with an existing shape. Missing values are nil; surplus values are dropped.
    package init(shape: Shape, values: [PredicateValue]) {
        self.shape = shape
        // In the usual case the array is not copied.
        self.values = values.count == shape.keys.count ? values : Array(values.prefix(shape.keys.count))
        while self.values.count < shape.keys.count { self.values.append(.null) }
    }

    /// Creates a dictionary from pairs, in the order of their keys.
    package init(sorting pairs: [(String, PredicateValue)]) { self.init(pairs.ordered { $0.0 < $1.0 }) }

    /// Creates a dictionary from pairs. A repeated key keeps its last value.
    public init(_ pairs: some Sequence<(String, PredicateValue)>) {
        var keys: [String] = []
        var values: [PredicateValue] = []
        var seen: [String: Int] = [:]
        for (key, value) in pairs {
            if let position = seen[key] {
                values[position] = value
            } else {
                seen[key] = keys.count
                keys.append(key)
                values.append(value)
            }
        }
        self.init(shape: Shape(keys), values: values)
    }

    public var keys: [String] { shape.keys }
    public var count: Int { values.count }

    /// The value of a key; nil if the key is missing. Setting nil removes the key, `.null` is a value like others.
    ///
    ///     var item: ValueDictionary = ["id": 1]
    ///     item["name"] = "pen"
    ///     item["notes"] = .null
    ///     item["id"] = nil    // name and notes are left
    ///
    /// Cost: reading, and setting a key that exists, is a linear search for up to 16 keys, else a hash lookup. Adding
    /// and removing a key copies the list of keys.
    public subscript(key: String) -> PredicateValue? {
        get { shape.position(of: key).map { values[$0] } }
        set {
            switch (shape.position(of: key), newValue) {
            case (let position?, let value?): values[position] = value
            case (nil, let value?): self = ValueDictionary(shape: Shape(keys + [key]), values: values + [value])
            case (_?, nil): self = ValueDictionary(zip(keys, values).filter { $0.0 != key })
            case (nil, nil): break
            }
        }
    }

    /// Changes a value, in place if the dictionary is not shared. Readers reuse one dictionary for many records.
    package mutating func replaceValue(at position: Int, with value: PredicateValue) { values[position] = value }

    public static func == (left: ValueDictionary, right: ValueDictionary) -> Bool {
        guard left.count == right.count else { return false }
        if left.shape === right.shape { return left.values == right.values }
        return zip(left.keys, left.values).allSatisfy { right[$0] == $1 }
    }

    /// Combines the hashes of the members independently of their order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        hasher.combine(
            zip(keys, values).reduce(0) { mixed, member in
                var hasher = Hasher()
                hasher.combine(member.0)
                member.1.hashIfScalar(into: &hasher)
                return mixed ^ hasher.finalize()
            })
    }
}

/// The keys with their values, in order.
extension ValueDictionary: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { values.count }
    public subscript(position: Int) -> (key: String, value: PredicateValue) { (keys[position], values[position]) }
}

extension ValueDictionary: CustomStringConvertible {
    public var description: String { "\(PredicateValue.dictionary(self))" }
}
