// Finds what is legal but probably a mistake. Each hint is found by one rule; the lists of rules are below. The other
// files of this folder contain the rules. Errors are found by TypeInference.swift.

/// Reads a tree and its text, and collects hints.
final class HintReader: FindingReporter {
    let source: SourceText
    /// The schema, functions, language and limits for which the hints are meant.
    let checker: TypeChecker
    /// Whether the parser found errors. Then the parsed conditions may differ from the intended ones.
    let isBesideErrors: Bool
    /// The places of the keys that the schema does not have; nil without a schema. A word that may be a text or a part of
    /// a key is no mistake if the schema has the key.
    private let unknownKeys: [SourceSpan]?
    private(set) var hints: [PredicateDiagnostic] = []
    /// Hints about what a check of types decides.
    private(set) var decided: [PredicateDiagnostic] = []
    private var decidesTypes = false
    /// The end of the last key with hyphens.
    var hyphensEnd = 0
    /// Where variables are used, and the SUBQUERYs and assignments that give them values.
    var variables: [VariablePlace] = []

    init(_ source: SourceText, _ checker: TypeChecker, isBesideErrors: Bool, unknownKeys: [SourceSpan]?) {
        (self.source, self.checker) = (source, checker)
        (self.isBesideErrors, self.unknownKeys) = (isBesideErrors, unknownKeys)
    }

    var bytes: [UInt8] { source.bytes }

    // MARK: Rules

    private var comparisonRules: [(ComparisonNode) -> Void] {
        [
            checkLostBackslashes, checkPercent, checkOrder, checkWildcard, checkMembershipOptions, checkContainedList,
            checkUselessWildcard, checkListInParentheses, checkBareKeys, checkLiterals, checkConversions,
            checkSubqueryCount, checkNilInList, checkArguments, checkPattern, checkJoinedPattern,
        ]
    }

    private var typedComparisonRules: [(ComparisonNode) -> Void] {
        [checkBounds, checkNeedle, checkNumberText, checkListEquality]
    }

    private var expressionRules: [(ExpressionNode) -> Void] {
        [checkHyphen, checkDate, checkUnixTime, checkIndex, checkBareOperator, checkVariables]
    }

    private var typedExpressionRules: [(ExpressionNode) -> Void] { [checkOperators, checkArithmetic] }

    /// Applies all rules to a tree.
    func read(_ tree: PredicateTree) {
        let (comparisons, typedComparisons) = (comparisonRules, typedComparisonRules)
        let (expressions, typedExpressions) = (expressionRules, typedExpressionRules)
        let walker = PredicateWalker(
            predicate: { node in
                guard case .comparison(let comparison) = node.kind else { return }
                self.apply(comparisons, typedComparisons, to: comparison)
            },
            expression: { self.apply(expressions, typedExpressions, to: $0) })
        tree.walk(by: walker)
        checkScopes()
        if !isBesideErrors { checkTerms(tree) }
    }

    private func checkTerms(_ tree: PredicateTree) {
        let read = checker.reading(tree, source: String(decoding: bytes, as: UTF8.self))
        var rules: ContradictionRules?
        read.walk(
            by: PredicateWalker(predicate: { node in
                switch node.kind {
                case .and, .or:
                    if rules == nil { rules = ContradictionRules(read, self.source, self.checker) }
                    rules?.warning(about: node).map { self.report($0) }
                case .comparison, .not, .constant, .error: break
                }
            }))
    }

    /// A diagnostic about words that are together a key of the schema: `unit price`, `serial-number`. The objects of a
    /// schema have no indices, but their keys may be texts.
    func knowingKeys(_ diagnostic: PredicateDiagnostic) -> PredicateDiagnostic {
        let details = diagnostic.details
        let words =
            diagnostic.id == .hyphenatedKey ? details[0] : details.count > 2 ? details[2] : text(diagnostic.span)
        let isOpened = words.first.map { "\"'`[".contains($0) } ?? false
        let key = words.dropFirst(isOpened ? 1 : 0).prefix { !"\"'`]".contains($0) }
        guard
            [.hyphenatedKey, .expectedOperator, .literalsCompared].contains(diagnostic.id)
                || diagnostic.suggestion == SyntaxSelector.key(String(key)),
            !FunctionCatalog.isWord(String(key)), checker.schema.key(String(key), of: checker.entity) != nil,
            let place = source.lastPlace(of: words, in: SourceSpan(0, diagnostic.span.end))
        else { return diagnostic }
        let meant = "SELF.\"\(key)\""
        return PredicateDiagnostic(
            diagnostic.id, at: place, details: details, severity: .error, suggestion: meant,
            fixIts: [.init(place, meant)])
    }

    func isQuoted(_ span: SourceSpan, by quote: Unicode.Scalar) -> Bool { source.isQuoted(span, by: quote) }

    func text(_ span: SourceSpan) -> String { source.text(span) }

    private func apply<Node>(_ rules: [(Node) -> Void], _ typedRules: [(Node) -> Void], to node: Node) {
        for rule in rules { rule(node) }
        decidesTypes = checker.reportsTypes
        for rule in typedRules { rule(node) }
        decidesTypes = false
    }

    func report(_ hint: PredicateDiagnostic) {
        if decidesTypes { decided.append(hint) } else { hints.append(hint) }
    }

    /// Reports a word that is a mistake only if the schema does not have it as a key.
    func report(guess hint: PredicateDiagnostic) {
        let isKnown = unknownKeys.map { !$0.contains { $0.start >= hint.span.start && $0.end <= hint.span.end } }
        if isKnown != true { report(hint) }
    }
}

/// A position where a variable is used or gets its value.
struct VariablePlace {
    enum Role {
        case use, subquery, assignment
    }

    let name: String
    let role: Role
    let span: SourceSpan
}
