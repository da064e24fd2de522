// An object of a store: its row, and the objects around it, read when they are asked for.
import PredicateModel
public import PredicateSyntax
import Synchronization

/// One object that a store found.
///
///     object["name"]                      // the attribute
///     object.value(at: "employer.title")  // through relationships, which are read now
///
/// Related objects are faulted: read from the store when a key is first asked for, and kept. Sendable: the row is
/// immutable, and faulting takes the store's lock.
public final class StoredObject: KeyedObject, Sendable, CustomStringConvertible {
    private let context: ObjectContext
    /// Where the object's row begins among the context's values.
    private let start: Int32
    /// Whether the statement that found it says that the residual is true of it.
    package let isSure: Bool
    private let faulted = Mutex<[String: Value]>([:])

    fileprivate init(_ context: ObjectContext, from start: Int, isSure: Bool) {
        self.context = context
        self.start = Int32(truncatingIfNeeded: start)
        self.isSure = isSure
    }

    private func value(_ column: Int) -> Value { context.values[Int(start) + column] }

    var layout: EntityLayout { context.layout }
    private var source: any ObjectSource { context.source }
    private var log: FaultLog { context.log }

    public var entity: String { layout.entity }
    /// The values of the primary key's columns.
    public var primaryKey: [Value] { layout.primaryKey.map(value) }
    /// The attributes by key, without what must be faulted.
    public var attributes: ValueDictionary {
        ValueDictionary(shape: layout.shape, values: layout.attributes.map(value))
    }

    /// The value of a key; nil where the entity has none of this name. A relationship is an object or an array of objects.
    public func value(forKey key: String) -> Value? {
        if let position = layout.position(ofAttribute: key) { return value(position) }
        guard let relationship = layout.relationships[key] else { return nil }
        if let known = faulted.withLock({ $0[key] }) { return known }
        let value: Value
        do throws(StoreFailure) {
            value = try fault(relationship)
        } catch {
            log.note(error)
            value = relationship.isToMany ? .array([]) : .null
        }
        faulted.withLock { $0[key] = value }
        return value
    }

    private func fault(_ relationship: Relationship) throws(StoreFailure) -> Value {
        let objects = try related(relationship).map { Value.object(ObjectReference($0)) }
        return relationship.isToMany ? .array(objects) : objects.first ?? .null
    }

    private func related(_ relationship: Relationship) throws(StoreFailure) -> [StoredObject] {
        let target = try source.layouts.layout(relationship.target)
        let place: ObjectPlace
        let key: [Value]
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
        case nil: throw .schema("the schema keeps '\(relationship.name)' of \(entity) nowhere")
        }
        // Where a part is missing, the key refers to nothing.
        return key.contains(where: \.isNil) ? [] : try source.objects(target, place, key, log)
    }

    private func ownKey() throws(StoreFailure) -> [Value] {
        if layout.primaryKey.isEmpty { throw .schema("\(entity) has no primary key") }
        return primaryKey
    }

    /// The value of an attribute; nil where there is none.
    public subscript(key: String) -> Value { value(forKey: key) ?? .null }

    /// The value at a dotted path; an array on the way gives the array of what its elements have.
    public func value(at path: String) -> Value {
        // Most paths are one key, asked for once for each object.
        if !path.utf8.contains(UInt8(ascii: ".")) { return value(forKey: path) ?? .null }
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return Self.value(at: keys[...], of: .object(ObjectReference(self)))
    }

    private static func value(at keys: ArraySlice<String>, of value: Value) -> Value {
        guard let key = keys.first else { return value }
        switch value {
        case .object(let reference):
            return self.value(at: keys.dropFirst(), of: reference.object.value(forKey: key) ?? .null)
        case .array(let elements): return .array(elements.map { self.value(at: keys, of: $0) })
        case .dictionary(let dictionary): return self.value(at: keys.dropFirst(), of: dictionary[key] ?? .null)
        default: return .null
        }
    }

    /// What went wrong while related objects were read, told once.
    public func checkFaults() throws(StoreFailure) { try log.check() }

    public func isEqual(to other: any KeyedObject) -> Bool {
        guard let other = other as? StoredObject else { return false }
        // Entities that share a table share its rows.
        return self === other
            || (layout.table == other.layout.table && !primaryKey.isEmpty && primaryKey == other.primaryKey)
    }
    public var publishedKeys: [String] { layout.keys }
    public var typeName: String { entity }
    public var description: String { "\(entity)(\(ExpressionNode(.value(.dictionary(attributes)))))" }
}

/// Where the key of an owner stands, for the objects that belong to it.
enum ObjectPlace: Hashable, Sendable {
    /// In columns of their own table.
    case columns([String])
    case pairs(table: String, from: [String], to: [String])
}

/// What a few objects of one fetch share: where they come from, and their rows. Memory for each row by itself is most of
/// what an object costs over its values.
private final class ObjectContext: Sendable {
    let layout: EntityLayout
    let source: any ObjectSource
    let log: FaultLog
    /// The rows, one behind the other, by column.
    let values: [Value]

    init(_ layout: EntityLayout, _ source: any ObjectSource, _ log: FaultLog, _ values: [Value]) {
        self.layout = layout
        self.source = source
        self.log = log
        self.values = values
    }
}

/// Makes objects of rows.
struct ObjectMaker {
    private let layout: EntityLayout
    private let source: any ObjectSource
    private let log: FaultLog
    /// Of rows that are no objects yet.
    private var values: [Value] = []
    private var sure: [Bool] = []
    private let together: Int

    /// - Parameter dropsSome: whether not all objects will be kept. One that is keeps the rows that it shares, so that then
    ///   each has its own; else sixteen share, which is most of what can be saved.
    init(_ layout: EntityLayout, _ source: any ObjectSource, _ log: FaultLog, dropsSome: Bool = false) {
        self.layout = layout
        self.source = source
        self.log = log
        together = dropsSome ? 1 : 16
    }

    /// Takes a row; its object is among the others by the next `finish`.
    ///
    /// - Parameter read: appends the values of the row's columns.
    mutating func add(
        to objects: inout [StoredObject], isSure: Bool = false, _ read: (inout [Value]) throws(StoreFailure) -> Void
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

/// What objects fault from.
protocol ObjectSource: AnyObject, Sendable {
    var layouts: SchemaLayout { get }
    /// In the order of their primary keys.
    func objects(
        _ layout: EntityLayout, _ place: ObjectPlace, _ key: [Value], _ log: FaultLog
    ) throws(StoreFailure) -> [StoredObject]
}
