// What `collection[index]` yields (LANGUAGE 5.11).
public import PredicateSyntax

public enum Indexing {
    /// The element of an array at a position, or the value of a dictionary's key.
    ///
    /// - Throws: `index-out-of-range`; `operand-type` for an index of the wrong kind; `not-a-collection`.
    public static func element(_ index: Value, of collection: Value) throws(EvaluationFault) -> Value {
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
            // Keys are texts, so a key of another kind is an absent one.
            guard case .string(let key) = index else { return .null }
            return dictionary[key] ?? .null
        case .set: throw EvaluationFault(.operandType, "an index", "a set, which has no order", at: .left)
        default: throw EvaluationFault(.notACollection, "an index", collection.typeDescription, at: .left)
        }
    }

    /// `[FIRST]`, `[LAST]`, `[SIZE]`: they never fail on an array or a set; the first of a set is any of its elements.
    public static func element(_ symbol: IndexSymbol, of collection: Value) throws(EvaluationFault) -> Value {
        if collection.isNil { return .null }
        guard let elements = collection.elements else {
            throw EvaluationFault(.notACollection, "[\(symbol.rawValue)]", collection.typeDescription, at: .left)
        }
        if symbol == .size { return .integer(Int64(elements.count)) }
        if case .dictionary = collection {
            throw EvaluationFault(
                .operandType, "[\(symbol.rawValue)]", "a dictionary, which has no order", at: .left)
        }
        return (symbol == .first ? elements.first : elements.last) ?? .null
    }
}
