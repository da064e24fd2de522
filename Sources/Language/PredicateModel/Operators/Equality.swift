// Equality of values (LANGUAGE 5.4), and a hashable key with this equality, for sets, IN and DISTINCT.

extension PredicateValue {
    /// The language's `==` without options. Numbers compare by value across types, texts by code points, arrays
    /// in order, sets as sets. Values of different types are unequal. nil equals nil; NaN equals nothing.
    ///
    /// Values nested deeper than `PredicateLimits.nesting`, such as objects that publish each other, are unequal here.
    /// An evaluation throws for them.
    public func isEqual(to other: PredicateValue) -> Bool { (try? isEqual(to: other, 0)) ?? false }

    /// `isEqual(to:)` for an evaluation.
    /// - Throws: `limit-exceeded` for values that are nested too deep.
    package func equals(_ other: PredicateValue) throws(EvaluationFault) -> Bool {
        do throws(NestingTooDeep) {
            return try isEqual(to: other, 0)
        } catch {
            let limit = "\(PredicateLimits.standard.nesting)"
            throw EvaluationFault(.limitExceeded, "the compared values are nested too deep", limit)
        }
    }

    /// Compares collections and objects with a small stack frame, because only they recurse.
    private func isEqual(to other: PredicateValue, _ depth: Int) throws(NestingTooDeep) -> Bool {
        switch (self, other) {
        case (.array(let a), .array(let b)): return try Self.equalLists(a, b, depth)
        case (.set(let a), .set(let b)): return try Self.equalSets(a, b, depth)
        case (.dictionary(let a), .dictionary(let b)): return try Self.equalDictionaries(a, b, depth)
        case (.object(let a), .object(let b)): return try Self.equalObjects(a.object, b.object, depth)
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

    // These functions and `isEqual` call each other, so inlining them only adds code.
    @inline(never)
    private static func equalLists(
        _ left: [PredicateValue], _ right: [PredicateValue], _ depth: Int
    ) throws(NestingTooDeep) -> Bool {
        guard left.count == right.count else { return false }
        let inner = try deeper(depth)
        for index in left.indices where !(try left[index].isEqual(to: right[index], inner)) { return false }
        return true
    }

    @inline(never)
    private static func equalSets(
        _ left: [PredicateValue], _ right: [PredicateValue], _ depth: Int
    ) throws(NestingTooDeep) -> Bool {
        guard left.contains(where: { $0.hasObjects }), right.contains(where: { $0.hasObjects }) else {
            let (one, other) = (Set(left.map(EqualityKey.init)), Set(right.map(EqualityKey.init)))
            return one.count == other.count && other.allSatisfy { one.contains($0) }
        }
        let inner = try deeper(depth)
        for (members, others) in [(left, right), (right, left)] {
            next: for member in members {
                for other in others where try member.isEqual(to: other, inner) { continue next }
                return false
            }
        }
        return true
    }

    @inline(never)
    private static func equalDictionaries(
        _ left: ValueDictionary, _ right: ValueDictionary, _ depth: Int
    ) throws(NestingTooDeep) -> Bool {
        guard left.count == right.count else { return false }
        let inner = try deeper(depth)
        for (key, value) in zip(left.keys, left.values) {
            guard let other = right[key], try value.isEqual(to: other, inner) else { return false }
        }
        return true
    }

    @inline(never)
    private static func equalObjects(
        _ left: any KeyedObject, _ right: any KeyedObject, _ depth: Int
    ) throws(NestingTooDeep) -> Bool {
        guard let left = left.comparedByKeys else { return left.isEqual(to: right) }
        if let answer = left.equality(with: right) { return answer }
        let inner = try deeper(depth)
        for key in left.publishedKeys {
            let (one, other) = (left.value(forKey: key) ?? .null, right.value(forKey: key) ?? .null)
            // An object equals itself also with NaN.
            guard try one.isEqual(to: other, inner) || one.isNaN && other.isNaN else { return false }
        }
        return true
    }

    private static func deeper(_ depth: Int) throws(NestingTooDeep) -> Int {
        if depth < PredicateLimits.standard.nesting { return depth + 1 }
        throw NestingTooDeep()
    }

    /// Whether the value is or contains an object of the app.
    package var hasObjects: Bool {
        switch self {
        case .object: true
        case .array(let values), .set(let values): values.contains { $0.hasObjects }
        case .dictionary(let dictionary): dictionary.values.contains { $0.hasObjects }
        default: false
        }
    }
}

/// Thrown on the way out of a deep comparison. Without content, because each frame has a place for it.
private struct NestingTooDeep: Error {}

/// The distinct values of a list, in the order of their first appearance. Objects are compared one by one, because their
/// values are not hashed, and comparing them may fail.
package struct DistinctValues {
    package private(set) var values: [PredicateValue] = []
    private var positions: [EqualityKey: Int] = [:]
    /// The positions of values that have objects.
    private var objects: [Int] = []

    package init() {}

    package init(_ list: [PredicateValue]) throws(EvaluationFault) {
        positions.reserveCapacity(list.count)
        for value in list { _ = try insert(value) }
    }

    /// Adds a value if it is new.
    /// - Returns: its position in `values`.
    package mutating func insert(_ value: PredicateValue) throws(EvaluationFault) -> Int {
        let end = values.count
        let position: Int
        if value.hasObjects {
            position = try find(value) ?? end
            if position == end { objects.append(end) }
        } else {
            position = positions[EqualityKey(value)] ?? end
            if position == end { positions[EqualityKey(value)] = end }
        }
        if position == end { values.append(value) }
        return position
    }

    package func contains(_ value: PredicateValue) throws(EvaluationFault) -> Bool {
        value.hasObjects ? try find(value) != nil : positions[EqualityKey(value)] != nil
    }

    private func find(_ value: PredicateValue) throws(EvaluationFault) -> Int? {
        for position in objects where try values[position].equals(value) { return position }
        return nil
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
