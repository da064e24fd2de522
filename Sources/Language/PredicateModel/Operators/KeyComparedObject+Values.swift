// Objects that are compared by their keys, so that the comparison can limit its depth (Equality.swift).

/// An object that may be of a type without an equality of its own. Then its published values are compared.
package protocol KeyComparedObject: KeyedObject {
    /// The answer of the type's own equality; nil if it has none.
    func equality(with other: any KeyedObject) -> Bool?
}

extension KeyedObject {
    /// This object, if it is compared by its keys.
    var comparedByKeys: (any KeyComparedObject)? { self as? any KeyComparedObject }
}
