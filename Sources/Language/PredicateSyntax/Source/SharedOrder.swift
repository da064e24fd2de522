// Sorts lists that are short or seldom sorted, and removes repeated elements. For each closure that is passed to the standard library's `sorted(by:)`,
// the compiler adds a copy of three kilobytes or more to the program. The function below exists once and calls the
// closure.

extension Sequence {
    /// The elements, sorted. Equal elements keep their order.
    @inlinable package func ordered(by isBefore: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        return SharedOrder.places(elements.count) { isBefore(elements[$0], elements[$1]) }.map { elements[$0] }
    }
}

extension Sequence where Element: Comparable {
    /// The elements in ascending order.
    @inlinable package func ordered() -> [Element] { ordered(by: <) }
}

extension Sequence where Element: Hashable {
    /// The distinct elements, in the order of their first appearance.
    @inlinable package func distinct() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

@usableFromInline package enum SharedOrder {
    /// The numbers from 0 to `count` - 1, sorted.
    @inline(never) @usableFromInline package static func places(_ count: Int, _ isBefore: (Int, Int) -> Bool) -> [Int] {
        (0..<count).sorted(by: isBefore)
    }
}
