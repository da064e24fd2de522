// The type of dates in the memory of objects and tables. With the trait Foundation it is Foundation's Date, which is
// converted, so that its private layout does not matter. Without the trait it is a number of seconds.

#if !Foundation
    typealias StoredDate = Instant

    /// A date of a table.
    struct Instant: QueryableValue, StandardValue, Sendable {
        var timeIntervalSinceReferenceDate: Double
        init(timeIntervalSinceReferenceDate seconds: Double) { timeIntervalSinceReferenceDate = seconds }
        var predicateValue: PredicateValue { .date(timeIntervalSinceReferenceDate) }
        package static var valueType: QueryType { .date }
    }
#elseif canImport(FoundationEssentials)
    import FoundationEssentials
    typealias StoredDate = Date
#else
    import Foundation
    typealias StoredDate = Date
#endif

extension StoredDate: StoredType, Measure {
    static var kind: Field.Kind { .date }
    static var any: StoredDate { StoredDate(timeIntervalSinceReferenceDate: 0) }
    var measure: Double { timeIntervalSinceReferenceDate }
}
