// Filters, predicates and problems in words.

extension EditorGroup {
    /// The filter in words, for a list of saved filters or a screen reader. Muted rows and rows with a problem are left
    /// out, as in predicates.
    ///
    ///     filter.sentence(fields)    // Title contains 'swift' and Added in the last 7 days
    ///     filter.sentence(fields, .german)    // Titel enthält „swift“ und …
    public func sentence(_ fields: EditorFields, _ words: EditorWords = .english) -> String {
        // The parts are sentences, and whether they need parentheses in a longer one.
        let whole: (text: String, isCompound: Bool)? = combined({ row in
            row.sentence(fields, words).map { ($0, false) }
        }) { match, parts in
            let conjunction = " \(words[match.isAnd ? "and" : "or"]) "
            let text =
                parts.count == 1
                ? parts[0].text : parts.map { $0.isCompound ? "(\($0.text))" : $0.text }.joined(separator: conjunction)
            if match.isNegated { return (words.filled("not", ["group": text]), false) }
            return (text, parts.count > 1 || parts[0].isCompound)
        }
        return whole?.text ?? words["everything"]
    }
}

extension FormatPredicate {
    /// The predicate in words: "Title contains 'swift' and Price is less than 5". A part without words is its text in
    /// quotation marks.
    ///
    /// The fields have the titles; other key paths get titles made from their names.
    public func sentence(fields: EditorFields? = nil, _ words: EditorWords = .english) -> String {
        let known = EditorFields((fields?.all ?? []) + comparedKeys, in: fields?.environment ?? environment)
        return EditorGroup(self, fields: known).sentence(known, words)
    }

    /// The keys of comparisons as fields, with the kind of the first constant that each is compared with.
    private var comparedKeys: [EditorField] {
        var found: [EditorField] = []
        PredicateWalker(predicate: { node in
            guard case .comparison(let comparison) = node.kind else { return }
            let (key, value) = comparison.keyed().map { ($0.key, $0.constant) } ?? (comparison.left, .null)
            guard case .keyPath(let keys) = key.kind, !keys.contains(where: { $0.hasPrefix("@") && $0 != keys.last })
            else { return }
            let isDate = comparison.right.constant == nil
            let type = ExpressionType(of: value)
            let known = EditorField.Kind((type.element ?? type).kind) ?? (isDate ? .date : .text)
            let kind = known == .integer ? .number : known
            let path = keys.joined(separator: ".")
            found.append(EditorField(path, kind, list: comparison.modifier == .direct ? nil : path))
        }).walk(root)
        return found
    }
}

extension EditorRow {
    /// The row in words; nil if it is muted or has a problem.
    public func sentence(_ fields: EditorFields, _ words: EditorWords = .english) -> String? {
        guard !isMuted, problem(fields) == nil else { return nil }
        guard `operator` != .predicate, let field = fields[field] else {
            return words.filled("opaque", ["text": value.text])
        }
        let isPlural = field.list != nil && (quantifier ?? .any).isPlural
        var parts = [
            "field": field.title, "operator": words.name(of: `operator`, for: field, isPlural: isPlural),
            "value": operandWords(field, fields, words),
        ]
        if field.list != nil { parts["quantifier"] = words.name(of: quantifier ?? .any) }
        if value == .string(""), !comparesFields,
            let empty = ["=": "empty", "!=": "notEmpty"][`operator`.base.rawValue]
        {
            (parts["operator"], parts["value"]) = (words[isPlural ? "plural " + empty : empty], "")
        }
        var template = field.list == nil ? "row" : "list"
        let whole = (isPlural ? "plural " : "") + "sentence " + `operator`.rawValue
        if words.words[whole] != nil {
            template = whole
            parts["field"] = (parts["quantifier"].map { $0 + " " } ?? "") + field.title
        }
        return String(words.filled(template, parts).trimmingSpaces)
    }

    private func operandWords(_ field: EditorField, _ fields: EditorFields, _ words: EditorWords) -> String {
        if comparesFields { return fields[text]?.title ?? text }
        switch `operator`.operands {
        case .none: return ""
        case .one: return Self.words(for: value, field, words)
        case .list, .bounds:
            let isList = `operator`.operands == .list
            guard let entered = try? entered(isList: isList) else { return "" }
            let all = entered.map { Self.words(for: $0, field, words) }
            let first = all.dropLast().joined(separator: ", ")
            return (first.isEmpty ? "" : first + " \(words[isList ? "or" : "and"]) ") + (all.last ?? "")
        case .period:
            guard let period else { return "" }
            let isNext = [.inTheNext, .notInTheNext].contains(`operator`) && period.count != 1
            let unit = (isNext ? words.words["next " + period.unit.rawValue] : nil)
            return "\(period.count) " + (unit ?? words.name(of: period.unit, count: period.count))
        }
    }

    private static func words(for value: PredicateValue, _ field: EditorField, _ words: EditorWords) -> String {
        if let text = words.format(field, value) { return text }
        let typed = try? field.typed(value)
        if let choice = field.choices.first(where: { $0.value == value || $0.value == typed }) { return choice.title }
        switch (field.kind, typed) {
        case (.boolean, .bool(let isTrue)?): return words[isTrue ? "yes" : "no"]
        case (.text, _), (.url, _): return words.filled("text", ["text": value.text])
        default: return value.text
        }
    }
}

extension EditorProblem {
    /// The problem in words: `Rating: 'x' is not a whole number`.
    public func sentence(_ words: EditorWords = .english) -> String {
        words.filled("problem", ["field": title, "problem": message(words)])
    }

    /// The problem in words without the field, for a label beside its row.
    public func message(_ words: EditorWords = .english) -> String {
        switch kind {
        case .unknownField: words["unknownField"]
        case .unknownOperator: words["unknownOperator"]
        case .operatorDoesNotFit: words["operatorDoesNotFit"]
        case .noValue: words["noValue"]
        case .notBounds: words["notBounds"]
        case .notPeriod: words["notPeriod"]
        case .otherField(let text): words.filled("otherField", ["text": text])
        case .invalidText(let text): words.filled("invalidText", ["text": text])
        case .notOfKind(let kind, let text): words.filled(Self.words[kind] ?? "other", ["text": text])
        }
    }
    private static let words: [EditorField.Kind: String] = [
        .integer: "integer", .number: "number", .decimal: "number", .boolean: "boolean", .date: "date",
        .dateTime: "date", .uuid: "uuid",
    ]
}
