// The catalogue of all messages, ordered by ID. `{0}`, `{1}` … are the diagnostic's details.
// Long: each message has exactly one place.

/// The texts of one kind of diagnostic.
package struct MessageEntry: Sendable {
    package let severity: Diagnostic.Severity
    package let message: String
    /// Shown under the caret if the diagnostic has no suggestion.
    package let label: String?
    /// The explanation shown by `predicate explain`.
    package let explanation: String

    init(_ severity: Diagnostic.Severity, _ message: String, label: String? = nil, _ explanation: String) {
        self.severity = severity
        self.message = message
        self.label = label
        self.explanation = explanation
    }
}

extension DiagnosticID {
    /// The catalogue's entry. Cost: one switch.
    package var entry: MessageEntry {
        switch self {
        case .adjacentArgument:
            MessageEntry(
                .error, "text cannot be glued to '{0}'", label: "build the whole pattern in the argument",
                """
                An argument is a complete operand, so 'LIKE %@*' is a multiplication without \
                a right side. Put the wildcard into the argument itself: name LIKE %@ with \
                "abc*".
                """)
        case .argumentType:
            MessageEntry(
                .error, "'{0}' cannot take {1}", label: "{2}",
                """
                Each conversion takes one kind of argument: %@ any value or expression, %K a \
                string that names a key, %d and its relatives an integer, %f and its \
                relatives a number.
                """)
        case .bareKey:
            MessageEntry(
                .error, "'{0}' is a value, not a condition", label: "compare it with something: {0} == YES",
                """
                A predicate is a comparison. A key on its own is not one, not even a Boolean \
                key: write 'done == YES'.
                """)
        case .bareKeysCompared:
            MessageEntry(
                .warning, "this compares two keys, '{0}' and '{1}'", label: "if {1} is text, quote it",
                """
                A word without quotes is a key path, never a string. 'name == Kyle' compares \
                the key name with the key Kyle; 'name == "Kyle"' compares it with a text.
                """)
        case .betweenOperand:
            MessageEntry(
                .warning, "BETWEEN needs a pair on its right", label: "write {lower, upper}",
                """
                BETWEEN takes an aggregate of exactly two bounds, both included: age BETWEEN \
                {18, 65}. Anything else parses, and fails when it is evaluated.
                """)
        case .cannotAssign:
            MessageEntry(
                .error, "cannot set '{0}': {1}",
                "UPDATE sets attributes to values of their types, and to-one relationships to the key of a row.")
        case .castFailed:
            MessageEntry(
                .error, "{0} cannot become {1}",
                """
                CAST to NSNumber and NSDecimalNumber reads a number's text, to NSDate an ISO \
                8601 date or seconds since 2001-01-01 UTC. Any other value ends the \
                evaluation.
                """)
        case .castLiteral:
            MessageEntry(
                .error, "CAST needs its type as a quoted text",
                """
                CAST(value, "NSNumber") takes the name of the type as a literal, so that it \
                can be checked before anything runs.
                """)
        case .chainedComparison:
            MessageEntry(
                .error, "comparisons cannot be chained", label: "use AND, or BETWEEN { , }",
                """
                'a < b < c' has no meaning in this language. Write 'a < b AND b < c', or 'b \
                BETWEEN {a, c}' where the bounds may be equal.
                """)
        case .comment:
            MessageEntry(
                .error, "there are no comments in a predicate",
                "The language has no comments, neither /* */ nor // nor --. Remove it.")
        case .comparisonConstant:
            MessageEntry(
                .warning, "this comparison is always {0}: {1}",
                """
                With the types of this schema no object can change the outcome of the \
                comparison. It is probably not what was meant.
                """)
        case .deviceManagementTerm:
            MessageEntry(
                .error, "'{0}' is a term of device management", label: "switch the extension on to use it",
                """
                Declarative management adds @status(…), @property(…) and @key(…) to the \
                language. They are an extension, off by default.
                """)
        case .divisionByZero:
            MessageEntry(
                .error, "division by zero",
                """
                An integer or decimal was divided by zero, which has no value. Guard it: b \
                != 0 AND a / b > 1.
                """)
        case .doubledQuote:
            MessageEntry(
                .error, "a doubled quote does not escape a quote here", label: "use \\{0}",
                """
                SQL doubles a quote inside a literal; this language escapes it with a \
                backslash, or uses the other kind of quote: "it's".
                """)
        case .earlyQuote:
            MessageEntry(
                .error, "this {0} ends the text early", label: "escape it: \\{1}, or use the other quotes",
                """
                A quote of the same kind inside a literal ends it. Escape it with a \
                backslash, quote with the other kind, or pass the text as an argument for \
                %@.
                """)
        case .emptyInput:
            MessageEntry(
                .error, "the predicate is empty",
                "An empty text is no predicate. TRUEPREDICATE selects everything.")
        case .emptyParentheses:
            MessageEntry(
                .error, "there is nothing between these parentheses",
                "Parentheses hold a predicate or an expression.")
        case .expectedExpression:
            MessageEntry(
                .error, "expected a value here, found {0}",
                """
                A comparison needs a value on either side: a key, a literal, a variable, a \
                call or an argument.
                """)
        case .expectedOperator:
            MessageEntry(
                .error, "expected an operator, found {0}",
                """
                Between two values stands an operator: == != < <= > >= BEGINSWITH ENDSWITH \
                CONTAINS LIKE MATCHES IN BETWEEN, or an arithmetic one.
                """)
        case .expectedPredicate:
            MessageEntry(
                .error, "{0} is a value, not a condition", label: "compare it with something",
                """
                A predicate is a comparison, TRUEPREDICATE or FALSEPREDICATE, or a compound \
                of them. A value alone is not one.
                """)
        case .functionArguments:
            MessageEntry(
                .error, "'{0}' takes {1}, not {2}",
                """
                Each built-in function takes a fixed number of arguments. The functions of \
                collections take one collection: sum({1, 2, 3}).
                """)
        case .hyphenatedKey:
            MessageEntry(
                .warning, "'{0}' is a subtraction", label: "for one key with a hyphen use %K",
                """
                A key holds letters, digits and underscores. A name with a hyphen is read as \
                a subtraction; give it with %K.
                """)
        case .inOptions:
            MessageEntry(
                .warning, "options have no effect on membership in a collection", label: "compare with ANY … ==[{0}]",
                """
                IN and CONTAINS test a collection's members for equality and ignore [c] and \
                [d]. Write ANY {'a', 'b'} ==[c] name to fold case.
                """)
        case .indexAfterPath:
            MessageEntry(
                .warning, "an index binds tighter than the dot: this reads {0} of {1}", label: "write {2}",
                """
                In a.d[0] the index applies to d alone, and d is then looked up in the whole \
                object, as Apple does. It parses, and evaluating it is an error. Write \
                (a.d)[0].
                """)
        case .indexOutOfRange:
            MessageEntry(
                .error, "index {0} is out of range for {1} elements",
                "An index counts from 0. FIRST, LAST and SIZE never fail.")
        case .indexSymbol:
            MessageEntry(
                .error, "{0} stands only between brackets", label: "as a key write #{1}",
                "FIRST, LAST and SIZE are indices: list[FIRST]. As a key, write #first.")
        case .integerOverflow:
            MessageEntry(
                .error, "the result of {0} does not fit in 64 bits",
                """
                Integers have 64 bits. Use a double (2.0 * a) where the result may be \
                larger.
                """)
        case .interpolatedText:
            MessageEntry(
                .warning, "text is pasted into the predicate", label: "pass it as an argument: %@, or %K for a key",
                """
                What a program pastes into a format is read as the language: a quote in it ends \
                the string, a percent sign takes an argument, and a user can write conditions \
                of his own. An argument for %@ is a value and never text; %K takes a key.
                """)
        case .keyComponent:
            MessageEntry(
                .error, "a key cannot begin with a digit", label: "use brackets, or %K",
                """
                Each component of a key path begins with a letter or an underscore. For the \
                elements of a list write (a.d)[0]; a dictionary's odd key can be given with \
                %K.
                """)
        case .keyTable:
            MessageEntry(
                .error, "{0}",
                """
                A predicate is bound to a type by the table of keys that the type publishes. Each \
                key there has a name of its own, without a dot and not beginning with @: a dot \
                separates the keys of a path, and @ begins a collection operator.
                """)
        case .limitExceeded:
            MessageEntry(
                .error, "{0}", label: "the limit is {1}",
                """
                Every size has a limit, so that no text can exhaust memory, the stack or an \
                unbounded time.
                """)
        case .listBrackets:
            MessageEntry(
                .error, "a list is written in braces", label: "write {{0}}",
                "Lists are written {1, 2, 3}, neither [1, 2, 3] nor (1, 2, 3).")
        case .literalsCompared:
            MessageEntry(
                .warning, "this compares two texts, whatever the object", label: "a key stands without quotes",
                """
                SQL quotes the names of columns, but here what stands in quotes is a text: \
                "name" == 'Ann' is never true. A key is written bare; one with blanks or \
                hyphens is given for %K.
                """)
        case .logicalOperator:
            MessageEntry(
                .error, "'{0}' is a bit operator; between conditions write '{1}'", label: "write {1}",
                """
                A single & or | computes with bits. Conditions are joined by && or AND, and \
                by || or OR.
                """)
        case .lostBackslash:
            MessageEntry(
                .warning, "the text loses this backslash: the pattern becomes {0}", label: "write \\\\{1}",
                """
                A quoted text has escapes of its own, and a backslash before any other \
                character disappears. In a pattern double it, '\\\\d+', or pass the pattern \
                for %@.
                """)
        case .malformedEscape:
            MessageEntry(
                .error, "'{0}' is no complete escape", label: "{1}",
                """
                \\x takes two hexadecimal digits, \\u four, and an octal escape at most \
                \\377.
                """)
        case .malformedNumber:
            MessageEntry(
                .error, "'{0}' is not a number", label: "{1}",
                """
                Numbers are 1, 1.5, 2e10, 0x1F, 0o17, 0b101. A point needs a digit on both \
                sides.
                """)
        case .malformedPattern:
            MessageEntry(
                .error, "the pattern is not a regular expression: {0}",
                """
                MATCHES takes an ICU regular expression, which must match the whole text. \
                The rest of the sentence says what is wrong with this one.
                """)
        case .malformedRequest:
            MessageEntry(
                .error, "the request cannot be read: {0}",
                """
                A line of a batch is one JSON object: {"id"?, "format", "arguments"?, \
                "input"?, "kind"?}. The other lines are answered all the same.
                """)
        case .missingArgument:
            MessageEntry(
                .error, "'{0}' has no argument: {1}",
                "Conversions take the arguments from left to right, one each.")
        case .missingConjunction:
            MessageEntry(
                .error, "two conditions stand side by side", label: "put AND or OR between them",
                "Conditions are joined by AND (&&) or OR (||). There is no implicit one.")
        case .missingSpace:
            MessageEntry(
                .error, "'{0}' is one word", label: "write {1}",
                """
                A word runs as long as letters and digits follow. Put a space after the \
                operator.
                """)
        case .missingVariable:
            MessageEntry(
                .error, "{0} needs a variable, such as $x",
                """
                SUBQUERY(collection, $x, condition) names each element by a variable, and an \
                assignment stores into one.
                """)
        case .modelVersion:
            MessageEntry(
                .error, "version '{0}' of the model breaks this: {1}", label: "{2}",
                """
                The predicate suits one version of the data model and not another: a key is gone \
                or has another type there.
                """)
        case .nonAsciiKey:
            MessageEntry(
                .error, "'{0}' cannot be written as a key", label: "give the key with %K, or quote the text",
                """
                A key is made of ASCII letters, digits and underscores. Any other key can be \
                given with %K.
                """)
        case .notACollection:
            MessageEntry(
                .error, "{0} needs a collection, not {1}",
                """
                ANY, ALL, IN, CONTAINS, SUBQUERY, the set operators and the functions of \
                collections work on arrays, sets and dictionaries.
                """)
        case .notCanonical:
            MessageEntry(
                .warning, "this is not the canonical spelling",
                """
                'predicate format --check' asks that every predicate stands as 'predicate format' \
                prints it, so that two files differ only where their predicates do.
                """)
        case .numberOverflow:
            MessageEntry(
                .error, "'{0}' does not fit in 64 bits",
                """
                Integers reach from -9223372036854775808 to 9223372036854775807. Write a \
                double, 1e20, or pass a decimal for %@.
                """)
        case .operandType:
            MessageEntry(
                .error, "{0} cannot take {1}",
                """
                The operator is not defined for values of these types. Nothing is converted \
                silently; CAST converts.
                """)
        case .optionMisplaced:
            MessageEntry(
                .error, "{0} takes no options",
                """
                [c], [d], [n] and [l] stand behind a comparison operator, but not behind \
                BETWEEN.
                """)
        case .patternBudget:
            MessageEntry(
                .error, "the pattern takes too long on this text",
                """
                The pattern uses look-around, a back-reference or another construct that can \
                take exponential time, and it met its budget on this text.
                """)
        case .percentInText:
            MessageEntry(
                .error, "'{0}' is not allowed in a text without arguments", label: "quote it, or give arguments",
                """
                A % begins a format conversion. In a text that takes no arguments, write \
                values as literals.
                """)
        case .predicateAsValue:
            MessageEntry(
                .error, "{0} is a condition, not a value",
                """
                A condition has no value that could be compared or computed with. Use \
                TERNARY(condition, 1, 0) where a value is needed.
                """)
        case .profileConstruct:
            MessageEntry(
                .error, "{0} does not take {1}", label: "{2}",
                """
                The profile says who reads the predicate, and that reader does not take the \
                whole language. The profile's file names the source of each fact.
                """)
        case .profileDoubt:
            MessageEntry(
                .warning, "{0} may not take {1}", label: "{2}",
                """
                The profile says who reads the predicate, and that reader takes this only \
                under some conditions, or is documented not to.
                """)
        case .profileKey:
            MessageEntry(
                .error, "{0} has no key '{1}'", label: "{2}",
                """
                The profile lists the keys that the reader of the predicate knows. Keys are \
                case-sensitive. Keys of your own go into a profile that extends it.
                """)
        case .profileTerm:
            MessageEntry(
                .error, "{0} has no {1} '{2}'",
                """
                The profile lists the terms that the reader of the predicate knows, as \
                @status(device.model.family). Ones that are newer, or your own, go into a \
                profile that extends it.
                """)
        case .profileValue:
            MessageEntry(
                .error, "{0}: '{1}' is no value of {2}", label: "one of {3}",
                """
                Some keys are compared with words that stand without quotes, as in messageType \
                == error. Any other word is a key, and the comparison is not what it seems.
                """)
        case .quantifierOverSingle:
            MessageEntry(
                .error, "{0} needs a collection, and '{1}' is a single {2}", label: "{3}",
                """
                ANY, ALL, SOME and NONE ask about the elements of a collection. The schema \
                says that this key holds one value.
                """)
        case .refusedCast:
            MessageEntry(
                .warning, "CAST to '{0}' is refused", label: "use NSNumber, NSString, NSDate or NSDecimalNumber",
                """
                A cast to a class would reach code by name. It parses and prints, and is \
                refused where it would run.
                """)
        case .refusedFetch:
            MessageEntry(
                .warning, "FETCH is refused",
                """
                FETCH runs a request of Core Data. It parses and prints, and is refused \
                where it would run.
                """)
        case .refusedMethod:
            MessageEntry(
                .warning, "FUNCTION with '{0}' is refused{1}",
                """
                FUNCTION would call any method of an object. Only a few pure ones, and those \
                that the host registered, are allowed; any other parses and prints, and is \
                refused where it would run.
                """)
        case .refusedOperator:
            MessageEntry(
                .warning, "the operator '{0}' is refused",
                """
                A selector used as an operator would call any method. It parses and prints, \
                and runs only where the host registered it.
                """)
        case .reservedWord:
            MessageEntry(
                .error, "{0} is a reserved word", label: "as a key write #{0}",
                """
                Some words belong to the language. A key of that name is written with #, or \
                given with %K.
                """)
        case .schemaKey:
            MessageEntry(
                .error, "{0} has no key '{1}'",
                "The schema lists what a predicate may name. Keys are case-sensitive.")
        case .selectorLiteral:
            MessageEntry(
                .error, "FUNCTION needs its selector as a quoted text",
                """
                FUNCTION(target, "selector:", …) takes the selector as a literal, so that it \
                can be checked before anything runs.
                """)
        case .singleEqualsChain:
            MessageEntry(
                .error, "'{0}' is not an operator",
                "Equality is == (or =), inequality != (or <>), order < <= > >=.")
        case .sqlInexact:
            MessageEntry(
                .error, "{0} is not exact in this SQL: {1}",
                """
                The engine cannot say this as memory means it. Without the demand for exactness the query selects a \
                superset, and a residual predicate that is tested in memory finishes it.
                """)
        case .sqlOperator:
            MessageEntry(
                .error, "{0} is SQL", label: "write {1}",
                """
                This language has no IS, NOT IN or ILIKE: write a == nil, a != nil, NOT a IN \
                {…}, a LIKE[c] 'b*'.
                """)
        case .sqlWildcard:
            MessageEntry(
                .warning, "'{0}' is no wildcard here", label: "use {1}",
                """
                LIKE has * for any run of characters and ? for exactly one. % and _ stand \
                for themselves.
                """)
        case .stringOperand:
            MessageEntry(
                .error, "{0} needs texts, not {1}",
                """
                BEGINSWITH, ENDSWITH, CONTAINS, LIKE and MATCHES compare texts. Convert a \
                number with CAST(a, 'NSString').
                """)
        case .surplusArgument:
            MessageEntry(
                .error, "argument {0} has no conversion", label: "{1}",
                """
                There are more arguments than conversions. A conversion inside quotes is \
                plain text and takes none.
                """)
        case .toManyKey:
            MessageEntry(
                .error, "'{0}' leads to many values", label: "{1}",
                """
                A comparison of a whole collection is rarely meant. ANY asks for some \
                element, ALL for all of them, SUBQUERY tests several keys of one element.
                """)
        case .tokenMatches:
            MessageEntry(
                .warning, "TOKENMATCHES is refused",
                """
                TOKENMATCHES is private to Apple's text search. It parses and prints, and is \
                refused where it would run.
                """)
        case .trailingComma:
            MessageEntry(
                .error, "a list cannot end in a comma",
                "Between the elements stands one comma, behind the last none.")
        case .transientKey:
            MessageEntry(
                .error, "'{1}' of {0} is not stored", label: "filter by it in memory, after the fetch",
                """
                A transient attribute and a fetched property exist in memory only. A store \
                cannot fetch by them.
                """)
        case .typeMismatch:
            MessageEntry(
                .error, "{0} cannot compare {1} with {2}",
                "With this schema the comparison would fail for every object.")
        case .typographicQuote:
            MessageEntry(
                .error, "'{0}' is a typographic quote", label: "write {1}",
                """
                Word processors and web pages replace straight quotes. The language knows ' \
                and " only.
                """)
        case .unboundArgument:
            MessageEntry(
                .error, "'{0}' has no argument",
                """
                A format may be checked and printed without its arguments, but not \
                evaluated.
                """)
        case .unboundVariable:
            MessageEntry(
                .error, "the variable ${0} has no value",
                """
                A variable is bound by SUBQUERY, by an assignment, by substituting it, or \
                when the predicate is evaluated.
                """)
        case .unclosedBracket:
            MessageEntry(
                .error, "'{0}' is never closed",
                "Every bracket is closed by its partner.")
        case .unexpectedCharacter:
            MessageEntry(
                .error, "'{0}' does not belong here",
                "The character is no part of the language outside of quotes.")
        case .unexpectedClosing:
            MessageEntry(
                .error, "nothing is open that '{0}' could close",
                "Every closing bracket needs an opening one before it.")
        case .unexpectedText:
            MessageEntry(
                .error, "{0} does not belong here",
                "The predicate was complete before this, or what stands before it takes nothing of the kind.")
        case .unknownCollectionOperator:
            MessageEntry(
                .error, "there is no collection operator '{0}'",
                """
                The collection operators are @count, @sum, @avg, @min, @max, \
                @unionOfObjects, @distinctUnionOfObjects, @unionOfArrays, \
                @distinctUnionOfArrays and @distinctUnionOfSets. All but @count need a key \
                behind them.
                """)
        case .unknownConversion:
            MessageEntry(
                .error, "'{0}' is no conversion", label: "{1}",
                """
                The conversions are %@ (a value), %K (a key), the integer ones %d %i %u %o \
                %x with their lengths, and %f %e %g %a.
                """)
        case .unknownEntity:
            MessageEntry(
                .error, "the schema has no entity '{0}'",
                "The schema lists the entities.")
        case .unknownFunction:
            MessageEntry(
                .error, "there is no function '{0}'",
                """
                The functions are a fixed list: count, sum, min, max, average, median, mode, \
                stddev, distinct; add:to:, from:subtract:, multiply:by:, divide:by:, \
                modulus:by:, abs, sqrt, exp, ln, log, floor, ceiling, trunc, raise:toPower:; \
                uppercase, lowercase, length; now, random, randomn; and the bit functions.
                """)
        case .unknownKey:
            MessageEntry(
                .error, "{0} publishes no key '{1}'",
                """
                A Swift type publishes the keys that predicates may read. Keys are \
                case-sensitive.
                """)
        case .unknownOperator:
            MessageEntry(
                .error, "'{0}' is not an operator",
                """
                The operators are == != < <= > >= BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES \
                IN BETWEEN UTI-CONFORMS-TO UTI-EQUALS.
                """)
        case .unknownOption:
            MessageEntry(
                .error, "'{0}' is no option", label: "the options are c, d, n and l",
                """
                [c] ignores case, [d] accents; [n] says that the texts are normalised, [l] \
                compares as the locale does.
                """)
        case .unquotedDate:
            MessageEntry(
                .warning, "'{0}' is a subtraction, not a date", label: "write CAST(\"{0}\", \"NSDate\")",
                """
                A date without quotes is three numbers and two minus signs: 2020-01-01 is 2018. \
                Give the date as an argument for %@, or as CAST("2020-01-01", "NSDate").
                """)
        case .unquotedText:
            MessageEntry(
                .error, "text must be quoted: '{0}' is read as a key", label: "quote the text",
                """
                A word without quotes is a key path. Several in a row are probably a text \
                that lost its quotes.
                """)
        case .unsupportedConversion:
            MessageEntry(
                .error, "'{0}' is not supported", label: "{1}",
                """
                C strings, characters, widths, precisions, flags and positions are refused: \
                arguments are typed values. Use %@ for any value and %K for keys.
                """)
        case .unsupportedFunction:
            MessageEntry(
                .warning, "'{0}' cannot be evaluated here",
                "The function parses and prints, and is refused where it would run.")
        case .unterminatedString:
            MessageEntry(
                .error, "this text is never closed", label: "{0}",
                """
                A text ends with the quote that it began with. A backslash before the quote \
                makes it part of the text: '\\' is never closed.
                """)
        case .unusedWord:
            MessageEntry(
                .error, "{0} is reserved and has no meaning here", label: "as a key write #{1}",
                "The word is reserved by Apple's documentation without any grammar.")
        case .valueExpected:
            MessageEntry(
                .error, "{0} has no value to compute with",
                "ANYKEY works in Spotlight queries only.")
        case .xmlEntity:
            MessageEntry(
                .error, "'{0}' is XML", label: "write {1}",
                """
                The text was copied out of a property list or a web page. Decode the entity \
                first.
                """)
        }
    }
}
