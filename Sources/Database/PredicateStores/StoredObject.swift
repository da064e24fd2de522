// An object of a store: its row, and related objects, which are read on demand.

/// An object of a store.
///
///     object["name"]                        // an attribute
///     object.value(at: "employer.title")    // through relationships, which are read now
///
/// Related objects are read from the store at the first access and then cached. A failure is not cached: the next
/// access reads again. `value(forKey:)`, `value(at:)`, `objects(_:)` and the subscript cannot throw: they return nil,
/// or no objects, if the store is locked, the task is cancelled, or the back end fails. `readValue(forKey:)` and
/// `readValue(at:)` throw then, and so do the evaluation of predicates and sorting.
///
/// The class is Sendable: the row is immutable, and a lock protects the cache.
// @unchecked Sendable: `state` is used only under the lock of the context.
public final class StoredObject: KeyedObject, @unchecked Sendable, CustomStringConvertible {
    private let context: ObjectContext
    /// The index of the object's first value in the context's values.
    private let start: Int32
    /// Whether the object is known to match the residual, either by the statement or by a test of its columns.
    package let isCertain: Bool
    /// Whether the store has no such row, but a to-one relationship or a pair of a join table refers to it. The object
    /// has a primary key, and all attributes are nil, except a primary key of one integer or UUID column.
    public let isMissing: Bool
    private var state = State.fresh

    /// A single enum, because most objects have no state and then need only one word of memory.
    private indirect enum State {
        case fresh
        case used(faulted: [String: PredicateValue], (any ObjectIdentities)?)

        /// The values of the relationships read so far.
        var faulted: [String: PredicateValue] {
            get { if case .used(let faulted, _) = self { faulted } else { [:] } }
            set { self = .used(faulted: newValue, identities) }
        }

        /// The context that makes objects of equal rows identical, if any.
        var identities: (any ObjectIdentities)? {
            get { if case .used(_, let identities) = self { identities } else { nil } }
            set { self = .used(faulted: faulted, newValue) }
        }
    }

    fileprivate init(_ context: ObjectContext, from start: Int, isCertain: Bool, isMissing: Bool = false) {
        self.context = context
        self.start = Int32(truncatingIfNeeded: start)
        self.isCertain = isCertain
        self.isMissing = isMissing
    }

    private func withState<Result>(_ body: (inout State) -> Result) -> Result {
        context.lock.withLock { _ in body(&state) }
    }

    private func value(_ column: Int) -> PredicateValue { context.values[Int(start) + column] }

    /// Whether the object has nothing but its identity. SQL reads a primary key of one integer or UUID column from the
    /// row that refers to it; all other values come from a join, which finds no row.
    private var isBare: Bool { isMissing && !layout.isReadFromReferences }

    var layout: EntityLayout { context.layout }
    private var source: any ObjectSource { context.source }
    func isOf(_ store: any ObjectSource) -> Bool { source === store }
    private var log: FaultLog { context.log }

    /// The name of the object's entity.
    public var entity: String { layout.entity }
    /// The values of the primary key's columns.
    public var primaryKey: [PredicateValue] { layout.primaryKey.map(value) }
    /// The attributes by key, without relationships.
    public var attributes: ValueDictionary {
        ValueDictionary(shape: layout.shape, values: layout.attributes.map { isBare ? .null : value($0) })
    }

    /// The value of a key; nil if the entity does not have the key, or if related objects could not be read:
    /// `readValue(forKey:)` throws then. The value of a relationship is an object or an array of objects. A to-one
    /// relationship is nil only if its key is nil; if it refers to no row, its object is `isMissing`.
    public func value(forKey key: String) -> PredicateValue? {
        noting { () throws(StoreFailure) in try readValue(forKey: key) } ?? nil
    }

    /// Returns what `body` reads. Keeps its failure for the log.
    private func noting<Value>(_ body: () throws(StoreFailure) -> Value) -> Value? {
        do throws(StoreFailure) { return try body() } catch {
            log.note(error)
            return nil
        }
    }

    /// The value of a key; nil if the entity does not have the key.
    ///
    /// - Throws: the failure of reading related objects, which are read again at the next access.
    public func readValue(forKey key: String) throws(StoreFailure) -> PredicateValue? {
        if let position = layout.position(ofAttribute: key) { return isBare ? .null : value(position) }
        guard let relationship = layout.relationships[key] else {
            return layout.group(key) { isBare ? .null : self.value($0) }
        }
        if let known = withState({ $0.faulted[key] }) { return known }
        let value = try fault(relationship)
        withState { $0.faulted[key] = value }
        return value
    }

    private func fault(_ relationship: PredicateSchema.Relationship) throws(StoreFailure) -> PredicateValue {
        let (target, place, key) = try link(relationship)
        // A key with a NULL part refers to nothing.
        let isLinked = !key.contains(where: \.isNil)
        var found: [StoredObject] = []
        do throws(StoreFailure) {
            if isLinked { found = try source.objects(target, place, [key], log).first ?? [] }
        } catch .notLoaded {
            throw .notLoaded(entity: entity, key: relationship.name)
        }
        return value(of: relationship, found, target, isLinked ? key : nil)
    }

    /// A key that refers to no row of the entity has a missing object.
    ///
    /// - Parameter key: the key that the objects were found with; nil if it has a NULL part.
    private func value(
        of relationship: PredicateSchema.Relationship, _ found: [StoredObject], _ target: EntityLayout,
        _ key: [PredicateValue]?
    ) -> PredicateValue {
        if relationship.isToMany, isBare { return .null }
        guard !relationship.isToMany, found.isEmpty, let key else {
            return Self.value(of: relationship, unique(found))
        }
        return Self.value(of: relationship, [StoredObject(missing: key, target, source, log)])
    }

    /// The object of a key that no row has.
    convenience init(
        missing key: [PredicateValue], _ layout: EntityLayout, _ source: any ObjectSource, _ log: FaultLog
    ) {
        var row = [PredicateValue](repeating: .null, count: layout.columns.count)
        for (position, part) in zip(layout.primaryKey, key) {
            row[position] = layout.kinds[position].value(of: part) ?? part
        }
        self.init(ObjectContext(layout, source, log, row), from: 0, isCertain: false, isMissing: true)
    }

    private func unique(_ objects: [StoredObject]) -> [StoredObject] {
        objects.isEmpty ? objects : withState { $0.identities }?.unique(objects) ?? objects
    }

    /// The objects of a relationship that exist: at most one if it is to-one; empty for other keys, and if the objects
    /// could not be read.
    public func objects(_ key: String) -> [StoredObject] { Self.objects(value(forKey: key)).filter { !$0.isMissing } }

    private static func objects(_ value: PredicateValue?) -> [StoredObject] {
        let values = if case .array(let elements)? = value { elements } else { value.map { [$0] } ?? [] }
        return values.compactMap { value in
            guard case .object(let reference) = value else { return nil }
            return reference.object as? StoredObject
        }
    }

    func hasSameRow(as other: StoredObject) -> Bool {
        layout.columns.indices.allSatisfy { value($0) == other.value($0) }
    }

    /// nil if the entity has no primary key, if the store has no such row, and for a key with NULL, which several rows
    /// may have.
    var identity: RowIdentity? {
        let key = primaryKey
        return key.isEmpty || isMissing || key.contains(where: \.isNil)
            ? nil : RowIdentity(table: layout.table, key: key)
    }

    /// Replaces the related objects by those that a context already has.
    func join(_ identities: any ObjectIdentities) {
        let known = withState { state in
            state.identities = identities
            return state.faulted
        }
        for (name, value) in known {
            guard let relationship = layout.relationships[name] else { continue }
            let value = Self.value(of: relationship, identities.unique(Self.objects(value)))
            withState { $0.faulted[name] = value }
        }
    }

    private static func value(
        of relationship: PredicateSchema.Relationship, _ objects: [StoredObject]
    ) -> PredicateValue {
        let values = objects.map { PredicateValue.object(ObjectReference($0)) }
        return relationship.isToMany ? .array(values) : values.first ?? .null
    }

    /// Returns where the objects of a relationship are stored, and the key to search there.
    private func link(
        _ relationship: PredicateSchema.Relationship
    ) throws(StoreFailure) -> (target: EntityLayout, place: ObjectPlace, key: [PredicateValue]) {
        let target = try source.layouts.layout(relationship.target)
        switch relationship.link {
        case .column(let columns):
            try target.requireKey()
            let key = columns.map { layout.position(ofColumn: $0).map(value) ?? .null }
            return (target, .columns(target.keyColumns), key)
        case .foreignKey(let columns): return (target, .columns(columns), try ownKey())
        case .join(let table, let from, let to):
            return (target, .pairs(table: table, from: from, to: to), try ownKey())
        case nil: throw .schema("the schema has no column or table for '\(relationship.name)' of \(entity)")
        }
    }

    private func ownKey() throws(StoreFailure) -> [PredicateValue] {
        try layout.requireKey()
        return primaryKey
    }

    /// The key that the columns of a to-one relationship hold, even if no such object exists; nil for other
    /// relationships.
    func storedKey(of relationship: String) -> [PredicateValue]? {
        guard case .column(let columns)? = layout.relationships[relationship]?.link else { return nil }
        return columns.map { layout.position(ofColumn: $0).map(value) ?? .null }
    }

    /// The value of a key; nil if the entity does not have it.
    public subscript(key: String) -> PredicateValue { value(forKey: key) ?? .null }

    func hasRelationship(_ key: String) -> Bool {
        layout.relationships[key] != nil && layout.position(ofAttribute: key) == nil
    }

    /// Whether the value of a relationship is known, or is a single object, which is read when it is needed.
    func isRead(_ key: String) -> Bool {
        layout.relationships[key]?.isToMany != true || withState { $0.faulted[key] != nil }
    }

    /// The value at a dotted path; nil if related objects could not be read: `readValue(at:)` throws then. For an array
    /// along the path, returns the array of its elements' values.
    public func value(at path: String) -> PredicateValue {
        noting { () throws(StoreFailure) in try readValue(at: path) } ?? .null
    }

    /// The value at a dotted path.
    ///
    ///     let title = try object.readValue(at: "employer.title")
    ///
    /// - Throws: the failure of reading related objects, which are read again at the next access.
    public func readValue(at path: String) throws(StoreFailure) -> PredicateValue {
        // The usual case is a single key.
        if !path.utf8.contains(UInt8(ascii: ".")) || layout.position(ofAttribute: path) != nil {
            return try readValue(forKey: path) ?? .null
        }
        return try Self.read(path.keyPathKeys[...], of: .object(ObjectReference(self)))
    }

    private static func read(
        _ keys: ArraySlice<String>, of value: PredicateValue
    ) throws(StoreFailure) -> PredicateValue {
        guard let key = keys.first else { return value }
        switch value {
        case .object(let reference):
            let object = reference.object as? StoredObject
            return try read(keys.dropFirst(), of: try object?.readValue(forKey: key) ?? .null)
        case .array(let elements):
            return .array(try elements.map { (element) throws(StoreFailure) in try read(keys, of: element) })
        case .dictionary(let dictionary): return try read(keys.dropFirst(), of: dictionary[key] ?? .null)
        default: return .null
        }
    }

    /// Throws the first failure of reading related objects of this object's fetch, for code whose reads could not
    /// throw: `value(at:)`, a `PredicateMatcher`, a `PredicateSet`. Each failure is thrown once.
    public func checkFaults() throws(StoreFailure) { try log.check() }

    public func isEqual(to other: any KeyedObject) -> Bool {
        guard let other = other as? StoredObject else { return false }
        // Entities in the same table share its rows.
        return self === other
            || (layout.table == other.layout.table && !primaryKey.isEmpty && primaryKey == other.primaryKey)
    }
    public var publishedKeys: [String] { layout.keys }
    public var typeName: String { entity }
    public var description: String { "\(entity)(\(ExpressionNode(.value(.dictionary(attributes)))))" }
}

/// Fetched objects can be filtered and sorted in memory, and be arguments of `%@`.
///
///     let urgent = try tasks.filter("isUrgent == YES AND project == %@", project)
///
/// Their keys are not checked before they are read: an object without the key does not match. If a relationship cannot
/// be read, `filter`, `evaluate` and `sorted` throw `failed-read`; the `cause` of the failure is a `StoreFailure`.
extension StoredObject: QueryableValue {
    public var predicateValue: PredicateValue { .object(ObjectReference(self)) }
}

/// The relationships on some paths of objects, in levels: what a level reads is known before the next one. The same
/// order for stores that read at once and for those that read asynchronously.
struct PathReads: Sendable {
    /// A relationship of several objects, and the keys of the related objects.
    struct Read: Sendable {
        let target: EntityLayout
        let place: ObjectPlace
        /// The keys of the objects that are linked.
        let keys: [[PredicateValue]]
        fileprivate let relationship: PredicateSchema.Relationship
        fileprivate let owners: [(object: StoredObject, key: [PredicateValue]?)]

        /// Caches the objects that were found for each key.
        func finish(_ found: [[StoredObject]]) {
            var found = found.makeIterator()
            for (object, key) in owners {
                object.set(relationship, key == nil ? [] : found.next() ?? [], target, key)
            }
        }
    }

    /// Objects of an entity whose relationships are read next, with the paths.
    private var level: [(paths: [[String]], objects: [StoredObject])]
    /// The level after that, with the relationships that lead to it.
    private var below: [(paths: [[String]], owners: [StoredObject], name: String)] = []
    /// Whether relationships that the schema or the store cannot read are left out.
    private let skipsUnreadable: Bool

    init(_ paths: [[String]], of objects: [StoredObject], skipsUnreadable: Bool = false) {
        self.skipsUnreadable = skipsUnreadable
        let byEntity = paths.isEmpty ? [:] : Dictionary(grouping: objects) { $0.entity }
        level = byEntity.sorted { $0.key < $1.key }.map { (paths, $0.value) }
    }

    /// Returns what the next level reads; nil at the end. The reads of the last level must be finished.
    mutating func next() throws(StoreFailure) -> [Read]? {
        for (paths, owners, name) in below {
            var seen: Set<ObjectIdentifier> = []
            let objects = owners.flatMap { $0.known(name) }.filter { seen.insert(ObjectIdentifier($0)).inserted }
            level.append((paths, objects))
        }
        below = []
        var reads: [Read] = []
        for (paths, objects) in level {
            guard let layout = objects.first?.layout else { continue }
            let byName = Dictionary(grouping: paths.filter { !$0.isEmpty }, by: { $0[0] })
            for (name, paths) in byName.sorted(by: { $0.key < $1.key }) {
                guard let relationship = layout.relationships[name], layout.position(ofAttribute: name) == nil else {
                    continue
                }
                try unlessUnreadable { () throws(StoreFailure) in
                    if let read = try StoredObject.read(relationship, of: objects) { reads.append(read) }
                }
                let rest = paths.map { Array($0.dropFirst()) }.filter { !$0.isEmpty }
                if !rest.isEmpty { below.append((rest, objects, name)) }
            }
        }
        level = []
        return reads.isEmpty && below.isEmpty ? nil : reads
    }

    func unlessUnreadable(_ body: () throws(StoreFailure) -> Void) throws(StoreFailure) {
        do throws(StoreFailure) { try body() } catch {
            guard skipsUnreadable, case .schema = error else { throw error }
        }
    }
}

extension StoredObject {
    /// Reads the relationships on the given paths for many objects of an entity. One statement reads up to 500 keys.
    ///
    /// - Throws: the failure of reading them.
    static func prefetch(_ paths: [[String]], of objects: [StoredObject]) throws(StoreFailure) {
        try prefetch(PathReads(paths, of: objects))
    }

    static func prefetch(_ reads: PathReads) throws(StoreFailure) {
        var reads = reads
        while let level = try reads.next() {
            for read in level {
                guard let owner = read.owners.first?.object else { continue }
                try reads.unlessUnreadable { () throws(StoreFailure) in
                    read.finish(try owner.source.objects(read.target, read.place, read.keys, owner.log))
                }
            }
        }
    }

    /// What to read of a relationship; nil if it is known for all objects.
    fileprivate static func read(
        _ relationship: PredicateSchema.Relationship, of objects: [StoredObject]
    ) throws(StoreFailure) -> PathReads.Read? {
        let owners = objects.filter { $0.withState { $0.faulted[relationship.name] == nil } }
        guard let first = owners.first else { return nil }
        let (target, place, _) = try first.link(relationship)
        let linked = try owners.map { (object) throws(StoreFailure) in
            let key = try object.link(relationship).key
            return (object: object, key: key.contains(where: \.isNil) ? nil : key)
        }
        return PathReads.Read(
            target: target, place: place, keys: linked.compactMap(\.key), relationship: relationship, owners: linked)
    }

    fileprivate func set(
        _ relationship: PredicateSchema.Relationship, _ found: [StoredObject], _ target: EntityLayout,
        _ key: [PredicateValue]?
    ) {
        let value = value(of: relationship, found, target, key)
        withState { $0.faulted[relationship.name] = value }
    }

    /// The objects of a relationship that was already read.
    fileprivate func known(_ name: String) -> [StoredObject] { Self.objects(withState { $0.faulted[name] }) }
}

extension StoredObject: FaultKeeper {
    package func keep(_ failure: ReadError) { (failure.error as? StoreFailure).map { log.note($0, failure) } }
    package func drop(_ failure: ReadError) { log.forget(failure) }
}

/// Where the key is stored that links related objects to their owner.
enum ObjectPlace: Hashable, Sendable {
    /// In columns of the related objects' own table.
    case columns([String])
    case pairs(table: String, from: [String], to: [String])
}

/// Data that several objects of one fetch share: the source and the rows. Allocating memory for each row would be the
/// main cost of an object.
private final class ObjectContext: Sendable {
    let layout: EntityLayout
    let source: any ObjectSource
    let log: FaultLog
    /// The values of the rows, one row after another.
    let values: [PredicateValue]
    /// Protects the states of the objects.
    let lock = Mutex(())

    init(_ layout: EntityLayout, _ source: any ObjectSource, _ log: FaultLog, _ values: [PredicateValue]) {
        self.layout = layout
        self.source = source
        self.log = log
        self.values = values
    }
}

/// Makes objects from rows.
struct ObjectMaker {
    private let layout: EntityLayout
    private let source: any ObjectSource
    private let log: FaultLog
    /// The values of rows whose objects are not created yet.
    private var values: [PredicateValue] = []
    private var certain: [Bool] = []
    private let together: Int

    /// - Parameter dropsSome: whether some objects will be discarded. An object keeps all rows of its context in
    ///   memory. So each context has one row if this is true; otherwise sixteen rows, which avoids most allocations.
    init(_ layout: EntityLayout, _ source: any ObjectSource, _ log: FaultLog, dropsSome: Bool = false) {
        self.layout = layout
        self.source = source
        self.log = log
        together = dropsSome ? 1 : 16
    }

    /// Adds a row. Its object is appended to `objects` now or when `finish` is called.
    ///
    /// - Parameter read: appends the values of the row's columns.
    mutating func add(
        to objects: inout [StoredObject], isCertain: Bool = false,
        _ read: (inout [PredicateValue]) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        if certain.isEmpty { values.reserveCapacity(together * layout.columns.count) }
        let known = values.count
        do throws(StoreFailure) {
            try read(&values)
        } catch {
            values.removeSubrange(known...)
            throw error
        }
        certain.append(isCertain)
        if certain.count == together { finish(&objects) }
    }

    /// Returns the objects of rows, and of keys without a row, in the order of their primary keys.
    static func objects(
        of rows: [[PredicateValue]], missing: [[PredicateValue]] = [], _ layout: EntityLayout,
        _ source: any ObjectSource, _ log: FaultLog
    ) throws(StoreFailure) -> [StoredObject] {
        var maker = ObjectMaker(layout, source, log)
        var objects: [StoredObject] = []
        for row in rows { try maker.add(to: &objects) { (values) throws(StoreFailure) in values += row } }
        maker.finish(&objects)
        objects += missing.map { StoredObject(missing: $0, layout, source, log) }
        var sorter = Sorter<StoredObject>(keys: layout.primaryKey.map { PredicateSortKey(layout.columns[$0]) })
        for object in objects { sorter.add(object, fields: object.primaryKey) }
        return sorter.finish()
    }

    mutating func finish(_ objects: inout [StoredObject]) {
        if certain.isEmpty { return }
        let context = ObjectContext(layout, source, log, values)
        for (index, isCertain) in certain.enumerated() {
            objects.append(StoredObject(context, from: index * layout.columns.count, isCertain: isCertain))
        }
        values = []
        certain.removeAll(keepingCapacity: true)
    }
}

/// The store from which objects read related objects.
protocol ObjectSource: AnyObject, Sendable {
    var layouts: SchemaLayout { get }
    /// Returns the objects related to each key, in the order of their primary keys.
    func objects(
        _ layout: EntityLayout, _ place: ObjectPlace, _ keys: [[PredicateValue]], _ log: FaultLog
    ) throws(StoreFailure) -> [[StoredObject]]
}

extension ObjectSource {
    /// Returns the objects with each primary key: one, or none.
    func objects(_ layout: EntityLayout, withKeys keys: [[PredicateValue]]) throws(StoreFailure) -> [[StoredObject]] {
        let log = FaultLog()
        let found = try objects(layout, .columns(layout.keyColumns), keys, log)
        try log.check()
        return found
    }
}
