// A compiled query without its values. To find the binding that belongs to each constant, the predicate is
// compiled a second time with other constants of the same kinds, and the bindings are compared. A constant that
// is not found in the bindings stays part of the shape, so a wrong guess costs only time.
import PredicateModel
import PredicateSyntax

struct QueryTemplate: Sendable {
    /// The source of a binding.
    enum Source: Sendable, Hashable {
        case fixed(PredicateValue)
        /// Computed from the constant with this index.
        case constant(Int, Derivation)
    }

    /// How a bound value is computed from a constant.
    enum Derivation: CaseIterable {
        /// The constant itself.
        case same
        /// The smallest text after all texts that begin with the constant.
        case successor
        /// The integer constant as a double.
        case asDouble
        /// Bounds for the index of a column that SQLite compares as a number (NumericColumns.swift).
        case below, above, aboveSuccessor

        func callAsFunction(_ constant: PredicateValue) -> PredicateValue? {
            switch (self, constant) {
            case (.same, _): return constant
            case (.asDouble, .integer(let number)): return .double(Double(number) + 0)
            case (.below, .string(let text)): return .string(TextBound.below(text))
            case (.above, .string(let text)): return .string(TextBound.above(text))
            case (.successor, .string(var text)):
                // The last scalar is ASCII and has a successor: see `ConstantKind.isPlain`.
                guard let last = text.unicodeScalars.popLast(), let next = Unicode.Scalar(last.value + 1) else {
                    return nil
                }
                text.unicodeScalars.append(next)
                return .string(text)
            case (.aboveSuccessor, .string): return Self.successor(constant).flatMap { Self.above($0) }
            default: return nil
            }
        }
    }

    let entity: String
    private let root: PredicateNode
    private let compiled: SQLQuery
    private let sources: [Source]
    /// For each free constant, in the order of the tree, whether it may vary.
    private let isFree: [Bool]
    let constantCount: Int

    /// nil if no constant can be found in the bindings.
    init?(
        learning predicate: FormatPredicate, _ query: SQLQuery, entity: String, _ dialect: SQLDialect,
        _ schema: PredicateSchema
    ) {
        let free = Self.freeConstants(predicate.root)
        var isFree = [Bool](repeating: true, count: free.count)
        // Each round fixes the constants that were not found, so that the next round finds the others without
        // interference.
        for _ in 0..<4 {
            var twin = TwinMaker(isFree: isFree)
            let other = FormatPredicate(twin.rewrite(predicate.root))
            guard let compiled = try? other.sql(dialect, entity: entity, in: schema) else { return nil }
            let hasSameText =
                compiled.statement == query.statement && compiled.text == query.text
                && compiled.bindingTypes == query.bindingTypes && compiled.requires == query.requires
                && compiled.exactness == .exact && compiled.bindings.count == query.bindings.count
            guard hasSameText else {
                // The texts differ, so no constant can be matched to a binding. A folded text decides how many
                // spellings there are; fixing these first may suffice.
                if !isFree.contains(true) { return nil }
                let others = zip(isFree, free).map { $0 && !$1.isFolded }
                isFree = others == isFree ? isFree.map { _ in false } : others
                continue
            }
            let sources = zip(compiled.bindings, query.bindings).map { Self.source($0, $1, twin.constants) }
            let shown = Set(sources.compactMap { $0?.constant })
            var next = isFree
            for (position, constants) in twin.positions.enumerated() where isFree[position] {
                next[position] = constants.allSatisfy(shown.contains)
            }
            if next == isFree {
                let found = sources.compactMap(\.self)
                guard found.count == sources.count else { return nil }
                self.init(
                    entity: entity, root: predicate.root, compiled: query, sources: found, isFree: isFree,
                    constantCount: twin.constants.count)
                var constants: [PredicateValue] = []
                guard matches(predicate.root, &constants), self.query(constants).bindings == query.bindings
                else { return nil }
                return
            }
            isFree = next
        }
        return nil
    }

    private init(
        entity: String, root: PredicateNode, compiled: SQLQuery, sources: [Source], isFree: [Bool], constantCount: Int
    ) {
        self.entity = entity
        self.root = root
        self.compiled = compiled
        self.sources = sources
        self.isFree = isFree
        self.constantCount = constantCount
    }

    /// nil if the binding has changed but is not one of the constants; then no constant may vary.
    private static func source(_ binding: PredicateValue, _ before: PredicateValue, _ constants: [PredicateValue])
        -> Source?
    {
        for derivation in Derivation.allCases {
            if let index = constants.firstIndex(where: { derivation($0) == binding }) {
                return .constant(index, derivation)
            }
        }
        return binding == before ? .fixed(binding) : nil
    }

    private static func apply(_ source: Source, _ constants: [PredicateValue]) -> PredicateValue? {
        switch source {
        case .fixed(let value): value
        case .constant(let index, let derivation): derivation(constants[index])
        }
    }

    /// The query for other constants.
    func query(_ constants: [PredicateValue]) -> SQLQuery {
        var bindings: [PredicateValue] = []
        bindings.reserveCapacity(sources.count)
        for source in sources { bindings.append(Self.apply(source, constants) ?? .null) }
        return SQLQuery(
            text: compiled.text, from: compiled.from, statement: compiled.statement, bindings: bindings,
            bindingTypes: compiled.bindingTypes, residual: nil, reasons: [], requires: compiled.requires,
            advice: compiled.advice)
    }

    // MARK: Matching

    private static func freeConstants(_ root: PredicateNode) -> [(value: PredicateValue, isFolded: Bool)] {
        var found: [(PredicateValue, Bool)] = []
        func walk(_ node: PredicateNode) {
            if case .comparison(let comparison) = node.kind, let free = comparison.freeConstant {
                found.append((free.value, !comparison.options.isEmpty))
            }
            node.kind.forEachChild(walk) { _ in }
        }
        walk(root)
        return found
    }

    /// Whether a predicate has this shape. Collects its free constants.
    func matches(_ other: PredicateNode, _ constants: inout [PredicateValue]) -> Bool {
        var position = 0
        return matches(root, other, &position, &constants)
    }

    private func matches(
        _ mine: PredicateNode, _ other: PredicateNode, _ position: inout Int, _ constants: inout [PredicateValue]
    ) -> Bool {
        switch (mine.kind, other.kind) {
        case (.constant(let a), .constant(let b)): return a == b
        case (.and(let a), .and(let b)), (.or(let a), .or(let b)):
            guard a.count == b.count else { return false }
            for index in a.indices where !matches(a[index], b[index], &position, &constants) { return false }
            return true
        case (.not(let a), .not(let b)): return matches(a, b, &position, &constants)
        case (.comparison(let a), .comparison(let b)): return matches(a, b, &position, &constants)
        default: return false
        }
    }

    private func matches(
        _ mine: ComparisonNode, _ other: ComparisonNode, _ position: inout Int, _ constants: inout [PredicateValue]
    ) -> Bool {
        guard let free = mine.freeConstant else { return mine == other }
        defer { position += 1 }
        guard isFree[position] else { return mine == other }
        guard mine.operator == other.operator, mine.options == other.options, mine.modifier == other.modifier,
            let found = other.freeConstant, found.kind == free.kind, found.isLeft == free.isLeft,
            free.isLeft ? mine.right == other.right : mine.left == other.left
        else { return false }
        if case .array(let elements) = found.value { constants += elements } else { constants.append(found.value) }
        return true
    }
}

extension QueryTemplate.Source {
    fileprivate var constant: Int? {
        switch self {
        case .fixed: nil
        case .constant(let index, _): index
        }
    }
}

/// Replaces free constants by distinct other constants of the same kinds.
private struct TwinMaker {
    let isFree: [Bool]
    private(set) var constants: [PredicateValue] = []
    /// For each free constant, the indices of its values in `constants`.
    private(set) var positions: [Range<Int>] = []

    init(isFree: [Bool]) { self.isFree = isFree }

    mutating func rewrite(_ node: PredicateNode) -> PredicateNode {
        switch node.kind {
        case .constant, .error: return node
        case .and(let parts): return PredicateNode(.and(parts.map { rewrite($0) }))
        case .or(let parts): return PredicateNode(.or(parts.map { rewrite($0) }))
        case .not(let part): return PredicateNode(.not(rewrite(part)))
        case .comparison(var comparison):
            guard let free = comparison.freeConstant else { return node }
            let start = constants.count
            defer { positions.append(start..<constants.count) }
            guard positions.count < isFree.count, isFree[positions.count] else { return node }
            let twin = ExpressionNode(.value(twin(of: free.kind)))
            if free.isLeft { comparison.left = twin } else { comparison.right = twin }
            return PredicateNode(.comparison(comparison))
        }
    }

    private mutating func twin(of kind: ConstantKind) -> PredicateValue {
        if case .list(let element, let count) = kind { return .array((0..<count).map { _ in twin(of: element) }) }
        // Ascending values, as BETWEEN needs, that are unlikely in real predicates.
        let number = constants.count
        let value: PredicateValue =
            switch kind {
            case .integer: .integer(Int64(7_368_787 + 3 * number))
            case .wholeDouble: .double(Double(9_368_787 + 3 * number))
            case .brokenDouble: .double(Double(9_968_787 + 3 * number) + 0.5)
            case .text: .string("twin\(String(repeating: "n", count: number))\u{3C0}b")
            case .date: .date(Double(777_368_787 + 3 * number) + 0.25)
            case .uuid: .uuid(UniversalID(high: 0x7368_787A_73B1_0000, low: UInt64(number) + 1))
            case .data: .data(Array("twin\(number)".utf8))
            case .list: .null
            }
        constants.append(value)
        return value
    }
}
