// Why a row is no condition yet. EditorWords.swift has the sentences.

/// Why a row is left out of predicates. It is a value for screens, not a failure: rows are incomplete while they are
/// edited.
///
///     for problem in filter.problems(fields) { print(problem.sentence()) }    // Rating: 'x' is not a whole number
public struct EditorProblem: Error, Sendable, Hashable, Identifiable {
    public enum Kind: Error, Sendable, Hashable {
        case unknownField, unknownOperator
        /// The field cannot have the operator or quantifier.
        case operatorDoesNotFit
        case noValue
        /// The value cannot be read as the kind of the field.
        case notOfKind(EditorField.Kind, String)
        /// `between` needs two values, `inTheLast` a period.
        case notBounds, notPeriod
        /// The other field is unknown, or its values are of another kind.
        case otherField(String)
        /// The text of a predicate is not valid; the message says why.
        case invalidText(String)
    }

    /// The id of the row.
    public let id: String
    /// The title of its field; the key path if there is no such field.
    public let title: String
    public let kind: Kind
}
