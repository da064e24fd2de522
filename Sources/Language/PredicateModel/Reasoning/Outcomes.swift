// The results that a predicate may have.

/// Some of the results of an evaluation: true, false, an error.
package struct Outcomes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package static let `true` = Outcomes(rawValue: 1)
    package static let `false` = Outcomes(rawValue: 2)
    package static let raised = Outcomes(rawValue: 4)
    package static let answers: Outcomes = [.true, .false]
    package static let notTrue: Outcomes = [.false, .raised]
    package static let all: Outcomes = [.true, .false, .raised]

    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package init(_ answer: Bool) { self = answer ? .true : .false }

    /// The results of the negation.
    package var negated: Outcomes {
        var result = intersection(.raised)
        if contains(.true) { result.insert(.false) }
        if contains(.false) { result.insert(.true) }
        return result
    }
}
