// Equality of values (LANGUAGE 5.4), and a hashable key with this equality, for sets, IN and DISTINCT.
public import PredicateSyntax

extension PredicateValue {
    /// The language's `==` without options. Numbers compare by value across types, texts by code points, arrays
    /// in order, sets as sets. Values of different types are unequal. nil equals nil; NaN equals nothing.
    public func isEqual(to other: PredicateValue) -> Bool {
        // Collections are compared here, with a small stack frame, because only they recurse.
        switch (self, other) {
        case (.array(let a), .array(let b)): return Self.equalLists(a, b)
        case (.set(let a), .set(let b)): return Self.equalSets(a, b)
        case (.dictionary(let a), .dictionary(let b)): return Self.equalDictionaries(a, b)
        default: return isEqualScalar(to: other)
        }
    }

    // Not inlined, because each copy is 10 KB.
    @inline(never)
    private func isEqualScalar(to other: PredicateValue) -> Bool {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): return a == b
        case (.string(let a), .string(let b)): return a.hasSameScalars(as: b)
        case (.date(let a), .date(let b)): return a == b
        case (.data(let a), .data(let b)): return a == b
        case (.uuid(let a), .uuid(let b)): return a == b
        case (.url(let a), .url(let b)), (.type(let a), .type(let b)): return a.hasSameScalars(as: b)
        case (.object(let a), .object(let b)): return a.object.isEqual(to: b.object)
        default:
            if isNil { return other.isNil }
            return switch NumberPair(self, other) {
            case .integers(let a, let b): a == b
            case .doubles(let a, let b): a == b
            case .decimals(let a, let b): a == b
            case nil: false
            }
        }
    }

    // These two functions and `isEqual` call each other, so inlining them only adds code.
    @inline(never)
    private static func equalLists(_ left: [PredicateValue], _ right: [PredicateValue]) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices where !left[index].isEqual(to: right[index]) { return false }
        return true
    }

    @inline(never)
    private static func equalSets(_ left: [PredicateValue], _ right: [PredicateValue]) -> Bool {
        let one = Set(left.map(EqualityKey.init))
        let other = Set(right.map(EqualityKey.init))
        return one.count == other.count && other.allSatisfy { one.contains($0) }
    }

    @inline(never)
    private static func equalDictionaries(_ left: ValueDictionary, _ right: ValueDictionary) -> Bool {
        guard left.count == right.count else { return false }
        for (key, value) in zip(left.keys, left.values) {
            guard let other = right[key], value.isEqual(to: other) else { return false }
        }
        return true
    }
}

/// A value that compares and hashes like the language's `==`: 1, 1.0 and YES are the same key.
package struct EqualityKey: Hashable, Sendable {
    package let value: PredicateValue

    package init(_ value: PredicateValue) { self.value = value }

    package static func == (left: EqualityKey, right: EqualityKey) -> Bool { left.value.isEqual(to: right.value) }

    @inline(never)
    package func hash(into hasher: inout Hasher) {
        switch value {
        case .null, .nsNull: hasher.combine(0)
        case .bool, .integer, .float, .double, .decimal:
            // Hash as a double, because an integer and a double compare as doubles. Adding 0 makes -0 equal to
            // 0.
            hasher.combine((value.doubleValue ?? 0) + 0)
        case .string(let text), .url(let text), .type(let text):
            // Hash the bytes. String's own hash normalises the text, which is slow.
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .date(let seconds): hasher.combine(seconds)
        case .data(let bytes): hasher.combine(bytes)
        case .uuid(let id): hasher.combine(id)
        case .array(let elements): for element in elements { EqualityKey(element).hash(into: &hasher) }
        case .set(let elements): hasher.combine(elements.count)
        case .dictionary(let dictionary): hasher.combine(dictionary.count)
        case .object(let reference): hasher.combine(reference)
        }
    }
}

extension [PredicateValue] {
    /// The distinct elements, in the order of their first appearance.
    package func uniqued() -> [PredicateValue] {
        var seen = Set<EqualityKey>(minimumCapacity: count)
        return filter { seen.insert(EqualityKey($0)).inserted }
    }
}
