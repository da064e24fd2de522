// The Foundation type of stored dates. Fields read dates through it, so that their layout stays private to
// Foundation.
import Foundation
import PredicateModel
import PredicateSyntax

enum FoundationFields {
    static let date: any StoredType.Type = Date.self
}

extension Date: StoredType, Measure {
    static var kind: Field.Kind { .date }
    static var any: Date { Date(timeIntervalSinceReferenceDate: 0) }
    var measure: Double { timeIntervalSinceReferenceDate }
}
