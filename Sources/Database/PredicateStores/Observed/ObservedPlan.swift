// What an observed list derives from its request: the order, the window, and the tables that it reads.

struct ObservedPlan: Sendable {
    /// The request, sorted by the key of the sections first.
    let request: StoreRequest
    let layout: EntityLayout
    let order: EntryOrder
    let sort: SortValues
    let hasSections: Bool
    /// The paths that the predicate reads.
    let pathsRead: [[String]]
    /// The tables of related objects that the predicate, the sort keys and the section key read; nil if they cannot be
    /// determined.
    let related: Set<String>?

    init(_ request: StoreRequest, _ sections: String?, _ store: some ObservableStore) throws(StoreFailure) {
        try request.requireObjects()
        let layout = try store.layouts.layout(request.entity)
        if layout.primaryKey.isEmpty {
            throw .schema("\(request.entity) has no primary key, so its rows cannot be observed")
        }
        if request.after != nil { throw .position("an observed list begins at its first object") }
        var request = request
        if let sections {
            if request.sort.first?.path != sections { request.sort.insert(PredicateSortKey(sections), at: 0) }
            // If the first key compares texts as equal, the sections of these texts would be mixed.
            if request.sort[0].options != [] {
                request.sort.insert(PredicateSortKey(sections, descending: request.sort[0].isDescending), at: 1)
            }
        }
        try store.schema.check(request, withPredicate: true)
        self.request = request
        self.layout = layout
        hasSections = sections != nil
        sort = try SortValues(request.sort, layout)
        order = EntryOrder(request.sort + layout.primaryKey.map { PredicateSortKey(layout.columns[$0]) })
        pathsRead = request.predicate.pathsRead
        let paths = pathsRead + sort.paths
        let readsUnknownKeys = PredicateTree.predicate(request.predicate.root).readsUnknownKeys || sort.readsUnknownKeys
        related = readsUnknownKeys ? nil : store.schema.tables(of: paths, from: request.entity)
    }

    /// The range of positions in the window.
    func window(of count: Int) -> Range<Int> {
        let start = min(request.offset, count)
        return start..<start + request.window(of: count)
    }

    /// The number of objects to fetch; nil means all. It is larger than the window, so that objects can move up when
    /// some leave it.
    var fetched: Int? {
        guard let wanted = request.wanted else { return nil }
        let (sum, overflow) = wanted.addingReportingOverflow(max(64, wanted))
        return overflow ? nil : sum
    }

    /// Whether all objects must be read again after a change.
    ///
    /// - Parameter known: the number of objects that are known.
    func needsFetch(after changes: StoreChanges, known: Int) -> Bool {
        guard let related else { return true }
        // Reading many rows by key costs more than reading all.
        return changes.touch(related) || changes.isUnknown || changes.wholeTables.contains(layout.table)
            || changes.rows[layout.table]?.count ?? 0 > 1000 + known / 4
    }
}

extension PredicateSchema {
    /// Returns the tables of the objects on the paths, without the table of the first object; nil if a key is unknown.
    fileprivate func tables(of paths: [[String]], from entity: String) -> Set<String>? {
        var tables: Set<String> = []
        for path in paths {
            var entity = entity
            steps: for name in path {
                switch key(name, of: entity) {
                case .relationship(let relationship):
                    entity = relationship.target
                    tables.insert(table(of: entity))
                    if case .join(let pairs, _, _)? = relationship.link { tables.insert(pairs) }
                case .attribute: break steps
                case nil: return nil
                }
            }
        }
        return tables
    }
}
