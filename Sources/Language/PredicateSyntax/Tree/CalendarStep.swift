// The value of `days(7)`. DateFunctions.swift makes it; PredicateTimeZone.swift adds it to dates.

/// A step such as `days(7)`, beside + or − of a date. An object, because a value has no other case for it.
package final class CalendarStep: KeyedObject, Sendable {
    package enum Unit: String, Hashable, Sendable, CaseIterable { case days, weeks, months, years }

    package let count: Int64
    package let unit: Unit

    package init(_ count: Int64, _ unit: Unit) { (self.count, self.unit) = (count, unit) }

    /// The step that a value refers to; nil for other values.
    package static func of(_ value: PredicateValue) -> CalendarStep? {
        if case .object(let reference) = value { reference.object as? CalendarStep } else { nil }
    }

    package var typeName: String { unit.rawValue }
    package var publishedKeys: [String] { [] }
    package func value(forKey key: String) -> PredicateValue? { nil }
    package func isEqual(to other: any KeyedObject) -> Bool { self === other }
}
