// Implements initialisers that Foundation declares as unavailable. An initialiser in a class extension cannot return an
// object of a subclass, but one in a protocol extension can, because it assigns `self`. The compiler prefers it to the
// unavailable declaration of the class, so apps only need the import.
#if !canImport(ObjectiveC)
    public import Foundation

    /// The classes whose initialisers this module implements. This is an implementation detail: apps should not conform
    /// to it or name it.
    public protocol ObjectFactory {}

    // An extension of NSObject, because mentioning NSExpression would be a warning.
    extension NSObject: ObjectFactory {}

    extension ObjectFactory {
        /// Returns the object as the class whose initialiser was called; nil if it has no object of that class.
        static func instance(_ object: NSObject) -> Self? {
            if let object = object as? Self { return object }
            guard let type = Self.self as? NSPredicate.Type, let predicate = object as? NSPredicate else { return nil }
            return SubclassObjects.make(predicate, as: type) as? Self
        }

        /// Returns the object as the class whose initialiser was called, or ends the process.
        static func made(_ object: NSObject, by call: String) -> Self {
            if let object = instance(object) { return object }
            Trap.stop("\(call) gives a \(type(of: object)), which is not a \(Self.self)")
        }
    }

    /// Changes the class of an object to another one with the same stored properties.
    ///
    /// The initialisers of Foundation's NSExpression and NSComparisonPredicate only trap, so no subclass can call them.
    /// These classes add no stored properties to their superclasses. So an object of another subclass of the superclass
    /// has the same layout. On platforms without Objective-C its first word is the class, and replacing that word
    /// changes the class.
    func reclassify(_ object: AnyObject, as type: AnyClass) {
        let word = Unmanaged.passUnretained(object).toOpaque().assumingMemoryBound(to: UnsafeRawPointer.self)
        word.pointee = unsafeBitCast(type, to: UnsafeRawPointer.self)
    }
#endif
