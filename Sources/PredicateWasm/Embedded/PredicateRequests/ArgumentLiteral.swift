// Only sources of programs have arguments, and the module reads none.
import PredicateSyntax

extension FoundPredicate {
    func argumentTypes(_ read: PredicateText, in bytes: [UInt8]) -> [Diagnostic] { [] }
    func argumentCount(_ read: PredicateText) -> [Diagnostic] { [] }
    func boundKeys(_ read: PredicateText, in bytes: [UInt8]) -> FormatArguments? { nil }
}
