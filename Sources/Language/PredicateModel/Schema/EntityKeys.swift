// The keys of an entity by name.

extension PredicateSchema.Entity {
    /// The entity's own attribute with a name; nil if there is none. Setting nil removes it, setting another name adds
    /// it.
    ///
    ///     entity[attribute: "isDone"]?.defaultValue = false
    ///     entity[attribute: "fullName"] = nil    // a computed property, which is not stored
    public subscript(attribute name: String) -> PredicateSchema.Attribute? {
        get { attributes.first { $0.name == name } }
        set { Self.put(newValue, at: attributes.firstIndex { $0.name == name }, in: &attributes) }
    }

    /// The entity's own relationship with a name, in the same way.
    ///
    ///     entity[relationship: "lines"]?.onDelete = .cascade
    public subscript(relationship name: String) -> PredicateSchema.Relationship? {
        get { relationships.first { $0.name == name } }
        set { Self.put(newValue, at: relationships.firstIndex { $0.name == name }, in: &relationships) }
    }

    private static func put<Key>(_ key: Key?, at index: Int?, in keys: inout [Key]) {
        switch (index, key) {
        case (let index?, let key?): keys[index] = key
        case (let index?, nil): keys.remove(at: index)
        case (nil, let key?): keys.append(key)
        case (nil, nil): break
        }
    }
}
