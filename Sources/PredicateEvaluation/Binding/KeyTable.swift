// The table of a published type: its keys by name, and how each is read.
public import PredicateSyntax

/// One key of a published type.
public struct Key<Root>: Sendable {
    /// The name that predicates use; it need not be the property's.
    public let name: String
    /// The kind of its value; asked for lazily, because types may refer to one another.
    public let type: @Sendable () -> QueryType
    /// Where it is stored, for plans that read memory directly.
    let path: any PartialKeyPath<Root> & Sendable
    /// Reads it; made where the table is written, so that a key path literal becomes a direct read.
    let read: @Sendable (Root) -> Value
    /// Reads it of many objects, where `key` made it.
    let loader: KeyLoader?

    /// Publishes a key by hand; `.key` is shorter. What `read` answers must be what is stored at `path`, for plans may
    /// read either.
    public init(
        name: String, path: any PartialKeyPath<Root> & Sendable, type: @escaping @Sendable () -> QueryType,
        read: @escaping @Sendable (Root) -> Value
    ) {
        self.name = name
        self.path = path
        self.type = type
        self.read = read
        loader = nil
    }

    @usableFromInline init(
        name: String, path: any PartialKeyPath<Root> & Sendable, type: @escaping @Sendable () -> QueryType,
        loader: KeyLoader, read: @escaping @Sendable (Root) -> Value
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
    ) -> Key<Root> {
        Key(
            name: name, path: path, type: { V.queryType },
            loader: KeyLoader(
                load: { object, stride, live, values in
                    var live = live
                    while live != 0 {
                        let row = live.trailingZeroBitCount
                        (values + row &* MemoryLayout<V>.stride).initializeMemory(
                            as: V.self,
                            to: (object + row &* stride).assumingMemoryBound(to: Root.self).pointee[keyPath: path])
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
                stride: MemoryLayout<V>.stride, alignment: MemoryLayout<V>.alignment),
            read: { $0[keyPath: path].queryValue })
    }
}

/// Reads a property of up to 64 objects into memory of its own. Made where the table is written, so that a key path
/// literal becomes a direct read there: this is how plans read the properties of classes and computed ones.
@usableFromInline struct KeyLoader: Sendable {
    @usableFromInline typealias Load = @Sendable (
        _ object: UnsafeRawPointer, _ stride: Int, _ live: UInt64, _ values: UnsafeMutableRawPointer
    ) -> Void
    /// Of the live ones of the objects from the first on, each so many bytes after the one before, writes the property
    /// to its place among `values`, which are not initialised.
    let load: Load
    /// Undoes that.
    let discard: @Sendable (_ values: UnsafeMutableRawPointer, _ live: UInt64) -> Void
    let stride: Int
    let alignment: Int

    @usableFromInline init(
        load: @escaping Load,
        discard: @escaping @Sendable (UnsafeMutableRawPointer, UInt64) -> Void, stride: Int, alignment: Int
    ) {
        self.load = load
        self.discard = discard
        self.stride = stride
        self.alignment = alignment
    }
}

/// The published keys of a type, in the order in which they were written; the last of a repeated name counts.
public struct KeyTable<Root>: Sendable, ExpressibleByArrayLiteral {
    /// The keys.
    public let keys: [Key<Root>]
    private let positions: [String: Int]

    public init(_ keys: [Key<Root>]) {
        self.keys = keys
        positions = Dictionary(keys.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { _, last in last })
    }

    public init(arrayLiteral elements: Key<Root>...) { self.init(elements) }

    /// The key of a name; nil where none is published.
    public subscript(name: String) -> Key<Root>? { positions[name].map { keys[$0] } }

    /// The names of all keys.
    public var names: [String] { keys.map(\.name) }

    var types: [String: QueryType] { positions.mapValues { keys[$0].type() } }
}
