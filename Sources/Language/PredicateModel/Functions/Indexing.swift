// The index operator, `collection[index]` (LANGUAGE 5.11).

package enum Indexing {
    /// Returns the element of an array at an index, or the value of a dictionary's key.
    ///
    /// - Throws: `index-out-of-range`; `operand-type` for an index of the wrong type; `not-a-collection`.
    package static func element(_ index: PredicateValue, of collection: PredicateValue) throws(EvaluationFault)
        -> PredicateValue
    {
        if collection.isNil || index.isNil { return .null }
        switch collection {
        case .array(let elements):
            guard let position = index.exactInteger else {
                throw EvaluationFault(.operandType, "an index of an array", index.typeDescription, at: .right)
            }
            guard position >= 0, position < elements.count else {
                throw EvaluationFault(.indexOutOfRange, "\(position)", "\(elements.count)", at: .right)
            }
            return elements[Int(position)]
        case .dictionary(let dictionary):
            // Keys are texts, so a key of another type is missing.
            guard case .string(let key) = index else { return .null }
            return dictionary[key] ?? .null
        case .set: throw EvaluationFault(.operandType, "an index", "a set, which has no order", at: .left)
        default: throw EvaluationFault(.notACollection, "an index", collection.typeDescription, at: .left)
        }
    }

    /// Returns the element for `[FIRST]` or `[LAST]`, or the number of elements for `[SIZE]`. Never fails on an
    /// array or a set; FIRST and LAST of a set are arbitrary elements.
    package static func element(_ symbol: IndexSymbol, of collection: PredicateValue) throws(EvaluationFault)
        -> PredicateValue
    {
        if collection.isNil { return .null }
        guard let elements = collection.elements else {
            throw EvaluationFault(.notACollection, "[\(symbol.rawValue)]", collection.typeDescription, at: .left)
        }
        if symbol == .size { return .integer(Int64(elements.count)) }
        if case .dictionary = collection {
            throw EvaluationFault(.operandType, "[\(symbol.rawValue)]", "a dictionary, which has no order", at: .left)
        }
        return (symbol == .first ? elements.first : elements.last) ?? .null
    }
}
