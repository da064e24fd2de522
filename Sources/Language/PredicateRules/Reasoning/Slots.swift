// The keys that an object needs for some predicates, and the values that are tried for them.

/// A key path to which a value is given.
struct Slot {
    /// Empty for the object itself.
    let path: [String]
    var type = ExpressionType.any
    /// The index of the key that has a list of objects, whose values are the elements of this one.
    var listIndex: Int?
    /// The values that are tried, and the elements of lists.
    var values: [PredicateValue] = []
    var elements: [PredicateValue] = []
    var isList = false
}

struct Slots {
    typealias Subquery = (variable: String, condition: PredicateNode)

    /// The largest number of values that are tried for a key, and the longest list or text.
    private static let valueLimit = 80
    private static let lengthLimit: Int64 = 100

    private(set) var list: [Slot] = []
    private let types: TypeChecker
    private let hasSchema: Bool
    /// Objects that fulfil the condition of a SUBQUERY, and objects that do not.
    private let elements: (Subquery, ExpressionType) -> [PredicateValue]
    private var collections: Set<[String]> = []

    init(
        _ roots: [PredicateNode], _ terms: Terms, types: TypeChecker, hasSchema: Bool,
        elements: @escaping (Subquery, ExpressionType) -> [PredicateValue]
    ) {
        (self.types, self.hasSchema, self.elements) = (types, hasSchema, elements)
        var comparisons: [ComparisonNode] = []
        for root in roots {
            PredicateWalker(predicate: { node in
                if case .comparison(let comparison) = node.kind { comparisons.append(comparison) }
            }).walk(root)
        }
        for comparison in comparisons { add(comparison, terms) }
        finish()
    }

    // MARK: Reading comparisons

    private mutating func add(_ comparison: ComparisonNode, _ terms: Terms) {
        var paths: [(path: [String], rest: [String])] = []
        var constants: [PredicateValue] = []
        var subqueries: [([String], Subquery)] = []
        func read(_ node: ExpressionNode) {
            switch node.kind {
            case .value(let value): constants += value.elements.map { $0 + [value] } ?? [value]
            case .keyPath(let path): paths.append(base(of: path))
            case .selfObject: paths.append(([], []))
            case .member(let inner, let step):
                if let path = Self.path(of: node) { return paths.append(base(of: path)) }
                read(inner)
                // The step is a key of the inner value, not of the object.
                if case .keyPath = step.kind { return }
                read(step)
            case .index(let inner, let index):
                if let path = Self.path(of: node) { return paths.append(base(of: path)) }
                read(inner)
                read(index)
            case .subquery(let collection, let variable, let condition):
                read(collection)
                if let path = Self.path(of: collection) {
                    subqueries.append((base(of: path).0, (variable, condition)))
                }
                constants += [0, 1, 2]
            default: node.kind.forEachChild({ _ in }, { read($0) })
            }
        }
        read(comparison.left)
        read(comparison.right)
        let condition = KeyCondition(comparison, constant: { terms.environment.constant($0) })
        if let condition { constants += condition.constants }
        let isDirect = condition.map { Self.path(of: $0.key) == paths.first?.path && paths.count == 1 } ?? false
        let near = constants.uniqued().flatMap { ExampleValues.near($0) }
        for (path, rest) in paths {
            let isCounted = !rest.isEmpty
            let index = slot(path)
            let isQuantified = comparison.modifier != .direct
            var holdsList = isQuantified || isCounted
            if let condition, case .contains(let constant) = condition.test, constant.stringValue == nil {
                holdsList = true
            }
            if holdsList { list[index].isList = true }
            list[index].elements += near
            if !isQuantified || !isDirect { list[index].values += near }
            guard !isDirect else { continue }
            // The key is an operand of a function or of an operator on lists.
            for case .integer(let number) in constants where (-1...Self.lengthLimit).contains(number) {
                for length in [number, number + 1, number - 1] where length >= 0 {
                    let element = ExampleValues.defaults(of: list[index].type.element?.kind ?? .integer).first ?? 0
                    list[index].values.append(.array(Array(repeating: element, count: Int(length))))
                    list[index].values.append(.string(String(repeating: "a", count: Int(length))))
                }
            }
            for constant in near.prefix(20) {
                // `orders.@max.total` reads the key of the elements, `@allKeys` those of a dictionary.
                let element = rest.dropFirst().reversed().filter { $0 != "self" }.reduce(constant) {
                    .dictionary(ValueDictionary([($1, $0)]))
                }
                list[index].values.append(.array([element]))
                if let text = constant.stringValue, isCounted {
                    list[index].values.append(.dictionary(ValueDictionary([(text, constant)])))
                }
            }
        }
        for (path, subquery) in subqueries {
            let index = slot(path)
            list[index].isList = true
            let found = elements(subquery, list[index].type.element ?? .any)
            for case .dictionary(let fields) in found {
                // Keys of the object in the condition have values in the elements, too.
                for (key, value) in zip(fields.keys, fields.values) {
                    if let other = list.firstIndex(where: { $0.path == [key] }), other != index {
                        list[other].values.append(value)
                    }
                }
            }
            let counts = constants.compactMap { $0.exactInteger }.filter { $0 >= 0 && $0 < 20 }
            for count in Set(counts + [0, 1]).sorted() {
                for element in found {
                    list[index].values.append(.array(Array(repeating: element, count: Int(count) + 1)))
                    if count > 0 { list[index].values.append(.array(Array(repeating: element, count: Int(count)))) }
                }
            }
            if found.count > 1 { list[index].values.append(.array(found)) }
        }
    }

    /// The keys of a path from the object, also of one in parts: `SELF.name`, `(a.b).c`.
    static func path(of node: ExpressionNode) -> [String]? {
        switch node.kind {
        case .selfObject: return []
        case .keyPath(let path): return path
        case .member(let base, let step):
            guard case .keyPath(let last) = step.kind, let first = path(of: base) else { return nil }
            return first + last
        case .index(let base, let index):
            guard case .value(.string(let key)) = index.kind else { return nil }
            return path(of: base).map { $0 + [key] }
        default: return nil
        }
    }

    /// The part of a path that has a value of its own, and the rest, which begins with an operator such as `@count`.
    private func base(of path: [String]) -> ([String], [String]) {
        let end = path.firstIndex { $0.hasPrefix("@") } ?? path.count
        var base = Array(path[..<end])
        if hasSchema {
            for length in 1...max(1, base.count) where length < base.count {
                switch type(of: Array(base[..<length])).kind {
                case .entity, .collection, .any: continue
                default: base = Array(base[..<length])
                }
                break
            }
        }
        return (base, Array(path[end...]))
    }

    private func type(of path: [String]) -> ExpressionType {
        guard hasSchema, !path.isEmpty else { return .any }
        return types.check(ExpressionNode(.keyPath(path))).type
    }

    private mutating func slot(_ path: [String]) -> Int {
        if let index = list.firstIndex(where: { $0.path == path }) { return index }
        list.append(Slot(path: path, type: type(of: path)))
        return list.count - 1
    }

    private mutating func finish() {
        for slot in list where slot.isList { collections.insert(slot.path) }
        for index in list.indices {
            let path = list[index].path
            let prefixes = path.indices.dropLast().map { Array(path[...$0]) }
            if hasSchema {
                list[index].listIndex = prefixes.firstIndex {
                    if let shape = self.type(of: $0).shape { !ExampleValues.isDictionary(shape) } else { false }
                }
            } else {
                let last = list[index].isList && path.count > 1 ? path.count - 2 : nil
                list[index].listIndex = prefixes.firstIndex { collections.contains($0) } ?? last
            }
            let type = list[index].type
            let element = type.element ?? .any
            let cases = hasSchema ? types.schema.attribute(at: path, of: types.entity)?.attribute.cases ?? [] : []
            /// The value as the type, if it is one of the cases.
            func typed(_ value: PredicateValue, _ type: ExpressionType) -> PredicateValue? {
                ExampleValues.value(value, as: type).flatMap { found in
                    let isCase =
                        cases.isEmpty || (found.elements ?? [found]).allSatisfy { $0.isNil || cases.contains($0) }
                    return isCase ? found : nil
                }
            }
            let between = Self.between(list[index].values)
            let values = cases + list[index].values + between + ExampleValues.defaults(of: type.kind) + [.null]
            list[index].values = Array(values.compactMap { typed($0, type) }.distinct().prefix(Self.valueLimit))
            let elements = cases + list[index].elements + ExampleValues.defaults(of: element.kind) + [.null]
            list[index].elements = Array(
                elements.compactMap { typed($0, element) }.distinct().prefix(Self.valueLimit))
        }
    }

    /// Numbers between neighbouring constants.
    private static func between(_ values: [PredicateValue]) -> [PredicateValue] {
        let numbers = Set(values.compactMap { $0.doubleValue }.filter { $0.isFinite }).sorted()
        return zip(numbers, numbers.dropFirst()).prefix(20).map { .double($0 + ($1 - $0) / 2) }
    }

    // MARK: Objects

    /// The object whose slots have the values.
    func object(_ values: [PredicateValue]) -> PredicateValue {
        if list.count == 1, list[0].path.isEmpty { return values[0] }
        // A list has as many elements as its own value, else as the longest of its keys.
        let parts = zip(list, values).map { ($0, $1, count: $1.elements?.count ?? 0) }.sorted { one, other in
            (one.0.path.count, other.count) < (other.0.path.count, one.count)
        }
        var fields = ValueDictionary([])
        for (slot, value, _) in parts { Self.set(value, at: slot.path[...], slot.listIndex, in: &fields) }
        return .dictionary(fields)
    }

    /// - Parameter listIndex: the index of a key that has a list of objects; then the value is a list of theirs.
    private static func set(
        _ value: PredicateValue, at path: ArraySlice<String>, _ listIndex: Int?, in fields: inout ValueDictionary
    ) {
        guard let key = path.first, !value.isNil else { return }
        if path.count == 1 { return fields[key] = value }
        func changed(_ old: PredicateValue?, _ value: PredicateValue) -> PredicateValue {
            var inner = if case .dictionary(let known)? = old { known } else { ValueDictionary([]) }
            set(value, at: path.dropFirst(), listIndex, in: &inner)
            return .dictionary(inner)
        }
        guard listIndex == path.startIndex else { return fields[key] = changed(fields[key], value) }
        let (old, new) = (fields[key]?.elements ?? [], value.elements ?? [])
        guard let last = new.last else { return fields[key] = fields[key] ?? .array([]) }
        let elements = (0..<(old.isEmpty ? new.count : old.count)).map { index in
            changed(index < old.count ? old[index] : nil, index < new.count ? new[index] : last)
        }
        fields[key] = .array(elements)
    }
}
