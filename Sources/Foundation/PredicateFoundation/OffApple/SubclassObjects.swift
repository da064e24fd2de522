// Predicates with a format whose class is a subclass in the app: `class Rule: NSPredicate {}`, `Rule(format: "age > 21")`.
#if !canImport(ObjectiveC)
    import Foundation

    enum SubclassObjects {
        // `@unchecked Sendable` because NSPredicate is not Sendable; the object is only compared, never used.
        private struct Entry: @unchecked Sendable {
            weak var object: NSPredicate?
            let runtime: PredicateRuntime
        }

        private static let entries = Mutex<(known: [ObjectIdentifier: Entry], limit: Int)>(([:], 64))

        /// An object of a subclass; nil for a subclass with stored properties, which only its own initialiser can set,
        /// and for a comparison that should be a compound.
        static func make(_ predicate: NSPredicate, as type: NSPredicate.Type) -> NSPredicate? {
            if let compound = predicate as? NSCompoundPredicate, type is NSCompoundPredicate.Type {
                let base = type is CompoundPredicate.Type ? CompoundPredicate.self : NSCompoundPredicate.self
                let (operation, parts) = (compound.compoundPredicateType, compound.subpredicates)
                let object =
                    type is CompoundPredicate.Type
                    ? CompoundPredicate(type: operation, subpredicates: parts)
                    : NSCompoundPredicate(type: operation, subpredicates: parts)
                return become(object, type, sameSizeAs: base)
            }
            guard let runtime = (predicate as? any PredicateObject)?.runtime, !(type is NSCompoundPredicate.Type),
                !(type is ComparisonClass.Type)
            else { return nil }
            let block = NSPredicate { object, variables in
                Trap.unlessThrown("evaluate(with:)", instead: "evaluate(checking:)") {
                    () throws(PredicateFailure) in try runtime.test(object, variables: variables)
                }
            }
            let object = become(block, type, sameSizeAs: NSPredicate.self)
            if let object { add(object, runtime) }
            return object
        }

        /// The format of an object that `make` returned; nil for other objects.
        static func runtime(of object: NSPredicate) -> PredicateRuntime? {
            guard type(of: object) != NSPredicate.self else { return nil }
            return entries.withLock { entries in
                let entry = entries.known[ObjectIdentifier(object)]
                return entry?.object === object ? entry?.runtime : nil
            }
        }

        private static func add(_ object: NSPredicate, _ runtime: PredicateRuntime) {
            let entry = Entry(object: object, runtime: runtime)
            let id = ObjectIdentifier(object)
            entries.withLock { entries in
                if entries.known.count >= entries.limit {
                    entries.known = entries.known.filter { $0.value.object != nil }
                    entries.limit = max(64, 2 * entries.known.count)
                }
                entries.known[id] = entry
            }
        }

        private static func become(
            _ object: NSPredicate, _ type: NSPredicate.Type, sameSizeAs base: AnyClass
        ) -> NSPredicate? {
            guard size(type) == size(base) else { return nil }
            reclassify(object, as: type)
            return object
        }

        /// The size of the objects of a class. On platforms without Objective-C it follows the class's kind, superclass,
        /// flags and address point.
        private static func size(_ type: AnyClass) -> UInt32 {
            let offset = 2 * MemoryLayout<UnsafeRawPointer>.size + 2 * MemoryLayout<UInt32>.size
            return unsafeBitCast(type, to: UnsafeRawPointer.self).load(fromByteOffset: offset, as: UInt32.self)
        }
    }
#endif
