// The error that all conversions of this module throw.

/// A part of a predicate that the target format or type cannot express.
///
///     do { _ = try FormatPredicate(NSPredicate { _, _ in true }) } catch { print(error) }
///     // the predicate: a block has no format
public struct PredicateConversionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The path from the whole predicate to the part: `AND, part 2 > the left operand`.
    public let place: String
    /// Why it cannot be converted.
    public let reason: String

    init(_ place: [String], _ reason: String) {
        self.place = place.isEmpty ? "the predicate" : place.joined(separator: " > ")
        self.reason = reason
    }

    public var description: String { "\(place): \(reason)" }
}
