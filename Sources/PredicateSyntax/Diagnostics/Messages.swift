// The catalogue of all messages, ordered by ID. `{0}`, `{1}` … are the diagnostic's details.
// Long: each message has exactly one place.

/// The texts of one kind of diagnostic.
package struct MessageEntry: Sendable {
    package let severity: Diagnostic.Severity
    package let message: String
    /// Shown under the caret if the diagnostic has no suggestion.
    package let label: String?
    /// Shown instead of a label that is empty, because nothing more exact is known.
    package let fallback: String?
    /// The explanation shown by `predicate explain`.
    package let explanation: String

    init(
        _ severity: Diagnostic.Severity, _ message: String, label: String? = nil, otherwise fallback: String? = nil,
        _ explanation: String
    ) {
        self.severity = severity
        self.message = message
        self.label = label
        self.fallback = fallback
        self.explanation = explanation
    }
}

extension DiagnosticID {
    /// The catalogue's entry. Cost: one switch.
    package var entry: MessageEntry {
        switch self {
        case .adjacentArgument:
            MessageEntry(
                .error, "'{0}' is a complete operand; text cannot be joined to it",
                label: "build the whole pattern in the argument",
                """
                An argument is a complete operand, so 'LIKE %@*' is read as a multiplication without a right side. \
                Put the wildcard into the argument: name LIKE %@ with "abc*".
                """)
        case .argumentType:
            MessageEntry(
                .error, "'{0}' cannot take {1}", label: "{2}",
                """
                Each conversion takes one kind of argument: %@ any value or expression; %K a string that names a key; \
                %d, %i, %u, %o and %x an integer; %f, %e, %g and %a a number.
                """)
        case .bareKey:
            MessageEntry(
                .error, "'{0}' is a value, not a condition", label: "compare it: {0} == YES",
                """
                A predicate is a comparison. A key alone is not a comparison, even if it holds a Boolean: write 'done \
                == YES'.
                """)
        case .bareKeysCompared:
            MessageEntry(
                .warning, "this compares two keys, '{0}' and '{1}'", label: "{2}",
                """
                A word without quotes is a key path, never a string. 'name == Kyle' compares the key name with the \
                key Kyle; 'name == "Kyle"' compares it with a text.
                """)
        case .betweenOperand:
            MessageEntry(
                .warning, "BETWEEN needs two bounds on its right", label: "write {lower, upper}",
                """
                BETWEEN takes a list of exactly two bounds, both included: age BETWEEN {18, 65}. Any other right side \
                parses, but its evaluation fails.
                """)
        case .cannotAssign:
            MessageEntry(
                .error, "cannot set '{0}': {1}",
                """
                UPDATE sets an attribute to a value of its type, and a to-one relationship to the primary key of a \
                row.
                """)
        case .castFailed:
            MessageEntry(
                .error, "{0} cannot be converted to {1}",
                """
                CAST to NSNumber and NSDecimalNumber reads the text of a number. CAST to NSDate reads an ISO 8601 \
                date or seconds since 2001-01-01 UTC. Any other value ends the evaluation with this error.
                """)
        case .castLiteral:
            MessageEntry(
                .error, "CAST needs the name of a type as a quoted text", label: "write CAST(value, \"NSNumber\")",
                """
                CAST(value, "NSNumber") takes the name of the type as a literal, so that it can be checked before \
                evaluation.
                """)
        case .chainedComparison:
            MessageEntry(
                .error, "comparisons cannot be chained", label: "use AND, or BETWEEN { , }",
                """
                'a < b < c' has no meaning in this language. Write 'a < b AND b < c', or 'b BETWEEN {a, c}' to \
                include both bounds.
                """)
        case .comment:
            MessageEntry(
                .error, "a predicate cannot have comments", label: "remove it",
                "The language has no comments: no /* */, no // and no --. Remove the comment.")
        case .comparisonConstant:
            MessageEntry(
                .warning, "this comparison is always {0}: {1}", label: "{2}",
                otherwise: "change it, or remove it",
                """
                The comparison has the same result for every object, by its constants or by the types in the schema. \
                Probably another comparison was meant.
                """)
        case .contradiction:
            MessageEntry(
                .warning, "'{0}' and '{1}' are never true together", label: "did you mean OR, or another value?",
                "One value cannot fulfil both conditions, so their AND matches no object.")
        case .deviceManagementTerm:
            MessageEntry(
                .error, "'{0}' is a device management term", label: "enable the extension to use it",
                """
                Apple's declarative device management adds @status(…), @property(…) and @key(…) to the language. They \
                are an extension, which is off by default.
                """)
        case .divisionByZero:
            MessageEntry(
                .error, "division by zero",
                "An integer or a decimal was divided by zero. Test the divisor first: b != 0 AND a / b > 1.")
        case .doubledQuote:
            MessageEntry(
                .error, "a doubled quote does not escape a quote here", label: "use \\{0}",
                """
                SQL doubles a quote inside a literal. Here a backslash escapes it, or use the other kind of quote: \
                "it's".
                """)
        case .earlyQuote:
            MessageEntry(
                .error, "this {0} ends the text early", label: "escape it: \\{1}, or use the other quotes",
                """
                A quote of the same kind inside a literal ends it. Escape it with a backslash, quote with the other \
                kind, or pass the text as an argument for %@.
                """)
        case .emptyInput:
            MessageEntry(
                .error, "the predicate is empty", label: "write a condition, or TRUEPREDICATE",
                "An empty text is not a predicate. TRUEPREDICATE matches every object.")
        case .emptyParentheses:
            MessageEntry(
                .error, "these parentheses are empty", label: "write a condition in them, or remove them",
                "Parentheses contain a predicate or an expression.")
        case .expectedExpression:
            MessageEntry(
                .error, "expected a value here, found {0}", label: "{1}",
                otherwise: "write a key or a value",
                "A comparison needs a value on each side: a key, a literal, a variable, a call or an argument.")
        case .expectedOperator:
            MessageEntry(
                .error, "expected an operator, found {0}", label: "{1}",
                otherwise: "write an operator, such as ==, IN or AND",
                """
                Two values need an operator between them: == != < <= > >= BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES \
                IN BETWEEN, or an arithmetic one.
                """)
        case .expectedPredicate:
            MessageEntry(
                .error, "{0} is a value, not a condition", label: "compare it with something",
                """
                A predicate is a comparison, TRUEPREDICATE, FALSEPREDICATE, or a combination of them. A value alone \
                is not a predicate.
                """)
        case .functionArguments:
            MessageEntry(
                .error, "'{0}' takes {1}, not {2}", label: "{3}",
                """
                Each built-in function takes a fixed number of arguments. A function of collections takes one \
                collection: sum({1, 2, 3}).
                """)
        case .hyphenatedKey:
            MessageEntry(
                .warning, "'{0}' is read as a subtraction", label: "for a key with a hyphen use %K",
                """
                A key consists of letters, digits and underscores. A name with a hyphen is read as a subtraction; \
                pass it for %K.
                """)
        case .inOptions:
            MessageEntry(
                .warning, "options have no effect on a test for membership", label: "compare with ANY … ==[{0}]",
                """
                IN and CONTAINS compare the members of a collection for equality and ignore [c] and [d]. Write ANY \
                {'a', 'b'} ==[c] name to ignore case.
                """)
        case .indexAfterPath:
            MessageEntry(
                .warning, "an index binds tighter than the dot: this reads {0} of {1}", label: "write {2}",
                """
                In a.d[0] the index applies to d alone, and d is looked up in the whole object, as in Apple's parser. \
                It parses, but its evaluation fails. Write (a.d)[0].
                """)
        case .indexOutOfRange:
            MessageEntry(
                .error, "index {0} is out of range for {1} elements",
                "Indices count from 0. FIRST, LAST and SIZE never fail.")
        case .indexSymbol:
            MessageEntry(
                .error, "{0} is valid only between brackets", label: "as a key write #{1}",
                "FIRST, LAST and SIZE are indices: list[FIRST]. As a key, write #first.")
        case .integerOverflow:
            MessageEntry(
                .error, "the result of {0} does not fit in 64 bits",
                "Integers have 64 bits. Use a double (2.0 * a) where the result may be larger.")
        case .interpolatedText:
            MessageEntry(
                .warning, "text is inserted into the predicate", label: "pass it as an argument: %@, or %K for a key",
                """
                Text that a program inserts into a format is parsed as a part of the predicate: a quote in it ends \
                the string, a percent sign takes an argument, and users can add conditions of their own. Pass a value \
                for %@, which is never parsed, and a key for %K.
                """)
        case .keyComponent:
            MessageEntry(
                .error, "a key cannot begin with a digit", label: "use brackets, or %K",
                """
                Each component of a key path begins with a letter or an underscore. For an element of a list write \
                (a.d)[0]; pass any other key of a dictionary for %K.
                """)
        case .keyTable:
            MessageEntry(
                .error, "{0}",
                """
                A predicate can use the keys that a type publishes in its key table. Each key there needs a unique \
                name that has no dot and does not begin with @: a dot separates the keys of a path, and @ begins a \
                collection operator.
                """)
        case .limitExceeded:
            MessageEntry(
                .error, "{0}", label: "the limit is {1}",
                "Every size has a limit, so that no text can use up the memory, the stack or unlimited time.")
        case .listBrackets:
            MessageEntry(
                .error, "a list is written in braces", label: "write {{0}}",
                "Lists are written {1, 2, 3}, not [1, 2, 3] or (1, 2, 3).")
        case .literalsCompared:
            MessageEntry(
                .warning, "this compares two texts and does not read the object", label: "{0}",
                """
                In SQL, quotes can enclose the name of a column. Here they always enclose a text: "name" == 'Ann' is \
                never true. Write a key without quotes; pass a key with spaces or hyphens for %K.
                """)
        case .logicalOperator:
            MessageEntry(
                .error, "'{0}' is a bit operator; between conditions write '{1}'", label: "write {1}",
                "A single & or | computes with bits. Join conditions by && or AND, and by || or OR.")
        case .lostBackslash:
            MessageEntry(
                .warning, "this backslash is removed: the pattern becomes {0}", label: "write \\\\{1}",
                """
                A quoted text has escapes of its own, and a backslash before any other character is removed. Double \
                it in a pattern, '\\\\d+', or pass the pattern for %@.
                """)
        case .malformedEscape:
            MessageEntry(
                .error, "'{0}' is not a complete escape", label: "{1}",
                "\\x takes two hexadecimal digits, \\u four, and an octal escape at most \\377.")
        case .malformedNumber:
            MessageEntry(
                .error, "'{0}' is not a number", label: "{1}",
                "Numbers are 1, 1.5, 2e10, 0x1F, 0o17, 0b101. A decimal point needs a digit on both sides.")
        case .malformedPattern:
            MessageEntry(
                .error, "the pattern is not a regular expression: {0}",
                """
                MATCHES takes an ICU regular expression, which must match the whole text. The end of the message says \
                what is wrong with this one.
                """)
        case .malformedRequest:
            MessageEntry(
                .error, "the request cannot be read: {0}",
                """
                Each line of a batch is one JSON object: {"id"?, "format", "arguments"?, "input"?, "kind"?}. The \
                other lines are still answered.
                """)
        case .missingArgument:
            MessageEntry(
                .error, "'{0}' has no argument: {1}", label: "{2}",
                otherwise: "give it an argument",
                "Conversions take the arguments from left to right, one each.")
        case .missingConjunction:
            MessageEntry(
                .error, "two conditions have no AND or OR between them", label: "insert AND or OR",
                "Conditions are joined by AND (&&) or OR (||). There is no implicit AND.")
        case .missingSpace:
            MessageEntry(
                .error, "'{0}' is read as one word", label: "write {1}",
                "A word includes all letters and digits that follow. Put a space after the operator.")
        case .missingVariable:
            MessageEntry(
                .error, "{0} needs a variable, such as $x", label: "write $x",
                "SUBQUERY(collection, $x, condition) names each element by a variable, and an assignment sets one.")
        case .modelVersion:
            MessageEntry(
                .error, "the predicate does not fit version '{0}' of the model: {1}", label: "{2}",
                """
                The predicate fits one version of the data model. In another version a key is missing or has another \
                type.
                """)
        case .nonAsciiKey:
            MessageEntry(
                .error, "'{0}' cannot be written as a key", label: "pass the key for %K, or quote the text",
                "A key consists of ASCII letters, digits and underscores. Pass any other key for %K.")
        case .notACollection:
            MessageEntry(
                .error, "{0} needs a collection, not {1}",
                """
                ANY, ALL, IN, CONTAINS, SUBQUERY, the set operators and the functions of collections work on arrays, \
                sets and dictionaries.
                """)
        case .notCanonical:
            MessageEntry(
                .warning, "this is not the canonical spelling",
                """
                'predicate format --check' requires the spelling that 'predicate format' prints, so that two files \
                differ only where their predicates differ.
                """)
        case .numberOverflow:
            MessageEntry(
                .error, "'{0}' does not fit in 64 bits",
                """
                Integers range from -9223372036854775808 to 9223372036854775807. Write a double, 1e20, or pass a \
                decimal for %@.
                """)
        case .operandType:
            MessageEntry(
                .error, "{0} cannot take {1}",
                "The operator does not accept values of these types. Values are not converted implicitly; use CAST.")
        case .operatorKey:
            MessageEntry(
                .warning, "{0} needs a key after it", label: "{1}",
                """
                @sum, @avg, @min, @max and the unions read a key of each element: pets.@max.weight. For a list of plain \
                values the key is #self. Without a key the evaluation fails.
                """)
        case .optionMisplaced:
            MessageEntry(
                .error, "{0} takes no options",
                "[c], [d], [n] and [l] follow a comparison operator, but not BETWEEN.")
        case .optionPlace:
            MessageEntry(
                .error, "options follow the operator", label: "write {0}",
                """
                Options change how an operator compares texts, so they follow the operator: name CONTAINS[cd] 'a'. \
                Brackets behind a key read an element.
                """)
        case .patternBudget:
            MessageEntry(
                .error, "matching the pattern takes too long on this text",
                """
                The pattern uses look-around, a back-reference or another construct that can take exponential time. \
                Matching stopped after \
                the time that a pattern may take.
                """)
        case .percentInText:
            MessageEntry(
                .error, "'{0}' is not allowed in a text without arguments", label: "quote it, or give arguments",
                "A % begins a format conversion. In a text that takes no arguments, write values as literals.")
        case .predicateAsValue:
            MessageEntry(
                .error, "{0} is a condition, not a value", label: "compare its parts, or write TERNARY(…, YES, NO)",
                """
                A condition has no value that can be compared or computed with. Use TERNARY(condition, 1, 0) where a \
                value is needed.
                """)
        case .profileConstruct:
            MessageEntry(
                .error, "{0} does not support {1}", label: "{2}",
                """
                The profile describes the program that reads the predicate. That program does not support the whole \
                language. The profile's file names the source of each fact.
                """)
        case .profileDoubt:
            MessageEntry(
                .warning, "{0} may not support {1}", label: "{2}",
                """
                The profile describes the program that reads the predicate. That program supports this only under \
                some conditions, or its documentation says that it does not.
                """)
        case .profileKey:
            MessageEntry(
                .error, "{0} has no key '{1}'", label: "{2}",
                """
                The profile lists the keys that the reader of the predicate knows. Keys are case-sensitive. Put keys \
                of your own into a profile that extends it.
                """)
        case .profileTerm:
            MessageEntry(
                .error, "{0} has no {1} '{2}'",
                """
                The profile lists the terms that the reader of the predicate knows, such as \
                @status(device.model.family). Put newer terms and your own into a profile that extends it.
                """)
        case .profileValue:
            MessageEntry(
                .error, "{0}: '{1}' is not a value of {2}", label: "one of {3}",
                """
                Some keys are compared with words without quotes, as in messageType == error. Any other word is read \
                as a key, so the comparison has another meaning.
                """)
        case .quantifierOverSingle:
            MessageEntry(
                .error, "{0} needs a collection, but '{1}' is a single {2}", label: "{3}",
                """
                ANY, ALL, SOME and NONE test the elements of a collection. In the schema this key holds a single \
                value.
                """)
        case .quotedConversion:
            MessageEntry(
                .warning, "'{0}' in quotes is text and takes no argument", label: "{1}",
                """
                Inside quotes a conversion is plain text. Without them, the argument takes its place: name == %@. An \
                argument needs no quotes.
                """)
        case .refusedCast:
            MessageEntry(
                .warning, "CAST to '{0}' is refused", label: "use NSNumber, NSString, NSDate or NSDecimalNumber",
                "A cast to a class would run code by its name. It can be parsed and printed, but not evaluated.")
        case .refusedFetch:
            MessageEntry(
                .warning, "FETCH is refused",
                "FETCH runs a request of Core Data. It can be parsed and printed, but not evaluated.")
        case .refusedMethod:
            MessageEntry(
                .warning, "FUNCTION with '{0}' is refused{1}",
                """
                FUNCTION would call any method of an object. Only a few methods without side effects and those that \
                the host registered are allowed. Any other can be parsed and printed, but not evaluated.
                """)
        case .refusedOperator:
            MessageEntry(
                .warning, "the operator '{0}' is refused",
                """
                A selector used as an operator would call any method. It can be parsed and printed, and evaluated \
                only if the host registered it.
                """)
        case .reservedWord:
            MessageEntry(
                .error, "{0} is a reserved word", label: "as a key write #{0}",
                "The language reserves some words. Write a key of that name with #, or pass it for %K.")
        case .schemaKey:
            MessageEntry(
                .error, "{0} has no key '{1}'",
                "A predicate can use the keys in the schema. Keys are case-sensitive.")
        case .selectorLiteral:
            MessageEntry(
                .error, "FUNCTION needs its selector as a quoted text",
                """
                FUNCTION(target, "selector:", …) takes the selector as a literal, so that it can be checked before \
                evaluation.
                """)
        case .singleEqualsChain:
            MessageEntry(
                .error, "'{0}' is not an operator", label: "{1}",
                otherwise: "write one of == != < <= > >=",
                "Equality is == (or =), inequality is != (or <>), order is <, <=, > and >=.")
        case .sqlInexact:
            MessageEntry(
                .error, "{0} cannot be translated exactly: {1}",
                """
                The database cannot express this with exactly the same result. Without the demand for exactness the \
                query selects a superset, and a residual predicate tests each row in memory.
                """)
        case .sqlOperator:
            MessageEntry(
                .error, "{0} is SQL, not predicate syntax", label: "write {1}",
                "This language has no IS, NOT IN or ILIKE: write a == nil, a != nil, NOT a IN {…}, a LIKE[c] 'b*'.")
        case .sqlWildcard:
            MessageEntry(
                .warning, "LIKE has no wildcard '{0}'", label: "use {1}",
                """
                The wildcards of LIKE are * for any text and ? for exactly one character. % and _ match only \
                themselves.
                """)
        case .stringOperand:
            MessageEntry(
                .error, "{0} needs texts, not {1}",
                """
                BEGINSWITH, ENDSWITH, CONTAINS, LIKE and MATCHES compare texts. Convert a number with CAST(a, \
                'NSString').
                """)
        case .surplusArgument:
            MessageEntry(
                .error, "argument {0} has no conversion", label: "{1}",
                """
                There are more arguments than conversions. A conversion inside quotes is plain text and takes no \
                argument.
                """)
        case .tautology:
            MessageEntry(
                .warning, "'{0}' or '{1}' is true for every value{2}", label: "did you mean AND?",
                """
                Each value fulfils one of the conditions, so their OR matches every object. An order, unlike !=, is false \
                for nil.
                """)
        case .toManyKey:
            MessageEntry(
                .error, "'{0}' has many values", label: "{1}",
                """
                A comparison with a whole collection is rarely meant. ANY tests whether some element matches, ALL \
                whether all do. SUBQUERY tests several keys of the same element.
                """)
        case .tokenMatches:
            MessageEntry(
                .warning, "TOKENMATCHES is refused",
                "TOKENMATCHES is private to Apple's text search. It can be parsed and printed, but not evaluated.")
        case .trailingComma:
            MessageEntry(
                .error, "a list cannot end in a comma", label: "remove it",
                "Put a comma between elements, not after the last one.")
        case .transientKey:
            MessageEntry(
                .error, "'{1}' of {0} is not stored", label: "filter by it in memory, after the fetch",
                "Transient attributes and fetched properties exist only in memory. A store cannot filter by them.")
        case .typeMismatch:
            MessageEntry(
                .error, "{0} cannot compare {1} with {2}",
                "With this schema the comparison fails for every object.")
        case .typographicQuote:
            MessageEntry(
                .error, "'{0}' is a typographic quote", label: "write {1}",
                "Word processors and web pages replace straight quotes. The language accepts only ' and \".")
        case .unboundArgument:
            MessageEntry(
                .error, "'{0}' has no argument",
                "A format can be checked and printed without its arguments, but not evaluated.")
        case .unboundVariable:
            MessageEntry(
                .error, "the variable ${0} has no value", label: "{1}",
                """
                A variable gets its value from SUBQUERY, from an assignment, by substitution, or from the caller of \
                the evaluation.
                """)
        case .unclosedBracket:
            MessageEntry(
                .error, "'{0}' is not closed", label: "{1}",
                otherwise: "write the closing bracket",
                "Every opening bracket needs a closing bracket of the same kind.")
        case .unexpectedCharacter:
            MessageEntry(
                .error, "'{0}' is not expected here", label: "{1}",
                otherwise: "remove it, or quote the text",
                "The character has no meaning outside quotes.")
        case .unexpectedClosing:
            MessageEntry(
                .error, "'{0}' has no opening bracket",
                otherwise: "remove it, or write its opening bracket",
                "Every closing bracket needs an opening bracket of the same kind before it.")
        case .unexpectedText:
            MessageEntry(
                .error, "{0} is not expected here", label: "{1}",
                otherwise: "remove it, or join it by AND or OR",
                "The predicate is complete before this text, or this cannot follow the text before it.")
        case .unknownCollectionOperator:
            MessageEntry(
                .error, "there is no collection operator '{0}'", label: "{1}",
                otherwise: "there are @count, @sum, @avg, @min, @max and the unions",
                """
                The collection operators are @count, @sum, @avg, @min, @max, @unionOfObjects, \
                @distinctUnionOfObjects, @unionOfArrays, @distinctUnionOfArrays and @distinctUnionOfSets. All except \
                @count need a key after them.
                """)
        case .unknownConversion:
            MessageEntry(
                .error, "'{0}' is not a conversion", label: "{1}",
                """
                The conversions are %@ (a value), %K (a key), %d %i %u %o %x (integers, with their lengths), and %f \
                %e %g %a (numbers).
                """)
        case .unknownEntity:
            MessageEntry(
                .error, "the schema has no entity '{0}'",
                "The entity must be one of those in the schema. Names are case-sensitive.")
        case .unknownFunction:
            MessageEntry(
                .error, "there is no function '{0}'", label: "{1}",
                otherwise: "compute it first, and pass the result for %@",
                """
                The functions are a fixed list: count, sum, min, max, average, median, mode, stddev, distinct; \
                add:to:, from:subtract:, multiply:by:, divide:by:, modulus:by:, abs, sqrt, exp, ln, log, floor, \
                ceiling, trunc, raise:toPower:; uppercase, lowercase, length; now, random, randomn; and the bit \
                functions.
                """)
        case .unknownKey:
            MessageEntry(
                .error, "{0} publishes no key '{1}'",
                "A predicate can read the keys that a Swift type publishes. Keys are case-sensitive.")
        case .unknownOperator:
            MessageEntry(
                .error, "'{0}' is not an operator", label: "{1}",
                """
                The operators are == != < <= > >= BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES IN BETWEEN \
                UTI-CONFORMS-TO UTI-EQUALS.
                """)
        case .unknownOption:
            MessageEntry(
                .error, "'{0}' is not an option", label: "the options are c, d, n and l",
                """
                [c] ignores case, [d] accents. [n] states that the texts are normalised. [l] compares by the rules of \
                the locale.
                """)
        case .unquotedDate:
            MessageEntry(
                .warning, "'{0}' is a subtraction, not a date", label: "write CAST(\"{0}\", \"NSDate\")",
                """
                Without quotes a date is three numbers and two minus signs: 2020-01-01 is 2018. Pass the date for %@, \
                or write CAST("2020-01-01", "NSDate").
                """)
        case .unquotedText:
            MessageEntry(
                .error, "text must be quoted: '{0}' is read as a key", label: "quote the text",
                "A word without quotes is a key path. Several in a row are probably a text without its quotes.")
        case .unsupportedConversion:
            MessageEntry(
                .error, "'{0}' is not supported", label: "{1}",
                """
                C strings, characters, widths, precisions, flags and positions are not supported: arguments are typed \
                values. Use %@ for any value and %K for keys.
                """)
        case .unsupportedFunction:
            MessageEntry(
                .warning, "'{0}' cannot be evaluated here",
                """
                The function can be parsed and printed, but not evaluated. [l] compares by a locale: a build without the \
                trait Foundation has none.
                """)
        case .unterminatedString:
            MessageEntry(
                .error, "this text has no closing quote", label: "{0}",
                """
                A text ends with the kind of quote that it begins with. A backslash before the quote makes it part of \
                the text: '\\' has no closing quote.
                """)
        case .unusedVariable:
            MessageEntry(
                .warning, "the condition does not use ${0}", label: "write ${0}.key for a key of each element",
                """
                SUBQUERY(pets, $p, $p.age > 3) tests each element by its variable. Without the variable the condition \
                reads the object, so it is the same for all elements.
                """)
        case .unusedWord:
            MessageEntry(
                .error, "{0} is reserved and has no meaning here", label: "as a key write #{1}",
                "Apple's documentation reserves the word, but gives it no meaning.")
        case .valueExpected:
            MessageEntry(
                .error, "{0} has no value here",
                "ANYKEY works only in Spotlight queries.")
        case .versionOrder:
            MessageEntry(
                .warning, "{0}: '{1}' is a text, so \"10.9\" comes after \"10.14\"", label: "{2}",
                """
                A version is a text for this program. Texts are compared character by character, so 10.9 is greater \
                than 10.14. Compare the parts that are numbers, or test the beginning of the text.
                """)
        case .wildcardEquality:
            MessageEntry(
                .warning, "{0} compares with the text itself, '*' included", label: "{1}",
                "Only LIKE has wildcards: * stands for any text and ? for one character.")
        case .xmlEntity:
            MessageEntry(
                .error, "'{0}' is an XML entity", label: "write {1}",
                "The text was copied from a property list or a web page. Decode the entity first.")
        }
    }
}
