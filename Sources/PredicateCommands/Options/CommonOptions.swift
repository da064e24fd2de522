// The options that several commands share.

extension OptionDescription {
    static let arguments = OptionDescription(
        "--args", value: "JSON", "an array: the arguments for %@, %K …")
    static let variables = OptionDescription(
        "--variables", value: "JSON", "an object: the values of $variables")
    static let file = OptionDescription(
        "--file", short: "-f", value: "FILE", "read the predicate from a file; - is standard input")
    static let files = OptionDescription(
        "--file", short: "-f", value: "FILE", "read one predicate a line from a file; - is standard input")
    static let kind = OptionDescription(
        "--kind", choices: ["predicate", "expression"], "the kind of text; default: predicate")
    static let output = OptionDescription(
        "--output", choices: ["text", "json", "github"], "the form of results and errors; github: annotations")
    static let noColor = OptionDescription(
        "--no-color", "print no colours, as with NO_COLOR or TERM=dumb")
    static let extensions = OptionDescription(
        "--extensions", value: "NAMES", "enable ddm (@status …), unicode (letters in keys), concat (+ joins texts)")
    static let batch = OptionDescription(
        "--batch", value: "FILE", "answer requests, one JSON object a line; - is standard input")
    static let help = OptionDescription("--help", short: "-h", "print this help")

    /// The options of every command that reads a predicate.
    static let common: [OptionDescription] = [arguments, variables, extensions, output, noColor, help]
}
