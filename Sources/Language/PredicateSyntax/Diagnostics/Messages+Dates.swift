// The messages of the extensions `dates` and `typed-texts`; Messages.swift has all others, and their form.

extension DiagnosticID {
    package static let typedText = DiagnosticID(
        "typed-text", .note, "read as {0}",
        """
        The extension typed-texts reads a constant text that is compared with a date, a UUID, a URL or a number. A date \
        without a time is the whole day. Without the extension such a comparison is constant, or an error.
        """)
    package static let unreadText = DiagnosticID(
        "unread-text", .error, "{0} cannot be read as {1}", label: "{2}",
        "The extension typed-texts reads dates of ISO 8601, the 36 characters of a UUID, URLs, and numbers.")
}
