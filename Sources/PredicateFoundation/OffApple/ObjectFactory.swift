// How initialisers that Foundation declares unavailable get an implementation. A class cannot gain an initialiser that
// returns an object of a subclass; a protocol extension can, because it assigns `self`. The compiler prefers it to the
// unavailable declaration of the class, so apps need nothing but the import.
#if !canImport(ObjectiveC)
    public import Foundation

    /// The classes whose initialisers this module implements. An implementation detail: apps neither conform to it nor
    /// name it.
    public protocol ObjectFactory {}

    // Not the classes themselves, because a mention of NSExpression is a warning.
    extension NSObject: ObjectFactory {}

    extension ObjectFactory {
        /// The object as the class whose initialiser was called.
        static func made(_ object: NSObject, by call: String) -> Self {
            if let object = object as? Self { return object }
            Trap.stop("\(call) gives a \(type(of: object)), which is no \(Self.self): a subclass has no formats")
        }
    }

    /// Gives an object another class with the same stored properties.
    ///
    /// Foundation's NSExpression and NSComparisonPredicate have initialisers that only trap, so no subclass can call
    /// them. They add no stored properties to their superclasses: an object of another subclass of those has the same
    /// layout, and becomes theirs by its first word, which is the class on every platform without Objective-C.
    func reclassify(_ object: AnyObject, as type: AnyClass) {
        let word = Unmanaged.passUnretained(object).toOpaque().assumingMemoryBound(to: UnsafeRawPointer.self)
        word.pointee = unsafeBitCast(type, to: UnsafeRawPointer.self)
    }
#endif
