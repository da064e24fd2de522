// What the standard library of Embedded Swift lacks. The file is compiled as a part of PredicateSyntax, which all other
// modules import.

/// Nothing is encoded: conformances only have to compile.
public protocol Encodable {}
public protocol Decodable {}
public typealias Codable = Encodable & Decodable

/// Compares a text with a pattern of a `switch`. The comparison of the standard library would be inlined at each.
@inline(never)
package func ~= (pattern: String, value: String) -> Bool { !(pattern != value) }

extension StringProtocol {
    package func contains(_ other: some StringProtocol) -> Bool {
        var rest = utf8[...]
        while !other.utf8.isEmpty, rest.count >= other.utf8.count {
            if rest.starts(with: other.utf8) { return true }
            rest = rest.dropFirst()
        }
        return other.utf8.isEmpty
    }

    /// - Parameter old: not empty.
    package func replacing(_ old: String, with new: String) -> String {
        var result: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.first {
            if rest.starts(with: old.utf8) {
                result += new.utf8
                rest = rest.dropFirst(old.utf8.count)
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

// The initializers of the standard library contain dynamic casts.
extension Dictionary {
    package init<S: Sequence>(_ pairs: __owned S, uniquingKeysWith combine: (Value, Value) -> Value)
    where S.Element == (Key, Value) {
        self.init()
        for (key, value) in pairs { self[key] = self[key].map { combine($0, value) } ?? value }
    }

    package init<S: Sequence>(uniqueKeysWithValues pairs: __owned S) where S.Element == (Key, Value) {
        self.init(pairs) { _, last in last }
    }

    package mutating func merge(_ other: [Key: Value], uniquingKeysWith combine: (Value, Value) -> Value) {
        for (key, value) in other { self[key] = self[key].map { combine($0, value) } ?? value }
    }

    package func merging(_ other: [Key: Value], uniquingKeysWith combine: (Value, Value) -> Value) -> [Key: Value] {
        var result = self
        result.merge(other, uniquingKeysWith: combine)
        return result
    }

    package init<Element>(grouping values: some Sequence<Element>, by key: (Element) -> Key) where Value == [Element] {
        self.init()
        for value in values { self[key(value), default: []].append(value) }
    }
}
