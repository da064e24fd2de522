// The messages about text that parses but does not fit the schema, or that probably does not mean what its author
// wanted, sorted by ID. `{0}`, `{1}` … are the diagnostic's details.

extension MessageEntry {
    static let bareKeysCompared = MessageEntry(
        .warning, "this compares two keys, '{0}' and '{1}'", label: "{2}",
        """
        A word without quotes is a key path, never a string. 'name == Kyle' compares the key name with the \
        key Kyle; 'name == "Kyle"' compares it with a text.
        """)
    static let betweenOperand = MessageEntry(
        .warning, "BETWEEN needs two bounds on its right", label: "write {lower, upper}",
        """
        BETWEEN takes a list of exactly two bounds, both included: age BETWEEN {18, 65}. Any other right side \
        parses, but its evaluation fails.
        """)
    static let comparisonConstant = MessageEntry(
        .warning, "this comparison is always {0}: {1}", label: "{2}",
        otherwise: "change it, or remove it",
        """
        The comparison has the same result for every object, by its constants or by the types in the schema. \
        Probably another comparison was meant.
        """)
    static let contradiction = MessageEntry(
        .warning, "'{0}' and '{1}' are never true together", label: "did you mean OR, or another value?",
        "One value cannot fulfil both conditions, so their AND matches no object.")
    static let functionArguments = MessageEntry(
        .error, "'{0}' takes {1}, not {2}", label: "{3}",
        """
        Each built-in function takes a fixed number of arguments. A function of collections takes one \
        collection: sum({1, 2, 3}).
        """)
    static let hyphenatedKey = MessageEntry(
        .warning, "'{0}' is read as a subtraction", label: "quote a text; for a key with a hyphen use %K",
        """
        A key consists of letters, digits and underscores. A name with a hyphen is read as a subtraction; \
        pass it for %K.
        """)
    static let inOptions = MessageEntry(
        .warning, "options have no effect on a test for membership", label: "compare with ANY … ==[{0}]",
        """
        IN and CONTAINS compare the members of a collection for equality and ignore [c] and [d]. Write ANY \
        {'a', 'b'} ==[c] name to ignore case.
        """)
    static let indexAfterPath = MessageEntry(
        .warning, "an index binds tighter than the dot: this reads {0} of {1}", label: "write {2}",
        """
        In a.d[0] the index applies to d alone, and d is looked up in the whole object, as in Apple's parser. \
        It parses, but its evaluation fails. Write (a.d)[0].
        """)
    static let keyTable = MessageEntry(
        .error, "{0}",
        """
        A predicate can use the keys that a type publishes in its key table. Each key there needs a unique \
        name that has no dot and does not begin with @: a dot separates the keys of a path, and @ begins a \
        collection operator.
        """)
    static let literalsCompared = MessageEntry(
        .warning, "this compares constants and does not read the object", label: "{0}",
        """
        In SQL, quotes can enclose the name of a column. Here they always enclose a text: "name" == 'Ann' is \
        never true. Write a key without quotes; pass a key with spaces or hyphens for %K.
        """)
    static let lostBackslash = MessageEntry(
        .warning, "this backslash is removed: the pattern becomes {0}", label: "write \\\\{1}",
        """
        A quoted text has escapes of its own, and a backslash before any other character is removed. Double \
        it in a pattern, '\\\\d+', or pass the pattern for %@.
        """)
    static let malformedPattern = MessageEntry(
        .error, "the pattern is not a regular expression: {0}",
        """
        MATCHES takes an ICU regular expression, which must match the whole text. The end of the message says \
        what is wrong with this one.
        """)
    static let modelVersion = MessageEntry(
        .error, "the predicate does not fit version '{0}' of the model: {1}", label: "{2}",
        """
        The predicate fits one version of the data model. In another version a key is missing or has another \
        type.
        """)
    static let notCanonical = MessageEntry(
        .warning, "this is not the canonical spelling",
        """
        'predicate format --check' requires the spelling that 'predicate format' prints, so that two files \
        differ only where their predicates differ.
        """)
    static let operandType = MessageEntry(
        .error, "{0} cannot take {1}",
        "The operator does not accept values of these types. Values are not converted implicitly; use CAST.")
    static let operatorKey = MessageEntry(
        .warning, "{0} needs a key after it", label: "{1}",
        """
        @sum, @avg, @min, @max and the unions read a key of each element: pets.@max.weight. For a list of plain \
        values the key is #self. Without a key the evaluation fails.
        """)
    static let quantifierOverSingle = MessageEntry(
        .error, "{0} needs a collection, but '{1}' is a single {2}", label: "{3}",
        """
        ANY, ALL, SOME and NONE test the elements of a collection. In the schema this key holds a single \
        value.
        """)
    static let schemaKey = MessageEntry(
        .error, "{0} has no key '{1}'",
        "A predicate can use the keys in the schema. Keys are case-sensitive.")
    static let sqlWildcard = MessageEntry(
        .warning, "LIKE has no wildcard '{0}'", label: "use {1}",
        """
        The wildcards of LIKE are * for any text and ? for exactly one character. % and _ match only \
        themselves.
        """)
    static let stringOperand = MessageEntry(
        .error, "{0} needs texts, not {1}",
        """
        BEGINSWITH, ENDSWITH, CONTAINS, LIKE and MATCHES compare texts. Convert a number with CAST(a, \
        'NSString').
        """)
    static let tautology = MessageEntry(
        .warning, "'{0}' or '{1}' is true for every value{2}", label: "did you mean AND?",
        """
        Each value fulfils one of the conditions, so their OR matches every object. An order, unlike !=, is false \
        for nil.
        """)
    static let toManyKey = MessageEntry(
        .error, "'{0}' has many values", label: "{1}",
        """
        A comparison with a whole collection is rarely meant. ANY tests whether some element matches, ALL \
        whether all do. SUBQUERY tests several keys of the same element.
        """)
    static let transientKey = MessageEntry(
        .error, "'{1}' of {0} is not stored", label: "filter by it in memory, after the fetch",
        "Transient attributes and fetched properties exist only in memory. A store cannot filter by them.")
    static let typeMismatch = MessageEntry(
        .error, "{0} cannot compare {1} with {2}",
        "With this schema the comparison fails for every object.")
    static let unknownCollectionOperator = MessageEntry(
        .error, "there is no collection operator '{0}'", label: "{1}",
        otherwise: "there are @count, @sum, @avg, @min, @max and the unions",
        """
        The collection operators are @count, @sum, @avg, @min, @max, @unionOfObjects, \
        @distinctUnionOfObjects, @unionOfArrays, @distinctUnionOfArrays and @distinctUnionOfSets. All except \
        @count need a key after them.
        """)
    static let unknownEntity = MessageEntry(
        .error, "the schema has no entity '{0}'",
        "The entity must be one of those in the schema. Names are case-sensitive.")
    static let unknownFunction = MessageEntry(
        .error, "there is no function '{0}'", label: "{1}",
        otherwise: "compute it first, and pass the result for %@",
        """
        The functions are a fixed list: count, sum, min, max, average, median, mode, stddev, distinct; \
        add:to:, from:subtract:, multiply:by:, divide:by:, modulus:by:, abs, sqrt, exp, ln, log, floor, \
        ceiling, trunc, raise:toPower:; uppercase, lowercase, length; now, random, randomn; and the bit \
        functions.
        """)
    static let unknownKey = MessageEntry(
        .error, "{0} publishes no key '{1}'",
        "A predicate can read the keys that a Swift type publishes. Keys are case-sensitive.")
    static let unquotedDate = MessageEntry(
        .warning, "'{0}' is a subtraction, not a date", label: "write CAST(\"{0}\", \"NSDate\")",
        """
        Without quotes a date is three numbers and two minus signs: 2020-01-01 is 2018. Pass the date for %@, \
        or write CAST("2020-01-01", "NSDate").
        """)
    static let unusedVariable = MessageEntry(
        .warning, "the condition does not use ${0}", label: "write ${0}.key for a key of each element",
        """
        SUBQUERY(pets, $p, $p.age > 3) tests each element by its variable. Without the variable the condition \
        reads the object, so it is the same for all elements.
        """)
    static let wildcardEquality = MessageEntry(
        .warning, "{0} compares with the text itself, '*' included", label: "{1}",
        "Only LIKE has wildcards: * stands for any text and ? for one character.")
}
