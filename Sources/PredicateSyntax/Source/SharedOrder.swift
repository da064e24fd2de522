// Sorting for lists that are short or seldom sorted. The standard library's `sorted(by:)` is compiled anew for each closure, to
// three kilobytes and more. This is compiled once, and calls the closure through a pointer.

extension Sequence {
    /// The elements in an order. Equal elements keep theirs.
    @inlinable package func ordered(by isBefore: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        return SharedOrder.places(elements.count) { isBefore(elements[$0], elements[$1]) }.map { elements[$0] }
    }
}

extension Sequence where Element: Comparable {
    /// The elements in ascending order.
    @inlinable package func ordered() -> [Element] { ordered(by: <) }
}

@usableFromInline package enum SharedOrder {
    /// The numbers below `count` in an order.
    @inline(never) @usableFromInline package static func places(_ count: Int, _ isBefore: (Int, Int) -> Bool) -> [Int] {
        (0..<count).sorted(by: isBefore)
    }
}
