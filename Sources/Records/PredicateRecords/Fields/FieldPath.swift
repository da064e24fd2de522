// The field names of options: `name`, `address.city`, `orders.price`.

/// A dotted field name. If a dictionary has the whole name as one key, dots included, the path refers to that
/// key.
package struct FieldPath: Sendable, Hashable, CustomStringConvertible {
    package let name: String
    let components: [String]

    package init(_ name: String) {
        self.name = name
        components = name.keyPathKeys
    }

    /// Reads `name,address.city`; nil if a name or a part of a name is empty.
    package static func list(_ text: String) -> [FieldPath]? {
        let paths = text.split(separator: ",", omittingEmptySubsequences: false).map { FieldPath(String($0)) }
        return paths.allSatisfy { !$0.components.contains("") } ? paths : nil
    }

    package var description: String { name }

    /// The field's value, nil if it is missing. For an array along the path, returns the array of its elements'
    /// values.
    package func value(in record: PredicateValue) -> PredicateValue {
        if case .dictionary(let dictionary) = record, let value = dictionary[name] { return value }
        return collect(record, 0)
    }

    private func collect(_ value: PredicateValue, _ position: Int) -> PredicateValue {
        if position == components.count { return value }
        switch value {
        case .dictionary(let dictionary):
            return dictionary[components[position]].map { collect($0, position + 1) } ?? .null
        case .array(let elements): return .array(elements.map { collect($0, position) })
        default: return .null
        }
    }
}
