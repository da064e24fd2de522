// An object of a store: its row, and related objects, which are read on demand.
import PredicateModel
public import PredicateSyntax
import Synchronization

/// An object of a store.
///
///     object["name"]                        // an attribute
///     object.value(at: "employer.title")    // through relationships, which are read now
///
/// Related objects are faulted: read from the store at the first access, then cached. Sendable: the row is
/// immutable, and faulting takes the store's lock.
public final class StoredObject: KeyedObject, Sendable, CustomStringConvertible {
    private let context: ObjectContext
    /// The index of the object's first value in the context's values.
    private let start: Int32
    /// Whether the statement has shown that the object matches the residual too.
    package let isSure: Bool
    private let faulted = Mutex<[String: PredicateValue]>([:])

    fileprivate init(_ context: ObjectContext, from start: Int, isSure: Bool) {
        self.context = context
        self.start = Int32(truncatingIfNeeded: start)
        self.isSure = isSure
    }

    private func value(_ column: Int) -> PredicateValue { context.values[Int(start) + column] }

    var layout: EntityLayout { context.layout }
    private var source: any ObjectSource { context.source }
    private var log: FaultLog { context.log }

    /// The name of the object's entity.
    public var entity: String { layout.entity }
    /// The values of the primary key's columns.
    public var primaryKey: [PredicateValue] { layout.primaryKey.map(value) }
    /// The attributes by key, without relationships.
    public var attributes: ValueDictionary {
        ValueDictionary(shape: layout.shape, values: layout.attributes.map(value))
    }

    /// The value of a key; nil if the entity does not have the key. A relationship is an object or an array of
    /// objects.
    public func value(forKey key: String) -> PredicateValue? {
        if let position = layout.position(ofAttribute: key) { return value(position) }
        guard let relationship = layout.relationships[key] else { return nil }
        if let known = faulted.withLock({ $0[key] }) { return known }
        let value: PredicateValue
        do throws(StoreFailure) {
            value = try fault(relationship)
        } catch {
            log.note(error)
            value = relationship.isToMany ? .array([]) : .null
        }
        faulted.withLock { $0[key] = value }
        return value
    }

    private func fault(_ relationship: PredicateSchema.Relationship) throws(StoreFailure) -> PredicateValue {
        let objects = try related(relationship).map { PredicateValue.object(ObjectReference($0)) }
        return relationship.isToMany ? .array(objects) : objects.first ?? .null
    }

    private func related(_ relationship: PredicateSchema.Relationship) throws(StoreFailure) -> [StoredObject] {
        let target = try source.layouts.layout(relationship.target)
        let place: ObjectPlace
        let key: [PredicateValue]
        switch relationship.link {
        case .column(let columns):
            guard !target.primaryKey.isEmpty else { throw .schema("\(target.entity) has no primary key") }
            key = columns.map { layout.position(ofColumn: $0).map(value) ?? .null }
            place = .columns(target.primaryKey.map { target.columns[$0] })
        case .foreignKey(let columns):
            key = try ownKey()
            place = .columns(columns)
        case .join(let table, let from, let to):
            key = try ownKey()
            place = .pairs(table: table, from: from, to: to)
        case nil: throw .schema("the schema has no column or table for '\(relationship.name)' of \(entity)")
        }
        // A key with a NULL part refers to nothing.
        return key.contains(where: \.isNil) ? [] : try source.objects(target, place, key, log)
    }

    private func ownKey() throws(StoreFailure) -> [PredicateValue] {
        if layout.primaryKey.isEmpty { throw .schema("\(entity) has no primary key") }
        return primaryKey
    }

    /// The value of a key; nil if the entity does not have it.
    public subscript(key: String) -> PredicateValue { value(forKey: key) ?? .null }

    /// The value at a dotted path. For an array along the path, returns the array of its elements' values.
    public func value(at path: String) -> PredicateValue {
        // The usual case is a single key.
        if !path.utf8.contains(UInt8(ascii: ".")) { return value(forKey: path) ?? .null }
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return Self.value(at: keys[...], of: .object(ObjectReference(self)))
    }

    private static func value(at keys: ArraySlice<String>, of value: PredicateValue) -> PredicateValue {
        guard let key = keys.first else { return value }
        switch value {
        case .object(let reference):
            return self.value(at: keys.dropFirst(), of: reference.object.value(forKey: key) ?? .null)
        case .array(let elements): return .array(elements.map { self.value(at: keys, of: $0) })
        case .dictionary(let dictionary): return self.value(at: keys.dropFirst(), of: dictionary[key] ?? .null)
        default: return .null
        }
    }

    /// Throws the error of reading related objects, if there was one. Throws each error once.
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

/// The place of the key by which related objects belong to an owner.
enum ObjectPlace: Hashable, Sendable {
    /// In columns of the objects' own table.
    case columns([String])
    case pairs(table: String, from: [String], to: [String])
}

/// Shared by several objects of a fetch: their source and their rows. Allocating memory for each row would be
/// the main cost of an object.
private final class ObjectContext: Sendable {
    let layout: EntityLayout
    let source: any ObjectSource
    let log: FaultLog
    /// The values of the rows, one row after another.
    let values: [PredicateValue]

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
    /// The values of rows whose objects are not made yet.
    private var values: [PredicateValue] = []
    private var sure: [Bool] = []
    private let together: Int

    /// - Parameter dropsSome: whether some objects will be dropped. An object keeps all rows of its context in
    ///   memory, so then each context has one row; otherwise sixteen rows, which saves most of the cost.
    init(_ layout: EntityLayout, _ source: any ObjectSource, _ log: FaultLog, dropsSome: Bool = false) {
        self.layout = layout
        self.source = source
        self.log = log
        together = dropsSome ? 1 : 16
    }

    /// Adds a row. Its object is appended to `objects` at the latest by `finish`.
    ///
    /// - Parameter read: appends the values of the row's columns.
    mutating func add(
        to objects: inout [StoredObject], isSure: Bool = false,
        _ read: (inout [PredicateValue]) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        if sure.isEmpty { values.reserveCapacity(together * layout.columns.count) }
        let known = values.count
        do throws(StoreFailure) {
            try read(&values)
        } catch {
            values.removeSubrange(known...)
            throw error
        }
        sure.append(isSure)
        if sure.count == together { finish(&objects) }
    }

    mutating func finish(_ objects: inout [StoredObject]) {
        if sure.isEmpty { return }
        let context = ObjectContext(layout, source, log, values)
        for (index, isSure) in sure.enumerated() {
            objects.append(StoredObject(context, from: index * layout.columns.count, isSure: isSure))
        }
        values = []
        sure.removeAll(keepingCapacity: true)
    }
}

/// The store from which objects read related objects.
protocol ObjectSource: AnyObject, Sendable {
    var layouts: SchemaLayout { get }
    /// Returns related objects in the order of their primary keys.
    func objects(
        _ layout: EntityLayout, _ place: ObjectPlace, _ key: [PredicateValue], _ log: FaultLog
    ) throws(StoreFailure) -> [StoredObject]
}
