// The Foundation type of stored dates. Fields read dates through it, so that their layout stays private to
// Foundation.
import Foundation
import PredicateModel
import PredicateSyntax

enum FoundationFields {
    static let date = Date.self
}

extension Date: Measure {
    static var any: Date { Date(timeIntervalSinceReferenceDate: 0) }
    var measure: Double { timeIntervalSinceReferenceDate }
}

extension Field {
    var dates: BlockNode { MeasureSource<Date>.node(self) }
}

extension FieldComparison {
    func dates() -> BlockNode? { measures(Date.self) }
}
