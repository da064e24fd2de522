// Infers the types of all expressions of a tree, bottom-up, and collects errors. Each kind of node has its own method
// to keep stack frames small: a single long switch would need many times as much stack, and a tree may be as high as
// `PredicateLimits.nesting`.

/// An expression and what is inferred about it. A class, so that recursive calls pass one word.
final class TypedNode {
    let node: ExpressionNode
    var type: ExpressionType
    /// The value, if it is a constant.
    var constant: PredicateValue?
    /// The kind of the path's last key.
    var role = Role.value
    /// Whether the value is a count, which is never negative.
    var isCount = false
    /// The elements of a list literal in the text.
    var members: [TypedNode]?
    /// What the schema knows about the values of the key, or about the elements of its lists.
    var known: PredicateSchema.KnownValues?
    /// Whether it is an element of a collection, under ANY or ALL.
    var isElement = false
    /// Whether an error inside it has already been reported.
    var isFailure = false

    enum Role: String {
        case value, attribute, relationship
        /// A step of the calendar.
        case step
    }

    init(_ node: ExpressionNode, _ type: ExpressionType, constant: PredicateValue? = nil) {
        self.node = node
        self.type = type
        self.constant = constant
    }

    var span: SourceSpan { node.span }

    /// The elements of a list literal or of a constant array.
    var listed: [TypedNode]? {
        if let members { return members }
        guard case .array(let values) = constant else { return nil }
        return values.map { TypedNode(node, ExpressionType(of: $0), constant: $0) }
    }

    var isVariable: Bool { if case .variable = node.kind { true } else { false } }

    /// Whether it is a key path.
    var isPath: Bool {
        switch node.kind {
        case .keyPath, .member, .term: true
        default: false
        }
    }
}

final class TypeInference: FindingReporter {
    let checker: TypeChecker
    /// How an app permits a change by a condition that does not depend on the row.
    static let constantOption = "allowingConstantComparisons"
    /// The bytes of the text. Lazy, because only diagnostics need them.
    private(set) lazy var source = Array(text.utf8)
    private let text: String
    var findings: Findings
    /// Whether arguments and all parts of the tree must have a value, because it will be evaluated.
    var needsValues = false
    /// The variables that have a value later; every other one needs one now. nil if any variable may have one later.
    var declared: Set<String>?
    /// Whether texts can be compared by a locale.
    var hasLocale = true
    /// Whether comparisons are reported whose result does not depend on the object.
    var findsConstants = true
    /// Whether the rows that match are changed. Then a condition that does not depend on the row is an error.
    var isChange = false
    /// The results of comparisons that do not depend on the object; only for a change.
    var constants: [ComparisonNode: Bool] = [:]
    /// The number of comparisons that were checked.
    var comparisons = 0
    /// Called for the texts of a comparison that were read, with the number of comparisons before it.
    var onRead: ((Int, TypedTerm) -> Void)?
    /// Whether operands of the wrong type are reported.
    let reportsTypes: Bool
    /// The left side of the comparison whose right side is read.
    var compared: TypedNode?
    private var scope: [(name: String, type: ExpressionType)] = []
    /// The type of the evaluated objects.
    let root: ExpressionType
    /// The variables bound to expressions. Their diagnostics refer to another text, so they are reported at the
    /// variable.
    private var expansions: [String: (type: ExpressionType, findings: [PredicateDiagnostic])] = [:]
    /// Whether this infers the expression of a variable. It can use the caller's values, but no SUBQUERY variables and
    /// no other bound expressions.
    private let isExpansion: Bool
    private let tree: PredicateTree
    /// The variables that an assignment in the predicate changes.
    private lazy var assigned = Set(tree.assignedVariables)

    init(_ checker: TypeChecker, _ tree: PredicateTree, source: String, adding findings: Findings) {
        self.checker = checker
        self.tree = tree
        text = source
        self.findings = findings
        reportsTypes = checker.reportsTypes
        root = checker.row ?? ExpressionType(.entity(checker.entity))
        isExpansion = false
    }

    private init(expansionIn other: TypeInference) {
        (checker, tree, text, root) = (other.checker, other.tree, "", other.root)
        (needsValues, declared) = (other.needsValues, other.declared)
        (hasLocale, findsConstants) = (other.hasLocale, other.findsConstants)
        findings = Findings(limit: checker.environment.limits.diagnostics)
        reportsTypes = true
        isExpansion = true
    }

    /// Reports a finding that depends on types.
    func report(_ diagnostic: PredicateDiagnostic) { if reportsTypes { findings.append(diagnostic) } }

    // MARK: Predicates

    /// Checks the whole tree. Returns the type of an expression.
    func checkAll() -> ExpressionType {
        // Inferred here and not at their uses, because a use may already be deep inside the tree.
        for case (let name, .expression(let node)) in checker.variables ?? [:] {
            expansions[name] = expansion(name, node)
        }
        switch tree {
        case .predicate(let node): check(node)
        case .expression(let node): return infer(node).type
        }
        return ExpressionType(.boolean)
    }

    func check(_ node: PredicateNode) {
        switch node.kind {
        case .constant: break
        case .error: refuse(unread: node.span)
        case .comparison: checkComparison(node)
        case .and(let children), .or(let children): for child in children { check(child) }
        case .not(let child): check(child)
        }
    }

    // MARK: Expressions

    func infer(_ node: ExpressionNode) -> TypedNode {
        refuse(node)
        return switch node.kind {
        case .member: member(node)
        case .index: index(node)
        case .binary: binary(node)
        case .negation: negation(node)
        case .call: call(node)
        case .method: method(node)
        case .cast: cast(node)
        case .aggregate: aggregate(node)
        case .ternary: ternary(node)
        case .subquery: subquery(node)
        case .assignment: assignment(node)
        case .value, .selfObject, .variable, .argument, .keyPath, .anyKey, .fetch, .term, .indexSymbol, .error:
            leaf(node)
        }
    }

    func infer(_ nodes: [ExpressionNode]) -> [TypedNode] {
        var operands: [TypedNode] = []
        for node in nodes { operands.append(infer(node)) }
        return operands
    }

    private func leaf(_ node: ExpressionNode) -> TypedNode {
        switch node.kind {
        case .value(let value): return TypedNode(node, ExpressionType(of: value), constant: value)
        case .selfObject: return TypedNode(node, root)
        case .variable(let name): return variable(node, name)
        case .argument(let conversion): return TypedNode(node, Self.type(of: conversion.kind))
        case .keyPath(let keys): return path(keys, from: root, node, at: node.span)
        case .fetch(let arguments): for argument in arguments { refuse(below: argument) }
        case .term(let name, let argument):
            return TypedNode(node, checker.terms["\(name)(\(argument))"] ?? .any)
        default: break
        }
        return TypedNode(node, .any)
    }

    /// A variable of the innermost SUBQUERY, else of the caller.
    private func variable(_ node: ExpressionNode, _ name: String) -> TypedNode {
        if let bound = scope.last(where: { $0.name == name }) { return TypedNode(node, bound.type) }
        switch checker.variables?[name] {
        case .value(let value):
            return assigned.contains(name)
                ? TypedNode(node, .any) : TypedNode(node, ExpressionType(of: value), constant: value)
        case .expression where !isExpansion: return expanded(node, name)
        default:
            if let declared, !declared.contains(name), !assigned.contains(name) {
                refuse(.unboundVariable, at: node.span, name)
            }
            return TypedNode(node, .any)
        }
    }

    /// A variable whose value is an expression.
    private func expanded(_ node: ExpressionNode, _ name: String) -> TypedNode {
        let (type, findings) = expansions[name] ?? (.any, [])
        for finding in findings {
            self.findings.append(
                PredicateDiagnostic(
                    finding.id, at: node.span, details: finding.details, severity: finding.severity,
                    suggestion: finding.suggestion))
        }
        return TypedNode(node, assigned.contains(name) ? .any : type)
    }

    private func expansion(_ name: String, _ expression: ExpressionNode) -> (ExpressionType, [PredicateDiagnostic]) {
        let limit = checker.environment.limits.nesting
        if expression.height > limit {
            let what = "the expression bound to $\(name) is nested too deep"
            return (.any, [PredicateDiagnostic(.limitExceeded, at: .none, what, "\(limit)")])
        }
        let inference = TypeInference(expansionIn: self)
        let type = inference.infer(expression).type
        return (type, inference.findings.inOrder)
    }

    private static func type(of conversion: FormatConversion.Kind) -> ExpressionType {
        switch conversion {
        case .integer: ExpressionType(.integer)
        case .floatingPoint: ExpressionType(.double)
        case .object, .keyPath: .any
        }
    }

    private func assignment(_ node: ExpressionNode) -> TypedNode {
        guard case .assignment(_, let operand) = node.kind else { return TypedNode(node, .any) }
        return TypedNode(node, infer(operand).type)
    }

    private func aggregate(_ node: ExpressionNode) -> TypedNode {
        guard case .aggregate(let elements) = node.kind else { return TypedNode(node, .any) }
        let operands = infer(elements)
        let constants = operands.compactMap { $0.constant }
        let element = ExpressionType.common(of: operands.map { $0.type })
        let list = TypedNode(node, ExpressionType(.collection(.list, of: element)))
        list.constant = constants.count == elements.count ? .array(constants) : nil
        list.members = operands
        return list
    }

    private func ternary(_ node: ExpressionNode) -> TypedNode {
        guard case .ternary(let condition, let yes, let no) = node.kind else { return TypedNode(node, .any) }
        check(condition)
        return TypedNode(node, infer(yes).type.joined(infer(no).type))
    }

    /// The collection is resolved in the outer scope. In the condition, keys without a variable belong to the root
    /// object (LANGUAGE 5.10, B 15).
    private func subquery(_ node: ExpressionNode) -> TypedNode {
        guard case .subquery(let collection, let variable, let condition) = node.kind
        else { return TypedNode(node, .any) }
        let base = infer(collection)
        scope.append((variable, element(of: base)))
        check(condition)
        scope.removeLast()
        return TypedNode(node, base.type.element == nil ? .any : base.type)
    }

    private func element(of base: TypedNode) -> ExpressionType {
        if let element = base.type.element { return element }
        if !base.type.isOpen { report(.notACollection, at: base.span, "SUBQUERY", base.type.inWords) }
        return .any
    }
}

extension PredicateNode {
    /// The error for a change whose condition is true for every row, or may be.
    func refusedForChange(_ why: String) -> PredicateDiagnostic {
        PredicateDiagnostic(.changeCondition, at: span, why, "write TRUEPREDICATE", TypeInference.constantOption)
    }

    /// The error for a change whose condition is true for every row.
    package var changesEveryRow: PredicateDiagnostic { refusedForChange("it is true for every row") }

    /// Whether it contains a comparison, and not only TRUEPREDICATE and FALSEPREDICATE.
    package var comparesValues: Bool {
        switch kind {
        case .constant: false
        case .comparison, .error: true
        case .and(let children), .or(let children): children.contains { $0.comparesValues }
        case .not(let child): child.comparesValues
        }
    }
}
