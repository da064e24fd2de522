// A reference to an object of the app, inside a value that may be sent to other threads.

/// A reference to an object of the app.
///
/// A reference to an object that may not be Sendable, such as `object.queryValue` of a class, can be used only on the
/// thread that created it. It lives for one evaluation, and predicates cannot store it.
// @unchecked Sendable: the object is Sendable, or `object` returns it on one thread only.
public struct ObjectReference: @unchecked Sendable, Hashable {
    @usableFromInline let content: any KeyedObject
    /// The thread that may use the object; `ThreadIdentity.any` if it is Sendable.
    @usableFromInline let thread: UInt

    /// The object. If it may not be Sendable and another thread created the reference, this is an object without keys:
    /// an evaluation throws `unknown-key`, whose message names the reason.
    @inlinable public var object: any KeyedObject {
        thread == ThreadIdentity.any || thread == ThreadIdentity.current ? content : SentObject(content)
    }

    /// Whether the object may not be Sendable.
    package var isConfined: Bool { thread != ThreadIdentity.any }

    /// A reference that predicates may store and send to other threads.
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

/// Replaces an object that may not be Sendable on other threads.
@usableFromInline final class SentObject: KeyedObject {
    @usableFromInline let typeName: String

    @usableFromInline init(_ object: any KeyedObject) {
        typeName = "\(object.typeName), which may not be Sendable and was sent to another thread,"
    }

    @usableFromInline func value(forKey key: String) -> PredicateValue? { nil }
    @usableFromInline func isEqual(to other: any KeyedObject) -> Bool { false }
    @usableFromInline var publishedKeys: [String] { [] }
}
