// Why a command ends before its result.

/// The reason why a command ends early.
package enum CommandEnd: Error {
    /// The command line is invalid. Has the reason, and a hint for the user.
    case usage(String, hint: String? = nil)
    /// An error with a message for standard error.
    case failure(ExitCode, String)
    /// All messages have been printed.
    case exit(ExitCode)
    /// The program that reads the output has closed it (`predicate … | head`). Not an error.
    case outputClosed

    /// An invalid word on the command line. The hint is the most similar valid word, if there is one.
    package static func unknown(
        _ subject: String, _ word: String, among words: [String], else hint: String? = nil
    ) -> CommandEnd {
        .usage(
            "\(subject) '\(word)'",
            hint: OptionParser.didYouMean(word, words) ?? hint ?? "one of " + words.joined(separator: ", "))
    }
}
