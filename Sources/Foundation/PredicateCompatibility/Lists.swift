// Foundation's NSArray converts all of its elements before the first one is tested, and keeps them until the last one is.
#if !canImport(ObjectiveC)
    extension NSArray {
        /// Returns the elements that match the predicate. A file that imports Foundation, too, calls Foundation's
        /// method, with the same result.
        @_disfavoredOverload public func filtered(using predicate: NSPredicate) -> [Any] {
            // A block may change the array: the copy shares its storage.
            let list = copy() as? NSArray ?? self
            var found: [Any] = []
            for element in list where predicate.evaluate(with: element) { found.append(element) }
            return found
        }
    }
#endif
