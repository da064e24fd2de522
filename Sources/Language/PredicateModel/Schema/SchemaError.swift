// Errors in a schema. They have a path in the file instead of a span.

/// All errors of a schema.
///
/// ```text
/// entities.Person.attributes.age: unknown type 'int', did you mean integer?
/// ```
public struct SchemaError: Error, Sendable, Equatable, CustomStringConvertible {
    /// An error.
    package struct Problem: Sendable, Equatable, CustomStringConvertible {
        /// The path of names, outermost first: `entities.Person.attributes.age`; empty for the whole schema.
        package let path: String
        package let message: String
        /// The nearest valid name, or nil.
        package let suggestion: String?

        package init(_ path: String, _ message: String, suggestion: String? = nil) {
            self.path = path
            self.message = message
            self.suggestion = suggestion
        }

        package var description: String {
            (path.isEmpty ? "" : path + ": ") + message + (suggestion.map { ", did you mean \($0)?" } ?? "")
        }
    }

    /// At least one, in the order of the schema.
    package let problems: [Problem]

    package init(_ problems: [Problem]) { self.problems = problems }

    /// One line per problem.
    public var description: String { problems.map { $0.description }.joined(separator: "\n") }
}
