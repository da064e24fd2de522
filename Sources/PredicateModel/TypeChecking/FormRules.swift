// The rules that need no types: unknown functions, malformed patterns, constructs that evaluation refuses, and legal
// text that is probably a mistake. Parsing applies them to a tree without a schema; TypeInference applies them while it
// infers types.
import PredicateSyntax

/// Checks single nodes against the catalogue of functions and the rules of patterns.
struct FormRules {
    /// The purpose of the check.
    enum Purpose {
        /// A text that was parsed.
        case parsing
        /// A tree and a schema. Keys must have values.
        case schema
        /// Evaluation. Refused constructs are errors, and arguments need values.
        case evaluation
    }

    let catalog: FunctionCatalog
    let limits: PredicateLimits
    private let purpose: Purpose
    /// Whether texts can be compared by a locale.
    private let hasLocale: Bool
    private let options: LanguageOptions
    /// Whether to look for probable mistakes as well. Parsing has already found those of a predicate with a source
    /// text.
    private(set) var findsMistakes: Bool
    let bytes: [UInt8]

    init(
        source: String, catalog: FunctionCatalog, limits: PredicateLimits, options: LanguageOptions = [],
        purpose: Purpose = .parsing, hasLocale: Bool = true, findsMistakes: Bool = true
    ) {
        self.hasLocale = hasLocale
        self.options = options
        self.catalog = catalog
        self.limits = limits
        self.purpose = purpose
        self.findsMistakes = findsMistakes
        bytes = findsMistakes ? Array(source.utf8) : []
    }

    /// The same rules without the search for mistakes.
    var ofRefusals: FormRules {
        var rules = self
        rules.findsMistakes = false
        return rules
    }

    /// Returns the parser's diagnostics and those of these rules, in text order.
    func check(_ node: PredicateNode, adding diagnostics: [Diagnostic]) -> [Diagnostic] {
        merged(diagnostics) { $0.walk(node) }
    }

    func check(_ node: ExpressionNode, adding diagnostics: [Diagnostic]) -> [Diagnostic] {
        merged(diagnostics) { $0.walk(node) }
    }

    private func merged(_ diagnostics: [Diagnostic], _ walk: (PredicateWalker) -> Void) -> [Diagnostic] {
        var found = Findings(diagnostics, limit: limits.diagnostics)
        walk(
            PredicateWalker(
                predicate: { node in check(node, &found) },
                expression: { node in check(node, &found) }))
        if findsMistakes { checkScopes(&found) }
        return found.inOrder
    }

    // MARK: Expressions

    func check(_ node: ExpressionNode, _ found: inout Findings) {
        guard !found.isFull else { return }
        switch node.kind {
        case .value, .selfObject: break
        case .variable(let name): found.variables.append(VariablePlace(name: name, role: .use, span: node.span))
        case .keyPath(let keys):
            if findsMistakes { checkOperators(keys, node.span, &found) }
        case .subquery(_, let variable, let condition):
            found.variables.append(VariablePlace(name: variable, role: .subquery, span: node.span))
            if findsMistakes { checkVariable(variable, condition, node.span, &found) }
        case .binary(let sign, let left, let right):
            guard findsMistakes else { break }
            if sign == .subtract {
                checkHyphen(left, right, node.span, &found)
                checkDate(right, node.span, &found)
            }
            if sign != .add || !options.contains(.stringConcatenation) {
                checkArithmetic(sign, left, right, node, &found)
            }
        case .index(_, let index):
            if findsMistakes, case .value(.integer(let position)) = index.kind, position < 0 {
                found.append(
                    Diagnostic(
                        .indexOutOfRange, at: index.span, "\(position)", "any number of", severity: .warning,
                        suggestion: position == -1 ? "LAST" : nil,
                        fixIts: position == -1 ? [.init(index.span, "LAST")] : []))
            }
        default:
            if findsMistakes, case .member(let base, let step) = node.kind { checkBareOperator(base, step, &found) }
            if case .assignment(let name, _) = node.kind {
                found.variables.append(VariablePlace(name: name, role: .assignment, span: node.span))
            }
            if let refusal = refusal(of: node) { found.append(refusal) }
        }
    }

    /// The reason why a construct cannot be evaluated; nil if it can.
    private func refusal(of node: ExpressionNode) -> Diagnostic? {
        switch node.kind {
        case .call(let name, let arguments): return refusal(ofCall: name, arguments.count, node.span)
        case .method(_, let selector, let arguments):
            return catalog.refusal(ofMethod: selector, argumentCount: arguments.count, at: node.span)
        case .cast(_, let type) where !catalog.castTypes.contains(type):
            let nearest = Suggestions.nearest(to: type, in: catalog.castTypes)
            return Diagnostic(.refusedCast, at: node.span, type, suggestion: nearest)
        case .fetch: return Diagnostic(.refusedFetch, at: node.span)
        case .member(let base, let step): return indexAfterPath(base, step, node.span)
        case .anyKey where purpose != .parsing: return Diagnostic(.valueExpected, at: node.span, "ANYKEY")
        case .term(let name, _) where purpose != .parsing: return Diagnostic(.unsupportedFunction, at: node.span, name)
        case .indexSymbol(let symbol) where purpose == .evaluation:
            return Diagnostic(.indexSymbol, at: node.span, symbol.rawValue)
        case .argument(let conversion) where purpose == .evaluation:
            return Diagnostic(.unboundArgument, at: node.span, conversion.spelling)
        case .error where purpose == .evaluation: return Self.unread(node.span)
        default: return nil
        }
    }

    /// The refusal of a part that the parser could not read; nil unless the tree is checked for evaluation.
    func refusal(ofErrorAt span: SourceSpan) -> Diagnostic? { purpose == .evaluation ? Self.unread(span) : nil }

    private static func unread(_ span: SourceSpan) -> Diagnostic {
        Diagnostic(.expectedExpression, at: span, "a text that could not be read")
    }

    private func refusal(ofCall name: String, _ count: Int, _ span: SourceSpan) -> Diagnostic? {
        let shown = PredicateFunction.shown(name)
        if let function = catalog.function(named: name) {
            guard function.arity != count else { return nil }
            let wanted = PredicateFunction.count(function.arity)
            return Diagnostic(.functionArguments, at: span, shown, wanted, "\(count)", call(shown, function.arity))
        }
        if let arity = catalog.arity(ofShown: shown) {
            return Diagnostic(
                .functionArguments, at: span, shown, PredicateFunction.count(arity), "\(count)", call(shown, arity))
        }
        let names = catalog.functionNames.map(PredicateFunction.shown)
        let place = SourceSpan(span.start, min(span.end, span.start + shown.utf8.count))
        let nearest = FunctionCatalog.synonyms[shown.lowercased()] ?? Suggestions.nearest(to: shown, in: names)
        // A method call without arguments, `name.lower()`, is written as a function of its object here.
        let isMethod = count == 0 && place.start > 0 && place.end <= bytes.count && bytes[place.start - 1] == 0x2E
        let known = FunctionCatalog.advice(for: shown, argumentCount: count)
        let fits = nearest.map { catalog.arity(ofShown: $0) ?? count } == count
        let advice = known ?? (count == 0 ? "a key has no parentheses: write \(shown)" : "")
        let suggestion = isMethod ? nearest.map { "\($0)(…)" } : nearest
        return Diagnostic(
            .unknownFunction, at: place, shown, advice,
            suggestion: known == nil ? suggestion : nil,
            fixIts: isMethod || known != nil || !fits ? [] : nearest.map { [.init(place, $0)] } ?? [])
    }

    /// The advice `write random()` or `write length(a)`.
    private func call(_ name: String, _ arity: Int) -> String {
        let letters = ["a", "b", "c"].prefix(arity).joined(separator: ", ")
        return arity > 3 ? "" : "write \(name)(\(letters))"
    }

    /// Refuses `a.d[0]`: Apple evaluates `d[0]` first, but `(a.d)[0]` is meant (LANGUAGE C 6).
    private func indexAfterPath(_ base: ExpressionNode, _ step: ExpressionNode, _ span: SourceSpan) -> Diagnostic? {
        guard case .index = step.kind else { return nil }
        var (list, brackets) = (step, "")
        while case .index(let inner, let index) = list.kind { (list, brackets) = (inner, "[\(index)]" + brackets) }
        let bracket = list.span.end
        return Diagnostic(
            .indexAfterPath, at: span, "\(step)", "\(base)", "(\(base).\(list))" + brackets,
            fixIts: span == .none
                ? [] : [.init(SourceSpan(span.start, span.start), "("), .init(SourceSpan(bracket, bracket), ")")])
    }

    /// Reports an operator without its `@` after a SUBQUERY, because it is read as a key of each element.
    private func checkBareOperator(_ base: ExpressionNode, _ step: ExpressionNode, _ found: inout Findings) {
        guard case .subquery = base.kind, case .keyPath(let keys) = step.kind, keys.count == 1 else { return }
        guard let meant = CollectionOperator.named(meantByKey: keys[0])?.name else { return }
        found.append(
            Diagnostic(
                .toManyKey, at: step.span, "SUBQUERY(…).\(keys[0])", "write SUBQUERY(…).\(meant)", severity: .warning,
                fixIts: step.span == .none ? [] : [.init(step.span, meant)]))
    }

    /// Reports `serial-number`: two keys around a minus sign without spaces. It was probably meant as one key.
    private func checkHyphen(
        _ left: ExpressionNode, _ right: ExpressionNode, _ span: SourceSpan, _ found: inout Findings
    ) {
        guard case .keyPath = left.kind, case .keyPath = right.kind, left.span.end > 0,
            right.span.start == left.span.end + 1
        else { return }
        found.append(Diagnostic(.hyphenatedKey, at: span, "\(left)-\(right)"))
    }

    /// Reports `2020-01-31`: numbers that look like an ISO date.
    private func checkDate(_ day: ExpressionNode, _ span: SourceSpan, _ found: inout Findings) {
        guard span.count == 10, span.end <= bytes.count, case .value(.integer) = day.kind else { return }
        let text = bytes[span.range]
        let dashes = [4, 7].map { text.startIndex + $0 }
        guard text.indices.allSatisfy({ dashes.contains($0) ? text[$0] == 0x2D : (0x30...0x39).contains(text[$0]) })
        else {
            return
        }
        let date = String(decoding: text, as: UTF8.self)
        found.append(
            Diagnostic(.unquotedDate, at: span, date, fixIts: [.init(span, "CAST(\"\(date)\", \"NSDate\")")]))
    }

    /// Reports `pets.@size`, an unknown collection operator, and `pets.@sum`, an operator without its key. Evaluating
    /// them fails.
    private func checkOperators(_ keys: [String], _ span: SourceSpan, _ found: inout Findings) {
        guard let index = keys.firstIndex(where: { $0.utf8.first == UInt8(ascii: "@") }), span != .none,
            !bytes[span.range.clamped(to: 0..<bytes.count)].contains(UInt8(ascii: "%"))
        else { return }
        let name = keys[index]
        if DictionaryKey.all.contains(name) { return }
        guard let known = CollectionOperator.named(name) else {
            let meant = CollectionOperator.named(meantBy: name) ?? FunctionCatalog.constant(meantBy: name.dropFirst())
            var advice = CollectionOperator.advice(for: name)
            if index == 0 { advice = "a key has no @: write \(name.dropFirst()), or quote the text" }
            let place = place(of: name, in: span)
            found.append(
                Diagnostic(
                    .unknownCollectionOperator, at: place, name, advice, severity: .warning, suggestion: meant,
                    fixIts: meant.map { [.init(place, $0)] } ?? []))
            return
        }
        guard known.takesKey, index == keys.count - 1 else { return }
        let place = place(of: name, in: span)
        let isLast = index > 1
        let path = isLast ? keys[..<(index - 1)] + [name, keys[index - 1]] : keys + ["#self"]
        let meant = path.joined(separator: ".")
        found.append(
            Diagnostic(.operatorKey, at: place, name, "write " + meant, fixIts: isLast ? [.init(span, meant)] : []))
    }

    /// The span of a name in the text of a larger span.
    private func place(of name: String, in span: SourceSpan) -> SourceSpan {
        let text = bytes[span.range.clamped(to: 0..<bytes.count)]
        let start = text.indices.first { text[$0...].starts(with: name.utf8) } ?? span.start
        return SourceSpan(start, min(span.end, start + name.utf8.count))
    }

    /// Reports a SUBQUERY variable that is used outside of its SUBQUERY. A variable that no SUBQUERY declares belongs
    /// to the caller.
    private func checkScopes(_ found: inout Findings) {
        func names(_ role: VariablePlace.Role) -> Set<String> {
            Set(found.variables.lazy.filter { $0.role == role }.map { $0.name })
        }
        let scoped = names(.subquery)
        guard !scoped.isEmpty else { return }
        let suspects = scoped.subtracting(names(.assignment))
        // Variables are visited in text order. A variable is inside a SUBQUERY if one that began earlier has not ended
        // yet.
        var ends: [String: Int] = [:]
        for place in found.variables.ordered(by: { $0.span.start < $1.span.start })
        where place.span != .none && suspects.contains(place.name) {
            let end = ends[place.name] ?? 0
            if place.role == .subquery {
                ends[place.name] = max(end, place.span.end)
            } else if place.span.end > end {
                let reason = "only the condition of its SUBQUERY has it"
                found.append(
                    Diagnostic(.unboundVariable, at: place.span, place.name, reason, severity: .warning))
            }
        }
    }

    /// Reports a variable of SUBQUERY that its condition does not use.
    private func checkVariable(
        _ name: String, _ condition: PredicateNode, _ span: SourceSpan, _ found: inout Findings
    ) {
        var others: [(name: String, span: SourceSpan)] = []
        var isUsed = false
        PredicateWalker(
            predicate: { node in
                switch node.kind {
                case .constant, .error: isUsed = true
                default: break
                }
            },
            expression: { node in
                if case .error = node.kind { isUsed = true }
                guard case .variable(let other) = node.kind else { return }
                if other == name { isUsed = true } else { others.append((other, node.span)) }
            }
        ).walk(condition)
        guard !isUsed, span != .none else { return }
        let other = others.count == 1 ? others.first : nil
        found.append(
            Diagnostic(
                .unusedVariable, at: other?.span ?? condition.span, name,
                suggestion: other == nil ? nil : "$\(name)",
                fixIts: other.map { [.init($0.span, "$\(name)")] } ?? []))
    }

    // MARK: Conditions

    func check(_ node: PredicateNode, _ found: inout Findings) {
        switch node.kind {
        case .comparison(let comparison): check(comparison, &found)
        case .and, .or: checkTerms(node, &found)
        case .not, .constant, .error: break
        }
    }

    /// The text of a span, shortened for messages.
    func text(_ span: SourceSpan) -> String {
        let text = String(decoding: bytes[span.range.clamped(to: 0..<bytes.count)], as: UTF8.self)
        return text.count <= 40 ? text : text.prefix(37) + "…"
    }

    // MARK: Comparisons

    func check(_ comparison: ComparisonNode, _ found: inout Findings) {
        guard !found.isFull else { return }
        switch comparison.operator {
        case .custom(let selector) where catalog.operators[selector] == nil:
            let meant = FunctionCatalog.selectorOperators[selector]
            found.append(
                Diagnostic(
                    .refusedOperator, at: comparison.operatorSpan, selector, suggestion: meant,
                    fixIts: meant.map { [.init(comparison.operatorSpan, $0)] } ?? []))
        case .tokenMatches: found.append(Diagnostic(.tokenMatches, at: comparison.operatorSpan))
        default: break
        }
        if !hasLocale, comparison.options.contains(.localeSensitive) {
            found.append(Diagnostic(.unsupportedFunction, at: comparison.operatorSpan, "[l] without Foundation"))
        }
        if findsMistakes { checkMistakes(comparison, &found) }
    }

    private func checkMistakes(_ comparison: ComparisonNode, _ found: inout Findings) {
        switch comparison.operator {
        case .matches:
            checkPattern(comparison, &found)
            checkListInParentheses(comparison, &found)
        case .like:
            checkLike(comparison, &found)
            checkListInParentheses(comparison, &found)
        case .between: checkBounds(comparison, &found)
        case .equal, .notEqual: checkWildcard(comparison, &found)
        case .beginsWith, .endsWith: checkUselessWildcard(comparison, &found)
        case .in:
            checkMembershipOptions(comparison, container: comparison.right, &found)
            if case .aggregate(let elements) = comparison.right.kind, elements.isEmpty {
                reportConstant(comparison, "the list is empty", &found)
            }
            checkListInParentheses(comparison, &found)
        case .contains where comparison.modifier == .direct:
            checkMembershipOptions(comparison, container: comparison.left, &found)
            checkContainedList(comparison, &found)
            checkUselessWildcard(comparison, &found)
        default: break
        }
        checkNeedle(comparison, &found)
        checkBareKeys(comparison, &found)
        checkLiterals(comparison, &found)
        if case .value = comparison.left.kind { checkConversions(comparison.left.span, &found) }
        checkConversions(comparison.right.span, &found)
        if case .subquery = comparison.left.kind, case .value(let value) = comparison.right.kind,
            value.doubleValue != nil, comparison.left.span != .none
        {
            let end = SourceSpan(comparison.left.span.end, comparison.left.span.end)
            found.append(
                Diagnostic(
                    .toManyKey, at: comparison.left.span, "SUBQUERY(…)", "write SUBQUERY(…).@count", severity: .warning,
                    fixIts: [.init(end, ".@count")]))
        }
    }

    /// Reports a comparison that is false for every object.
    func reportConstant(_ comparison: ComparisonNode, _ reason: String, _ found: inout Findings) {
        guard comparison.modifier == .direct else { return }
        found.append(Diagnostic(.comparisonConstant, at: span(of: comparison), "false", reason))
    }

    /// The span of a comparison with the parentheses around its operands: `(age) < nil`.
    func span(of comparison: ComparisonNode) -> SourceSpan {
        let (left, right) = (comparison.left.span, comparison.right.span)
        var (start, end) = (left.start, right.end)
        guard left != .none, right != .none, left.end <= right.start, end <= bytes.count else {
            return left.joined(right)
        }
        for byte in bytes[left.end..<right.start] {
            if byte == UInt8(ascii: ")"), let open = bytes[..<start].lastIndex(where: { $0 > 0x20 }) { start = open }
            if byte == UInt8(ascii: "("), let close = bytes[end...].firstIndex(where: { $0 > 0x20 }) { end = close + 1 }
        }
        return SourceSpan(start, end)
    }

    private func checkBounds(_ comparison: ComparisonNode, _ found: inout Findings) {
        let right = comparison.right
        let isPair: Bool
        switch right.kind {
        case .aggregate(let bounds):
            isPair = bounds.count == 2
            if isPair { checkOrder(bounds[0], bounds[1], &found) }
        case .value(.array(let bounds)): isPair = bounds.count == 2
        case .value(.null), .value(.nsNull): isPair = true
        case .value: isPair = false
        default: return
        }
        if !isPair { found.append(Diagnostic(.betweenOperand, at: right.span)) }
    }

    /// Reports `BETWEEN {5, 1}`, whose bounds are swapped (LANGUAGE 5.8).
    private func checkOrder(_ first: ExpressionNode, _ second: ExpressionNode, _ found: inout Findings) {
        guard case .value(let lower) = first.kind, case .value(let upper) = second.kind,
            let least = lower.doubleValue, let most = upper.doubleValue, least > most
        else { return }
        let span = first.span.joined(second.span)
        let written = text(span)
        // The texts of two arguments are both '%@', a span has no parentheses around it, and a long text is cut.
        let isPlain = !written.isEmpty && !written.contains { "%()…".contains($0) }
        let fixIts = isPlain ? [Diagnostic.FixIt(span, "\(text(second.span)), \(text(first.span))")] : []
        found.append(Diagnostic(.reversedBounds, at: span, fixIts: fixIts))
    }

    /// Reports `tags CONTAINS {'a', 'b'}`.
    private func checkContainedList(_ comparison: ComparisonNode, _ found: inout Findings) {
        guard case .aggregate(let elements) = comparison.right.kind, case .keyPath = comparison.left.kind,
            !elements.isEmpty, elements.allSatisfy({ if case .value = $0.kind { true } else { false } }),
            !comparison.left.span.isEmpty, case let span = comparison.right.span, isQuoted(span, by: "{")
        else { return }
        let list = span.count > 40 ? "{…}" : text(span)
        found.append(Diagnostic(.listOperand, at: span, "ANY \(text(comparison.left.span)) IN \(list)"))
    }

    private func checkMembershipOptions(
        _ comparison: ComparisonNode, container: ExpressionNode, _ found: inout Findings
    ) {
        guard comparison.options.contains(.caseInsensitive) || comparison.options.contains(.diacriticInsensitive)
        else { return }
        switch container.kind {
        case .aggregate, .value(.array), .value(.set), .value(.dictionary):
            let letters = comparison.options.spelling.dropFirst().dropLast()
            found.append(Diagnostic(.inOptions, at: comparison.operatorSpan, String(letters)))
        default: break
        }
    }

    // MARK: Patterns

    private func checkPattern(_ comparison: ComparisonNode, _ found: inout Findings) {
        guard case .value(.string(let pattern)) = comparison.right.kind, !pattern.isEmpty else { return }
        checkLostBackslashes(comparison.right.span, pattern, &found)
        do {
            _ = try TextPattern.matches(pattern, options: comparison.options, limits: limits)
        } catch {
            found.append(Diagnostic(.malformedPattern, at: comparison.right.span, error.reason))
        }
    }

    private func checkLike(_ comparison: ComparisonNode, _ found: inout Findings) {
        guard case .value(.string(let pattern)) = comparison.right.kind else { return }
        checkLostBackslashes(comparison.right.span, pattern, &found)
        let last = pattern.utf8.last
        let span = comparison.right.span
        if last == UInt8(ascii: "%") || pattern.utf8.first == UInt8(ascii: "%"), !pattern.contains("*"),
            quotedConversion(span) == nil
        {
            let isLiteral = isQuoted(span, by: "'") || isQuoted(span, by: "\"")
            let places = bytes.indices.clamped(to: span.range).filter { bytes[$0] == UInt8(ascii: "%") }
            found.append(
                Diagnostic(
                    .sqlWildcard, at: span, "%", "*",
                    fixIts: isLiteral ? places.map { .init(SourceSpan($0, $0 + 1), "*") } : []))
        }
    }

    /// Reports `MATCHES '\d+'`: the string literal's escapes remove the backslash.
    private func checkLostBackslashes(_ span: SourceSpan, _ pattern: String, _ found: inout Findings) {
        guard isQuoted(span, by: "'") || isQuoted(span, by: "\"") else { return }
        var index = span.start + 1
        var fixIts: [Diagnostic.FixIt] = []
        var first: (place: SourceSpan, letter: String)?
        while index < span.end - 2 {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            if "dDwWsSbBAzZGpPhHvVRXQEkK.*+?()[]{}^$|".utf8.contains(bytes[index + 1]) {
                fixIts.append(.init(SourceSpan(index, index), "\\"))
                let letter = String(decoding: bytes[(index + 1)...(index + 1)], as: UTF8.self)
                first = first ?? (SourceSpan(index, index + 2), letter)
            }
            index += 2
        }
        guard let first else { return }
        found.append(Diagnostic(.lostBackslash, at: first.place, "'\(pattern)'", first.letter, fixIts: fixIts))
    }
}
