// A reference to an object of the app, in a value that may be sent to other threads.

/// A reference to an object of the host.
///
/// A reference to an object that may not be Sendable, such as `object.queryValue` of a class, belongs to the thread that made
/// it: it lives for one evaluation, and predicates that would keep it are not made.
// @unchecked Sendable: the object is Sendable, or `object` gives it to one thread only.
public struct ObjectReference: @unchecked Sendable, Hashable {
    @usableFromInline let content: any KeyedObject
    /// The thread that may use the object; `ThreadIdentity.any` if it is Sendable.
    @usableFromInline let thread: UInt

    /// The object. On another thread than the one that made the reference, an object that may not be Sendable has no keys:
    /// an evaluation throws `unknown-key`, which names the reason.
    @inlinable public var object: any KeyedObject {
        thread == ThreadIdentity.any || thread == ThreadIdentity.current ? content : SentObject(content)
    }

    /// Whether the object may not be Sendable.
    package var isConfined: Bool { thread != ThreadIdentity.any }

    /// A reference that predicates may hold and send to other threads.
    public init(_ object: any KeyedObject & Sendable) {
        content = object
        thread = ThreadIdentity.any
    }

    /// A reference to an object that may not be Sendable.
    package init(confining object: any KeyedObject, _ isConfined: Bool = true) {
        content = object
        thread = isConfined ? ThreadIdentity.current : ThreadIdentity.any
    }

    public static func == (left: ObjectReference, right: ObjectReference) -> Bool {
        left.object.isEqual(to: right.object)
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(content.typeName) }
}

/// What other threads get of an object that may not be Sendable.
@usableFromInline struct SentObject: KeyedObject {
    @usableFromInline let typeName: String

    @usableFromInline init(_ object: any KeyedObject) {
        typeName = "\(object.typeName), which may not be Sendable and was sent to another thread,"
    }

    @usableFromInline func value(forKey key: String) -> PredicateValue? { nil }
    @usableFromInline func isEqual(to other: any KeyedObject) -> Bool { false }
    @usableFromInline var publishedKeys: [String] { [] }
}
