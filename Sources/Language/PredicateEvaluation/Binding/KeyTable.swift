// The key table of a published type: its keys by name, with the code that reads them.

/// A key of a published type.
public struct PublishedKey<Root>: Sendable {
    /// The name in predicates. It may differ from the property's name.
    package let name: String
    /// The type of its value. Evaluated lazily, because types may refer to each other.
    package let type: @Sendable () -> QueryType
    /// The property, for plans that read memory directly; nil for a key that only has a closure.
    package let path: (any PartialKeyPath<Root> & Sendable)?
    /// The Swift type of its value.
    package let valueType: Any.Type
    /// Reads the value. Created where the table is written, so that a key path literal compiles to a direct
    /// read.
    let read: @Sendable (Root) -> PredicateValue
    /// Reads the values of many objects; nil for keys of any type.
    let loader: KeyLoader?

    /// `read` must return the value stored at `path`, because plans may use either of them.
    @usableFromInline init(
        name: String, path: (any PartialKeyPath<Root> & Sendable)?, of valueType: Any.Type? = nil,
        type: @escaping @Sendable () -> QueryType, loader: KeyLoader?,
        read: @escaping @Sendable (Root) -> PredicateValue
    ) {
        self.name = name
        self.path = path
        self.valueType = valueType ?? path.map { Swift.type(of: $0 as AnyKeyPath).valueType } ?? Any.self
        self.type = type
        self.read = read
        self.loader = loader
    }

    /// Publishes a property under a name.
    ///
    ///     let keys: KeyTable<Person> = [.key("name", \.name)]
    @inlinable public static func key<V: QueryableValue>(
        _ name: String, _ path: any KeyPath<Root, V> & Sendable
    ) -> PublishedKey<Root> {
        PublishedKey(
            name: name, path: path, type: { QueryType(of: V.self) },
            loader: KeyLoader(of: V.self) { (object: Root) in object[keyPath: path] },
            read: { $0[keyPath: path].queryValue })
    }

    /// Publishes a property together with the code that reads it. The code is several times as fast as the key path
    /// alone for arrays of objects and for computed properties, because key paths of classes are interpreted at run
    /// time.
    ///
    ///     let keys: KeyTable<Person> = [.key("age", \.age) { $0.age }]
    @inlinable public static func key<V: QueryableValue>(
        _ name: String, _ path: any KeyPath<Root, V> & Sendable, get: @escaping @Sendable (Root) -> V
    ) -> PublishedKey<Root> {
        PublishedKey(
            name: name, path: path, type: { QueryType(of: V.self) }, loader: KeyLoader(of: V.self, get: get),
            read: { get($0).queryValue })
    }

    /// Publishes the result of a closure, such as a property of a `MainActor` type, which has no Sendable key path.
    ///
    ///     let keys: KeyTable<Model> = [.key("title") { model in MainActor.assumeIsolated { model.title } }]
    @inlinable public static func key<V: QueryableValue>(
        _ name: String, get: @escaping @Sendable (Root) -> V
    ) -> PublishedKey<Root> {
        PublishedKey(
            name: name, path: nil, of: V.self, type: { QueryType(of: V.self) }, loader: KeyLoader(of: V.self, get: get),
            read: { get($0).queryValue })
    }

    /// Unavailable: its message is the compiler's advice for a property of a type that predicates cannot read.
    @available(
        *, unavailable, message: "make the type QueryableValue, as an enum with raw values, or Queryable; or use 'any:'"
    )
    @_disfavoredOverload public static func key<V>(
        _ name: String, _ path: any KeyPath<Root, V> & Sendable, get: (@Sendable (Root) -> V)? = nil
    ) -> PublishedKey<Root> {
        key(name, any: path)
    }

    /// Unavailable, as above, for the result of a closure.
    @available(*, unavailable, message: "make the type QueryableValue, as an enum with raw values, or Queryable")
    @_disfavoredOverload public static func key<V>(_ name: String, get: @Sendable (Root) -> V) -> PublishedKey<Root> {
        PublishedKey(name: name, path: nil, type: { .any }, loader: nil, read: { _ in .null })
    }

    /// Publishes a property of any type: `[Any]`, `any Shape`, or arrays of these. Its values are converted when they
    /// are read, in the same way as by `PredicateValue(converting:)`. Types are not checked earlier.
    ///
    ///     let keys: KeyTable<Drawing> = [.key("shapes", any: \.shapes)]
    ///
    /// A value that the language does not support becomes an object without keys.
    /// - Complexity: some tens of nanoseconds for each value and element.
    public static func key<V>(
        _ name: String, any path: any KeyPath<Root, V> & Sendable
    ) -> PublishedKey<Root> {
        PublishedKey(
            name: name, path: path, type: { .any }, loader: nil, read: { PredicateValue(known: $0[keyPath: path]) })
    }
}

/// Reads a property of up to 64 objects into scratch memory. It is created in the code of the key table, so that it is
/// specialised for the types. Plans use it for properties of classes and for computed properties.
@usableFromInline struct KeyLoader: Sendable {
    @usableFromInline typealias Load =
        @Sendable (
            _ object: UnsafeRawPointer, _ stride: Int, _ live: UInt64, _ values: UnsafeMutableRawPointer
        ) -> Void
    /// Reads the property of the live objects. `object` is the first of 64; each next one is `stride` bytes
    /// further. Writes each value to its place in `values`, which is uninitialised.
    let load: Load
    /// Deinitialises the values.
    let discard: @Sendable (_ values: UnsafeMutableRawPointer, _ live: UInt64) -> Void
    @usableFromInline typealias Reach =
        @Sendable (
            _ object: UnsafeRawPointer, _ test: (UnsafeRawPointer, inout RowRun) -> Bool, _ run: inout RowRun
        ) -> Bool
    /// Tests the property of one object, in place or as a copy.
    let reach: Reach
    let stride: Int
    let alignment: Int

    @inlinable init<Root, V>(of type: V.Type, get: @escaping @Sendable (Root) -> V) {
        self.init(
            load: { object, stride, live, values in
                var live = live
                while live != 0 {
                    let row = live.trailingZeroBitCount
                    let object = (object + row &* stride).assumingMemoryBound(to: Root.self)
                    (values + row &* MemoryLayout<V>.stride).initializeMemory(as: V.self, to: get(object.pointee))
                    live &= live &- 1
                }
            },
            discard: { values, live in
                var live = live
                let values = values.assumingMemoryBound(to: V.self)
                while live != 0 {
                    (values + live.trailingZeroBitCount).deinitialize(count: 1)
                    live &= live &- 1
                }
            },
            reach: { object, test, run in
                // The object is not retained during the test, because that would cost more than most tests.
                let value = get(object.assumingMemoryBound(to: Root.self).pointee)
                return withUnsafePointer(to: value) { test(UnsafeRawPointer($0), &run) }
            },
            stride: MemoryLayout<V>.stride, alignment: MemoryLayout<V>.alignment)
    }

    @usableFromInline init(
        load: @escaping Load,
        discard: @escaping @Sendable (UnsafeMutableRawPointer, UInt64) -> Void, reach: @escaping Reach, stride: Int,
        alignment: Int
    ) {
        self.load = load
        self.reach = reach
        self.discard = discard
        self.stride = stride
        self.alignment = alignment
    }
}

/// The published keys of a type, in order.
///
/// Each name occurs once, is not empty, contains no dot and does not begin with `@`; otherwise binding a predicate to
/// the type throws `key-table`.
public struct KeyTable<Root>: Sendable, ExpressibleByArrayLiteral {
    /// The keys in order.
    package let keys: [PublishedKey<Root>]
    private let positions: Positions

    /// Shared by all copies of a table, and used to recognise them.
    private final class Positions: Sendable {
        let ofNames: [String: Int]
        /// How to read the keys that predicates have used so far.
        let fields = Mutex<[String: Field?]>([:])
        let shape: ValueDictionary.Shape
        let readers: [@Sendable (Root) -> PredicateValue]
        init(_ keys: [PublishedKey<Root>]) {
            let names = keys.map { $0.name }
            readers = keys.map { $0.read }
            ofNames = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { _, last in last })
            shape = ValueDictionary.Shape(names)
        }
    }

    public init(_ keys: [PublishedKey<Root>]) {
        self.keys = keys
        positions = Positions(keys)
    }

    public init(arrayLiteral elements: PublishedKey<Root>...) { self.init(elements) }

    /// Returns the key table of a type that cannot store one: a generic type, or a class whose subclasses add keys. The
    /// table is built by the first call for the type.
    ///
    ///     class Box<Item: QueryableValue>: Queryable {
    ///         var item: Item
    ///         init(item: Item) { self.item = item }
    ///         class var keys: KeyTable<Box> { .once(for: Self.self) { [.key("item", \.item)] } }
    ///     }
    ///
    /// - Complexity: a lookup under a lock, after the first call.
    public static func once<Owner>(for owner: Owner.Type, _ table: () -> KeyTable) -> KeyTable {
        KnownTables.table(ObjectIdentifier(owner), table)
    }

    /// The key with a name; nil if it is not published.
    package subscript(name: String) -> PublishedKey<Root>? { positions.ofNames[name].map { keys[$0] } }

    /// How to read a key from memory; nil if plans cannot. Computed once for each key, because casts of types are slow.
    func field(_ name: String, _ find: () -> Field?) -> Field? {
        if let known = positions.fields.withLock({ $0[name] }) { return known }
        let field = find()
        if positions.ofNames[name] != nil { positions.fields.withLock { $0[name] = .some(field) } }
        return field
    }

    /// The names of all keys.
    public var names: [String] { positions.shape.keys }

    /// The value of a key; nil if it is not published.
    func value(_ name: String, of object: Root) -> PredicateValue? {
        positions.ofNames[name].map { positions.readers[$0](object) }
    }

    /// The values of all keys. The dictionaries share their keys.
    func record(of object: Root) -> ValueDictionary {
        var values: [PredicateValue] = []
        values.reserveCapacity(positions.readers.count)
        for read in positions.readers { values.append(read(object)) }
        return ValueDictionary(shape: positions.shape, values: values)
    }

    /// An object that all copies of a table share. Two tables with the same object are the same table.
    var storage: any AnyObject & Sendable { positions }

    var properties: [KeyProperty] { keys.map { KeyProperty(name: $0.name, type: ObjectIdentifier($0.valueType)) } }
}

/// The tables of `KeyTable.once`.
private enum KnownTables {
    private static let known = Mutex<[ObjectIdentifier: any Sendable]>([:])

    static func table<Root>(_ owner: ObjectIdentifier, _ build: () -> KeyTable<Root>) -> KeyTable<Root> {
        if let table = known.withLock({ $0[owner] }) as? KeyTable<Root> { return table }
        // Called outside of the lock, because it runs code of the app.
        let table = build()
        known.withLock { $0[owner] = table }
        return table
    }
}
