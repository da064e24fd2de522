// Words and signs of other languages, and what they mean here.

enum Vocabulary {
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
        "REGEXP_MATCHES": "MATCHES", "REGEXMATCH": "MATCHES",
    ]
    /// English phrases for operators, without a leading IS.
    static let phrases = [
        "GREATER THAN": ">", "MORE THAN": ">", "HIGHER THAN": ">", "LESS THAN": "<", "LOWER THAN": "<",
        "SMALLER THAN": "<", "BIGGER THAN": ">", "LARGER THAN": ">", "AT LEAST": ">=", "AT MOST": "<=",
        "SAME AS": "==", "DIFFERENT FROM": "!=", "STARTING WITH": "BEGINSWITH", "BEGINNING WITH": "BEGINSWITH",
        "ENDING WITH": "ENDSWITH", "HAS PREFIX": "BEGINSWITH", "HAS SUFFIX": "ENDSWITH",
        "EQUAL TO": "==", "EQUALS TO": "==", "THE SAME AS": "==", "NOT EQUAL TO": "!=",
        "NOT EQUAL": "!=", "NOT EQUALS": "!=", "NOT THE SAME AS": "!=", "ISNT EQUAL TO": "!=",
        "GREATER THAN OR EQUAL TO": ">=", "GREATER THAN OR EQUAL": ">=", "GREATER OR EQUAL": ">=",
        "LESS THAN OR EQUAL TO": "<=", "LESS THAN OR EQUAL": "<=", "LESS OR EQUAL": "<=", "NOT LESS THAN": ">=",
        "NO LESS THAN": ">=", "NOT GREATER THAN": "<=", "NO MORE THAN": "<=",
    ]
    /// Operators of other languages, and typing mistakes.
    static let symbols = [
        "===": "==", "!==": "!=", "<=>": "==", "=~": "MATCHES", "<==": "<=", ">==": ">=", "==<": "<=", "==>": ">=",
        "!~": "MATCHES", "=>=": ">=", "=<=": "<=", "====": "==", "!===": "!=", ">>=": ">=", "<<=": "<=", ">>>": ">",
        "<<<": "<", "<>=": "!=", "=<>": "!=", "==!": "!=", "=!=": "!=", "!<>": "==",
    ]
    /// Signs that look like operators, with the operators that they probably mean.
    static let lookalikes = [
        "≤": "<=", "≥": ">=", "≠": "!=", "–": "-", "—": "-", "−": "-", "×": "*", "÷": "/", "∧": "AND", "∨": "OR",
        "¬": "NOT", "∈": "IN", "\u{200B}": "", "\u{200C}": "", "\u{200D}": "", "\u{2060}": "", "\u{2009}": " ",
        "\u{202F}": " ", "\u{2003}": " ", "\u{2002}": " ", "\u{200E}": "", "\u{200F}": "", "⩾": ">=", "⩽": "<=",
        "⟨": "<", "⟩": ">", "∗": "*", "⁄": "/", "∕": "/", "＝=": "==", "\u{A0}": " ", "\u{3000}": " ", "\u{FEFF}": "",
        "、": ",", "。": ".",
    ]
    /// Words that precede a condition in other languages.
    static let prefixes: [String: Keyword] = ["EVERY": .all, "EACH": .all, "EXISTS": .any]
    /// Words that look like misspelled operators but are not.
    static let foreign: Set = ["XOR", "FOR", "OF", "IF", "DO", "NOR"]
    /// Clauses that may follow a condition.
    static let clauses = [
        "ESCAPE": "remove it: a backslash makes a wildcard plain",
        "COLLATE": "remove it: options follow the operator, ==[c]",
        "IGNORECASE": "remove it: options follow the operator, ==[c]", "HAVING": "write only the condition",
        "NOCASE": "remove it: options follow the operator, ==[c]", "UNION": "join conditions by OR",
        "THEN": "write AND, or remove it",
    ]
    /// The units of time in SQL, in seconds.
    static let units = ["SECOND": 1, "MINUTE": 60, "HOUR": 3600, "DAY": 86400, "WEEK": 604_800]
    /// Words that begin a statement with a condition. TEST is a shell command.
    static let statements: Set = [
        "IF", "UNLESS", "WHEN", "WHILE", "RETURN", "LET", "VAR", "CONST", "GUARD", "TRY", "BOTH", "EITHER", "TEST",
        "TYPEOF", "DISTINCT", "FILTER", "FIND", "HAVING", "ASSERT", "REQUIRE", "WHERE", "LAMBDA", "TOP",
        "FROM", "DELETE", "UPDATE", "SELECT",
    ]
    /// Methods of collections that take a closure or a condition.
    static let closures: Set = [
        "any", "some", "all", "every", "allsatisfy", "contains", "filter", "first", "exists", "where", "map", "none",
    ]

    /// The operator for a method of another language: `name.hasPrefix('A')`.
    static func comparison(forMethod name: String) -> String? {
        let word = name.uppercased()
        return operators[word] ?? Keywords.operatorWords.first { $0 == word }
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
