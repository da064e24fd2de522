// The messages about arguments, limits and evaluation, and about programs and databases that support only a part of the
// language, sorted by ID. `{0}`, `{1}` … are the diagnostic's details.

extension MessageEntry {
    static let adjacentArgument = MessageEntry(
        .error, "'{0}' is a complete operand; text cannot be joined to it",
        label: "build the whole pattern in the argument",
        """
        An argument is a complete operand, so 'LIKE %@*' is read as a multiplication without a right side. \
        Put the wildcard into the argument: name LIKE %@ with "abc*".
        """)
    static let argumentType = MessageEntry(
        .error, "'{0}' cannot take {1}", label: "{2}",
        """
        Each conversion takes one kind of argument: %@ any value or expression; %K a string that names a key; \
        %d, %i, %u, %o and %x an integer; %f, %e, %g and %a a number.
        """)
    static let cannotAssign = MessageEntry(
        .error, "cannot set '{0}': {1}",
        """
        UPDATE sets an attribute to a value of its type, and a to-one relationship to the primary key of a \
        row.
        """)
    static let castFailed = MessageEntry(
        .error, "{0} cannot be converted to {1}",
        """
        CAST to NSNumber and NSDecimalNumber reads the text of a number. CAST to NSDate reads an ISO 8601 \
        date or seconds since 2001-01-01 UTC. Any other value ends the evaluation with this error.
        """)
    static let divisionByZero = MessageEntry(
        .error, "division by zero",
        "An integer or a decimal was divided by zero. Test the divisor first: b != 0 AND a / b > 1.")
    static let indexOutOfRange = MessageEntry(
        .error, "index {0} is out of range for {1} elements",
        "Indices count from 0. FIRST, LAST and SIZE never fail.")
    static let integerOverflow = MessageEntry(
        .error, "the result of {0} does not fit in 64 bits",
        "Integers have 64 bits. Use a double (2.0 * a) where the result may be larger.")
    static let interpolatedText = MessageEntry(
        .warning, "text is inserted into the predicate", label: "pass it as an argument: %@, or %K for a key",
        """
        Text that a program inserts into a format is parsed as a part of the predicate: a quote in it ends \
        the string, a percent sign takes an argument, and users can add conditions of their own. Pass a value \
        for %@, which is never parsed, and a key for %K.
        """)
    static let limitExceeded = MessageEntry(
        .error, "{0}", label: "the limit is {1}",
        "Every size has a limit, so that no text can use up the memory, the stack or unlimited time.")
    static let malformedRequest = MessageEntry(
        .error, "the request cannot be read: {0}",
        """
        Each line of a batch is one JSON object: {"id"?, "format", "arguments"?, "input"?, "kind"?}. The \
        other lines are still answered.
        """)
    static let missingArgument = MessageEntry(
        .error, "'{0}' has no argument: {1}", label: "{2}",
        otherwise: "give it an argument",
        "Conversions take the arguments from left to right, one each.")
    static let notACollection = MessageEntry(
        .error, "{0} needs a collection, not {1}",
        """
        ANY, ALL, IN, CONTAINS, SUBQUERY, the set operators and the functions of collections work on arrays, \
        sets and dictionaries.
        """)
    static let patternBudget = MessageEntry(
        .error, "matching the pattern takes too long on this text",
        """
        The pattern uses look-around, a back-reference or another construct that can take exponential time. \
        Matching stopped after \
        the time that a pattern may take.
        """)
    static let percentInText = MessageEntry(
        .error, "'{0}' is not allowed in a text without arguments", label: "quote it, or give arguments",
        "A % begins a format conversion. In a text that takes no arguments, write values as literals.")
    static let profileConstruct = MessageEntry(
        .error, "{0} does not support {1}", label: "{2}",
        """
        The profile describes the program that reads the predicate. That program does not support the whole \
        language. The profile's file names the source of each fact.
        """)
    static let profileDoubt = MessageEntry(
        .warning, "{0} may not support {1}", label: "{2}",
        """
        The profile describes the program that reads the predicate. That program supports this only under \
        some conditions, or its documentation says that it does not.
        """)
    static let profileKey = MessageEntry(
        .error, "{0} has no key '{1}'", label: "{2}",
        """
        The profile lists the keys that the reader of the predicate knows. Keys are case-sensitive. Put keys \
        of your own into a profile that extends it.
        """)
    static let profileTerm = MessageEntry(
        .error, "{0} has no {1} '{2}'",
        """
        The profile lists the terms that the reader of the predicate knows, such as \
        @status(device.model.family). Put newer terms and your own into a profile that extends it.
        """)
    static let profileValue = MessageEntry(
        .error, "{0}: '{1}' is not a value of {2}", label: "one of {3}",
        """
        Some keys are compared with words without quotes, as in messageType == error. Any other word is read \
        as a key, so the comparison has another meaning.
        """)
    static let quotedConversion = MessageEntry(
        .warning, "'{0}' in quotes is text and takes no argument", label: "{1}",
        """
        Inside quotes a conversion is plain text. Without them, the argument takes its place: name == %@. An \
        argument needs no quotes.
        """)
    static let refusedCast = MessageEntry(
        .warning, "CAST to '{0}' is refused", label: "use NSNumber, NSString, NSDate or NSDecimalNumber",
        "A cast to a class would run code by its name. It can be parsed and printed, but not evaluated.")
    static let refusedFetch = MessageEntry(
        .warning, "FETCH is refused",
        "FETCH runs a request of Core Data. It can be parsed and printed, but not evaluated.")
    static let refusedMethod = MessageEntry(
        .warning, "FUNCTION with '{0}' is refused{1}",
        """
        FUNCTION would call any method of an object. Only a few methods without side effects and those that \
        the host registered are allowed. Any other can be parsed and printed, but not evaluated.
        """)
    static let refusedOperator = MessageEntry(
        .warning, "the operator '{0}' is refused",
        """
        A selector used as an operator would call any method. It can be parsed and printed, and evaluated \
        only if the host registered it.
        """)
    static let sqlInexact = MessageEntry(
        .error, "{0} cannot be translated exactly: {1}",
        """
        The database cannot express this with exactly the same result. Without the demand for exactness the \
        query selects a superset, and a residual predicate tests each row in memory.
        """)
    static let surplusArgument = MessageEntry(
        .error, "argument {0} has no conversion", label: "{1}",
        """
        There are more arguments than conversions. A conversion inside quotes is plain text and takes no \
        argument.
        """)
    static let tokenMatches = MessageEntry(
        .warning, "TOKENMATCHES is refused",
        "TOKENMATCHES is private to Apple's text search. It can be parsed and printed, but not evaluated.")
    static let unboundArgument = MessageEntry(
        .error, "'{0}' has no argument",
        "A format can be checked and printed without its arguments, but not evaluated.")
    static let unboundVariable = MessageEntry(
        .error, "the variable ${0} has no value", label: "{1}",
        """
        A variable gets its value from SUBQUERY, from an assignment, by substitution, or from the caller of \
        the evaluation.
        """)
    static let unknownConversion = MessageEntry(
        .error, "'{0}' is not a conversion", label: "{1}",
        """
        The conversions are %@ (a value), %K (a key), %d %i %u %o %x (integers, with their lengths), and %f \
        %e %g %a (numbers).
        """)
    static let unsupportedConversion = MessageEntry(
        .error, "'{0}' is not supported", label: "{1}",
        """
        C strings, characters, widths, precisions, flags and positions are not supported: arguments are typed \
        values. Use %@ for any value and %K for keys.
        """)
    static let unsupportedFunction = MessageEntry(
        .warning, "'{0}' cannot be evaluated here",
        """
        The function can be parsed and printed, but not evaluated. [l] compares by a locale: a build without the \
        trait Foundation has none.
        """)
    static let valueExpected = MessageEntry(
        .error, "{0} has no value here",
        "ANYKEY works only in Spotlight queries.")
    static let versionOrder = MessageEntry(
        .warning, "{0}: '{1}' is a text, so \"10.9\" comes after \"10.14\"", label: "{2}",
        """
        A version is a text for this program. Texts are compared character by character, so 10.9 is greater \
        than 10.14. Compare the parts that are numbers, or test the beginning of the text.
        """)
}
