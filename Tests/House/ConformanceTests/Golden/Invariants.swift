// Invariants that are checked for the text of every case: spans are inside the source, the printed text of a valid text
// parses to the same tree, and no text that differs by one token causes a crash.

import GoldenCases
import PredicateTestSupport
import Testing

enum Invariants {
    static func check(_ subject: GoldenSubject, _ name: String) {
        check(subject.tree, subject.diagnostics, subject.format, subject.environment, name)
        for mutant in TestDepth.some(mutants(of: subject.format), every: 4) {
            let (tree, _, diagnostics) = GoldenTree.read(
                mutant, expression: subject.tree.isExpression, in: subject.environment)
            check(tree, diagnostics, mutant, subject.environment, "\(name), changed to \(mutant.debugDescription)")
        }
    }

    private static func check(
        _ tree: GoldenTree, _ diagnostics: [PredicateDiagnostic], _ text: String, _ environment: PredicateEnvironment,
        _ name: String
    ) {
        let count = text.utf8.count
        var spans = diagnostics.flatMap { [$0.span] + $0.fixIts.map(\.span) }
        tree.walk(PredicateWalker(predicate: { spans.append($0.span) }, expression: { spans.append($0.span) }))
        if let outside = spans.first(where: { $0.end > count }) {
            Issue.record("\(name): the span \(outside.range) lies outside of the text")
        }
        if diagnostics.contains(where: { $0.severity == .error }) { return }
        var errorNodes = 0
        tree.walk(
            PredicateWalker(
                predicate: { if case .error = $0.kind { errorNodes += 1 } },
                expression: { if case .error = $0.kind { errorNodes += 1 } }))
        if errorNodes > 0 { Issue.record("\(name): a tree with error nodes, and no error") }
        for printed in tree.hasLiteralForm ? [tree.canonical, tree.exact] : [tree.exact] {
            let again = GoldenTree.read(printed, expression: tree.isExpression, in: environment)
            if again.tree != tree {
                Issue.record("\(name): printed as \(printed), which reads as another tree: \(again.tree.canonical)")
            }
        }
    }

    /// The texts with one token removed, doubled, replaced, or swapped with the next.
    static func mutants(of text: String) -> [String] {
        guard text.utf8.count < 4000 else { return [] }
        let tokens = tokens(of: text)
        let others = ["(", ")", "'", "\"", "%", "%@", "$", "[", "{", "}", ",", "\\", "AND", "NOT", ".", "é", "0x"]
        var mutants: [String] = []
        func add(_ tokens: [String]) { mutants.append(tokens.joined()) }
        for (index, token) in tokens.enumerated() where token != " " {
            var changed = tokens
            changed.remove(at: index)
            add(changed)
            changed = tokens
            changed.insert(token + " ", at: index)
            add(changed)
            changed = tokens
            changed[index] = others[(index &+ text.utf8.count) % others.count]
            add(changed)
            if index + 2 < tokens.count {
                changed = tokens
                changed.swapAt(index, index + 2)
                add(changed)
            }
        }
        return mutants
    }

    /// Splits into words, operators, spaces and single characters: larger parts than the lexer's, and independent of
    /// it.
    private static func tokens(of text: String) -> [String] {
        var tokens: [String] = []
        var previous = Character("\u{0}")
        for character in text {
            let joins = character == " " ? previous == " " : kind(character).map { $0 == kind(previous) } ?? false
            if joins, !tokens.isEmpty {
                if character != " " { tokens[tokens.count - 1].append(character) }
            } else {
                tokens.append(String(character))
            }
            previous = character
        }
        return tokens
    }

    private enum Kind { case word, sign }

    /// The kind of characters that this one is joined with; nil if it stays separate.
    private static func kind(_ character: Character) -> Kind? {
        if character.isLetter || character.isNumber || character == "_" { return .word }
        return "=<>!&|*:".contains(character) ? .sign : nil
    }
}
