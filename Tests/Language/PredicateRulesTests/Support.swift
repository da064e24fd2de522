// A short helper for objects in tests.
import PredicateRules

/// The value of a Swift literal: numbers, texts, arrays, dictionaries; nil is nil.
func v(_ any: Any?) -> PredicateValue {
    guard let any else { return .null }
    return (try? PredicateValue(converting: any)) ?? .string("not a value: \(any)")
}
