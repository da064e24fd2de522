// Compares the type checker with the operators and functions, for samples of every type. If the checker reports an
// error, the operator must fail. If it reports a constant comparison, the result must be constant. If it accepts the
// types, the operator must not fail because of them.
import PredicateTestSupport
import Testing

@testable import PredicateModel

struct TypeCheckerSoundnessTests {
    /// A type with sample values. The first sample of a collection is empty.
    struct Kind: Sendable {
        let name: String
        let type: ExpressionType.Kind
        let samples: [PredicateValue]
    }

    static let kinds: [Kind] = [
        Kind(name: "boolean", type: .boolean, samples: [.bool(false), .bool(true)]),
        Kind(
            name: "integer", type: .integer,
            samples: [.integer(.min), .integer(-1), .integer(0), .integer(1), .integer(.max)]),
        Kind(name: "double", type: .double, samples: [.double(-2.5), .double(0), .double(1), .double(1e300)]),
        Kind(name: "decimal", type: .decimal, samples: [.decimal(DecimalNumber(1)), .decimal(DecimalNumber(-7))]),
        Kind(name: "string", type: .string, samples: [.string(""), .string("a"), .string("ab")]),
        Kind(name: "date", type: .date, samples: [.date(0), .date(5)]),
        Kind(name: "data", type: .data, samples: [.data([]), .data([1])]),
        Kind(
            name: "uuid", type: .uuid,
            samples: [.uuid(UniversalID(high: 0, low: 1)), .uuid(UniversalID(high: 1, low: 0))]),
        Kind(name: "url", type: .url, samples: [.url("a"), .url("b:")]),
        Kind(name: "texts", type: .list(of: .string), samples: [.array([]), .array([.string("a"), .string("b")])]),
        Kind(name: "integers", type: .list(of: .integer), samples: [.array([]), .array([.integer(0), .integer(1)])]),
        Kind(name: "dates", type: .list(of: .date), samples: [.array([]), .array([.date(0), .date(5)])]),
        Kind(name: "blobs", type: .list(of: .data), samples: [.array([]), .array([.data([1]), .data([])])]),
        Kind(name: "words", type: .set(of: .string), samples: [.set([]), .set([.string("a"), .string("b")])]),
        Kind(
            name: "entries", type: .dictionary(of: .any),
            samples: [.dictionary(ValueDictionary([])), .dictionary(ValueDictionary([("k", .integer(1))]))]),
    ]

    /// Each type as a key, required and optional, and a few constants.
    private struct Side {
        let node: ExpressionNode
        let samples: [PredicateValue]
    }

    private static let sides: [Side] =
        kinds.map { Side(node: ExpressionNode(.keyPath([$0.name])), samples: $0.samples) }
        + kinds.map { Side(node: ExpressionNode(.keyPath([$0.name + "OrNil"])), samples: [.null] + $0.samples) }

    private static let constants: [PredicateValue] = [
        .null, .integer(5), .integer(0), .double(0.5), .double(1e30), .double(-0x1p63), .string(""), .string("a"),
        .bool(true), .array([]), .array([.integer(1), .integer(2)]), .array([.string("x"), .integer(1)]),
        .array([.null]), .date(1), .array([.null, .integer(1)]), .set([.string("a")]),
    ]

    private func makeChecker() throws -> TypeChecker {
        let attributes = Self.kinds.flatMap {
            [
                PredicateSchema.Attribute($0.name, $0.type),
                PredicateSchema.Attribute($0.name + "OrNil", $0.type, isOptional: true),
            ]
        }
        return try TypeChecker(schema: PredicateSchema([.init("Kinds", attributes: attributes)]), entity: "Kinds")
    }

    private static let comparisons: [ComparisonOperator] = [
        .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .notEqual, .beginsWith, .endsWith,
        .like, .in, .contains, .between, .utiConformsTo, .utiEquals,
    ]

    @Test(.cases) func checkComparisons() {
        forEachCase(Self.comparisons) { op in
            let checker = try makeChecker()
            let constants = Self.constants.map { Side(node: ExpressionNode(.value($0)), samples: [$0]) }
            var checked = 0
            for left in Self.sides + constants {
                for right in Self.sides + constants {
                    checked += 1
                    guard checked % TestDepth.step(1) == 0 else { continue }
                    let node = PredicateNode(.comparison(ComparisonNode(left.node, op, right.node)))
                    try judge(node, checker.check(node), left.samples, right.samples, Comparison(op))
                }
            }
            #expect(checked == 46 * 46)
        }
    }

    private func judge(
        _ node: PredicateNode, _ findings: [PredicateDiagnostic], _ left: [PredicateValue], _ right: [PredicateValue],
        _ comparison: Comparison
    ) throws {
        // Comparing a whole collection with one value never fails, but the checker reports it as an error.
        if findings.contains(where: { $0.id == .toManyKey }) { return }
        let isRefused = findings.contains { $0.severity == .error }
        let constant = findings.first { $0.id == .comparisonConstant }?.details[0]
        // A key has one value on both sides.
        var isOneKey = false
        if case .comparison(let written) = node.kind { isOneKey = written.left == written.right }
        for a in left {
            for b in isOneKey ? [a] : right {
                let result = Result { () throws(EvaluationFault) in try comparison.test(a, b) }
                switch result {
                case .success(let value):
                    let isHarmless = a.isNil || b.isNil
                    #expect(!isRefused || isHarmless, "\(node): \(a) \(b) is \(value)")
                    #expect(constant == nil || constant == "\(value)", "\(node): \(a) \(b) is \(value)")
                case .failure(let fault):
                    // Only evaluation knows the number of bounds in a list, and the types in a dictionary.
                    let isOpen = fault.id == .betweenOperand && node.description.contains("BETWEEN")
                    #expect(isRefused || isOpen, "\(node): \(a) \(b) fails: \(fault.diagnostic.message)")
                }
            }
        }
    }

    @Test(.cases) func checkQuantifiers() {
        forEachCase(Self.comparisons) { op in
            let checker = try makeChecker()
            let constants = Self.constants.map { Side(node: ExpressionNode(.value($0)), samples: [$0]) }
            for left in TestDepth.some(Self.sides + constants, every: 1) {
                for right in Self.sides + constants {
                    for modifier in [ComparisonModifier.any, .all] {
                        let comparison = ComparisonNode(left.node, op, right.node, modifier: modifier)
                        let node = PredicateNode(.comparison(comparison))
                        try judgeQuantifier(
                            node, modifier, checker.check(node), left.samples, right.samples, Comparison(op))
                    }
                }
            }
        }
    }

    private func judgeQuantifier(
        _ node: PredicateNode, _ modifier: ComparisonModifier, _ findings: [PredicateDiagnostic],
        _ left: [PredicateValue], _ right: [PredicateValue],
        _ comparison: Comparison
    ) throws {
        let isSingle = findings.contains { $0.id == .quantifierOverSingle }
        let isRefused = findings.contains { $0.severity == .error }
        let constant = findings.first { $0.id == .comparisonConstant }?.details[0]
        for a in left where !a.isNil {
            #expect(isSingle == (a.elements == nil), "\(node)")
            guard let elements = a.elements, !isRefused else { continue }
            for b in right {
                let result = Result { () throws(EvaluationFault) in
                    for element in elements where try comparison.test(element, b) != (modifier == .all) {
                        return modifier == .any
                    }
                    return modifier == .all
                }
                switch result {
                case .success(let value):
                    let isExcused = elements.isEmpty && constant?.hasSuffix("unless the collection is empty") == true
                    #expect(
                        constant == nil || isExcused || constant?.hasPrefix("\(value)") == true, "\(node) of \(a) \(b)")
                case .failure(let fault):
                    let isOpen =
                        fault.id == .betweenOperand || node.description.contains("entries")
                        || elements.contains { $0.elements != nil } || Set(elements.map(\.typeDescription)).count > 1
                    #expect(isOpen, "\(node) of \(a) \(b) fails: \(fault.diagnostic.message)")
                }
            }
        }
    }

    // MARK: What computes

    private static let typeFaults: Set<DiagnosticID> = [.operandType, .stringOperand, .notACollection, .castFailed]

    /// Compares the checker's result for a call with the function's body, for every combination of types.
    private func judge(
        _ node: ExpressionNode, _ samples: [[PredicateValue]],
        _ body: ([PredicateValue]) throws(EvaluationFault) -> PredicateValue
    )
        throws
    {
        let (type, findings) = try makeChecker().check(node)
        let isRefused = findings.contains { $0.severity == .error }
        for arguments in samples {
            let result = Result { () throws(EvaluationFault) in try body(arguments) }
            switch result {
            case .success(let value):
                let isHarmless = arguments.contains { $0.isNil || $0.elements?.isEmpty == true }
                #expect(!isRefused || isHarmless, "\(node) of \(arguments) is \(value)")
                #expect(
                    isRefused || Self.admits(type, value), "\(node) is \(type.inWords), but of \(arguments) \(value)")
            case .failure(let fault):
                #expect(
                    isRefused || !Self.typeFaults.contains(fault.id),
                    "\(node) of \(arguments): \(fault.diagnostic.message)")
            }
        }
    }

    private static func admits(_ type: ExpressionType, _ value: PredicateValue) -> Bool {
        if value.isNil { return type.isOptional }
        let found = ExpressionType(of: value)
        switch (type.kind, found.kind) {
        case (.any, _): return true
        case (.number, _): return found.isNumber
        case (.collection(let shape, let element), .collection(let foundShape, _)):
            return shape == foundShape && (value.elements ?? []).allSatisfy { admits(element.optional(), $0) }
        default: return type.kind == found.kind
        }
    }

    private func product(_ count: Int) -> [([ExpressionNode], [[PredicateValue]])] {
        let all = (0..<count).reduce([([], [[]])]) { partial, _ in
            partial.flatMap { nodes, samples in
                Self.kinds.map { kind in
                    (
                        nodes + [ExpressionNode(.keyPath([kind.name]))],
                        samples.flatMap { before in kind.samples.prefix(3).map { before + [$0] } }
                    )
                }
            }
        }
        return count < 2 ? all : TestDepth.some(all, every: 1)
    }

    @Test(.cases) func functions() {
        forEachCase(FunctionCatalog.standard.functionNames) { name in
            let function = try #require(FunctionCatalog.standard.function(named: name))
            // Other syntax is tested below. Locations are objects.
            if ["castObject:toType:", "objectFrom:withIndex:"].contains(name) || name.hasPrefix("distance") { return }
            for (nodes, samples) in product(function.arity) {
                try judge(ExpressionNode(.call(name, nodes)), samples) { (arguments) throws(EvaluationFault) in
                    var context = FunctionContext(clock: { 0 })
                    // A non-integer double and a bound below 1 are errors of the value, not of the type.
                    if name == "randomn:", let bound = arguments[0].doubleValue, bound < 1 { return .integer(0) }
                    if arguments.allSatisfy({ $0.isNumber }), arguments.contains(where: { $0.exactInteger == nil }),
                        ["randomn:", "onesComplement:", "modulus:by:"].contains(name) || name.contains("bitwise")
                            || name.contains("shift")
                    {
                        return .integer(0)
                    }
                    return try function.call(arguments, &context)
                }
            }
        }
    }

    @Test(.cases) func methods() {
        forEachCase(FunctionCatalog.standard.methodNames) { name in
            let method = try #require(FunctionCatalog.standard.method(named: name))
            for (nodes, samples) in product(min(method.arity, 2)) where method.arity <= 2 {
                let call = ExpressionNode(.method(nodes[0], selector: name, Array(nodes.dropFirst())))
                try judge(call, samples) { (arguments) throws(EvaluationFault) in
                    var context = FunctionContext(clock: { 0 })
                    return try method.call(arguments, &context)
                }
            }
        }
    }

    @Test(.cases) func arithmetic() {
        forEachCase(BinaryOperator.allCases) { op in
            for (nodes, samples) in product(2) {
                try judge(ExpressionNode(.binary(op, nodes[0], nodes[1])), samples) {
                    (arguments) throws(EvaluationFault) in
                    let isBits = op.selector?.contains("bitwise") == true || op.selector?.contains("shift") == true
                    if isBits, arguments.allSatisfy({ $0.isNumber }),
                        arguments.contains(where: { $0.exactInteger == nil })
                    {
                        return .integer(0)
                    }
                    return try OperatorRules.standard.apply(op, arguments[0], arguments[1])
                }
            }
        }
    }

    @Test(.cases) func casts() {
        forEachCase(Conversions.types) { type in
            for (nodes, samples) in product(1) {
                let isText = nodes[0] == ExpressionNode(.keyPath(["string"]))
                try judge(ExpressionNode(.cast(nodes[0], type: type)), samples) { (arguments) throws(EvaluationFault) in
                    // Only evaluation knows which texts are numbers or dates.
                    let text = type == "NSDate" ? "2001-01-01" : "5"
                    let operand = isText && type != "NSString" ? PredicateValue.string(text) : arguments[0]
                    return try Conversions.cast(operand, to: type)
                }
            }
        }
    }

    @Test func negations() throws {
        for (nodes, samples) in product(1) {
            try judge(ExpressionNode(.negation(nodes[0])), samples) { (arguments) throws(EvaluationFault) in
                try OperatorRules.standard.negate(arguments[0])
            }
        }
    }

    @Test(.cases) func indices() {
        forEachCase([nil, IndexSymbol.first, .last, .size] as [IndexSymbol?]) { symbol in
            for (nodes, samples) in product(symbol == nil ? 2 : 1) {
                let index = symbol.map { ExpressionNode(.indexSymbol($0)) } ?? nodes[1]
                try judge(ExpressionNode(.index(nodes[0], index)), samples) { (arguments) throws(EvaluationFault) in
                    if let symbol { return try Indexing.element(symbol, of: arguments[0]) }
                    let isFraction = arguments[1].isNumber && arguments[1].exactInteger == nil
                    return try Indexing.element(isFraction ? .integer(0) : arguments[1], of: arguments[0])
                }
            }
        }
    }

    /// Every function of the catalogue has a signature.
    @Test func tableIsComplete() {
        for function in FunctionCatalog.standard.functions {
            #expect(function.types?.parameters.count == function.arity, "\(function.name)")
        }
        for method in FunctionCatalog.standard.methods {
            #expect(method.types?.parameters.count == method.arity, "\(method.name)")
        }
    }
}
