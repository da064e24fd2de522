// The bridge from Foundation's time zones, which knows the rules of all places.
public import Foundation

extension PredicateTimeZone {
    /// The time zone of a place, such as `Europe/Berlin`, with its changes of clocks.
    ///
    ///     PredicateEnvironment(language: [.dates], timeZone: PredicateTimeZone(.current))
    ///
    /// - Complexity: Foundation looks up its rules for each date that is read in the zone.
    public init(_ zone: TimeZone) {
        self.init(zone.identifier) { zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: $0)) }
    }
}
