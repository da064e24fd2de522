// The invariants of parsing that every text must satisfy. The Robustness tests provide the texts.
import Foundation
import PredicateModel
package import PredicateSyntax

package enum Robustness {
    /// Reads the lines of a data file. The data is beside the test targets, so that other implementations can use it.
    package static func lines(of file: String) throws -> [String] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../House/Robustness").standardized
        let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        return text.split(separator: "\n").filter { !$0.hasPrefix("//") }.map(String.init)
    }

    /// Returns the invariant of parsing that a text violates, as a predicate or as an expression; nil if it violates
    /// none.
    package static func violation(
        of text: String, arguments: FormatArguments = .unbound, options: LanguageOptions = []
    ) -> String? {
        let predicate = FormatParser.predicate(text, arguments: arguments, options: options)
        return violation(of: predicate, arguments: arguments, options: options)
    }

    /// The same for a text that was parsed as a predicate.
    package static func violation(
        of predicate: FormatParser.Parsed<PredicateNode>, arguments: FormatArguments = .unbound,
        options: LanguageOptions = []
    ) -> String? {
        let again = { FormatParser.predicate($0, options: options) }
        if let found = violation(predicate, isUnbound: arguments.isUnbound, again) { return "predicate: " + found }
        let expression = FormatParser.expression(predicate.source, arguments: arguments, options: options)
        let againExpression = { FormatParser.expression($0, options: options) }
        return violation(expression, isUnbound: arguments.isUnbound, againExpression).map { "expression: " + $0 }
    }

    private static func violation<Tree: TreeNode>(
        _ parsed: FormatParser.Parsed<Tree>, isUnbound: Bool, _ again: (String) -> FormatParser.Parsed<Tree>
    ) -> String? {
        let bytes = parsed.source.utf8.withContiguousStorageIfAvailable(Array.init) ?? Array(parsed.source.utf8)
        var bad: String?
        var holdsError = false
        func inspect(_ span: SourceSpan, _ what: @autoclosure () -> String) {
            if !isInside(span, bytes) { bad = bad ?? "the span \(span.start)..<\(span.end) of \(what())" }
        }
        parsed.tree.visit { span, isError, node in
            inspect(span, "\(node)")
            holdsError = holdsError || isError
        }
        for diagnostic in parsed.diagnostics {
            inspect(diagnostic.span, diagnostic.id.rawValue)
            for fixIt in diagnostic.fixIts { inspect(fixIt.span, "a fix-it of \(diagnostic.id.rawValue)") }
            if diagnostic.message.isEmpty { bad = bad ?? "an empty message of \(diagnostic.id.rawValue)" }
        }
        if let bad { return bad }
        let printed = "\(parsed.tree)"
        if holdsError, !parsed.hasErrors { return "an error node without an error: \(printed)" }
        guard !parsed.hasErrors, isUnbound else { return nil }
        let second = again(printed)
        if second.hasErrors { return "its print does not parse: \(printed): \(second.diagnostics.map(\.message))" }
        if second.tree != parsed.tree { return "its print is another tree: \(printed)" }
        if second.tree.hashValue != parsed.tree.hashValue { return "equal trees have different hashes: \(printed)" }
        if "\(second.tree)" != printed { return "its print prints otherwise: \(printed), \(second.tree)" }
        return nil
    }

    /// Whether the span is ordered, inside the text, and does not split a character.
    private static func isInside(_ span: SourceSpan, _ bytes: [UInt8]) -> Bool {
        func isBoundary(_ index: Int) -> Bool { index == bytes.count || bytes[index] & 0xC0 != 0x80 }
        return span.start <= span.end && span.end <= bytes.count && isBoundary(span.start) && isBoundary(span.end)
    }
}

extension FormatArguments {
    fileprivate var isUnbound: Bool {
        if case .bound = self { return false }
        return true
    }
}

/// The common interface of the two kinds of tree.
private protocol TreeNode: Hashable, Sendable, CustomStringConvertible {
    func visit(_ body: @escaping (SourceSpan, Bool, any CustomStringConvertible) -> Void)
}

extension PredicateNode: TreeNode {
    fileprivate func visit(_ body: @escaping (SourceSpan, Bool, any CustomStringConvertible) -> Void) {
        PredicateWalker(
            predicate: { body($0.span, $0.kind == .error, $0) }, expression: { body($0.span, $0.kind == .error, $0) }
        ).walk(self)
    }
}

extension ExpressionNode: TreeNode {
    fileprivate func visit(_ body: @escaping (SourceSpan, Bool, any CustomStringConvertible) -> Void) {
        PredicateWalker(
            predicate: { body($0.span, $0.kind == .error, $0) }, expression: { body($0.span, $0.kind == .error, $0) }
        ).walk(self)
    }
}
