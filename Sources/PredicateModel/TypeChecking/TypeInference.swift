// Infers the types of all expressions of a tree, bottom-up, and collects errors. Each kind of node has its own
// method, which keeps stack frames small: a single long switch would need many times as much stack, and a tree
// may be as high as `PredicateLimits.nesting`.
import PredicateSyntax

/// The inferred facts about an operand. A class, so that recursive calls hold one word of it.
final class Operand {
    let node: ExpressionNode
    var type: ExpressionType
    /// The value, if it is a constant.
    var constant: PredicateValue?
    /// The kind of the path's last key.
    var role = Role.value
    /// Whether the value is a count, which is never negative.
    var isCount = false
    /// The elements of a list in the text.
    var members: [Operand]?
    /// Whether it is an element of a collection, under ANY or ALL.
    var isElement = false
    /// Whether an error in it has been reported.
    var isFailure = false

    enum Role: String {
        case value, attribute, relationship
    }

    init(_ node: ExpressionNode, _ type: ExpressionType, constant: PredicateValue? = nil) {
        self.node = node
        self.type = type
        self.constant = constant
    }

    var span: SourceSpan { node.span }

    /// The elements of a list in the text or of a constant array.
    var listed: [Operand]? {
        if let members { return members }
        guard case .array(let values) = constant else { return nil }
        return values.map { Operand(node, ExpressionType(of: $0), constant: $0) }
    }

    var isVariable: Bool { if case .variable = node.kind { true } else { false } }

    /// Whether it is a key path.
    var isPath: Bool {
        switch node.kind {
        case .keyPath, .member: true
        default: false
        }
    }
}

final class TypeInference {
    let checker: TypeChecker
    /// The bytes of the text. Lazy, because only diagnostics need them.
    private(set) lazy var source = Array(text.utf8)
    private let text: String
    private(set) var diagnostics: [Diagnostic] = []
    /// The rules that need no types; nil if they have been applied already, by parsing.
    private let formRules: FormRules?
    private(set) var formFindings: Findings
    private var scope: [(name: String, type: ExpressionType)] = []
    /// The type of the evaluated objects.
    let root: ExpressionType
    /// The variables bound to expressions. Their diagnostics refer to another text, and are reported at the variable.
    private var expansions: [String: (type: ExpressionType, findings: [Diagnostic])] = [:]
    /// The variables that an assignment in the predicate changes.
    private var assigned: Set<String> = []

    init(_ checker: TypeChecker, source: String, appliesFormRules: Bool = false) {
        self.checker = checker
        text = source
        formRules =
            appliesFormRules ? FormRules(source: source, catalog: checker.catalog, limits: checker.limits) : nil
        formFindings = Findings(limit: checker.limits.diagnostics)
        root = checker.row ?? ExpressionType(.entity(checker.entity))
    }

    func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

    func report(_ id: DiagnosticID, at span: SourceSpan, _ details: String..., suggestion: String? = nil) {
        diagnostics.append(Diagnostic(id, at: span, details: details, suggestion: suggestion))
    }

    // MARK: Predicates

    /// Checks a whole predicate.
    func checkAll(_ tree: PredicateNode) {
        readVariables(tree)
        check(tree)
    }

    /// The type of a whole expression.
    func inferAll(_ tree: ExpressionNode) -> ExpressionType {
        readVariables(nil, tree)
        return infer(tree).type
    }

    func check(_ node: PredicateNode) {
        switch node.kind {
        case .constant, .error: break
        case .comparison: checkComparison(node)
        case .and(let children), .or(let children):
            formRules?.checkTerms(node, &formFindings)
            for child in children { check(child) }
        case .not(let child): check(child)
        }
    }

    // MARK: Expressions

    func infer(_ node: ExpressionNode) -> Operand {
        formRules?.check(node, &formFindings)
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

    /// Applies the rules that need no types to a comparison.
    func checkForm(of comparison: ComparisonNode) { formRules?.check(comparison, &formFindings) }

    /// Applies them to an expression that has no type.
    func checkForm(of node: ExpressionNode) { formRules?.checkAll(node, &formFindings) }

    func infer(_ nodes: [ExpressionNode]) -> [Operand] {
        var operands: [Operand] = []
        for node in nodes { operands.append(infer(node)) }
        return operands
    }

    private func leaf(_ node: ExpressionNode) -> Operand {
        switch node.kind {
        case .value(let value): return Operand(node, ExpressionType(of: value), constant: value)
        case .selfObject: return Operand(node, root)
        case .variable(let name): return variable(node, name)
        case .argument(let conversion): return Operand(node, Self.type(of: conversion.kind))
        case .keyPath(let keys): return path(keys, from: root, node, at: node.span)
        case .anyKey: report(.valueExpected, at: node.span, "ANYKEY")
        case .fetch(let arguments): for argument in arguments { checkForm(of: argument) }
        case .term(let name, _): report(.unsupportedFunction, at: node.span, name)
        default: break
        }
        return Operand(node, .any)
    }

    /// A variable of the innermost SUBQUERY, else of the caller.
    private func variable(_ node: ExpressionNode, _ name: String) -> Operand {
        if let bound = scope.last(where: { $0.name == name }) { return Operand(node, bound.type) }
        guard let argument = checker.variables?[name], !assigned.contains(name) else { return Operand(node, .any) }
        switch argument {
        case .value(let value): return Operand(node, ExpressionType(of: value), constant: value)
        case .expression:
            let expansion = expansions[name]
            for finding in expansion?.findings ?? [] {
                report(
                    Diagnostic(
                        finding.id, at: node.span, details: finding.details, severity: finding.severity,
                        suggestion: finding.suggestion))
            }
            return Operand(node, expansion?.type ?? .any)
        }
    }

    /// Infers the expressions bound to variables, and finds the variables that the predicate assigns. An expression of
    /// the caller can use the caller's values, but no variable of a SUBQUERY.
    private func readVariables(_ tree: PredicateNode?, _ expression: ExpressionNode? = nil) {
        guard let variables = checker.variables, !variables.isEmpty else { return }
        let walker = PredicateWalker(expression: { [self] node in
            if case .assignment(let name, _) = node.kind { assigned.insert(name) }
        })
        if let tree { walker.walk(tree) }
        if let expression { walker.walk(expression) }
        var expressions: [(name: String, node: ExpressionNode)] = []
        for (name, argument) in variables {
            guard case .expression(let node) = argument, node.height <= checker.limits.nesting else { continue }
            walker.walk(node)
            expressions.append((name, node))
        }
        for (name, node) in expressions {
            let inference = TypeInference(checker, source: "")
            inference.assigned = assigned
            expansions[name] = (inference.infer(node).type, inference.diagnostics)
        }
    }

    private static func type(of conversion: FormatConversion.Kind) -> ExpressionType {
        switch conversion {
        case .integer: ExpressionType(.integer)
        case .floatingPoint: ExpressionType(.double)
        case .object, .keyPath: .any
        }
    }

    private func assignment(_ node: ExpressionNode) -> Operand {
        guard case .assignment(_, let operand) = node.kind else { return Operand(node, .any) }
        return Operand(node, infer(operand).type)
    }

    private func aggregate(_ node: ExpressionNode) -> Operand {
        guard case .aggregate(let elements) = node.kind else { return Operand(node, .any) }
        let operands = infer(elements)
        let constants = operands.compactMap(\.constant)
        let element = ExpressionType.common(of: operands.map(\.type))
        let list = Operand(node, ExpressionType(.collection(.list, of: element)))
        list.constant = constants.count == elements.count ? .array(constants) : nil
        list.members = operands
        return list
    }

    private func ternary(_ node: ExpressionNode) -> Operand {
        guard case .ternary(let condition, let yes, let no) = node.kind else { return Operand(node, .any) }
        check(condition)
        return Operand(node, infer(yes).type.joined(infer(no).type))
    }

    /// The collection belongs to the outer scope. Keys without a variable in the condition belong to the root
    /// object (LANGUAGE 5.10, B 15).
    private func subquery(_ node: ExpressionNode) -> Operand {
        guard case .subquery(let collection, let variable, let condition) = node.kind
        else { return Operand(node, .any) }
        let base = infer(collection)
        scope.append((variable, element(of: base)))
        check(condition)
        scope.removeLast()
        return Operand(node, base.type.element == nil ? .any : base.type)
    }

    private func element(of base: Operand) -> ExpressionType {
        if let element = base.type.element { return element }
        if !base.type.isOpen { report(.notACollection, at: base.span, "SUBQUERY", base.type.inWords) }
        return .any
    }
}
