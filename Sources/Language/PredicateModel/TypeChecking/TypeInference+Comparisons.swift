// Type-checks comparisons, one method per family of operators. ComparisonConstants.swift finds those with a
// constant result.

/// A comparison with inferred types. A class, so that passing it copies one word.
final class TypedComparison {
    let node: PredicateNode
    let comparison: ComparisonNode
    /// For ANY and ALL, an element of the left side.
    var left: TypedNode
    var right: TypedNode
    /// The texts that were read.
    var term: TypedTerm?

    init(_ node: PredicateNode, _ comparison: ComparisonNode, _ left: TypedNode, _ right: TypedNode) {
        self.node = node
        self.comparison = comparison
        self.left = left
        self.right = right
    }

    var name: String { comparison.operator.spelling }
}

extension TypeInference {
    func checkComparison(_ node: PredicateNode) {
        guard case .comparison(let comparison) = node.kind else { return }
        refuse(comparison)
        let left = infer(comparison.left)
        compared = left
        let typed = TypedComparison(node, comparison, left, infer(comparison.right))
        compared = nil
        check(typed)
        if let term = typed.term { onRead?(comparisons, term) }
        comparisons += 1
    }

    private func check(_ typed: TypedComparison) {
        if typed.comparison.modifier != .direct, !quantify(typed) { return }
        guard readTexts(typed), fits(typed), findsConstants else { return }
        if !isChange, reportUnknownCases(typed) { return }
        guard let constancy = constancy(of: typed) else { return }
        let outcome = outcome(constancy.value, typed.comparison.modifier)
        let advice = constancy.advice ?? (constancy.isByTypes ? advice(on: typed) : nil)
        if isChange, constancy.isByTypes {
            report(
                .changeCondition, at: typed.node.span, "this comparison is always \(outcome), as \(constancy.reason)",
                advice ?? "compare values of one type", Self.constantOption)
        } else if constancy.isReported, reportsTypes || !checker.refuses && !constancy.isByTypes {
            // Of a text alone, the constants are known.
            findings.append(
                PredicateDiagnostic(
                    .comparisonConstant, at: typed.node.span,
                    details: [outcome, constancy.reason] + (advice.map { [$0] } ?? [])))
        }
        if isChange, outcome == "\(constancy.value)" { constants[typed.comparison] = constancy.value }
    }

    /// How to write a comparison whose types never meet; nil if that is unclear.
    private func advice(on typed: TypedComparison) -> String? {
        for (key, other) in [(typed.left, typed.right), (typed.right, typed.left)] {
            if key.isElement, other.listed != nil { return "write IN for one of several values" }
            let literal = other.listed?.first ?? other
            if let advice = literalAdvice(key, literal) ?? keyAdvice(key, literal) { return advice }
            // The text of a number is no other text either.
            if case .string = literal.constant, !key.type.isNumber, let text = textForm(of: key) {
                let or = wouldRead(literal, as: key) ? LanguageOptions.or("typed-texts") : ""
                return "compare its text: \(text)\(or)"
            }
        }
        return nil
    }

    /// `p == 1` of a relationship was meant as a comparison of the key.
    private func keyAdvice(_ path: TypedNode, _ literal: TypedNode) -> String? {
        guard path.isPath, !path.isElement, case .entity(let name) = path.type.kind, literal.constant != nil,
            literal.type.element == nil
        else { return nil }
        let columns = checker.schema.primaryKey(of: name)
        let keys = checker.schema.lineage(of: name).flatMap { $0.attributes }.filter { columns == [$0.column] }
        return keys.first.map { "write \(path.node).\($0.name)" }
    }

    /// Whether the operator accepts these types. Reports an error if not.
    private func fits(_ typed: TypedComparison) -> Bool {
        switch typed.comparison.operator {
        case .equal, .notEqual: checkEquality(typed)
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: checkOrder(typed)
        case .beginsWith, .endsWith, .like, .matches, .utiConformsTo, .utiEquals: checkTexts(typed)
        case .in: checkMembership(typed.left, in: typed.right, typed)
        case .contains: checkMembership(typed.right, in: typed.left, typed)
        case .between: checkRange(typed)
        case .tokenMatches, .custom: false
        }
    }

    // MARK: Quantifiers

    /// Replaces the collection by its element type (LANGUAGE 5.9). Returns false and reports an error if it is none.
    private func quantify(_ typed: TypedComparison) -> Bool {
        let left = typed.left
        if let element = left.type.element {
            typed.left = TypedNode(left.node, element)
            typed.left.isElement = true
            typed.left.known = left.known
        } else if !left.type.isOpen {
            reportQuantifier(typed)
            return false
        } else {
            typed.left = TypedNode(left.node, .any)
        }
        return true
    }

    private func reportQuantifier(_ typed: TypedComparison) {
        // A part taken from another predicate has spans that refer to another text.
        let start = min(typed.node.span.start, source.count)
        var end = start
        while end < source.count, source[end].isLetter { end += 1 }
        let word = String(decoding: source[start..<end], as: UTF8.self)
        let isWritten = ["ANY", "ALL", "SOME", "NONE"].contains(word.uppercased())
        let keyword = isWritten ? word.uppercased() : typed.comparison.modifier.spelling
        let span = isWritten ? SourceSpan(start, end) : typed.node.span
        while isWritten, end < typed.left.span.start, end < source.count, source[end] <= 32 { end += 1 }
        let isNone = keyword == "NONE"
        let fix = PredicateDiagnostic.FixIt(isNone ? span : SourceSpan(start, end), isNone ? "NOT" : "")
        report(
            .quantifierOverSingle, at: span, keyword, "\(typed.comparison.left)", typed.left.role.rawValue,
            isNone ? "write NOT" : "remove \(keyword)", fixIts: isWritten ? [fix] : [])
    }

    /// Reports `pets.name == 'Rex'`: a key with many values where one is needed.
    private func reportMany(_ operand: TypedNode) -> Bool {
        guard operand.type.element != nil, operand.isPath, !operand.type.isDictionary else { return false }
        report(
            .toManyKey, at: operand.span, "\(operand.node)",
            operand.isElement
                ? "flatten them: @unionOfArrays, or use SUBQUERY" : "use ANY, ALL, NONE or SUBQUERY")
        return true
    }

    // MARK: Families

    /// Equality never fails (LANGUAGE 5.4), but comparing a whole collection with one value is a mistake.
    private func checkEquality(_ typed: TypedComparison) -> Bool {
        for (operand, other) in [(typed.left, typed.right), (typed.right, typed.left)]
        where other.type.element == nil && !other.type.isOpen {
            if reportMany(operand) { return false }
        }
        return true
    }

    private func checkOrder(_ typed: TypedComparison) -> Bool {
        if reportMany(typed.left) || reportMany(typed.right) { return false }
        return requireOrder(typed.left, typed.right, typed, at: typed.node.span)
    }

    private func requireOrder(
        _ left: TypedNode, _ right: TypedNode, _ typed: TypedComparison, at span: SourceSpan
    ) -> Bool {
        let a = left.type
        let b = right.type
        if a.kind.isNil || b.kind.isNil { return true }
        let fits = a.isOrdered && b.isOrdered
        if fits, a.kind.isAny || b.kind.isAny || a.kind == b.kind || a.isNumber && b.isNumber { return true }
        let advice = literalAdvice(left, right) ?? literalAdvice(right, left) ?? ""
        report(.typeMismatch, at: span, typed.name, a.inWords, b.inWords, advice)
        return false
    }

    /// How to write a literal so that it has the type of the key that it is compared with; nil if that is unclear.
    private func literalAdvice(_ key: TypedNode, _ literal: TypedNode) -> String? {
        let isReadable = wouldRead(literal, as: key)
        if let advice = valueAdvice(key, literal) {
            return isReadable ? advice + LanguageOptions.or("typed-texts") : advice
        }
        return isReadable && textForm(of: key) == nil ? LanguageOptions.advice("typed-texts") : nil
    }

    /// Whether the extension `typed-texts`, which is off, would read a constant text as a value of the key.
    private func wouldRead(_ literal: TypedNode, as key: TypedNode) -> Bool {
        guard key.constant == nil, case .string(let text) = literal.constant, Self.readsTexts(as: key.type.kind) else {
            return false
        }
        return !checker.environment.language.contains(.typedTexts)
            && TextReading(text, as: key.type.kind, in: checker.environment.zone) != nil
    }

    private func valueAdvice(_ key: TypedNode, _ literal: TypedNode) -> String? {
        guard key.isPath, !key.type.isOpen else { return nil }
        if key.type.kind == .date, literal.type.isNumber {
            let date = SourceText(source).text(literal.span)
            return "write CAST(\"\(CalendarDate.seconds(iso8601: date) != nil ? date : "YYYY-MM-DD")\", \"NSDate\")"
        }
        guard case .value(let value) = literal.node.kind else { return nil }
        switch value {
        case .integer, .double: return key.type.kind == .string ? "write a text: \"\(literal.node)\"" : nil
        case .string(let text):
            let isPlain = text.unicodeScalars.allSatisfy { "0123456789.-".unicodeScalars.contains($0) }
            switch key.type.kind {
            case .boolean: return ["yes", "true"].contains(text.lowercased()) ? "write YES" : "write YES or NO"
            case .date:
                let isDate = CalendarDate.seconds(iso8601: text) != nil
                return "write CAST(\(isDate ? "\(literal.node)" : "\"YYYY-MM-DD\""), \"NSDate\")"
            default:
                return key.type.isNumber && isPlain && Double(text) != nil ? "write a number: \(text)" : nil
            }
        default: return nil
        }
    }

    /// The text of a key that has one: of a number, a UUID or a URL.
    private func textForm(of key: TypedNode) -> String? {
        guard key.isPath, !key.isElement else { return nil }
        if key.type.kind == .url { return "\(key.node).absoluteString" }
        return key.type.isNumber || key.type.kind == .uuid ? "CAST(\(key.node), \"NSString\")" : nil
    }

    private func checkTexts(_ typed: TypedComparison) -> Bool {
        let fits = requireText(typed.left, typed)
        return requireText(typed.right, typed, isNeedle: true) && fits
    }

    /// - Parameter isNeedle: whether the operand is the text to find or the pattern, which may lack its quotes.
    private func requireText(_ operand: TypedNode, _ typed: TypedComparison, isNeedle: Bool = false) -> Bool {
        if operand.type.kind == .string || operand.type.isOpen { return true }
        if !reportMany(operand), reportsTypes {
            let fixIts = isNeedle ? SourceText(source).quoting(operand.node) : []
            let advice = isNeedle ? nil : textForm(of: operand).map { "write \($0) \(typed.name) …" }
            report(
                PredicateDiagnostic(
                    .stringOperand, at: operand.span,
                    details: [typed.name, operand.type.inWords] + (advice.map { [$0] } ?? []), fixIts: fixIts))
        }
        return false
    }

    /// IN and CONTAINS: a text in a text, else a member of a collection (LANGUAGE 5.7).
    private func checkMembership(_ object: TypedNode, in container: TypedNode, _ typed: TypedComparison) -> Bool {
        if container.type.kind == .string { return requireText(object, typed) }
        guard let element = container.type.element else {
            if container.type.isOpen { return true }
            let isSearch = typed.comparison.operator == .contains
            report(
                .notACollection, at: container.span, typed.name, container.type.inWords,
                isSearch ? textForm(of: container).map { "write \($0) CONTAINS …" } ?? "" : "")
            return false
        }
        checkOptions(container, typed)
        return element.element != nil || element.isOpen || !reportMany(object)
    }

    /// For a collection literal in the text, the parser has already reported this.
    private func checkOptions(_ container: TypedNode, _ typed: TypedComparison) {
        if case .aggregate = container.node.kind { return }
        let options = typed.comparison.options
        // A search for a part of a text, as it seems: `employees.name CONTAINS "x"`.
        var search = ""
        if typed.comparison.operator == .contains, container.type.element?.kind == .string,
            case .string = typed.right.constant
        {
            search = "ANY \(container.node) CONTAINS\(options.spelling) \(typed.right.node)"
        }
        if !options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive]), container.constant == nil {
            report(
                .inOptions, at: typed.comparison.operatorSpan, String(options.spelling.dropFirst().dropLast()),
                search.isEmpty ? "" : "write \(search)")
        } else if !search.isEmpty, container.isPath, container.type.shape == .toMany {
            report(.containsElement, at: typed.comparison.operatorSpan, search)
        }
    }

    /// BETWEEN: the right side is a list of two bounds that have an order to the value (LANGUAGE 5.8).
    private func checkRange(_ typed: TypedComparison) -> Bool {
        if reportMany(typed.left) { return false }
        let range = typed.right
        if range.type.isOpen { return true }
        guard let element = range.type.element, range.type.shape == .list || range.type.shape == .toMany else {
            report(.betweenOperand, at: range.span, severity: .error)
            return false
        }
        guard let bounds = range.listed else {
            return requireOrder(typed.left, TypedNode(range.node, element), typed, at: typed.node.span)
        }
        guard bounds.count == 2 else {
            report(.betweenOperand, at: range.span, severity: .error)
            return false
        }
        if bounds.contains(where: { $0.type.kind.isNil }) { return true }
        return bounds.allSatisfy { requireOrder(typed.left, $0, typed, at: $0.span) }
    }
}
