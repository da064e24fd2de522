// Checks the keys of a predicate against those that a type publishes (LANGUAGE C 5), before evaluation.
// TypeChecker checks types.
import PredicateModel
import PredicateSyntax

final class KeyChecker {
    private let root: QueryType
    private let source: [UInt8]
    private var scope: [(name: String, type: QueryType)] = []
    private var diagnostics: [Diagnostic] = []

    private init(root: QueryType, source: String) {
        self.root = root
        self.source = Array(source.utf8)
    }

    /// Returns a diagnostic for every unknown key, in the order of the text.
    static func check(_ predicate: PredicateNode, against type: QueryType, source: String) -> [Diagnostic] {
        guard predicate.height <= Limits.standard.nesting else { return [] }
        let checker = KeyChecker(root: type, source: source)
        checker.check(predicate)
        return checker.diagnostics
    }

    private func check(_ node: PredicateNode) {
        switch node.kind {
        case .constant, .error: break
        case .comparison: comparison(node)
        case .and(let children), .or(let children): for child in children { check(child) }
        case .not(let child): check(child)
        }
    }

    private func comparison(_ node: PredicateNode) {
        guard case .comparison(let comparison) = node.kind else { return }
        _ = type(of: comparison.left)
        _ = type(of: comparison.right)
    }

    /// The type of an expression, as far as keys need it. One method per kind of node keeps stack frames small.
    private func type(of node: ExpressionNode) -> QueryType {
        switch node.kind {
        case .selfObject: root
        case .keyPath(let keys): path(root, keys[...], node.span)
        case .variable(let name): scope.last { $0.name == name }?.type ?? .any
        case .member: member(node)
        case .index: index(node)
        case .ternary: ternary(node)
        case .subquery: subquery(node)
        case .call, .method, .aggregate, .binary, .negation, .cast, .assignment, .fetch: children(node)
        case .value, .anyKey, .indexSymbol, .term, .argument, .error: .any
        }
    }

    private func children(_ node: ExpressionNode) -> QueryType {
        // Collect first: `forEachChild` has a large stack frame, which should not be part of the recursion.
        var predicates: [PredicateNode] = []
        var expressions: [ExpressionNode] = []
        node.kind.forEachChild({ predicates.append($0) }, { expressions.append($0) })
        for predicate in predicates { check(predicate) }
        for expression in expressions { _ = type(of: expression) }
        return .any
    }

    private func member(_ node: ExpressionNode) -> QueryType {
        guard case .member(let base, let step) = node.kind else { return .any }
        let type = type(of: base)
        switch step.kind {
        case .keyPath(let keys): return path(type, keys[...], step.span)
        case .value(.string(let key)): return path(type, [key], step.span)
        case .selfObject: return type
        // The plan compiler reports this with a better explanation.
        case .index: return .any
        default:
            _ = self.type(of: step)
            return .any
        }
    }

    private func index(_ node: ExpressionNode) -> QueryType {
        guard case .index(let collection, let index) = node.kind else { return .any }
        let type = type(of: collection)
        _ = self.type(of: index)
        if case .indexSymbol(.size) = index.kind { return .integer }
        return type.element ?? .any
    }

    private func ternary(_ node: ExpressionNode) -> QueryType {
        guard case .ternary(let condition, let yes, let no) = node.kind else { return .any }
        check(condition)
        _ = type(of: yes)
        _ = type(of: no)
        return .any
    }

    private func subquery(_ node: ExpressionNode) -> QueryType {
        guard case .subquery(let collection, let name, let condition) = node.kind else { return .any }
        let type = type(of: collection)
        scope.append((name, type.element ?? .any))
        check(condition)
        scope.removeLast()
        return type
    }

    /// Follows a path and reports its first unknown key.
    private func path(_ type: QueryType, _ keys: ArraySlice<String>, _ span: SourceSpan) -> QueryType {
        var type = type
        /// The number of collections mapped over so far.
        var lists = 0
        for index in keys.indices {
            let key = keys[index]
            while let wrapped = type.unwrapped { type = wrapped }
            if key.hasPrefix("@") {
                if key == "@count" { return .integer }
                let operand = type.element ?? (lists > 0 ? type : .any)
                let rest = keys[(index + 1)...]
                let nested = key.hasPrefix("@unionOfA") || key.hasSuffix("Arrays") || key.hasSuffix("Sets")
                let result = path(nested ? operand.element ?? operand : operand, rest, span)
                return key.contains("nionOf") ? .list(result) : result
            }
            while let element = type.mapped {
                lists += 1
                type = element
            }
            while let wrapped = type.unwrapped { type = wrapped }
            switch type {
            case .any: return .any
            case .dictionary(let value): type = value
            case .object(let object):
                if key == "self" { continue }
                guard let next = object.type(key) else {
                    report(object.name, key, at: place(of: key, keys, index, in: span), object.keys().keys.sorted())
                    return .any
                }
                type = next
            default:
                guard let property = FunctionCatalog.standard.property(named: key) else {
                    report(type.name, key, at: place(of: key, keys, index, in: span), [])
                    return .any
                }
                type = property.name == "self" ? type : .any
            }
        }
        for _ in 0..<lists { type = .list(type) }
        return type
    }

    private func report(_ owner: String, _ key: String, at span: SourceSpan, _ candidates: [String]) {
        let nearest = Suggestions.nearest(to: key, in: candidates)
        diagnostics.append(Diagnostic(.unknownKey, at: span, owner, key, suggestion: nearest))
    }

    /// The place of a key inside a path, if the text has the path literally; else the whole path.
    private func place(
        of key: String, _ keys: ArraySlice<String>, _ index: Int, in span: SourceSpan
    ) -> SourceSpan {
        guard span.end <= source.count,
            source[span.range].elementsEqual(keys.joined(separator: ".").utf8)
        else { return span }
        let start = span.start + keys[..<index].reduce(0) { $0 + $1.utf8.count + 1 }
        return SourceSpan(start, start + key.utf8.count)
    }
}

extension QueryType {
    /// The wrapped type of an optional; nil for others.
    var unwrapped: QueryType? {
        if case .optional(let wrapped) = self { wrapped } else { nil }
    }

    /// The element type of a list or set, over which a key is mapped; nil for others.
    var mapped: QueryType? {
        switch self {
        case .list(let element), .set(let element): element
        case .optional(let wrapped): wrapped.mapped
        default: nil
        }
    }

    /// The element type of any collection; nil for others.
    var element: QueryType? {
        switch self {
        case .list(let element), .set(let element), .dictionary(let element): element
        case .optional(let wrapped): wrapped.element
        default: nil
        }
    }

    /// The name for messages.
    var name: String {
        switch self {
        case .boolean: "a Boolean"
        case .integer: "an integer"
        case .double: "a number"
        case .decimal: "a decimal"
        case .string: "a text"
        case .date: "a date"
        case .data: "data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .any: "a value"
        case .optional(let wrapped): wrapped.name
        case .list: "an array"
        case .set: "a set"
        case .dictionary: "a dictionary"
        case .object(let type): type.name
        }
    }
}
