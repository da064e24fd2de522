// The public values of observed lists: one state of a list, and the change from one state to the next.

extension ObservedResults {
    /// The place of an object in a list.
    public struct Position: Sendable, Equatable, CustomStringConvertible {
        public var section: Int
        /// The index in the section.
        public var item: Int

        public init(section: Int, item: Int) {
            self.section = section
            self.item = item
        }

        public var description: String { "[\(section), \(item)]" }
    }

    /// Consecutive objects with the same value of the section's key path.
    public struct Section: Sendable {
        /// The common value; nil for a list without sections. If several values compare as equal, this is the value of
        /// one of the objects.
        public let value: PredicateValue
        /// The indices of the objects in the list.
        public let range: Range<Int>
    }

    /// One state of a list: the objects of the request's window, in order.
    ///
    ///     for section in list.results.sections {
    ///         print(section.value, list.results[section.range].map { $0["title"] })
    ///     }
    ///
    /// The snapshot is a value: later changes do not affect it. Finding an object takes O(√n) steps.
    public struct Snapshot: Sendable, RandomAccessCollection {
        let entries: OrderedEntries
        /// The positions of the entries that the list shows.
        let window: Range<Int>
        let parts: SectionParts

        public var startIndex: Int { 0 }
        public var endIndex: Int { window.count }

        public subscript(index: Int) -> StoredObject { entry(index).object }

        /// The object at a position.
        public subscript(position: Position) -> StoredObject {
            self[parts.counts[..<position.section].reduce(position.item, +)]
        }

        /// The sections in order. A list without a section key has one section, even if it is empty. With a section
        /// key, no section is empty.
        public var sections: [Section] {
            var start = 0
            return zip(parts.values, parts.counts).map { value, count in
                defer { start += count }
                return Section(value: value, range: start..<start + count)
            }
        }

        func entry(_ index: Int) -> ObservedEntry { entries[window.lowerBound + index] }

        /// The index of an entry; nil if the list does not show it.
        func index(of entry: ObservedEntry) -> Int? {
            let index = entries.position(of: entry) - window.lowerBound
            return indices.contains(index) ? index : nil
        }
    }

    /// What one transaction changed in a list.
    ///
    /// To apply it to a table, remove `deleted` and the old positions of `moved`, then `deletedSections`, all at their
    /// old positions. Then insert `insertedSections`, `inserted` and the new positions of `moved`. An object that was
    /// changed in place keeps its position relative to the objects that stay. The objects of a deleted section are also
    /// in `deleted` or `moved`.
    public struct Change: Sendable, CustomStringConvertible {
        /// An object that was changed.
        public struct Move: Sendable, Equatable {
            /// Its position in the list before.
            public let from: Position
            /// Its position in the list after.
            public let to: Position
        }

        /// Old positions of the objects that were deleted, no longer match, or left the window.
        public let deleted: [Position]
        /// New positions of the objects that were added.
        public let inserted: [Position]
        /// Objects that were changed and moved, possibly to another section.
        public let moved: [Move]
        /// Objects that were changed and have not moved.
        public let changed: [Move]
        /// Indices in the old list.
        public let deletedSections: [Int]
        /// Indices in the new list.
        public let insertedSections: [Int]
        /// The new list.
        public let results: Snapshot

        /// One line: `deleted [0, 3]; moved [0, 1] to [0, 0]; 12 objects`.
        public var description: String {
            let parts = [
                ("deleted", deleted.map { "\($0)" }), ("inserted", inserted.map { "\($0)" }),
                ("moved", moved.map { "\($0.from) to \($0.to)" }), ("changed", changed.map { "\($0.to)" }),
                ("deleted sections", deletedSections.map { "\($0)" }),
                ("inserted sections", insertedSections.map { "\($0)" }),
            ]
            let lists = parts.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: ", "))" }
            return (lists + ["\(results.count) objects"]).joined(separator: "; ")
        }

        var isEmpty: Bool {
            deleted.isEmpty && inserted.isEmpty && moved.isEmpty && changed.isEmpty
        }
    }
}

/// The values of sections and the numbers of their objects.
struct SectionParts: Sendable {
    var values: [PredicateValue] = []
    var counts: [Int] = []

    /// The index of each section's first object.
    var starts: [Int] {
        var next = 0
        return counts.map { count in
            defer { next += count }
            return next
        }
    }
}
