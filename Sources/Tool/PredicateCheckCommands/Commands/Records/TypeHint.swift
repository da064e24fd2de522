// A field of a file may be a text where a predicate needs a number or a date. The message then names the option that
// converts the field.

package struct TypeHint {
    /// The option before the key: `--types ` on the command line, `.types ` at the prompt.
    let option: String
    /// The values of a column of CSV, if there are only a few; nil for other formats.
    package var domain: (([String]) -> [PredicateValue])?

    package init(option: String) { self.option = option }

    /// Adds to each error about a key that is a text and is compared with a value of another type, or that is not a text
    /// and is compared as one, how to convert it.
    package func adding(to diagnostics: [PredicateDiagnostic], of text: PredicateText) -> [PredicateDiagnostic] {
        guard case .predicate(let predicate) = text.tree else { return diagnostics }
        return diagnostics.map { diagnostic in
            guard let types = types(diagnostic) else { return textHint(diagnostic, predicate) }
            var path: [String]?
            var isFirst = true
            PredicateWalker(predicate: { node in
                guard path == nil, node.span == diagnostic.span, case .comparison(let comparison) = node.kind else {
                    return
                }
                for (operand, type) in [(comparison.left, types.left), (comparison.right, types.right)] {
                    guard path == nil, types.isEquality || type == Self.text else { continue }
                    isFirst = type == types.left
                    if case .keyPath(let keys) = operand.kind { path = keys }
                }
            }).walk(predicate.root)
            let other = isFirst ? types.right : types.left
            guard let path, let type = Self.names[other], types.isEquality || other != Self.text else {
                return diagnostic
            }
            var label = advice(path, other, type)
            // `write a text: "601"` finds no "00601", and texts have another order than numbers.
            if types.isEquality { label = beside(diagnostic, "write a text", label) }
            if type == "boolean", let words = domain?(path).compactMap(\.jsonText), !words.isEmpty,
                words.allSatisfy({ BooleanWords.value(of: $0) != nil })
            {
                label =
                    "a column is Boolean only if all its fields are one pair of words, such as True and False; " + label
            } else if domain != nil, other == Self.text, [types.left, types.right].contains("a Boolean") {
                label =
                    "all fields of the column are one pair of words, such as yes and no, so they are Booleans; " + label
            }
            return diagnostic.advised(label)
        }
    }

    /// Adds the same to an error about a part of a date in a key of an option, such as `due.month`.
    func adding(to diagnostics: [PredicateDiagnostic], ofKey key: String) -> [PredicateDiagnostic] {
        diagnostics.map { found in
            guard found.id == .operandType, found.details.count >= 2, found.details[1] == Self.text,
                DatePart(rawValue: found.details[0]) != nil, key.hasSuffix("." + found.details[0])
            else { return found }
            return found.advised(advice([String(key.dropLast(found.details[0].count + 1))], "a date", "date"))
        }
    }

    private func advice(_ path: [String], _ type: String, _ name: String) -> String {
        let value = path.joined(separator: ".") + "=" + name
        return "to read the field as \(type), add \(option)" + (value.contains(" ") ? "'\(value)'" : value)
    }

    /// The error about a key that has another type, and is an operand of an operator that takes texts; or about a part
    /// of a date that is read from a text.
    private func textHint(_ diagnostic: PredicateDiagnostic, _ predicate: FormatPredicate) -> PredicateDiagnostic {
        let details = diagnostic.details
        guard details.count >= 2 else { return diagnostic }
        var path: [String]?
        PredicateWalker(expression: { node in
            if node.span == diagnostic.span, case .keyPath(let keys) = node.kind { path = keys }
        }).walk(predicate.root)
        guard var path else { return diagnostic }
        var type = Self.text
        if diagnostic.id == .operandType, details[1] == Self.text, DatePart(rawValue: details[0]) != nil {
            guard path.popLast() == details[0], !path.isEmpty else { return diagnostic }
            type = "a date"
        } else if diagnostic.id == .operandType, Self.isArithmetic(details[0]) {
            // A step, as in `due + months(1)`, stands beside dates only.
            let types = details[1].split(separator: " and ").map(String.init)
            guard types.count == 2, let other = types.first(where: { $0 != Self.text }) else { return diagnostic }
            type = CalendarStep.Unit(rawValue: String(other.split(separator: " ").last ?? "")) == nil ? other : "a date"
            guard types.contains(Self.text), Self.names[type] != nil else { return diagnostic }
        } else if diagnostic.id != .stringOperand || Self.names[details[1]] == nil {
            return diagnostic
        }
        return diagnostic.advised(beside(diagnostic, "write CAST", advice(path, type, Self.names[type] ?? "")))
    }

    /// Advice behind that of the diagnostic, if this begins with these words.
    private func beside(_ diagnostic: PredicateDiagnostic, _ words: String, _ advice: String) -> String {
        guard let written = diagnostic.details.dropFirst(2).first, written.hasPrefix(words) else { return advice }
        return written + ", or " + advice
    }

    private static let text = "a text"
    private static let names = [
        "an integer": "integer", "a double": "double", "a decimal": "decimal", "a date": "date", "a UUID": "uuid",
        "a Boolean": "boolean", text: "string",
    ]

    private static func isArithmetic(_ name: String) -> Bool {
        BinaryOperator.allCases.contains { $0.spelling == name }
    }

    /// The types of the operands in the details of a diagnostic, and whether equality compares them, so that each of them
    /// may be the wrong one; nil unless one of them is a text.
    private func types(_ diagnostic: PredicateDiagnostic) -> (left: String, right: String, isEquality: Bool)? {
        let details = diagnostic.details
        switch diagnostic.id {
        // Advice that says how to write the constant as a number stays.
        case .comparisonConstant where details.count == 2 || !details[2].hasPrefix("write a number"):
            let sides = details[1].split(separator: " never equals ").map(String.init)
            guard sides.count == 2, sides.contains(Self.text) else { return nil }
            return (left: sides[0], right: sides[1], isEquality: true)
        case .operandType where details.count >= 2 && !Self.isArithmetic(details[0]):
            let words = details[1]
            for other in Self.names.keys {
                for (left, right) in [(Self.text, other), (other, Self.text)] where words == "\(left) and \(right)" {
                    return (left: left, right: right, isEquality: false)
                }
            }
            return nil
        case .typeMismatch where details.count >= 3 && details[1...2].contains(Self.text):
            return (left: details[1], right: details[2], isEquality: false)
        default: return nil
        }
    }
}
