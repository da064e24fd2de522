// The key table of a published type: its keys by name, with the code that reads them.
public import PredicateSyntax
import Synchronization

/// A key of a published type.
public struct PublishedKey<Root>: Sendable {
    /// The name in predicates. It may differ from the property's name.
    package let name: String
    /// The type of its value. Evaluated lazily, because types may refer to each other.
    package let type: @Sendable () -> QueryType
    /// The property, for plans that read memory directly.
    package let path: any PartialKeyPath<Root> & Sendable
    /// Reads the value. Created where the table is written, so that a key path literal compiles to a direct
    /// read.
    let read: @Sendable (Root) -> PredicateValue
    /// Reads the values of many objects; nil for keys created with `init`.
    let loader: KeyLoader?

    /// Publishes a key; `.key` is shorter. `read` must return the value stored at `path`, because plans may use
    /// either.
    public init(
        name: String, path: any PartialKeyPath<Root> & Sendable, type: @escaping @Sendable () -> QueryType,
        read: @escaping @Sendable (Root) -> PredicateValue
    ) {
        self.name = name
        self.path = path
        self.type = type
        self.read = read
        loader = nil
    }

    @usableFromInline init(
        name: String, path: any PartialKeyPath<Root> & Sendable, type: @escaping @Sendable () -> QueryType,
        loader: KeyLoader, read: @escaping @Sendable (Root) -> PredicateValue
    ) {
        self.name = name
        self.path = path
        self.type = type
        self.read = read
        self.loader = loader
    }

    /// Publishes a property under a name.
    ///
    ///     .key("name", \.name)
    @inlinable public static func key<V: QueryableValue>(
        _ name: String, _ path: any KeyPath<Root, V> & Sendable
    ) -> PublishedKey<Root> {
        PublishedKey(
            name: name, path: path, type: { V.queryType },
            loader: KeyLoader(of: V.self) { (object: Root) in object[keyPath: path] },
            read: { $0[keyPath: path].queryValue })
    }

    /// Publishes a property with the code that reads it. Redundant, but several times as fast for arrays of
    /// objects and for computed properties, because key paths of classes are interpreted at run time.
    ///
    ///     .key("age", \.age) { $0.age }
    @inlinable public static func key<V: QueryableValue>(
        _ name: String, _ path: any KeyPath<Root, V> & Sendable, get: @escaping @Sendable (Root) -> V
    ) -> PublishedKey<Root> {
        PublishedKey(
            name: name, path: path, type: { V.queryType }, loader: KeyLoader(of: V.self, get: get),
            read: { get($0).queryValue })
    }
}

/// Reads a property of up to 64 objects into scratch memory. Created where the table is written, so that it is
/// specialised for the types. Plans use it for properties of classes and computed properties.
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
                // The object is not retained during the test, which would cost more than most tests.
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

    /// Shared by all copies of a table, which know one another by it.
    private final class Positions: Sendable {
        let ofNames: [String: Int]
        /// How to read the keys that predicates have named so far.
        let fields = Mutex<[String: Field?]>([:])
        init(_ names: [String: Int]) { ofNames = names }
    }

    public init(_ keys: [PublishedKey<Root>]) {
        self.keys = keys
        positions = Positions(
            Dictionary(keys.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { _, last in last }))
    }

    public init(arrayLiteral elements: PublishedKey<Root>...) { self.init(elements) }

    /// The key with a name; nil if it is not published.
    package subscript(name: String) -> PublishedKey<Root>? { positions.ofNames[name].map { keys[$0] } }

    /// How to read a key from memory; nil if plans cannot. Found once for each key, because casts of types are slow.
    func field(_ name: String, _ find: () -> Field?) -> Field? {
        if let known = positions.fields.withLock({ $0[name] }) { return known }
        let field = find()
        if positions.ofNames[name] != nil { positions.fields.withLock { $0[name] = .some(field) } }
        return field
    }

    /// The names of all keys.
    public var names: [String] { keys.map(\.name) }

    var identity: KeyTableIdentity {
        KeyTableIdentity(storage: positions) { [keys] in
            keys.map { ($0.name, ObjectIdentifier(Swift.type(of: $0.path as AnyKeyPath).valueType)) }
        }
    }
}
