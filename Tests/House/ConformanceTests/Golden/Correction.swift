// Applies a correction to a text, and finds what it changes besides the mistake.

import Foundation
import GoldenCases
import PredicateCheckCommands
import PredicateRules

@testable import PredicateSyntax

/// A text with mistakes, and how it is read.
struct CorrectedText {
    let text: String
    let isExpression: Bool
    let arguments: FormatArguments
    let environment: PredicateEnvironment
    /// Checks against a schema; nil for a check without types.
    let checker: TypeChecker?
    /// Reads for a program; nil for none.
    var reader: TextReader?

    init(_ subject: GoldenSubject, _ checker: TypeChecker? = nil) {
        (text, arguments, environment) = (subject.format, subject.arguments, subject.environment)
        (isExpression, self.checker) = (subject.tree.isExpression, checker)
    }

    init(_ text: String) {
        (self.text, arguments, environment) = (text, .unbound, .standard)
        (isExpression, checker) = (false, nil)
    }

    /// A text for the program of a profile.
    init(_ text: String, _ profile: Profile) {
        (self.text, arguments, isExpression, checker) = (text, .unbound, false, nil)
        var reader = TextReader()
        reader.profile = ProfileChecker(profile: profile).textProfile
        environment = reader.read(text).environment
        self.reader = reader
    }

    func findings(_ text: String) -> [PredicateDiagnostic] {
        if let reader { return reader.read(text).diagnostics }
        let (tree, syntax, diagnostics) = GoldenTree.read(
            text, expression: isExpression, arguments: arguments, in: environment)
        return checker.map { tree.findings(source: text, syntax: syntax, by: $0) } ?? diagnostics
    }

    /// What the diagnostic offers: the text with its fix-its, or texts with its suggestion or its advice in the place of
    /// the span or of a part of the tree around it, of which one must be right. Empty if it offers no text.
    func results(of diagnostic: PredicateDiagnostic) -> [String] {
        if let result = diagnostic.correcting(text) { return [result] }
        guard let meant = diagnostic.suggestion ?? Self.written(diagnostic), !meant.contains(/…|condition/)
        else { return [] }
        let tree = GoldenTree.read(text, expression: isExpression, arguments: arguments, in: environment).tree
        var spans = [diagnostic.span]
        func add(_ span: SourceSpan) {
            if span.start <= diagnostic.span.end, diagnostic.span.start <= span.end, span != .none {
                spans.append(span)
            }
        }
        tree.walk(PredicateWalker(predicate: { add($0.span) }, expression: { add($0.span) }))
        spans.append(SourceSpan(0, text.utf8.count))
        return spans.map { span in
            var bytes = Array(text.utf8)
            bytes.replaceSubrange(span.range, with: meant.utf8)
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The text that an advice says to write: `write kids.@count == 0`; nil if the advice is in words, or a pattern such as
    /// `write {lower, upper}`.
    private static func written(_ diagnostic: PredicateDiagnostic) -> String? {
        let openings = ["write a text: ", "write a number: ", "as a key write ", "write "]
        let patterns: Set<DiagnosticID> = [.functionArguments, .betweenOperand, .castLiteral, .refusedMethod]
        guard let label = diagnostic.label, let opening = openings.first(where: label.hasPrefix),
            !patterns.contains(diagnostic.id), !label.contains(/YYYY|-MM|list\[|key\./)
        else { return nil }
        let text = String(label.dropFirst(opening.count))
        let isText = [false, true].contains { expression in
            !GoldenTree.read(text, expression: expression).syntax.contains { $0.severity == .error }
        }
        return isText ? text : nil
    }

    // MARK: Meaning

    /// Why a result is no correction of the diagnostic; empty if it is.
    func problems(of result: String, for diagnostic: PredicateDiagnostic) -> [String] {
        var problems: [String] = []
        let before = findings(text).map { $0.id }
        var after = findings(GoldenTree.corrected(result, findings)).map { $0.id }
        if after.count(where: { $0 == diagnostic.id }) >= max(1, before.count { $0 == diagnostic.id }) {
            problems.append("the mistake is still there")
        }
        for id in before { if let index = after.firstIndex(of: id) { after.remove(at: index) } }
        problems += after.filter { $0 != diagnostic.id }.map { "it has the mistake \($0.rawValue)" }
        let (old, new) = (Self.words(text), Self.words(result))
        var lost = Self.difference(old, new)
        var gained = Self.difference(new, old)
        if lost.joined() == gained.joined() { (lost, gained) = ([], []) }
        let removed = removed(by: diagnostic)
        let meant = removed.isEmpty || reader == nil ? [] : Self.words(diagnostic.suggestion ?? "")
        problems += lost.filter { word in
            !Self.isForeign(word) && !removed.contains(word) && Suggestions.nearest(to: word, in: gained) == nil
                && !gained.contains {
                    $0 == word.prefix { $0.isNumber } || $0.hasPrefix(word) || Self.areQuantifiers(word, $0)
                }
                && !(word == "nil" && gained.contains("count")) && !(word == "true" && gained.contains("yes"))
        }.map { "it loses '\($0)'" }
        problems += gained.filter { word in
            !Self.isOfLanguage(word) && !old.contains(word) && !meant.contains(word)
                && Suggestions.nearest(to: word, in: lost) == nil
                && !lost.contains { word == $0.prefix { $0.isNumber } || word.hasPrefix($0) }
                && !(word == "0" && (gained.contains("count") || diagnostic.id == .malformedNumber))
        }.map { "it invents '\($0)'" }
        if Self.isOpposite(text, result) { problems.append("it is the opposite") }
        if text.contains(/[0-9]%/) && !result.contains(/[0-9]%/)
            || text.contains(/\$[0-9]+(?![0-9.])/) && !result.contains(/\$[0-9]/) && !result.contains("%@")
        {
            problems.append("it loses the unit of a number")
        }
        problems += Self.constants(result).filter { text in
            [text.first, text.last].contains { $0.map(Self.isQuote) ?? false }
        }.map { "the text \($0) has a quote too many" }
        return problems
    }

    /// The words and numbers of a text, in small letters, without conversions and parameters of closures.
    private static func words(_ text: String) -> [String] {
        text.precomposedStringWithCompatibilityMapping.lowercased()
            .replacing(/%(@|k|l?l?[duioxfega]|[ds])\b|[?$][0-9]*/, with: " ").replacing(/([0-9])t([0-9])/) {
                "\($0.1) \($0.2)"
            }
            .replacing(/([0-9])_(?=[0-9])/) { "\($0.1)" }.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            .map(String.init)
    }

    private static func difference(_ words: [String], _ others: [String]) -> [String] {
        var words = words
        for word in others { if let index = words.firstIndex(of: word) { words.remove(at: index) } }
        return words
    }

    /// Whether a correction has a negation more or less.
    private static func isOpposite(_ text: String, _ result: String) -> Bool {
        // A test for nil may become a count of elements, and EXISTS, or `=*` of LDAP, a test for nil.
        let isCount = result.contains("@count") && !text.contains("@count")
        let isNilTest = result.contains("nil")
        func negations(_ text: String) -> Int {
            var text = text.lowercased().replacing(/!\.|== none|!!/, with: "")
                .replacing(/is not (null|none)|not null|notnull|=\*\)/, with: "!")
            if isCount { text.replace(/!= ?nil/, with: "") }
            let negative = ["not", "nto", "none", "isnt", "ne", "neq", "doesn", "doesnt", "isn", "nor"]
            return words(text).count { negative.contains($0) || isNilTest && $0 == "exists" }
                + text.count { "≠¬!".contains($0) } + (text.contains("<>") ? 1 : 0)
        }
        return negations(result) % 2 != negations(text) % 2
    }

    /// The words that the message says are not part of the condition.
    private func removed(by diagnostic: PredicateDiagnostic) -> Set<String> {
        let bytes = Array(text.utf8)
        switch diagnostic.id {
        // The names of keys and values of a program.
        case .profileKey, .profileValue, .profileTerm: return Set(diagnostic.details.flatMap(Self.words))
        case .comment: return Set(Self.words(String(decoding: bytes[diagnostic.span.range], as: UTF8.self)))
        case .malformedNumber: return Set(Self.words(diagnostic.details[0]).filter { $0.allSatisfy(\.isLetter) })
        case .unexpectedText, .sqlOperator: return Set(Self.words(diagnostic.details[0]))
        case .unknownFunction, .quantifierOverSingle, .optionMisplaced, .unknownOperator,
            .unknownConversion:
            let span = String(decoding: bytes[diagnostic.span.range], as: UTF8.self)
            return Set(Self.words(diagnostic.details[0] + " " + span).filter { !$0.allSatisfy(\.isNumber) })
        default: return []
        }
    }

    private static func areQuantifiers(_ words: String...) -> Bool {
        words.allSatisfy(["any", "some", "all", "none", "not"].contains)
    }

    private static func isForeign(_ word: String) -> Bool {
        foreignWords.contains(word.uppercased()) || FunctionCatalog.valueSynonyms[word.lowercased()] != nil
            || CollectionOperator.named(meantBy: "@" + word) != nil || Vocabulary.options(word) != nil
    }

    private static let foreignWords: Set<String> = {
        var words = Set(Vocabulary.operators.keys)
        for entity in ["QUOT", "AMP", "LT", "GT", "APOS"] { words.insert(entity) }
        return words.union(Keywords.operatorWords).union([
            "IS", "AND", "OR", "NOT", "DATE", "YES", "TO", "OF", "AS", "NULL", "FUNCTION", "FORMAT",
        ])
    }()

    private static func isOfLanguage(_ word: String) -> Bool {
        Keywords.isReserved(word.uppercased()) || languageWords.contains(word)
            || word.allSatisfy { "cdnl".contains($0) }
            || ["", ":"].contains { FunctionCatalog.standard.function(named: word + $0) != nil }
    }

    private static let languageWords: Set = [
        "nsdate", "nsnumber", "nsstring", "nsdecimalnumber", "and", "or", "not", "count", "sum", "avg", "min", "max",
        "absolutestring", "self", "modulus", "by",
    ]

    /// The texts between quotes.
    private static func constants(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return Lexer.tokens(of: text).filter { $0.kind == .string && $0.span.count > 2 }.map {
            String(decoding: bytes[($0.start + 1)..<($0.end - 1)], as: UTF8.self)
        }
    }

    private static func isQuote(_ character: Character) -> Bool { "'\"‘’“”".contains(character) }
}
