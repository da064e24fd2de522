// What is wrong with a schema. A schema is no predicate text: its findings have a path in the file instead of a span.

/// Everything that is wrong with a schema, at once.
///
///     entities.Person.attributes.age: unknown type 'int', did you mean integer?
public struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One finding.
    public struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// Where: names from the outside in, `entities.Person.attributes.age`; empty for the whole.
        public let path: String
        public let message: String
        /// The nearest of what would be right there.
        public let suggestion: String?

        public init(_ path: String, _ message: String, suggestion: String? = nil) {
            self.path = path
            self.message = message
            self.suggestion = suggestion
        }

        public var description: String {
            (path.isEmpty ? "" : path + ": ") + message + (suggestion.map { ", did you mean \($0)?" } ?? "")
        }
    }

    /// At least one, in the order of the schema.
    public let problems: [Problem]

    public init(_ problems: [Problem]) { self.problems = problems }

    /// A line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
