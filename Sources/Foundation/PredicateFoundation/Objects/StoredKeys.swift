// The stored properties of a type by name, read with Mirror. Their positions are determined once for each type; objects
// are then read by position.
import Foundation

/// The positions of the stored properties of a type.
struct StoredKeys: Sendable {
    private enum Storage: Sendable {
        case plain
        /// A `lazy var`: nil until it is first read, and a predicate cannot trigger that.
        case lazy
        /// The storage of a property wrapper or of an observable class: an underscore precedes the name.
        case underscored
    }

    private struct Position: Sendable {
        /// The number of superclass levels above the type.
        let level: Int
        let index: Int
        let storage: Storage
    }

    private static let lazyPrefix = "$__lazy_storage_$_"

    private var positions: [String: Position] = [:]
    /// The names in order, own properties first.
    private(set) var names: [String] = []
    /// Whether the children may differ from object to object: with a custom mirror, and for an enum, whose child is the
    /// payload of the current case.
    private let isDynamic: Bool
    private let isEnum: Bool

    init(_ object: Any) {
        isEnum = Mirror(reflecting: object).displayStyle == .enum
        isDynamic = isEnum || object is any CustomReflectable
        var mirror: Mirror? = Mirror(reflecting: object)
        var level = 0
        while let current = mirror {
            for (index, child) in current.children.enumerated() { add(child.label, level, index) }
            mirror = current.superclassMirror
            level += 1
        }
    }

    private mutating func add(_ label: String?, _ level: Int, _ index: Int) {
        guard let label else { return }
        if label.hasPrefix(Self.lazyPrefix) {
            add(String(label.dropFirst(Self.lazyPrefix.count)), Position(level: level, index: index, storage: .lazy))
        } else {
            add(label, Position(level: level, index: index, storage: .plain))
            if label.hasPrefix("_") {
                add(String(label.dropFirst()), Position(level: level, index: index, storage: .underscored))
            }
        }
    }

    private mutating func add(_ name: String, _ position: Position) {
        guard positions[name] == nil else { return }
        positions[name] = position
        names.append(name)
    }

    /// Whether each object of the type stores the value of a property as it is.
    func isPlain(_ name: String) -> Bool {
        if !isDynamic, case .plain = positions[name]?.storage { true } else { false }
    }

    /// The value of a stored property. nil if there is no such property, or if it is lazy and was not read yet. The
    /// inner optional is the value.
    func read(_ name: String, of object: Any) -> Any?? {
        if isDynamic { return readChild(name, of: object) }
        guard let position = positions[name] else { return nil }
        var mirror = Mirror(reflecting: object)
        for _ in 0..<position.level {
            guard let parent = mirror.superclassMirror else { return nil }
            mirror = parent
        }
        let children = mirror.children
        let value = children[children.index(children.startIndex, offsetBy: position.index)].value
        switch position.storage {
        case .plain: return .some(value)
        case .lazy:
            guard let stored = (value as? any ValueBox)?.content else { return nil }
            return .some(stored)
        case .underscored:
            let wrapper = Mirror(reflecting: value).children
            let wrapped = wrapper.first { $0.label == "wrappedValue" || $0.label == "value" || $0.label == "_value" }
            return .some(wrapped?.value ?? value)
        }
    }

    /// The child with a name. Another case of an enum has no payload: nil.
    private func readChild(_ name: String, of object: Any) -> Any?? {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let current = mirror {
            if let child = current.children.first(where: { $0.label == name }) { return .some(child.value) }
            mirror = current.superclassMirror
        }
        return isEnum ? .some(nil) : nil
    }
}
