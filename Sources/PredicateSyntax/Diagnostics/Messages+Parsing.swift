// The messages about text that cannot be parsed, sorted by ID. `{0}`, `{1}` … are the diagnostic's details.

extension MessageEntry {
    static let bareKey = MessageEntry(
        .error, "'{0}' is a value, not a condition", label: "compare it: {0} == YES",
        """
        A predicate is a comparison. A key alone is not a comparison, even if it holds a Boolean: write 'done \
        == YES'.
        """)
    static let castLiteral = MessageEntry(
        .error, "CAST needs the name of a type as a quoted text", label: "write CAST(value, \"NSNumber\")",
        """
        CAST(value, "NSNumber") takes the name of the type as a literal, so that it can be checked before \
        evaluation.
        """)
    static let chainedComparison = MessageEntry(
        .error, "comparisons cannot be chained", label: "{0}",
        """
        'a < b < c' has no meaning in this language. Write 'a < b AND b < c', or 'b BETWEEN {a, c}' to \
        include both bounds.
        """)
    static let comment = MessageEntry(
        .error, "a predicate cannot have comments", label: "remove it",
        "The language has no comments: no /* */, no // and no --. Remove the comment.")
    static let deviceManagementTerm = MessageEntry(
        .error, "'{0}' is a device management term", label: "enable the extension to use it",
        """
        Apple's declarative device management adds @status(…), @property(…) and @key(…) to the language. They \
        are an extension, which is off by default.
        """)
    static let doubledQuote = MessageEntry(
        .error, "a doubled quote does not escape a quote here", label: "use \\{0}",
        """
        SQL doubles a quote inside a literal. Here a backslash escapes it, or use the other kind of quote: \
        "it's".
        """)
    static let earlyQuote = MessageEntry(
        .error, "this {0} ends the text early", label: "escape it: \\{1}, or use the other quotes",
        """
        A quote of the same kind inside a literal ends it. Escape it with a backslash, quote with the other \
        kind, or pass the text as an argument for %@.
        """)
    static let emptyInput = MessageEntry(
        .error, "the predicate is empty", label: "write a condition, or TRUEPREDICATE",
        "An empty text is not a predicate. TRUEPREDICATE matches every object.")
    static let emptyParentheses = MessageEntry(
        .error, "these parentheses are empty", label: "write a condition in them, or remove them",
        "Parentheses contain a predicate or an expression.")
    static let expectedExpression = MessageEntry(
        .error, "expected a value here, found {0}", label: "{1}",
        otherwise: "write a key or a value",
        "A comparison needs a value on each side: a key, a literal, a variable, a call or an argument.")
    static let expectedOperator = MessageEntry(
        .error, "expected an operator, found {0}", label: "{1}",
        otherwise: "write an operator, such as ==, IN or AND",
        """
        Two values need an operator between them: == != < <= > >= BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES \
        IN BETWEEN, or an arithmetic one.
        """)
    static let expectedPredicate = MessageEntry(
        .error, "{0} is a value, not a condition", label: "write an operator and a value after it",
        """
        A predicate is a comparison, TRUEPREDICATE, FALSEPREDICATE, or a combination of them. A value alone \
        is not a predicate.
        """)
    static let indexSymbol = MessageEntry(
        .error, "{0} is valid only between brackets", label: "as a key write #{1}",
        "FIRST, LAST and SIZE are indices: list[FIRST]. As a key, write #first.")
    static let keyComponent = MessageEntry(
        .error, "a key cannot begin with a digit", label: "use brackets, or %K",
        """
        Each component of a key path begins with a letter or an underscore. For an element of a list write \
        (a.d)[0]; pass any other key of a dictionary for %K.
        """)
    static let listBrackets = MessageEntry(
        .error, "a list is written in braces", label: "write {{0}}",
        "Lists are written {1, 2, 3}, not [1, 2, 3] or (1, 2, 3).")
    static let logicalOperator = MessageEntry(
        .error, "'{0}' is a bit operator; between conditions write '{1}'", label: "write {1}",
        "A single & or | computes with bits. Join conditions by && or AND, and by || or OR.")
    static let malformedEscape = MessageEntry(
        .error, "'{0}' is not a complete escape", label: "{1}",
        "\\x takes two hexadecimal digits, \\u four, and an octal escape at most \\377.")
    static let malformedNumber = MessageEntry(
        .error, "'{0}' is not a number", label: "{1}",
        "Numbers are 1, 1.5, 2e10, 0x1F, 0o17, 0b101. A decimal point needs a digit on both sides.")
    static let missingConjunction = MessageEntry(
        .error, "two conditions have no AND or OR between them", label: "insert AND or OR",
        "Conditions are joined by AND (&&) or OR (||). There is no implicit AND.")
    static let missingSpace = MessageEntry(
        .error, "'{0}' is read as one word", label: "write {1}",
        "A word includes all letters and digits that follow. Put a space after the operator.")
    static let missingVariable = MessageEntry(
        .error, "{0} needs a variable, such as $x", label: "write $x",
        "SUBQUERY(collection, $x, condition) names each element by a variable, and an assignment sets one.")
    static let nonAsciiKey = MessageEntry(
        .error, "'{0}' cannot be written as a key", label: "quote it if it is text; pass a key for %K",
        "A key consists of ASCII letters, digits and underscores. Pass any other key for %K.")
    static let numberOverflow = MessageEntry(
        .error, "'{0}' does not fit in 64 bits", label: "write a double, 1e20, or quote it if it is text",
        """
        Integers range from -9223372036854775808 to 9223372036854775807. Write a double, 1e20, or pass a \
        decimal for %@.
        """)
    static let optionMisplaced = MessageEntry(
        .error, "{0} takes no options",
        "[c], [d], [n] and [l] follow a comparison operator, but not BETWEEN.")
    static let optionPlace = MessageEntry(
        .error, "options follow the operator", label: "write {0}",
        """
        Options change how an operator compares texts, so they follow the operator: name CONTAINS[cd] 'a'. \
        Brackets behind a key read an element.
        """)
    static let predicateAsValue = MessageEntry(
        .error, "{0} is a condition, not a value", label: "compare its parts, or write TERNARY(…, YES, NO)",
        """
        A condition has no value that can be compared or computed with. Use TERNARY(condition, 1, 0) where a \
        value is needed.
        """)
    static let reservedWord = MessageEntry(
        .error, "{0} is a reserved word", label: "as a key write #{0}",
        "The language reserves some words. Write a key of that name with #, or pass it for %K.")
    static let selectorLiteral = MessageEntry(
        .error, "FUNCTION needs its selector as a quoted text",
        """
        FUNCTION(target, "selector:", …) takes the selector as a literal, so that it can be checked before \
        evaluation.
        """)
    static let singleEqualsChain = MessageEntry(
        .error, "'{0}' is not an operator", label: "{1}",
        otherwise: "write one of == != < <= > >=",
        "Equality is == (or =), inequality is != (or <>), order is <, <=, > and >=.")
    static let sqlOperator = MessageEntry(
        .error, "{0} is SQL, not predicate syntax", label: "write {1}",
        "This language has no IS, NOT IN or ILIKE: write a == nil, a != nil, NOT a IN {…}, a LIKE[c] 'b*'.")
    static let trailingComma = MessageEntry(
        .error, "a list cannot end in a comma", label: "remove it",
        "Put a comma between elements, not after the last one.")
    static let typographicQuote = MessageEntry(
        .error, "'{0}' is a typographic quote", label: "write {1}",
        "Word processors and web pages replace straight quotes. The language accepts only ' and \".")
    static let unclosedBracket = MessageEntry(
        .error, "'{0}' is not closed", label: "{1}",
        otherwise: "write the closing bracket",
        "Every opening bracket needs a closing bracket of the same kind.")
    static let unexpectedCharacter = MessageEntry(
        .error, "'{0}' is not expected here", label: "{1}",
        otherwise: "remove it, or quote the text",
        "The character has no meaning outside quotes.")
    static let unexpectedClosing = MessageEntry(
        .error, "'{0}' has no opening bracket",
        otherwise: "remove it, or write its opening bracket",
        "Every closing bracket needs an opening bracket of the same kind before it.")
    static let unexpectedText = MessageEntry(
        .error, "{0} is not expected here", label: "{1}",
        otherwise: "remove it, or join it by AND or OR",
        "The predicate is complete before this text, or this cannot follow the text before it.")
    static let unknownOperator = MessageEntry(
        .error, "'{0}' is not an operator", label: "{1}",
        """
        The operators are == != < <= > >= BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES IN BETWEEN \
        UTI-CONFORMS-TO UTI-EQUALS.
        """)
    static let unknownOption = MessageEntry(
        .error, "'{0}' is not an option", label: "the options are c, d, n and l",
        """
        [c] ignores case, [d] accents. [n] states that the texts are normalised. [l] compares by the rules of \
        the locale.
        """)
    static let unquotedText = MessageEntry(
        .error, "text must be quoted: '{0}' is read as a key", label: "quote the text",
        "A word without quotes is a key path. Several in a row are probably a text without its quotes.")
    static let unterminatedString = MessageEntry(
        .error, "this text has no closing quote", label: "{0}",
        """
        A text ends with the kind of quote that it begins with. A backslash before the quote makes it part of \
        the text: '\\' has no closing quote.
        """)
    static let unusedWord = MessageEntry(
        .error, "{0} is reserved and has no meaning here", label: "as a key write #{1}",
        "Apple's documentation reserves the word, but gives it no meaning.")
    static let xmlEntity = MessageEntry(
        .error, "'{0}' is an XML entity", label: "write {1}",
        "The text was copied from a property list or a web page. Decode the entity first.")
}
