// Hints about expressions: keys, collection operators, arithmetic, indices and the variables of SUBQUERY.

extension HintReader {
    /// Reports an operator without its `@` after a SUBQUERY, because it is read as a key of each element.
    func checkBareOperator(_ node: ExpressionNode) {
        guard case .member(let base, let step) = node.kind, case .subquery = base.kind,
            case .keyPath(let keys) = step.kind, keys.count == 1,
            let meant = CollectionOperator.named(meantByKey: keys[0])?.name
        else { return }
        report(
            .toManyKey, at: step.span, "SUBQUERY(…).\(keys[0])", "write SUBQUERY(…).\(meant)", severity: .warning,
            fixIts: step.span == .none ? [] : [.init(step.span, meant)])
    }

    /// Reports `serial-number`: keys around minus signs without spaces. They were probably meant as one key.
    func checkHyphen(_ node: ExpressionNode) {
        guard case .binary(.subtract, _, let right) = node.kind, case .keyPath = right.kind,
            node.span.start >= hyphensEnd, case let words = text(node.span).filter({ $0 != "#" }),
            words.split(whereSeparator: { ".-".contains($0) }).map(String.init).allSatisfy(FunctionCatalog.isWord)
        else { return }
        hyphensEnd = node.span.end
        let path = words.split(separator: ".")
        let (owner, key) = (path.dropLast().joined(separator: "."), String(path[path.count - 1]))
        report(
            guess: PredicateDiagnostic(
                .hyphenatedKey, at: node.span, words,
                (owner.isEmpty ? SyntaxSelector.key(key) : "\(owner).\"\(key)\"") + " or %K"))
    }

    /// Reports `2020-01-31`: numbers that look like an ISO date.
    func checkDate(_ node: ExpressionNode) {
        let span = node.span
        if case .binary(.divide, _, let year) = node.kind { return checkSlashes(node, year) }
        guard case .binary(.subtract, _, let day) = node.kind, span.count == 10, span.end <= bytes.count,
            case .value(.integer) = day.kind
        else { return }
        let text = bytes[span.range]
        let dashes = [4, 7].map { text.startIndex + $0 }
        guard text.indices.allSatisfy({ dashes.contains($0) ? text[$0] == 0x2D : (0x30...0x39).contains(text[$0]) })
        else {
            return
        }
        let date = String(decoding: text, as: UTF8.self)
        let meant = "CAST(\"\(date)\", \"NSDate\")"
        report(.unquotedDate, at: span, date, "a subtraction", meant, fixIts: [.init(span, meant)])
    }

    /// Reports `31/12/2020` and `12/31/2020`, whose order of day and month is unknown.
    private func checkSlashes(_ node: ExpressionNode, _ year: ExpressionNode) {
        guard case .value(.integer(let number)) = year.kind, (1900...2100).contains(number),
            case .binary(.divide, let days, _) = node.kind, case .binary(.divide, let first, let second) = days.kind,
            case .value(.integer(let one)) = first.kind,
            case .value(.integer(let two)) = second.kind, (1...31).contains(one), (1...31).contains(two)
        else { return }
        let months = one > 12 ? [two] : two > 12 ? [one] : []
        let day = one > 12 ? one : two
        func digits(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let meant = months.first.map { "\(number)-\(digits($0))-\(digits(day))" } ?? "\(number)-MM-DD"
        report(.unquotedDate, at: node.span, text(node.span), "a division", "CAST(\"\(meant)\", \"NSDate\")")
    }

    /// Reports `CAST(1577836800, "NSDate")`: seconds since 1970, or milliseconds, where seconds since 2001 are meant.
    func checkUnixTime(_ node: ExpressionNode) {
        guard case .cast(let inner, type: CastType.date.rawValue) = node.kind,
            let number = source.literal(inner)?.doubleValue,
            number >= 946_684_800, let date = CalendarDate(secondsSince2001: number)
        else { return }
        let seconds = (number >= 1e11 ? number / 1000 : number) - 978_307_200
        let isWhole = seconds == seconds.rounded()
        report(
            .unixTime, at: inner.span, "in the year \(date.year)",
            "write \(isWhole ? "\(Int64(seconds))" : "\(seconds)") for seconds since 1970")
    }

    /// Reports an index that is out of range for every list.
    func checkIndex(_ node: ExpressionNode) {
        guard case .index(_, let index) = node.kind, case .value(.integer(let position)) = index.kind, position < 0
        else { return }
        report(
            .indexOutOfRange, at: index.span, "\(position)", "any number of", severity: .warning,
            suggestion: position == -1 ? "LAST" : nil, fixIts: position == -1 ? [.init(index.span, "LAST")] : [])
    }

    /// Reports arithmetic with a text or a date.
    func checkArithmetic(_ node: ExpressionNode) {
        if !isBesideErrors { source.arithmetic(in: node, checker).forEach { report($0) } }
    }

    /// Reports `pets.@size`, an unknown collection operator, and `pets.@sum`, an operator without its key. Evaluating
    /// them fails.
    func checkOperators(_ node: ExpressionNode) {
        let span = node.span
        guard case .keyPath(let keys) = node.kind,
            let index = keys.firstIndex(where: { $0.utf8.first == UInt8(ascii: "@") }), span != .none,
            !bytes[span.range.clamped(to: 0..<bytes.count)].contains(UInt8(ascii: "%"))
        else { return }
        let name = keys[index]
        if DictionaryKey.all.contains(name) { return }
        guard let known = CollectionOperator.named(name) else {
            let meant = CollectionOperator.named(meantBy: name)
            var advice = CollectionOperator.advice(for: name)
            if index == 0 { advice = "a key has no @: write \(name.dropFirst()), or quote the text" }
            let place = place(of: name, in: span)
            report(
                .unknownCollectionOperator, at: place, name, advice, severity: .warning, suggestion: meant,
                fixIts: meant.map { [.init(place, $0)] } ?? [])
            return
        }
        guard known.takesKey, index == keys.count - 1 else { return }
        let place = place(of: name, in: span)
        let isLast = index > 1
        let path = isLast ? keys[..<(index - 1)] + [name, keys[index - 1]] : keys + ["#self"]
        let meant = path.joined(separator: ".")
        report(.operatorKey, at: place, name, "write " + meant, fixIts: isLast ? [.init(span, meant)] : [])
    }

    /// The span of a name in the text of a larger span.
    private func place(of name: String, in span: SourceSpan) -> SourceSpan {
        let text = bytes[span.range.clamped(to: 0..<bytes.count)]
        let start = text.indices.first { text[$0...].starts(with: name.utf8) } ?? span.start
        return SourceSpan(start, min(span.end, start + name.utf8.count))
    }

    /// Reports a SUBQUERY variable that is used outside of its SUBQUERY. A variable that no SUBQUERY declares belongs
    /// to the caller.
    func checkScopes() {
        func names(_ role: VariablePlace.Role) -> Set<String> {
            Set(variables.lazy.filter { $0.role == role }.map { $0.name })
        }
        let scoped = names(.subquery)
        guard !scoped.isEmpty else { return }
        let suspects = scoped.subtracting(names(.assignment))
        // Variables are visited in text order. A variable is inside a SUBQUERY if one that began earlier has not ended
        // yet.
        var ends: [String: Int] = [:]
        for place in variables.ordered(by: { $0.span.start < $1.span.start })
        where place.span != .none && suspects.contains(place.name) {
            let end = ends[place.name] ?? 0
            if place.role == .subquery {
                ends[place.name] = max(end, place.span.end)
            } else if place.span.end > end {
                let reason = "only the condition of its SUBQUERY has it"
                report(.unboundVariable, at: place.span, place.name, reason, severity: .warning)
            }
        }
    }

    /// Notes where variables are, and reports a variable of SUBQUERY that its condition does not use.
    func checkVariables(_ node: ExpressionNode) {
        switch node.kind {
        case .variable(let name): variables.append(VariablePlace(name: name, role: .use, span: node.span))
        case .assignment(let name, _):
            variables.append(VariablePlace(name: name, role: .assignment, span: node.span))
        case .subquery(_, let name, let condition):
            variables.append(VariablePlace(name: name, role: .subquery, span: node.span))
            checkVariable(name, condition, node.span)
        default: break
        }
    }

    private func checkVariable(_ name: String, _ condition: PredicateNode, _ span: SourceSpan) {
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
        report(
            .unusedVariable, at: other?.span ?? condition.span, name, suggestion: other == nil ? nil : "$\(name)",
            fixIts: other.map { [.init($0.span, "$\(name)")] } ?? [])
    }
}
