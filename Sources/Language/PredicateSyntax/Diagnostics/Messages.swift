// The catalogue of all messages, ordered by ID. `{0}`, `{1}` … are the diagnostic's details. The label is shown under
// the caret if the diagnostic has no suggestion; `otherwise` is shown instead of an empty label. The last text is the
// explanation that `predicate explain` prints. A new ID is also listed in `DiagnosticID.allCases`. Messages+Rules.swift has
// those of `lint --rules`, Messages+Dates.swift those of dates and typed texts, Messages+Profiles.swift those of profiles.

extension DiagnosticID {
    package static let adjacentArgument = DiagnosticID(
        "adjacent-argument", .error, "'{0}' is a complete operand; text cannot be joined to it",
        label: "build the whole pattern in the argument",
        """
        An argument is a complete operand, so 'LIKE %@*' is read as a multiplication without a right side. \
        Put the wildcard into the argument: name LIKE %@ with "abc*".
        """)
    package static let argumentType = DiagnosticID(
        "argument-type", .error, "'{0}' cannot take {1}", label: "{2}",
        """
        Each conversion takes one kind of argument: %@ any value or expression; %K a string that names a key; \
        %d, %i, %u, %o and %x an integer; %f, %e, %g and %a a number.
        """)
    package static let bareKey = DiagnosticID(
        "bare-key", .error, "'{0}' is a value, not a condition", label: "{2}",
        """
        A predicate is a comparison. A key alone is not a comparison, even if it holds a Boolean: write 'done \
        == YES'.
        """)
    package static let bareKeysCompared = DiagnosticID(
        "bare-keys-compared", .warning, "this compares two keys, '{0}' and '{1}'", label: "{2}",
        """
        A word without quotes is a key path, never a string. 'name == Kyle' compares the key name with the \
        key Kyle; 'name == "Kyle"' compares it with a text.
        """)
    package static let betweenOperand = DiagnosticID(
        "between-operand", .warning, "BETWEEN needs two bounds on its right", label: "write {lower, upper}",
        """
        BETWEEN takes a list of exactly two bounds, both included: age BETWEEN {18, 65}. Any other right side \
        parses, but its evaluation fails.
        """)
    package static let cannotAssign = DiagnosticID(
        "cannot-assign", .error, "cannot set '{0}': {1}",
        """
        UPDATE sets an attribute to a value of its type, and a to-one relationship to the primary key of a \
        row.
        """)
    package static let castFailed = DiagnosticID(
        "cast-failed", .error, "{0} cannot be converted to {1}",
        """
        CAST to NSNumber and NSDecimalNumber reads the text of a number. CAST to NSDate reads an ISO 8601 \
        date or seconds since 2001-01-01 UTC. Any other value ends the evaluation with this error.
        """)
    package static let castLiteral = DiagnosticID(
        "cast-literal", .error, "CAST needs the name of a type as a quoted text",
        label: "write CAST(value, \"NSNumber\")",
        """
        CAST(value, "NSNumber") takes the name of the type as a literal, so that it can be checked before \
        evaluation.
        """)
    package static let chainedComparison = DiagnosticID(
        "chained-comparison", .error, "comparisons cannot be chained", label: "{0}",
        """
        'a < b < c' has no meaning in this language. Write 'a < b AND b < c', or 'b BETWEEN {a, c}' to \
        include both bounds.
        """)
    package static let changeCondition = DiagnosticID(
        "change-condition", .error, "the condition of a change must depend on the row: {0}",
        label: "{1}, or allow it by {2}",
        """
        An update or a deletion with a comparison whose types never meet changes other rows than were meant: NOT (id \
        IN {"1"}) deletes every row if id is a number. A condition that is true for every row is probably wrong, too; \
        TRUEPREDICATE is always accepted.
        """)
    package static let comment = DiagnosticID(
        "comment", .error, "a predicate cannot have comments", label: "remove it",
        "The language has no comments: no /* */, no // and no --. Remove the comment.")
    package static let comparisonConstant = DiagnosticID(
        "comparison-constant", .warning, "this comparison is always {0}: {1}", label: "{2}",
        otherwise: "change it, or remove it",
        """
        The comparison has the same result for every object, by its constants or by the types in the schema. \
        Probably another comparison was meant.
        """)
    package static let conflictingDefinition = DiagnosticID(
        "conflicting-definition", .error, "the parts of the predicate define '{0}' differently",
        """
        A predicate combined from parts has the functions, operators, type identifiers and the locale of all of them, so \
        a name needs one definition. Make one environment, and use it for all parts. A function that is created twice \
        is two definitions.
        """)
    package static let containsElement = DiagnosticID(
        "contains-element", .note, "CONTAINS tests whether one of the values equals the text",
        label: "for a part of a text write {0}",
        """
        With many values on its left, CONTAINS tests for an element: 'pets.name CONTAINS "Re"' is true if a pet has this \
        name. 'ANY pets.name CONTAINS "Re"' tests each name for a part of it.
        """)
    package static let contradiction = DiagnosticID(
        "contradiction", .warning, "'{0}' and '{1}' are never true together",
        label: "did you mean OR, or another value?",
        "One value cannot fulfil both conditions, so their AND matches no object.")
    package static let deviceManagementTerm = DiagnosticID(
        "device-management-term", .error, "'{0}' is a device management term", label: "enable the extension to use it",
        """
        Apple's declarative device management adds @status(…), @property(…) and @key(…) to the language. They \
        are an extension, which is off by default.
        """)
    public static let divisionByZero = DiagnosticID(
        "division-by-zero", .error, "division by zero",
        "An integer or a decimal was divided by zero. Test the divisor first: b != 0 AND a / b > 1.")
    package static let doubledQuote = DiagnosticID(
        "doubled-quote", .error, "a doubled quote does not escape a quote here", label: "use \\{0}",
        """
        SQL doubles a quote inside a literal. Here a backslash escapes it, or use the other kind of quote: \
        "it's".
        """)
    package static let earlyQuote = DiagnosticID(
        "early-quote", .error, "this {0} ends the text early", label: "escape it: \\{1}, or use the other quotes",
        """
        A quote of the same kind inside a literal ends it. Escape it with a backslash, quote with the other \
        kind, or pass the text as an argument for %@.
        """)
    package static let emptyInput = DiagnosticID(
        "empty-input", .error, "the predicate is empty", label: "write a condition, or TRUEPREDICATE",
        "An empty text is not a predicate. TRUEPREDICATE matches every object.")
    package static let emptyParentheses = DiagnosticID(
        "empty-parentheses", .error, "these parentheses are empty", label: "write a condition in them, or remove them",
        "Parentheses contain a predicate or an expression.")
    package static let expectedExpression = DiagnosticID(
        "expected-expression", .error, "expected a value here, found {0}", label: "{1}",
        otherwise: "write a key or a value",
        "A comparison needs a value on each side: a key, a literal, a variable, a call or an argument.")
    package static let expectedOperator = DiagnosticID(
        "expected-operator", .error, "expected an operator, found {0}", label: "{1}",
        otherwise: "write an operator, such as ==, IN or AND",
        """
        Two values need an operator between them: == != < <= > >= BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES \
        IN BETWEEN, or an arithmetic one.
        """)
    package static let expectedPredicate = DiagnosticID(
        "expected-predicate", .error, "{0} is a value, not a condition", label: "{1}",
        otherwise: "write an operator and a value after it",
        """
        A predicate is a comparison, TRUEPREDICATE, FALSEPREDICATE, or a combination of them. A value alone \
        is not a predicate.
        """)
    package static let failedRead = DiagnosticID(
        "failed-read", .error, "'{0}' of {1} could not be read: {2}",
        """
        The value of the key is read when the predicate needs it, and reading failed: the store was locked, its \
        task was cancelled, or its back end answered with an error. The failure is not kept; evaluate again later.
        """)
    public static let functionArguments = DiagnosticID(
        "function-arguments", .error, "'{0}' takes {1}, not {2}", label: "{3}",
        """
        Each built-in function takes a fixed number of arguments. A function of collections takes one \
        collection: sum({1, 2, 3}).
        """)
    package static let hyphenatedKey = DiagnosticID(
        "hyphenated-key", .warning, "'{0}' is read as a subtraction",
        label: "quote a text; a key with a hyphen is {1}",
        """
        A key consists of letters, digits and underscores. A name with a hyphen is read as a subtraction; \
        pass it for %K.
        """)
    package static let inOptions = DiagnosticID(
        "in-options", .warning, "options have no effect on a test for membership", label: "{1}",
        otherwise: "compare with ANY … ==[{0}]",
        """
        IN and CONTAINS compare the members of a collection for equality and ignore [c] and [d]. Write ANY \
        {'a', 'b'} ==[c] name to ignore case.
        """)
    package static let indexAfterPath = DiagnosticID(
        "index-after-path", .warning, "an index binds tighter than the dot: this reads {0} of {1}", label: "write {2}",
        """
        In a.d[0] the index applies to d alone, and d is looked up in the whole object, as in Apple's parser. \
        It parses, but its evaluation fails. Write (a.d)[0].
        """)
    package static let indexOutOfRange = DiagnosticID(
        "index-out-of-range", .error, "index {0} is out of range for {1} elements",
        "Indices count from 0. FIRST, LAST and SIZE never fail.")
    package static let indexSymbol = DiagnosticID(
        "index-symbol", .error, "{0} is valid only between brackets", label: "as a key write #{1}",
        "FIRST, LAST and SIZE are indices: list[FIRST]. As a key, write #first.")
    public static let integerOverflow = DiagnosticID(
        "integer-overflow", .error, "the result of {0} does not fit in 64 bits",
        "Integers have 64 bits. Use a double (2.0 * a) where the result may be larger.")
    package static let interpolatedText = DiagnosticID(
        "interpolated-text", .warning, "text is inserted into the predicate",
        label: "{0}", otherwise: "pass it as an argument: %@, or %K for a key",
        """
        Text that a program inserts into a format is parsed as a part of the predicate: a quote in it ends \
        the string, a percent sign takes an argument, and users can add conditions of their own. Pass a value \
        for %@, which is never parsed, and a key for %K. An operator, an option and a condition cannot be \
        arguments: write one format for each, and join conditions with NSCompoundPredicate.
        """)
    package static let keyComponent = DiagnosticID(
        "key-component", .error, "a key cannot begin with a digit", label: "use brackets, or %K",
        """
        Each component of a key path begins with a letter or an underscore. For an element of a list write \
        (a.d)[0]; pass any other key of a dictionary for %K.
        """)
    package static let keyTable = DiagnosticID(
        "key-table", .error, "{0}",
        """
        A predicate can use the keys that a type publishes in its key table. Each key there needs a unique \
        name that has no dot and does not begin with @: a dot separates the keys of a path, and @ begins a \
        collection operator.
        """)
    package static let knownKey = DiagnosticID(
        "known-key", .warning, "'{0}' on both sides is the known value", label: "{1}",
        """
        The names of what is known and the keys of the object share one scope, so tenant == tenant is true for every \
        object if tenant is known. Write $user.tenant for the value of the user, and give it the prefix user.
        """)
    package static let limitExceeded = DiagnosticID(
        "limit-exceeded", .error, "{0}", label: "the limit is {1}",
        "Every size has a limit, so that no text can use up the memory, the stack or unlimited time.")
    package static let listBrackets = DiagnosticID(
        "list-brackets", .error, "a list is written in braces", label: "write {{0}}",
        "Lists are written {1, 2, 3}, not [1, 2, 3] or (1, 2, 3).")
    package static let listOperand = DiagnosticID(
        "list-operand", .warning, "{1}, and here it is a list", label: "write {0}",
        """
        'tags CONTAINS {"a", "b"}' is true only if an element of tags is the whole list. 'ANY tags IN {"a", "b"}' \
        is true if tags contains one of them, 'tags CONTAINS "a" AND tags CONTAINS "b"' if it contains all. 'id == \
        {1, 2}' is true only if id is the list; 'id IN {1, 2}' if it is one of its elements.
        """)
    package static let literalsCompared = DiagnosticID(
        "literals-compared", .warning, "this compares constants and does not read the object", label: "{0}",
        """
        In SQL, quotes can enclose the name of a column. Here they always enclose a text: "name" == 'Ann' is \
        never true. Write a key without quotes; pass a key with spaces or hyphens for %K.
        """)
    package static let logicalOperator = DiagnosticID(
        "logical-operator", .error, "'{0}' is a bit operator; between conditions write '{1}'", label: "write {1}",
        "A single & or | computes with bits. Join conditions by && or AND, and by || or OR.")
    package static let lostBackslash = DiagnosticID(
        "lost-backslash", .warning, "this backslash is removed: the pattern becomes {0}", label: "write \\\\{1}",
        """
        A quoted text has its own escapes, and a backslash before any other character is removed. Double \
        it in a pattern, '\\\\d+', or pass the pattern for %@.
        """)
    package static let malformedEscape = DiagnosticID(
        "malformed-escape", .error, "'{0}' is not a complete escape", label: "{1}",
        "\\x takes two hexadecimal digits, \\u four, and an octal escape at most \\377.")
    package static let malformedNumber = DiagnosticID(
        "malformed-number", .error, "'{0}' is not a number", label: "{1}",
        "Numbers are 1, 1.5, 2e10, 0x1F, 0o17, 0b101. A decimal point needs a digit on both sides.")
    package static let malformedPattern = DiagnosticID(
        "malformed-pattern", .error, "the pattern is not a regular expression: {0}",
        """
        MATCHES takes an ICU regular expression, which must match the whole text. The end of the message gives \
        the reason.
        """)
    package static let malformedRequest = DiagnosticID(
        "malformed-request", .error, "the request cannot be read: {0}",
        """
        Each line of a batch is one JSON object: {"id"?, "format", "arguments"?, "input"?, "kind"?}. The \
        other lines are still answered.
        """)
    package static let missingArgument = DiagnosticID(
        "missing-argument", .error, "'{0}' has no argument: {1}", label: "{2}",
        otherwise: "give it an argument",
        "Conversions take the arguments from left to right, one each.")
    package static let missingConjunction = DiagnosticID(
        "missing-conjunction", .error, "two conditions have no AND or OR between them", label: "insert AND or OR",
        "Conditions are joined by AND (&&) or OR (||). There is no implicit AND.")
    package static let missingSpace = DiagnosticID(
        "missing-space", .error, "'{0}' is read as one word", label: "write {1}",
        "A word includes all letters and digits that follow. Put a space after the operator.")
    package static let missingVariable = DiagnosticID(
        "missing-variable", .error, "{0} needs a variable, such as $x", label: "write $x",
        "SUBQUERY(collection, $x, condition) names each element by a variable, and an assignment sets one.")
    package static let modelVersion = DiagnosticID(
        "model-version", .error, "the predicate does not fit version '{0}' of the model: {1}", label: "{2}",
        """
        The predicate fits one version of the data model. In another version a key is missing or has another \
        type.
        """)
    package static let nilInList = DiagnosticID(
        "nil-in-list", .warning, "nil is in no list", label: "{0}",
        "IN finds no nil: nil IN {nil} is false. For an object without a value write key == nil.")
    package static let nonAsciiKey = DiagnosticID(
        "non-ascii-key", .error, "'{0}' cannot be written as a key",
        label: "quote a text; a key is SELF.\"{0}\"{1}{2}",
        """
        A key consists of ASCII letters, digits and underscores. Write any other key as SELF."…", or pass it for %K. \
        With the extension unicode, letters of all scripts are allowed.
        """)
    package static let notACollection = DiagnosticID(
        "not-a-collection", .error, "{0} needs a collection, not {1}", label: "{2}",
        """
        ANY, ALL, IN, CONTAINS, SUBQUERY, the set operators and the functions of collections work on arrays, \
        sets and dictionaries.
        """)
    package static let notCanonical = DiagnosticID(
        "not-canonical", .warning, "this is not the canonical spelling",
        """
        'predicate format --check' requires the spelling that 'predicate format' prints, so that two files \
        differ only where their predicates differ.
        """)
    package static let numberOverflow = DiagnosticID(
        "number-overflow", .error, "'{0}' does not fit in 64 bits",
        label: "{1}",
        otherwise: "write CAST(\"{0}\", \"NSDecimalNumber\"), or quote it if it is text",
        """
        Integers range from -9223372036854775808 to 9223372036854775807. A decimal holds more digits: convert its text, \
        or pass it for %@.
        """)
    public static let operandType = DiagnosticID(
        "operand-type", .error, "{0} cannot take {1}", label: "{2}",
        "The operator does not accept values of these types. Values are not converted implicitly; use CAST.")
    package static let operatorKey = DiagnosticID(
        "operator-key", .warning, "{0} needs a key after it", label: "{1}",
        """
        @sum, @avg, @min, @max and the unions read a key of each element: pets.@max.weight. For a list of plain \
        values the key is #self. Without a key the evaluation fails.
        """)
    package static let optionMisplaced = DiagnosticID(
        "option-misplaced", .error, "{0} takes no options",
        "[c], [d], [n] and [l] follow a comparison operator, but not BETWEEN.")
    package static let optionPlace = DiagnosticID(
        "option-place", .error, "options follow the operator", label: "write {0}",
        """
        Options change how an operator compares texts, so they follow the operator: name CONTAINS[cd] 'a'. \
        Brackets after a key read an element.
        """)
    package static let patternBudget = DiagnosticID(
        "pattern-budget", .error, "matching the pattern takes too long on this text",
        """
        The pattern uses look-around, a back-reference or another construct that can take exponential time. \
        Matching stopped after \
        the time that a pattern may take.
        """)
    package static let patternDoubt = DiagnosticID(
        "pattern-doubt", .warning, "{0}", label: "{1}",
        """
        A regular expression tests characters, not numbers: [0-10] is one character, 0 or 1. MATCHES tests the whole \
        text, and a look-ahead takes no character of it: add .* behind it.
        """)
    package static let percentInText = DiagnosticID(
        "percent-in-text", .error, "'{0}' is not allowed in a text without arguments",
        label: "quote it, or give arguments",
        "A % begins a format conversion. In a text that takes no arguments, write values as literals.")
    package static let predicateAsValue = DiagnosticID(
        "predicate-as-value", .error, "{0} is a condition, not a value",
        label: "compare its parts, or write TERNARY(…, YES, NO)",
        """
        A condition has no value that can be compared or computed with. Use TERNARY(condition, 1, 0) where a \
        value is needed.
        """)
    package static let quantifierOverSingle = DiagnosticID(
        "quantifier-over-single", .error, "{0} needs a collection, but '{1}' is a single {2}", label: "{3}",
        """
        ANY, ALL, SOME and NONE test the elements of a collection. In the schema this key holds a single \
        value.
        """)
    package static let quotedConversion = DiagnosticID(
        "quoted-conversion", .warning, "'{0}' in quotes is text and takes no argument", label: "{1}",
        """
        Inside quotes a conversion is plain text. Without them, the argument takes its place: name == %@. An \
        argument needs no quotes.
        """)
    package static let refusedCast = DiagnosticID(
        "refused-cast", .warning, "CAST to '{0}' is refused",
        label: "use NSNumber, NSString, NSDate or NSDecimalNumber",
        "A cast to a class would run code by its name. It can be parsed and printed, but not evaluated.")
    package static let refusedFetch = DiagnosticID(
        "refused-fetch", .warning, "FETCH is refused",
        "FETCH runs a request of Core Data. It can be parsed and printed, but not evaluated.")
    package static let refusedMethod = DiagnosticID(
        "refused-method", .warning, "FUNCTION with '{0}' is refused{1}", label: "{2}",
        """
        FUNCTION would call any method of an object. Only a few methods without side effects and those that \
        the app registered are allowed. Any other can be parsed and printed, but not evaluated.
        """)
    package static let refusedOperator = DiagnosticID(
        "refused-operator", .warning, "the operator '{0}' is refused",
        label: "{1}", otherwise: "it would call a method: compare a key instead, or register it in the app",
        """
        A selector used as an operator would call any method. It can be parsed and printed, and evaluated \
        only if the app registered it.
        """)
    package static let reservedWord = DiagnosticID(
        "reserved-word", .error, "{0} is a reserved word", label: "as a key write #{0}",
        "The language reserves some words. Write a key of that name with #, or pass it for %K.")
    package static let reversedBounds = DiagnosticID(
        "reversed-bounds", .warning, "the lower bound is greater than the upper", label: "write the lower bound first",
        """
        Reversed bounds of BETWEEN are swapped, here and in the SQL that is written. Core Data's SQL store may \
        find no row for them.
        """)
    package static let selectorLiteral = DiagnosticID(
        "selector-literal", .error, "FUNCTION needs an object, and then its selector as a quoted text",
        """
        FUNCTION(target, "selector:", …) takes the selector as a literal, so that it can be checked before \
        evaluation.
        """)
    package static let singleEqualsChain = DiagnosticID(
        "single-equals-chain", .error, "'{0}' is not an operator", label: "{1}",
        otherwise: "write one of == != < <= > >=",
        "Equality is == (or =), inequality is != (or <>), order is <, <=, > and >=.")
    package static let sqlInexact = DiagnosticID(
        "sql-inexact", .error, "{0} cannot be translated exactly: {1}",
        """
        The database cannot express this with exactly the same result. Without the demand for exactness the \
        query selects a superset, and a residual predicate tests each row in memory.
        """)
    package static let sqlOperator = DiagnosticID(
        "sql-operator", .error, "{0} is SQL, not predicate syntax", label: "write {1}",
        "This language has no IS, NOT IN or ILIKE: write a == nil, a != nil, NOT a IN {…}, a LIKE[c] 'b*'.")
    package static let sqlWildcard = DiagnosticID(
        "sql-wildcard", .warning, "LIKE has no wildcard '{0}'", label: "use {1}",
        """
        The wildcards of LIKE are * for any text and ? for exactly one character. % and _ match only \
        themselves.
        """)
    package static let stringOperand = DiagnosticID(
        "string-operand", .error, "{0} needs texts, not {1}", label: "{2}",
        """
        BEGINSWITH, ENDSWITH, CONTAINS, LIKE and MATCHES compare texts. Convert a number with CAST(a, \
        'NSString').
        """)
    package static let surplusArgument = DiagnosticID(
        "surplus-argument", .error, "argument {0} has no conversion", label: "{1}",
        """
        There are more arguments than conversions. A conversion inside quotes is plain text and takes no \
        argument.
        """)
    package static let tautology = DiagnosticID(
        "tautology", .warning, "'{0}' or '{1}' is true for every value{2}", label: "did you mean AND?",
        """
        Each value fulfils one of the conditions, so their OR matches every object. An order, unlike !=, is false \
        for nil.
        """)
    package static let toManyKey = DiagnosticID(
        "to-many-key", .error, "'{0}' has many values", label: "{1}",
        """
        A comparison with a whole collection is rarely meant. ANY tests whether some element matches, ALL \
        whether all do. SUBQUERY tests several keys of the same element.
        """)
    package static let tokenMatches = DiagnosticID(
        "token-matches", .warning, "TOKENMATCHES is refused",
        "TOKENMATCHES is private to Apple's text search. It can be parsed and printed, but not evaluated.")
    package static let trailingComma = DiagnosticID(
        "trailing-comma", .error, "a list cannot end in a comma", label: "remove it",
        "Put a comma between elements, not after the last one.")
    package static let transientKey = DiagnosticID(
        "transient-key", .error, "'{1}' of {0} is not stored", label: "filter by it in memory, after the fetch",
        "Transient attributes and fetched properties exist only in memory. A store cannot filter by them.")
    package static let typeMismatch = DiagnosticID(
        "type-mismatch", .error, "{0} cannot compare {1} with {2}", label: "{3}",
        "With this schema the comparison fails for every object.")
    package static let typographicQuote = DiagnosticID(
        "typographic-quote", .error, "'{0}' is a typographic quote", label: "write {1}",
        "Word processors and web pages replace straight quotes. The language accepts only ' and \".")
    package static let unboundArgument = DiagnosticID(
        "unbound-argument", .error, "'{0}' has no argument",
        "A format can be checked and printed without its arguments, but not evaluated.")
    package static let unboundVariable = DiagnosticID(
        "unbound-variable", .error, "the variable ${0} has no value", label: "{1}",
        """
        A variable gets its value from SUBQUERY, from an assignment, by substitution, or from the caller of \
        the evaluation.
        """)
    package static let unclosedBracket = DiagnosticID(
        "unclosed-bracket", .error, "'{0}' is not closed", label: "{1}",
        otherwise: "write the closing bracket",
        "Every opening bracket needs a closing bracket of the same kind.")
    package static let unexpectedCharacter = DiagnosticID(
        "unexpected-character", .error, "'{0}' is not expected here", label: "{1}",
        otherwise: "remove it, or quote the text",
        "The character has no meaning outside quotes.")
    package static let unexpectedClosing = DiagnosticID(
        "unexpected-closing", .error, "'{0}' has no opening bracket",
        otherwise: "remove it, or write its opening bracket",
        "Every closing bracket needs an opening bracket of the same kind before it.")
    package static let unexpectedText = DiagnosticID(
        "unexpected-text", .error, "{0} is not expected here", label: "{1}",
        otherwise: "remove it, or join it by AND or OR",
        "The predicate is complete before this text, or this cannot follow the text before it.")
    package static let unixTime = DiagnosticID(
        "unix-time", .warning, "seconds are counted from 2001, so this is {0}", label: "{1}",
        """
        CAST to NSDate counts seconds from 2001-01-01 UTC, as Foundation does. Unix time counts from 1970: subtract \
        978307200, and divide milliseconds by 1000 first.
        """)
    package static let unknownCase = DiagnosticID(
        "unknown-case", .warning, "{0} is no value of '{1}'", label: "it is one of {2}",
        """
        The schema lists all values of the key, such as the cases of an enum in Swift, and this constant is none of \
        them. No object has it, so the comparison is probably misspelt.
        """)
    package static let unknownCollectionOperator = DiagnosticID(
        "unknown-collection-operator", .error, "there is no collection operator '{0}'", label: "{1}",
        otherwise: "there are @count, @sum, @avg, @min, @max and the unions",
        """
        The collection operators are @count, @sum, @avg, @min, @max, @unionOfObjects, \
        @distinctUnionOfObjects, @unionOfArrays, @distinctUnionOfArrays and @distinctUnionOfSets. All except \
        @count need a key after them.
        """)
    package static let unknownConversion = DiagnosticID(
        "unknown-conversion", .error, "'{0}' is not a conversion", label: "{1}",
        """
        The conversions are %@ (a value), %K (a key), %d %i %u %o %x (integers, with their lengths), and %f \
        %e %g %a (numbers).
        """)
    package static let unknownEntity = DiagnosticID(
        "unknown-entity", .error, "the schema has no entity '{0}'",
        "The entity must be one of those in the schema. Names are case-sensitive.")
    package static let unknownFunction = DiagnosticID(
        "unknown-function", .error, "there is no function '{0}'", label: "{1}",
        otherwise: "compute it first, and pass the result for %@",
        """
        The functions are a fixed list: count, sum, min, max, average, median, mode, stddev, distinct; \
        add:to:, from:subtract:, multiply:by:, divide:by:, modulus:by:, abs, sqrt, exp, ln, log, floor, \
        ceiling, trunc, raise:toPower:; uppercase, lowercase, length; now, random, randomn; and the bit \
        functions.
        """)
    package static let unknownKey = DiagnosticID(
        "unknown-key", .error, "{0} has no key '{1}'", label: "{2}",
        "A predicate can read the keys that the schema or the Swift type has. Keys are case-sensitive.")
    package static let unknownOperator = DiagnosticID(
        "unknown-operator", .error, "'{0}' is not an operator", label: "{1}",
        """
        The operators are == != < <= > >= BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES IN BETWEEN \
        UTI-CONFORMS-TO UTI-EQUALS.
        """)
    package static let unknownOption = DiagnosticID(
        "unknown-option", .error, "'{0}' is not an option", label: "the options are c, d, n and l",
        """
        [c] ignores case, [d] accents. [n] states that the texts are normalised. [l] compares by the rules of \
        the locale.
        """)
    package static let unquotedDate = DiagnosticID(
        "unquoted-date", .warning, "'{0}' is {1}, not a date", label: "write {2}",
        """
        Without quotes a date is three numbers and two minus signs: 2020-01-01 is 2018. Pass the date for %@, \
        or write CAST("2020-01-01", "NSDate").
        """)
    package static let unquotedText = DiagnosticID(
        "unquoted-text", .error, "text must be quoted: '{0}' is read as a key", label: "quote the text",
        "A word without quotes is a key path. Several in a row are probably a text without its quotes.")
    package static let unsupportedConversion = DiagnosticID(
        "unsupported-conversion", .error, "'{0}' is not supported", label: "{1}",
        """
        C strings, characters, widths, precisions, flags and positions are not supported: arguments are typed \
        values. Use %@ for any value and %K for keys.
        """)
    package static let unsupportedFunction = DiagnosticID(
        "unsupported-function", .warning, "'{0}' cannot be evaluated here",
        """
        The function can be parsed and printed, but not evaluated. [l] compares by a locale: a build without the \
        trait Foundation has none.
        """)
    package static let unterminatedString = DiagnosticID(
        "unterminated-string", .error, "this text has no closing quote", label: "{0}",
        """
        A text ends with the kind of quote that it begins with. A backslash before the quote makes it part of \
        the text: '\\' has no closing quote.
        """)
    package static let unusedVariable = DiagnosticID(
        "unused-variable", .warning, "the condition does not use ${0}",
        label: "write ${0}.key for a key of each element",
        """
        SUBQUERY(pets, $p, $p.age > 3) tests each element by its variable. Without the variable the condition \
        reads the object, so it is the same for all elements.
        """)
    package static let unusedWord = DiagnosticID(
        "unused-word", .error, "{0} is reserved and has no meaning here", label: "as a key write #{1}",
        "Apple's documentation reserves the word, but gives it no meaning.")
    package static let valueExpected = DiagnosticID(
        "value-expected", .error, "{0} has no value here", label: "name the key: no key is searched for",
        "ANYKEY works only in Spotlight queries.")
    package static let wildcardEquality = DiagnosticID(
        "wildcard-equality", .warning, "{0} compares with the text itself, '{2}' included", label: "{1}",
        "Only LIKE has wildcards: * stands for any text and ? for one character.")
    package static let xmlEntity = DiagnosticID(
        "xml-entity", .error, "'{0}' is an XML entity", label: "write {1}",
        "The text was copied from a property list or a web page. Decode the entity first.")
}
