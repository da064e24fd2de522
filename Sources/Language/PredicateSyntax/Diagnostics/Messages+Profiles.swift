// The messages about the programs that profiles describe; Messages.swift has all others, and their form.

extension DiagnosticID {
    package static let profileConstruct = DiagnosticID(
        "profile-construct", .error, "{0} does not support {1}", label: "{2}",
        """
        The profile describes the program that reads the predicate. That program does not support the whole \
        language. The profile's file names the source of each fact.
        """)
    package static let profileDoubt = DiagnosticID(
        "profile-doubt", .warning, "{0} may not support {1}", label: "{2}",
        """
        The profile describes the program that reads the predicate. That program supports this only under \
        some conditions, or its documentation says that it does not.
        """)
    package static let profileKey = DiagnosticID(
        "profile-key", .error, "{0} has no key '{1}'", label: "{2}",
        """
        The profile lists the keys that the reader of the predicate knows. Keys are case-sensitive. Put keys \
        of your own into a profile that extends it.
        """)
    package static let profileTerm = DiagnosticID(
        "profile-term", .error, "{0} has no {1} '{2}'", label: "{3}",
        """
        The profile lists the terms that the reader of the predicate knows, such as \
        @status(device.model.family). Put newer terms and your own into a profile that extends it.
        """)
    package static let profileValue = DiagnosticID(
        "profile-value", .error, "{0}: '{1}' is not a value of {2}", label: "one of {3}",
        """
        Some keys are compared with words without quotes, as in messageType == error. Any other word is read \
        as a key, so the comparison has another meaning.
        """)
    package static let versionOrder = DiagnosticID(
        "version-order", .warning, "{0}: '{1}' is a text, so \"10.9\" comes after \"10.14\"", label: "{2}",
        """
        A version is a text for this program. Texts are compared character by character, so 10.9 is greater \
        than 10.14. Compare the parts that are numbers, or test the beginning of the text.
        """)
}
