// The names of Swift key paths.
import Foundation

@available(macOS 13.3, iOS 16.4, tvOS 16.4, watchOS 9.4, *)
enum KeyPathNames {
    /// The keys of a key path: by the key tables of published types, or the names of a struct's stored properties. nil if
    /// a property has no key, such as one of another class.
    static func keys(of path: AnyKeyPath) -> [String]? {
        if let published = type(of: path).rootType as? any Queryable.Type {
            return published.keys(of: path, after: nil)
        }
        // `\Part.owner?.name`; a computed property is `<computed 0x… (String)>`.
        let start = "\\\(type(of: path).rootType)."
        let text = path.debugDescription
        guard text.hasPrefix(start), !text.contains("<") else { return nil }
        let keys = text.dropFirst(start.count).filter { $0 != "?" && $0 != "!" }.split(separator: ".").map(String.init)
        return keys.isEmpty ? nil : keys
    }
}

extension Queryable {
    /// The name of a published property.
    static func name(of path: AnyKeyPath) -> String? {
        keys.keys.first { $0.path as AnyKeyPath? == path }?.name
    }

    /// The keys of a path that begins with another one, through up to four published types.
    fileprivate static func keys(of path: AnyKeyPath, after first: AnyKeyPath?, depth: Int = 0) -> [String]? {
        for key in keys.keys {
            guard let step = key.path as AnyKeyPath?, let whole = first.map({ $0.appending(path: step) }) ?? step
            else { continue }
            if whole == path { return [key.name] }
            if depth < 3, let next = type(of: step).valueType as? any Queryable.Type,
                let rest = next.keys(of: path, after: whole, depth: depth + 1)
            {
                return [key.name] + rest
            }
        }
        return nil
    }
}
