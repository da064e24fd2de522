// Sorts the records of files, the rows at the prompt and the objects of a store. SortColumns.swift finds the order.

/// The values of the last element within the limit of a sorter. An element that does not precede it is not kept.
package struct SortBound: Sendable {
    fileprivate let keys: [PredicateSortKey]
    fileprivate let rules: [OperatorRules]
    fileprivate let values: [PredicateValue]

    package func admits(_ fields: [PredicateValue]) -> Bool {
        for (index, key) in keys.enumerated() where index < values.count {
            let order = key.compare(fields[index], values[index], rules: rules[index])
            if order != 0 { return order < 0 }
        }
        return false
    }
}

/// Collects elements and sorts them. Stable: equal elements keep their order. With a limit it holds little more than
/// twice that number of elements.
package struct Sorter<Element> {
    private let keys: [PredicateSortKey]
    private let limit: Int?
    private let rules: [OperatorRules]
    private var elements: [Element] = []
    /// The values of the keys, `keys.count` for each element.
    private var fields: [PredicateValue] = []
    /// Once more elements than the limit were added.
    package private(set) var bound: SortBound?

    /// - Parameters:
    ///   - keys: the sort keys, the most important first.
    ///   - limit: the number of elements to keep, including skipped ones (offset + limit); nil keeps all.
    ///   - rules: the text rules of each key, with the locale for `[l]`; nil if `[l]` has no effect.
    package init(keys: [PredicateSortKey], limit: Int? = nil, rules: [OperatorRules]? = nil) {
        self.keys = keys
        self.limit = limit.map { max(0, $0) }
        self.rules = rules ?? keys.map { _ in .standard }
    }

    /// Adds an element; `fields` are its values for the keys.
    package mutating func add(_ element: Element, fields values: [PredicateValue]) {
        if let bound, !bound.admits(values) { return }
        elements.append(element)
        fields += values.prefix(keys.count)
        if let limit, limit < 1 << 40, elements.count >= 2 * limit + 1024 { trim(to: limit) }
    }

    /// Adds elements; `values` are those of the keys of the first element, of the second and so on.
    package mutating func add(contentsOf new: [Element], fields values: [PredicateValue]) {
        if limit != nil {
            for (index, element) in new.enumerated() {
                add(element, fields: Array(values[index * keys.count..<(index + 1) * keys.count]))
            }
        } else {
            elements += new
            fields += values
        }
    }

    /// The elements in order.
    package mutating func finish() -> [Element] {
        let (elements, order) = finishOrder()
        return order.map { elements[$0] }
    }

    /// The elements, and the indices of those within the limit in order. Code of the caller, which knows the type of the
    /// elements, follows the indices much faster than `finish`.
    package mutating func finishOrder() -> (elements: [Element], order: ArraySlice<Int>) {
        defer { (elements, fields, bound) = ([], [], nil) }
        return (elements, order().prefix(limit ?? .max))
    }

    /// Keeps the first elements, in order.
    private mutating func trim(to limit: Int) {
        let kept = order().prefix(limit)
        elements = kept.map { elements[$0] }
        fields = kept.flatMap { fields[$0 * keys.count..<($0 + 1) * keys.count] }
        bound = SortBound(keys: keys, rules: rules, values: Array(fields.suffix(keys.count)))
    }

    /// The indices of the elements in order.
    private func order() -> [Int] {
        if keys.isEmpty { return Array(elements.indices) }
        return SortColumns(keys, rules: rules, values: fields).order()
    }
}
