// The error that all conversions of this module throw, and the position that it shows.

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

/// A conversion that knows the path from the whole predicate to the current part.
protocol PartConverter {
    var path: [String] { get set }
}

extension PartConverter {
    func error(_ reason: String) -> PredicateConversionError { PredicateConversionError(path, reason) }

    /// The converter for a part.
    func at(_ step: String) -> Self {
        var inner = self
        inner.path.append(step)
        return inner
    }
}
