// A predicate or an expression as one type, so that all golden cases have the same type.

package import PredicateEvaluation
package import PredicateModel
import PredicateRules
package import PredicateSyntax

package typealias GoldenTree = PredicateTree

extension PredicateTree {
    /// Parses a text. Returns the tree, the errors of the parser, and all findings of a check without a schema.
    package static func read(
        _ text: String, expression: Bool, arguments: FormatArguments = .unbound,
        in environment: PredicateEnvironment = .standard
    ) -> (tree: GoldenTree, syntax: [PredicateDiagnostic], diagnostics: [PredicateDiagnostic]) {
        let (tree, syntax) = parse(text, expression: expression, arguments, environment)
        return (tree, syntax, tree.findings(source: text, syntax: syntax, by: .text(environment)))
    }

    /// A text with all certain corrections of its findings, until there are none, as `lint --fix` makes them.
    package static func corrected(_ text: String, _ findings: (String) -> [PredicateDiagnostic]) -> String {
        var text = text
        for _ in 0..<8 {
            let old = Array(text.utf8)
            var bytes = old
            var limit = bytes.count + 1
            for diagnostic in findings(text).reversed() where !diagnostic.fixIts.isEmpty {
                let edits = diagnostic.fixIts.sorted { $0.span.start > $1.span.start }
                guard edits[0].span.end < limit, let last = edits.last else { continue }
                for edit in edits { bytes.replaceSubrange(edit.span.range, with: edit.replacement.utf8) }
                limit = last.span.start
            }
            if bytes == old { break }
            text = String(decoding: bytes, as: UTF8.self)
        }
        return text
    }

    private static func parse(
        _ text: String, expression: Bool, _ arguments: FormatArguments, _ environment: PredicateEnvironment
    ) -> (GoldenTree, [PredicateDiagnostic]) {
        if expression {
            let parsed = FormatExpression.parse(text, arguments: arguments, in: environment)
            return (.expression(parsed.tree), parsed.diagnostics)
        }
        let parsed = FormatPredicate.parse(text, arguments: arguments, in: environment)
        return (.predicate(parsed.tree), parsed.diagnostics)
    }

    package var isExpression: Bool { if case .expression = self { true } else { false } }

    package var canonical: String {
        switch self {
        case .predicate(let node): node.description
        case .expression(let node): node.description
        }
    }

    /// The exact description, which parses to an equal tree.
    package var exact: String {
        switch self {
        case .predicate(let node): node.exactDescription
        case .expression(let node): node.exactDescription
        }
    }

    package var dump: String { TreeDump.dump(self) }

    package var pretty: String {
        switch self {
        case .predicate(let node): PrettyPrinter().print(node)
        case .expression(let node): PrettyPrinter().print(node)
        }
    }

    package func evaluate(
        _ object: PredicateValue, _ variables: PredicateVariables, source: String, in environment: PredicateEnvironment
    ) throws(PredicateFailure) -> PredicateValue {
        switch self {
        case .predicate(let node):
            .bool(try FormatPredicate(node, source: source, in: environment).evaluate(object, variables: variables))
        case .expression(let node):
            try FormatExpression(node, source: source, in: environment).evaluate(object, variables: variables)
        }
    }

    package func walk(_ walker: PredicateWalker) {
        switch self {
        case .predicate(let node): walker.walk(node)
        case .expression(let node): walker.walk(node)
        }
    }

    /// Whether all constants and keys have a literal form, unlike dates, sets and keys with spaces.
    package var hasLiteralForm: Bool {
        var literal = true
        walk(
            PredicateWalker(expression: { node in
                switch node.kind {
                case .value(let value): literal = literal && Self.isLiteral(value)
                case .keyPath(let path): literal = literal && path.allSatisfy(Self.isIdentifier)
                default: break
                }
            }))
        return literal
    }

    private static func isLiteral(_ value: PredicateValue) -> Bool {
        switch value {
        case .null, .bool, .integer, .string: true
        case .double(let number): number.isFinite
        default: false
        }
    }

    private static func isIdentifier(_ component: String) -> Bool {
        var name = component.utf8[...]
        if name.first == UInt8(ascii: "@") { name = name.dropFirst() }
        guard let first = name.first, !(48...57).contains(first) else { return false }
        return name.allSatisfy { byte in
            byte == UInt8(ascii: "_") || (48...57).contains(byte) || (65...90).contains(byte & 0xDF) || byte >= 0x80
        }
    }
}
