// Reads attributes inside JSON columns from whole documents, to compare with what engines read.

package import PredicateModel
package import PredicateSyntax

extension PredicateValue {
    /// The value of an attribute in this document; nil for a missing key and for a value of another kind.
    package func value(at path: JSONPath, as type: ExpressionType.Kind) -> PredicateValue {
        var value = self
        for step in path.steps {
            switch (step, value) {
            case (.key(let key), .dictionary(let members)): value = members[key] ?? .null
            case (.index(let index), .array(let elements)): value = index < elements.count ? elements[index] : .null
            default: return .null
            }
        }
        return value.read(as: type)
    }

    private func read(as type: ExpressionType.Kind) -> PredicateValue {
        switch (type, self) {
        case (.string, .string(let text)) where text.utf8.contains(0): .null
        case (.string, .string), (.integer, .integer), (.double, .double), (.boolean, .bool): self
        case (.double, .integer(let number)): .double(Double(number))
        case (.double, .decimal(let number)): Double("\(number)").map { .double($0) } ?? .null
        case (.collection(_, let element), .array(let elements)): .array(elements.map { $0.read(as: element.kind) })
        default: .null
        }
    }
}
