// Reads records of a back end for one request: its objects, and the objects related to them. Nothing is read twice.

/// A question to the back end.
private enum RecordQuestion: Hashable, Sendable {
    /// The records that match a request, which has no order and no window.
    case matching(StoreRequest)
    case keys(String, [PredicateValue])
}

/// The records that a request has read.
struct RecordReads<Source: RecordSource> {
    private struct Place: Hashable {
        let entity: String
        let columns: [Int]
    }

    private let store: RecordStore<Source>
    /// The rows by the values of columns: of a primary key, or of a foreign key that was asked for.
    private var known: [Place: [[PredicateValue]: [[PredicateValue]]]] = [:]
    private var answers: [RecordQuestion: [[PredicateValue]]] = [:]
    /// When the back end must have answered; nil is no limit.
    var end: ContinuousClock.Instant?

    /// How many questions are asked at the same time.
    private static var width: Int { 8 }

    init(_ store: RecordStore<Source>, until end: ContinuousClock.Instant? = nil) {
        (self.store, self.end) = (store, end)
    }

    /// Returns the rows of a request, in its order.
    mutating func rows(_ request: StoreRequest, _ layout: EntityLayout) async throws(StoreFailure) -> [[PredicateValue]]
    {
        let rows = request.selectsNothing ? [] : try await store.rows(request, layout, [:], until: end)
        keep(rows, of: layout)
        if request.limit == nil, request.offset == 0 {
            answers[.matching(StoreRequest(layout.entity, where: request.predicate))] = rows
        }
        return rows
    }

    /// Returns the rows with the keys.
    mutating func rows(
        _ keys: [PredicateValue], _ layout: EntityLayout
    ) async throws(StoreFailure) -> [[PredicateValue]] {
        let rows = try await ask(chunks(keys).map { (layout, .keys(layout.entity, $0)) }).flatMap(\.self)
        keep(rows, of: layout)
        return rows
    }

    private mutating func keep(_ rows: [[PredicateValue]], of layout: EntityLayout) {
        if layout.primaryKey.isEmpty { return }
        let place = Place(entity: layout.entity, columns: layout.primaryKey)
        for row in rows { known[place, default: [:]][layout.primaryKey.map { row[$0] }] = [row] }
    }

    /// Reads the relationships on some paths, level by level.
    mutating func load(_ paths: PathReads) async throws(StoreFailure) {
        var paths = paths
        while let level = try paths.next() {
            var reads: [(read: PathReads.Read, place: Place)] = []
            var wanted: [Place: (layout: EntityLayout, keys: Set<[PredicateValue]>)] = [:]
            for read in level {
                var columns: [Int] = []
                try paths.unlessUnreadable { () throws(StoreFailure) in
                    columns = try read.target.columns(of: read.place)
                }
                if columns.isEmpty { continue }
                let place = Place(entity: read.target.entity, columns: columns)
                reads.append((read, place))
                let known = known[place] ?? [:]
                wanted[place, default: (read.target, [])].keys.formUnion(read.keys.filter { known[$0] == nil })
            }
            try await read(wanted)
            for (read, place) in reads {
                var objects: [[PredicateValue]: [StoredObject]] = [:]
                for key in read.keys where objects[key] == nil {
                    objects[key] = try ObjectMaker.objects(of: known[place]?[key] ?? [], read.target, store, store.log)
                }
                read.finish(read.keys.map { objects[$0] ?? [] })
            }
        }
    }

    /// Reads the rows with some values of columns, all at the same time.
    private mutating func read(
        _ wanted: [Place: (layout: EntityLayout, keys: Set<[PredicateValue]>)]
    ) async throws(StoreFailure) {
        var new: [RecordQuestion: EntityLayout] = [:]
        var plan: [(place: Place, question: RecordQuestion, keys: Set<[PredicateValue]>)] = []
        for (place, (layout, keys)) in wanted {
            let questions = questions(layout, place.columns, Array(keys))
            for (question, questions) in Dictionary(grouping: questions, by: \.question) {
                plan.append((place, question, Set(questions.flatMap(\.keys))))
                if answers[question] == nil { new[question] = layout }
            }
        }
        let asked = Array(new)
        for ((question, layout), rows) in zip(asked, try await ask(asked.map { ($0.value, $0.key) })) {
            answers[question] = rows
            keep(rows, of: layout)
        }
        for (place, question, keys) in plan {
            for key in keys { known[place, default: [:]][key] = [] }
            for row in answers[question] ?? [] {
                // The answer may have rows with other keys, which do not have to be complete.
                let key = place.columns.map { row[$0] }
                if keys.contains(key) { known[place]?[key]?.append(row) }
            }
        }
    }

    /// What to ask for the rows with some values of columns, and the keys for which each answer is complete.
    private func questions(
        _ layout: EntityLayout, _ columns: [Int], _ keys: [[PredicateValue]]
    ) -> [(question: RecordQuestion, keys: [[PredicateValue]])] {
        let capabilities = store.source.capabilities
        if capabilities.findsKeys, columns == layout.primaryKey {
            return chunks(keys).map { (.keys(layout.entity, $0.map(\.asKey)), $0) }
        }
        func pushed(_ terms: [(key: String?, op: ComparisonOperator, value: PredicateValue)]) -> StoreRequest {
            let nodes = terms.compactMap { term in
                term.key.map { key in
                    let elements = term.value.elements?.map { ExpressionNode(.value($0)) }
                    let value =
                        term.op == .in ? ExpressionNode(.aggregate(elements ?? [])) : ExpressionNode(.value(term.value))
                    return PredicateNode(.comparison(ComparisonNode(ExpressionNode(.keyPath([key])), term.op, value)))
                }
            }
            let predicate = FormatPredicate(PredicateNode(.and(nodes)))
            return CapabilitySplit(StoreRequest(layout.entity, where: predicate), capabilities).request
        }
        let names = columns.map { layout.columns[$0] }
        let attributes = names.map(layout.attribute(ofColumn:))
        // The key of the relationship that has these columns, whose value is the key of another record.
        let link = layout.relationships.values.map(\.name).sorted().first {
            layout.relationships[$0]?.link == .column(names)
        }
        let single = names.count == 1 ? attributes[0] ?? link : link
        let lists = chunks(keys).map { (pushed([(single, .in, .array($0.map(\.asKey)))]), $0) }
        if lists.allSatisfy({ $0.0.predicate != .constant(true) }) { return lists.map { (.matching($0), $1) } }
        return keys.map { key in
            let parts =
                names.count == 1 ? [] : zip(attributes, key).map { (key: $0, op: ComparisonOperator.equal, value: $1) }
            return (.matching(pushed(parts + [(single, .equal, key.asKey)])), [key])
        }
    }

    private func chunks<Key>(_ keys: [Key]) -> [[Key]] {
        stride(from: 0, to: keys.count, by: store.batchSize).map {
            Array(keys[$0..<min($0 + store.batchSize, keys.count)])
        }
    }

    /// Asks several questions at the same time. The first failure ends the others.
    private func ask(
        _ questions: [(layout: EntityLayout, question: RecordQuestion)]
    ) async throws(StoreFailure) -> [[[PredicateValue]]] {
        typealias Answer = Result<[[PredicateValue]], StoreFailure>
        let (store, known, end) = (store, known, end)
        @Sendable func answer(_ index: Int) async throws(StoreFailure) -> [[PredicateValue]] {
            let (layout, question) = questions[index]
            switch question {
            case .keys(_, let keys): return try await store.rows(layout, keys, until: end)
            case .matching(let request):
                let rows = known[Place(entity: layout.entity, columns: layout.primaryKey)] ?? [:]
                return try await store.rows(request, layout, rows, until: end)
            }
        }
        @Sendable func result(_ index: Int) async -> (Int, Answer) {
            do throws(StoreFailure) {
                let rows = try await answer(index)
                return (index, .success(rows))
            } catch {
                return (index, .failure(error))
            }
        }
        let answers: Result<[[[PredicateValue]]], StoreFailure> = await withTaskGroup(of: (Int, Answer).self) { group in
            var answers = [[[PredicateValue]]](repeating: [], count: questions.count)
            var next = min(Self.width, questions.count)
            for index in 0..<next { group.addTask { await result(index) } }
            for await (index, found) in group {
                switch found {
                case .success(let rows): answers[index] = rows
                case .failure(let failure):
                    group.cancelAll()
                    return .failure(failure)
                }
                if next < questions.count {
                    let index = next
                    group.addTask { await result(index) }
                    next += 1
                }
            }
            return .success(answers)
        }
        return try answers.get()
    }
}

extension RecordStore {
    /// The rows of a request. If the back end finds keys, those with known keys are not read again.
    fileprivate func rows(
        _ request: StoreRequest, _ layout: EntityLayout, _ known: [[PredicateValue]: [[PredicateValue]]],
        until end: ContinuousClock.Instant?
    ) async throws(StoreFailure) -> [[PredicateValue]] {
        let source = source
        guard source.capabilities.findsKeys else {
            let records = try await Self.ask(until: end) { try await source.records(request) }
            let rows = try records.map { (record) throws(StoreFailure) in try row(record, layout) }
            // Pages may overlap.
            var seen: Set<[PredicateValue]> = []
            return rows.filter { row in
                let key = layout.primaryKey.map { row[$0] }
                return key.isEmpty || key.contains(where: \.isNil) || seen.insert(key).inserted
            }
        }
        let keys = try await Self.ask(until: end) { try await source.keys(request) }
        let found = try keys.map { (key) throws(StoreFailure) in known[try layout.key(key)] ?? [] }
        var reads = RecordReads(self, until: end)
        return try await reads.rows(zip(keys, found).filter { $1.isEmpty }.map(\.0), layout) + found.flatMap(\.self)
    }
}

/// Reads the objects of a request: performs the steps of FetchSteps.
struct RecordCursor<Source: RecordSource> {
    private let store: RecordStore<Source>
    private let layout: EntityLayout
    private let split: CapabilitySplit
    private let size: Int
    private var steps: FetchSteps
    private var reads: RecordReads<Source>
    private var isRead = false
    /// What is left of the request's deadline, of which the app uses nothing.
    private var left: Duration?
    /// The keys of objects that are not read yet, if the back end finds keys.
    private var keys: ArraySlice<PredicateValue> = []

    /// - Throws: `request`; the failure of an earlier read that could not throw.
    init(_ store: RecordStore<Source>, _ request: StoreRequest) throws(StoreFailure) {
        try store.log.check()
        try request.requireObjects()
        self.store = store
        layout = try store.layouts.layout(request.entity)
        try store.schema.check(request, withPredicate: true)
        split = store.split(request)
        left = request.deadline
        size = request.batchSize ?? store.batchSize
        reads = RecordReads(store)
        var (window, part) = (request, split.inMemory)
        if !part.limits { window.offset = 0 }
        // A back end may return more than the limit.
        part.limits = true
        // A window without sort keys uses the order of primary keys, as in SQL.
        steps = try FetchSteps(
            layout, part, of: window,
            sortsByKey: (split.limitsInMemory || request.after != nil) && request.sort.isEmpty)
    }

    /// Returns the next object; nil at the end.
    mutating func next() async throws(StoreFailure) -> StoredObject? {
        while true {
            switch try steps.next() {
            case .object(let object): return object
            case .end: return nil
            case .load(let paths):
                try await timed { (cursor) async throws(StoreFailure) in try await cursor.reads.load(paths) }
            case .read:
                let objects = try await timed { (cursor) async throws(StoreFailure) in try await cursor.batch() }
                try steps.fill { (buffer) throws(StoreFailure) in buffer = objects }
            }
        }
    }

    /// Returns the remaining objects, after the relationships on some paths are read.
    mutating func rest(loading paths: [[String]] = []) async throws(StoreFailure) -> [StoredObject] {
        var objects: [StoredObject] = []
        while let object = try await next() { objects.append(object) }
        try await timed { (cursor) async throws(StoreFailure) in
            try await cursor.reads.load(PathReads(paths, of: objects))
        }
        return objects
    }

    /// The end of the time that is left; nil if there is no deadline.
    var end: ContinuousClock.Instant? { left.map { .now + $0 } }

    /// Runs `body`, which asks the back end, until the end of the time.
    private mutating func timed<Value>(
        _ body: (inout Self) async throws(StoreFailure) -> Value
    ) async throws(StoreFailure) -> Value {
        reads.end = end
        let value = try await body(&self)
        left = reads.end.map { $0 - .now }
        return value
    }

    private mutating func batch() async throws(StoreFailure) -> [StoredObject] {
        var rows: [[PredicateValue]] = []
        if !store.source.capabilities.findsKeys {
            if !isRead { rows = try await reads.rows(split.request, layout) }
        } else {
            if !isRead, !split.request.selectsNothing {
                let (store, request) = (store, split.request)
                keys = try await RecordStore<Source>.ask(until: reads.end) { try await store.source.keys(request) }[...]
            }
            // A batch may be empty because its records no longer exist; that is not the end.
            while rows.isEmpty, !keys.isEmpty {
                rows = try await reads.rows(Array(keys.prefix(size)), layout)
                keys = keys.dropFirst(size)
            }
        }
        isRead = true
        var maker = ObjectMaker(layout, store, store.log, dropsSome: split.residual != nil)
        var objects: [StoredObject] = []
        for row in rows { try maker.add(to: &objects) { (values) throws(StoreFailure) in values += row } }
        maker.finish(&objects)
        return objects
    }
}
