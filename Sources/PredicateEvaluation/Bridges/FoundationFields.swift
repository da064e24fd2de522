// Foundation's part of reading fields from memory: a date, through its own type, so that its layout stays its business.
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
