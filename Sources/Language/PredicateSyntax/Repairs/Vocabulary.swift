// Words and signs of other languages, and what they mean here.

package enum Vocabulary {
    /// Names of the operators in other languages. XOR has no equivalent.
    static let operators = [
        "EQUALS": "==", "EQUAL": "==", "EQUALTO": "==", "EQ": "==", "NE": "!=", "NEQ": "!=", "GT": ">", "GTE": ">=",
        "LT": "<", "LTE": "<=", "STARTSWITH": "BEGINSWITH", "STARTS": "BEGINSWITH", "BEGINS": "BEGINSWITH",
        "HASPREFIX": "BEGINSWITH", "ENDS": "ENDSWITH", "HASSUFFIX": "ENDSWITH", "INCLUDES": "CONTAINS",
        "HAS": "CONTAINS", "GLOB": "LIKE", "SIMILAR": "MATCHES", "DIV": "/", "MATCH": "MATCHES", "MATCHING": "MATCHES",
        "BEGIN": "BEGINSWITH", "START": "BEGINSWITH", "PREFIX": "BEGINSWITH", "END": "ENDSWITH", "SUFFIX": "ENDSWITH",
        "CONTAINING": "CONTAINS", "INSIDE": "IN", "WITHIN": "IN", "IDENTICALTO": "==", "CONTAINSSTRING": "CONTAINS",
        "ISEQUALTOSTRING": "==", "ISEQUAL": "==", "ISEQUALTO": "==", "GE": ">=", "LE": "<=", "REGEX": "MATCHES",
        "HASSUBSTRING": "CONTAINS", "ISIN": "IN", "REGEXP_LIKE": "MATCHES", "REGEXP_CONTAINS": "MATCHES",
        "REGEXP_MATCHES": "MATCHES", "REGEXMATCH": "MATCHES", "LOCALIZEDSTANDARDCONTAINS": "CONTAINS[cd]",
        "LOCALIZEDCASEINSENSITIVECONTAINS": "CONTAINS[c]",
    ]
    /// Operators of other languages, and typing mistakes.
    static let symbols = [
        "===": "==", "!==": "!=", "<=>": "==", "=~": "MATCHES", "<==": "<=", ">==": ">=", "==<": "<=", "==>": ">=",
        "!~": "MATCHES",
    ]
    /// Signs that look like operators, with the operators that they probably mean.
    static let lookalikes = [
        "≤": "<=", "≥": ">=", "≠": "!=", "–": "-", "—": "-", "−": "-", "×": "*", "÷": "/", "∧": "AND", "∨": "OR",
        "¬": "NOT", "∈": "IN", "\u{200B}": "", "\u{2060}": "", "\u{2009}": " ", "\u{202F}": " ", "\u{A0}": " ",
        "\u{3000}": " ", "\u{FEFF}": "",
    ]
    /// Words that look like misspelled operators but are not.
    static let foreign: Set = ["XOR", "FOR", "OF", "IF", "DO", "NOR", "IS"]

    /// The operator for a method of another language: `name.hasPrefix('A')`.
    package static func comparison(forMethod name: String) -> String? {
        let word = name.uppercased()
        return operators[word] ?? Keywords.operatorWords.first { $0 == word }
    }

    /// The right side of the comparison for a method. The functions of SQL for regular expressions find a part of a text;
    /// MATCHES tests the whole.
    static func operand(_ text: String, ofMethod name: String) -> String {
        guard name.uppercased().hasPrefix("REGEX"), let quote = text.first, "\"'".contains(quote), text.count > 1 else {
            return text
        }
        let pattern = String(text.dropFirst().dropLast())
        let start = ["^", ".*"].contains(where: pattern.hasPrefix) ? "" : ".*"
        let end = ["$", ".*"].contains(where: pattern.hasSuffix) ? "" : ".*"
        let whole = pattern.contains("|") && start + end != "" ? "(\(pattern))" : pattern
        return "\(quote)\(start)\(whole)\(end)\(quote)"
    }

    private static let optionWords = ["case", "caseinsensitive", "ignorecase", "icase", "nocase", "insensitive"]

    /// The options that a word spells; nil if one of its letters is not an option. `i` ignores case in other languages.
    static func options(_ word: String) -> ComparisonOptions? {
        let word = word.lowercased()
        if optionWords.contains(word) { return .caseInsensitive }
        guard !word.isEmpty, word.utf8.count <= 4 else { return nil }
        var options: ComparisonOptions = []
        for letter in word {
            let meant = letter == "i" ? "c" : letter
            guard let known = ComparisonOptions.letters.first(where: { $0.letter == meant }) else { return nil }
            options.insert(known.option)
        }
        return options
    }
}

extension BinaryOperator {
    /// The logical operator that was meant by a bitwise operator between conditions.
    var logicalSpelling: String? {
        switch self {
        case .bitwiseAnd: "&&"
        case .bitwiseOr: "||"
        default: nil
        }
    }
}

extension Keyword {
    /// How a quantifier with a negated comparison is written: `ANY NOT a == 1` is `NOT ALL a == 1`.
    var ofNegation: String? {
        switch self {
        case .any, .some: "NOT ALL"
        case .all: "NOT ANY"
        case .none: "ALL"
        default: nil
        }
    }
}
