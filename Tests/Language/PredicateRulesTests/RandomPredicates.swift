// Random predicates for objects whose values have any type, to test properties of every predicate.
import PredicateRules
import PredicateTestSupport

struct RandomPredicates {
    var random: SplitMix
    /// Whether each key has values of one type.
    var isTyped = false

    init(_ stream: UInt64) { random = SplitMix(stream) }

    static let keys = ["a", "b", "s", "t", "l", "d"]

    // MARK: Objects

    /// The schema of the objects if `isTyped` is true.
    static func schema() throws -> PredicateSchema {
        try PredicateSchema(
            [
                .init(
                    "Thing",
                    attributes: [
                        .init("a", .integer), .init("b", .double, isOptional: true), .init("s", .string),
                        .init("t", .string, isOptional: true), .init("l", .list(of: .string)), .init("d", .any),
                    ])
            ], defaultEntity: "Thing")
    }

    mutating func object() -> PredicateValue {
        var pairs: [(String, PredicateValue)] = []
        for key in Self.keys where isTyped || !random.chance(10) { pairs.append((key, value(of: key))) }
        return .dictionary(ValueDictionary(pairs))
    }

    private mutating func value(of key: String) -> PredicateValue {
        if !isTyped, random.chance(8) {
            return random.pick([
                .null, .nsNull, .string("2"), .integer(2), .array([.integer(2)]), .bool(true), .date(2),
            ])
        }
        switch key {
        case "a": return isTyped ? .integer(Int64(random.below(6))) : number()
        case "b": return isTyped && random.chance(20) ? .null : isTyped ? .double(Double(random.below(6))) : number()
        case "s": return text()
        case "t": return isTyped && random.chance(20) ? .null : text()
        case "l": return .array((0..<random.below(3)).map { _ in isTyped ? text() : scalar() })
        default:
            return .dictionary(
                ValueDictionary([("a", number()), ("s", scalar()), ("l", .array([number(), scalar()]))]))
        }
    }

    private mutating func number() -> PredicateValue {
        switch random.below(12) {
        case 0: .double(Double(random.below(6)))
        case 1: .double(Double(random.below(12)) / 2)
        case 2:
            .decimal(DecimalNumber(coefficient: WideInteger(high: 108, low: 7_751_640_039_368_425_473), exponent: -21))
        case 3: .double(.nan)
        case 4: .integer(9_007_199_254_740_992 + Int64(random.below(3)))
        case 5: .double(9_007_199_254_740_992)
        case 6: .bool(random.chance(50))
        case 7: .null
        default: .integer(Int64(random.below(6)))
        }
    }

    private mutating func text() -> PredicateValue { .string(random.pick(["", "a", "b", "ab", "A", "é", "e\u{301}"])) }

    private mutating func scalar() -> PredicateValue { random.chance(50) ? number() : text() }

    // MARK: Predicates

    mutating func predicate(depth: Int = 3) -> PredicateNode {
        let kind = random.below(depth <= 0 ? 5 : 12)
        switch kind {
        case 0: return random.chance(30) ? PredicateNode(.constant(random.chance(50))) : comparison(depth)
        case 1...4: return comparison(depth)
        case 5, 6: return PredicateNode(.not(predicate(depth: depth - 1)))
        case 7...9: return PredicateNode(.and(terms(depth)))
        default: return PredicateNode(.or(terms(depth)))
        }
    }

    private mutating func terms(_ depth: Int) -> [PredicateNode] {
        (0..<(1 + random.below(4))).map { _ in predicate(depth: depth - 1) }
    }

    /// A comparison whose types fit.
    private mutating func typedComparison() -> PredicateNode {
        let key = random.pick(["a", "a", "b", "s", "t", "l"])
        let node = ExpressionNode(.keyPath([key]))
        var (op, modifier) = (random.pick(Self.orders), ComparisonModifier.direct)
        var right = ExpressionNode(.value(random.chance(10) ? .null : .integer(Int64(random.below(6)))))
        switch key {
        case "a" where random.chance(30):
            op = random.chance(50) ? .in : .between
            right = op == .in ? list(random.below(5), ofNumbers: true) : bounds()
        case "a", "b", "s", "t":
            // Another key of the type, or the key itself.
            if random.chance(15) {
                right = ExpressionNode(.keyPath([random.pick(key < "c" ? ["a", "b"] : ["s", "t"])]))
                return PredicateNode(.comparison(ComparisonNode(node, op, right)))
            }
            if key > "c" { fallthrough }
        default:
            if random.chance(40) { op = random.pick([.beginsWith, .endsWith, .contains, .like]) }
            right = ExpressionNode(.value(random.chance(10) ? .null : text()))
            if key == "l" { modifier = random.chance(50) ? .any : .all }
        }
        return PredicateNode(.comparison(ComparisonNode(node, op, right, modifier: modifier)))
    }

    private static let orders: [ComparisonOperator] = [
        .equal, .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
    ]

    private mutating func comparison(_ depth: Int) -> PredicateNode {
        if isTyped, random.chance(85) { return typedComparison() }
        var op = random.pick(Self.operators)
        var left = random.chance(75) ? key() : expression(depth)
        var right: ExpressionNode
        switch op {
        case .in: right = list(random.below(5))
        case .between: right = random.chance(90) ? bounds() : list(random.below(4))
        case .beginsWith, .endsWith, .contains, .like: right = ExpressionNode(.value(text()))
        default: right = random.chance(80) ? ExpressionNode(.value(constant())) : expression(depth)
        }
        if random.chance(8) { (left, right) = (right, left) }
        if random.chance(3) { op = .matches }
        let modifier: ComparisonModifier = random.chance(90) ? .direct : random.chance(50) ? .any : .all
        let options: ComparisonOptions = random.chance(90) ? [] : [.caseInsensitive, .diacriticInsensitive]
        return PredicateNode(.comparison(ComparisonNode(left, op, right, modifier: modifier, options: options)))
    }

    private static let operators: [ComparisonOperator] = [
        .equal, .equal, .equal, .notEqual, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
        .lessThan, .greaterThanOrEqual, .in, .in, .between, .beginsWith, .endsWith, .contains, .like,
    ]

    private mutating func constant() -> PredicateValue {
        if random.chance(10) { return .null }
        return random.chance(75) ? (random.chance(80) ? .integer(Int64(random.below(6))) : number()) : text()
    }

    private mutating func list(_ count: Int, ofNumbers: Bool = false) -> ExpressionNode {
        let values = (0..<count).map { _ in ofNumbers ? .integer(Int64(random.below(6))) : constant() }
        return ExpressionNode(.aggregate(values.map { ExpressionNode(.value($0)) }))
    }

    private mutating func bounds() -> ExpressionNode {
        let numbers = [0, 1].map { _ in ExpressionNode(.value(.integer(Int64(random.below(6))))) }
        return ExpressionNode(.aggregate(numbers))
    }

    private mutating func key() -> ExpressionNode {
        if random.chance(12) {
            return ExpressionNode(
                .keyPath(random.pick([["d", "a"], ["d", "s"], ["a", "b"], ["d", "l", "@count"]])))
        }
        return ExpressionNode(.keyPath([random.pick(["a", "a", "b", "s", "t", "l"])]))
    }

    private mutating func expression(_ depth: Int) -> ExpressionNode {
        switch random.below(depth <= 0 ? 4 : 9) {
        case 0, 1: return key()
        case 2: return ExpressionNode(.value(constant()))
        case 3: return ExpressionNode(.variable("v"))
        case 4:
            let op = random.pick([BinaryOperator.add, .subtract, .multiply, .divide])
            return ExpressionNode(.binary(op, expression(depth - 1), expression(depth - 1)))
        case 5: return ExpressionNode(.negation(expression(depth - 1)))
        case 6:
            return ExpressionNode(.ternary(predicate(depth: depth - 2), expression(depth - 1), expression(depth - 1)))
        case 7: return ExpressionNode(.call("uppercase:", [expression(depth - 1)]))
        default:
            let collection = random.chance(50) ? ExpressionNode(.keyPath(["l"])) : list(2)
            let element = ExpressionNode(.variable("x"))
            let inner = ComparisonNode(
                element, random.pick([.equal, .greaterThan]), ExpressionNode(.value(constant())))
            let both = PredicateNode(.and([PredicateNode(.comparison(inner)), predicate(depth: depth - 2)]))
            let kept = ExpressionNode(.subquery(collection, variable: "x", both))
            return ExpressionNode(.member(kept, step: ExpressionNode(.keyPath(["@count"]))))
        }
    }
}

extension FormatPredicate {
    /// The answer for an object, or the messages of the failure without their positions.
    func outcome(_ object: PredicateValue) -> String {
        do throws(PredicateFailure) {
            return "\(try evaluate(object))"
        } catch {
            return error.diagnostics.filter { $0.severity == .error }.map { "\($0.id.rawValue): \($0.message)" }
                .sorted()
                .joined(separator: "; ")
        }
    }

    /// The number of nodes and of elements in constant lists, and the number of comparisons.
    var size: (nodes: Int, comparisons: Int) {
        var (nodes, comparisons) = (0, 0)
        PredicateWalker(
            predicate: { node in
                nodes += 1
                if case .comparison = node.kind { comparisons += 1 }
            },
            expression: { node in
                nodes += 1
                if case .value(.array(let values)) = node.kind { nodes += values.count }
            }
        ).walk(root)
        return (nodes, comparisons)
    }
}
