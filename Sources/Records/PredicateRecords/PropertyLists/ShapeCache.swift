// Shares shapes between the dictionaries of one property list. ShapeTree does the same for JSON.

/// The shapes seen so far, by their keys. The size is bounded.
struct ShapeCache {
    private static let maximumShapes = 1024
    private var shapes: [[String]: ValueDictionary.Shape] = [:]

    /// Creates a dictionary from as many keys as values. For a repeated key the last value is used.
    mutating func dictionary(_ keys: [String], _ values: [PredicateValue]) -> ValueDictionary {
        if let shape = shapes[keys] { return ValueDictionary(shape: shape, values: values) }
        let dictionary = ValueDictionary(zip(keys, values))
        if dictionary.count == keys.count, shapes.count < Self.maximumShapes { shapes[keys] = dictionary.shape }
        return dictionary
    }
}
