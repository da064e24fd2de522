// The module reads no sources of programs and no data models, to be small.
import PredicateRecords

enum XcodeFiles {
    static func areRead(_ kind: SourceFile.Kind) -> Bool {
        switch kind {
        case .swift, .objectiveC, .python, .dataModel: false
        default: true
        }
    }

    static func predicates(
        in bytes: [UInt8], _ kind: SourceFile.Kind, calls: [CallPattern]
    ) -> [FoundPredicate] { [] }

    static func dataModel(_ bytes: [UInt8]) throws(DocumentProblem) -> ([FoundPredicate], ModelVersion?) { ([], nil) }
}
