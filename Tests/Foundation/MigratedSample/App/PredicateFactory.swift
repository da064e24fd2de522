import PredicateCompatibility

extension NSPredicate {
    static let all = NSPredicate(value: true)
    static let none = NSPredicate(value: false)

    convenience init(noneOf values: [String], key: String) {
        let predicate = NSPredicate(format: "%K IN %@", key, values)
        self.init { object, bindings in !predicate.evaluate(with: object, substitutionVariables: bindings) }
    }

    static func equals(_ key: String, _ value: CVarArg) -> NSPredicate { NSPredicate(format: "%K == %@", key, value) }

    static func oneOf<T>(_ key: String, _ values: [T]) -> NSPredicate {
        .init(format: "%K IN %@", argumentArray: [key, values])
    }

    func and(_ other: NSPredicate) -> NSPredicate { NSCompoundPredicate(andPredicateWithSubpredicates: [self, other]) }

    func or(_ other: NSPredicate) -> NSPredicate { NSCompoundPredicate(orPredicateWithSubpredicates: [self, other]) }

    static prefix func ! (predicate: NSPredicate) -> NSPredicate {
        NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
    }
}
