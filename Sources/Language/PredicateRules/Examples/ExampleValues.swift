// The only catalogue of example values: constants that comparisons read, their neighbours, and a few of each type.
// WitnessSearch tries them for an object with given results, LeastChanges for the least changes of an object.

enum ExampleValues {
    /// The next value below or above a constant.
    static func next(to constant: PredicateValue, below: Bool) -> PredicateValue? {
        switch constant {
        case .bool(let flag): return flag == below ? .bool(!below) : nil
        case .integer(let number):
            let (next, overflow) = number.addingReportingOverflow(below ? -1 : 1)
            return overflow ? nil : .integer(next)
        case .float, .double: return constant.doubleValue.map { .double(below ? $0.nextDown : $0.nextUp) }
        case .date(let seconds): return .date(below ? seconds - 1 : seconds + 1)
        case .decimal(let number): return .double(below ? number.doubleValue - 1 : number.doubleValue + 1)
        case .string(let text): return below ? (text.isEmpty ? nil : .string("")) : .string(text + "a")
        default: return nil
        }
    }

    /// Values near a constant, the constant first.
    static func near(_ constant: PredicateValue) -> [PredicateValue] {
        let next = [constant] + [false, true].compactMap { self.next(to: constant, below: $0) }
        switch constant {
        case .bool(let flag): return [constant, .bool(!flag), 2, -1]
        case .integer(let number): return next + [.double(Double(number) + 0.5), .double(Double(number) - 0.5)]
        case .float, .double:
            let number = constant.doubleValue ?? 0
            return next + [.double(number + 1), .double(number - 1)]
        case .decimal: return next
        case .date(let seconds): return next + [.date(seconds.nextUp), .date(seconds.nextDown)]
        case .string(let text):
            let cases = [text.uppercased(), text.lowercased()].map { PredicateValue.string($0) }
            let less = text.isEmpty ? [] : [PredicateValue.string(String(text.dropLast()))]
            // A mark makes another letter of the last one.
            let more = [text + "a", "a" + text, text + "\u{301}"].map { PredicateValue.string($0) }
            return [constant] + more + cases + less + [.string("")]
        case .uuid(let id):
            return [constant] + [id.low &+ 1, id.low &- 1].map { .uuid(UniversalID(high: id.high, low: $0)) }
        default: return [constant]
        }
    }

    /// Values for which the test of a condition probably has a result, the nearest to the present value first.
    static func values(
        _ test: KeyCondition.Test, _ wanted: Bool, near now: PredicateValue
    ) -> [PredicateValue] {
        /// The present text with another one, then that alone.
        func texts(_ text: String, _ changed: (String) -> String) -> [PredicateValue] {
            if !wanted { return [.string("")] }
            guard !text.isEmpty else { return [] }
            guard case .string(let old) = now else { return [.string(changed(""))] }
            return [.string(changed(old)), .string(text)]
        }
        switch test {
        case .isNil: return [wanted ? .null : .integer(1)]
        case .members(let list): return wanted ? Array(list.prefix(8)) : other(than: list).map { [$0] } ?? []
        case .order(let order, let bound):
            switch wanted ? order : order.complement {
            case .lessOrEqual, .greaterOrEqual: return [bound]
            case .less: return next(to: bound, below: true).map { [$0] } ?? []
            case .greater: return next(to: bound, below: false).map { [$0] } ?? []
            case .equal, .different: return []
            }
        case .range(let low, let high):
            let values = wanted ? [low, high] : [next(to: low, below: true), next(to: high, below: false)]
            let nearest = values.compactMap { $0 }.ordered { distance($0, now) < distance($1, now) }
            return Array(nearest.prefix(wanted ? 1 : 2))
        case .part(let text): return wanted && !text.isEmpty ? [.string(text)] : []
        case .text(let text, .prefix): return texts(text) { text + $0 }
        case .text(let text, _): return texts(text) { $0 + text }
        case .contains(let element):
            if wanted, let elements = now.elements { return [.array(elements + [element])] }
            guard case .string(let text) = element else { return [] }
            return texts(text) { $0 + text }
        case .pattern(let op, let pattern):
            guard wanted, let example = example(of: pattern, op) else { return wanted ? [] : [.string("")] }
            return [.string(example)]
        }
    }

    /// A value that is not in a list.
    private static func other(than list: [PredicateValue]) -> PredicateValue? {
        guard let value = list.first else { return nil }
        guard list.count == 1 else {
            let numbers = list.compactMap { $0.exactInteger }
            if let most = numbers.max(), most < .max { return .integer(most + 1) }
            let length = list.map { $0.stringValue?.count ?? 0 }.max() ?? 0
            return .string(String(repeating: "x", count: length + 1))
        }
        switch value {
        case .bool(let flag): return .bool(!flag)
        case .integer(let number): return .integer(number == .max ? 0 : number + 1)
        case .double(let number): return .double(number + 1)
        case .string(let text): return .string(text + "x")
        default: return .null
        }
    }

    private static func distance(_ value: PredicateValue, _ other: PredicateValue) -> Double {
        switch (value, other) {
        case (.date(let a), .date(let b)): return abs(a - b)
        default:
            guard let a = value.doubleValue, let b = other.doubleValue else { return 0 }
            return abs(a - b)
        }
    }

    /// Texts that fulfil several conditions of one key that must be true.
    static func texts(_ conditions: [KeyCondition]) -> [PredicateValue] {
        var (start, middle, end) = ("", "", "")
        var whole: [String] = []
        for condition in conditions where !condition.isNegated {
            switch condition.test {
            case .text(let text, .prefix): if text.utf8.count > start.utf8.count { start = text }
            case .text(let text, _): if text.utf8.count > end.utf8.count { end = text }
            case .contains(.string(let text)): middle += text
            case .part(let text): whole += [text, String(text.prefix(1)), String(text.suffix(1))]
            case .pattern(let op, let text): if let example = example(of: text, op) { whole.append(example) }
            default: break
            }
        }
        let parts = start + middle + end
        var texts: [String] = []
        if !parts.isEmpty {
            texts = [parts, "\(parts)a", start + end, "\(start)a\(end)", "a\(parts)"]
            texts += ["\(parts)\u{301}", "\u{301}\(parts)"]
        }
        for text in whole { texts += [text, "\(start)\(text)\(end)", "\(start)\(middle)\(text)\(end)"] }
        texts += texts.flatMap { [$0.uppercased(), $0.lowercased()] }
        return texts.map { .string($0) }
    }

    /// A text that a pattern probably matches.
    private static func example(of text: String, _ op: ComparisonOperator) -> String? {
        let pattern = op == .like ? try? TextPattern.like(text) : try? TextPattern.matches(text)
        switch pattern?.kind {
        case .core(let core), .needsICU(_, let core): return core.example.map { String(scalars: $0) }
        default: return nil
        }
    }

    /// Values of a type, or of all types.
    static func defaults(of kind: ExpressionType.Kind) -> [PredicateValue] {
        switch kind {
        case .any:
            [
                0, 1, "a", "", "B", "A", .array([]), .array([1]), .array(["a"]), -1, true, .date(0),
                .dictionary(ValueDictionary([])), .null, .double(.nan),
            ]
        case .null: []
        case .boolean: [true, false]
        case .integer, .number: [0, 1, -1, 2]
        case .double: [.double(0), .double(1), .double(-1), .double(0.5)]
        case .decimal: [.decimal(DecimalNumber(0)), .decimal(DecimalNumber(1))]
        case .string: ["a", "", "B", "A", "b"]
        case .date: [.date(0), .date(1)]
        case .data: [.data([]), .data([1])]
        case .uuid: [.uuid(UniversalID(high: 0, low: 0)), .uuid(UniversalID(high: 0, low: 1))]
        case .url: [.url("https://example.org"), .url("https://example.com")]
        case .entity, .collection(.dictionary, _), .collection(.record, _): [.dictionary(ValueDictionary([]))]
        case .collection(_, let element): [.array([])] + defaults(of: element.kind).prefix(2).map { .array([$0]) }
        }
    }

    /// The value as one of a type; nil if the type has none like it.
    static func value(_ value: PredicateValue, as type: ExpressionType) -> PredicateValue? {
        if value.isNil { return type.isOptional ? .null : nil }
        switch (type.kind, value) {
        case (.any, _), (.string, .string), (.date, .date), (.data, .data), (.uuid, .uuid), (.url, .url),
            (.boolean, .bool), (.integer, .integer), (.decimal, .decimal), (.entity, .dictionary):
            return value.isNaN && type.kind != .any ? nil : value
        case (.boolean, .integer(let number)): return number == 0 || number == 1 ? .bool(number == 1) : nil
        case (.integer, .double(let number)): return Int64(exactly: number.rounded()).map { .integer($0) }
        case (.decimal, .integer(let number)): return .decimal(DecimalNumber(number))
        case (.double, _): return value.doubleValue.flatMap { $0.isNaN ? nil : .double($0) }
        case (.number, _): return value.isNumber && !value.isNaN ? value : nil
        case (.url, .string(let text)): return .url(text)
        case (.collection(let shape, let element), .array(let values)):
            if isDictionary(shape) { return nil }
            var typed: [PredicateValue] = []
            for one in values {
                guard let one = Self.value(one, as: element) else { return nil }
                typed.append(one)
            }
            return .array(typed)
        case (.collection(let shape, _), .dictionary): return isDictionary(shape) ? value : nil
        default: return nil
        }
    }

    static func isDictionary(_ shape: ExpressionType.Shape) -> Bool {
        switch shape {
        case .dictionary, .record: true
        case .list, .set, .toMany: false
        }
    }
}

extension RegularPattern {
    /// The scalars of a short text that the pattern matches; nil if there is none.
    fileprivate var example: [UInt32]? {
        switch self {
        case .empty: return []
        case .set(let set), .anyLine(let set):
            let known = [UInt32(97), 65, 48, 95].first { set.contains($0) }
            return (known ?? set.ranges.first?.lowerBound).map { [$0] }
        case .concatenation(let parts):
            var scalars: [UInt32] = []
            for part in parts {
                guard let example = part.example else { return nil }
                scalars += example
            }
            return scalars
        case .alternation(let choices): return choices.lazy.compactMap { $0.example }.first
        case .repetition(let inner, let minimum, _):
            if minimum == 0 { return [] }
            guard minimum <= 200, let one = inner.example else { return nil }
            return (0..<minimum).flatMap { _ in one }
        }
    }
}
