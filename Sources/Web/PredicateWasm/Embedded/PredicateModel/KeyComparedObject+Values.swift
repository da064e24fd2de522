// Embedded Swift casts to no protocol. The module's objects publish no types.
package import PredicateSyntax

package protocol KeyComparedObject: KeyedObject {
    func equality(with other: any KeyedObject) -> Bool?
}

extension KeyedObject {
    var comparedByKeys: (any KeyComparedObject)? { nil }
}
