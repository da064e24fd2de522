// Dictionaries of one property list share their shapes, as the objects of JSON do (ShapeTree).

import PredicateSyntax

/// The shapes seen so far, by their keys; bounded.
struct ShapeCache {
    private static let maximumShapes = 1024
    private var shapes: [[String]: ValueDictionary.Shape] = [:]

    /// A dictionary of keys and as many values; the last value of a repeated key wins.
    mutating func dictionary(_ keys: [String], _ values: [Value]) -> ValueDictionary {
        if let shape = shapes[keys] { return ValueDictionary(shape: shape, values: values) }
        let dictionary = ValueDictionary(zip(keys, values))
        if dictionary.count == keys.count, shapes.count < Self.maximumShapes { shapes[keys] = dictionary.shape }
        return dictionary
    }
}
