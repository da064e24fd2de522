// The types of values that are known without an object. Attributes of schemas, keys of published types and the type
// checker share them. The SQL compiler uses them, too.

/// The type of a value, and whether it may be nil.
public struct ExpressionType: Sendable, Hashable {
    /// The kind of a value, and the type of an attribute, a field or a column, without its optionality.
    public indirect enum Kind: Sendable, Hashable {
        /// Any value; nothing is checked.
        case any
        /// Always nil. Allowed with every operator, by the nil table.
        case null
        case boolean, integer, double, decimal
        /// A number of unknown type.
        case number
        case string, date, data, uuid, url
        /// An object of an entity of the schema.
        case entity(String)
        case collection(Shape, of: ExpressionType)

        // These two test only the case. `== .any` would copy both sides, which the type checker does often.
        var isAny: Bool { if case .any = self { true } else { false } }
        var isNil: Bool { if case .null = self { true } else { false } }

        /// A list. Its elements may be nil, because stores cannot prevent that. In SQL it is an array of the engine, or
        /// JSON in SQLite and MariaDB, which have no arrays.
        public static func list(of element: Kind) -> Kind { of(.list, element) }
        /// A set. A schema file cannot contain sets and dictionaries.
        public static func set(of element: Kind) -> Kind { of(.set, element) }
        /// A dictionary whose keys are texts.
        public static func dictionary(of value: Kind) -> Kind { of(.dictionary, value) }

        private static func of(_ shape: Shape, _ element: Kind) -> Kind {
            .collection(shape, of: ExpressionType(element, isOptional: true))
        }

        /// The types that a schema file can name. A `list` also gives the type of its elements.
        package static let named: [(name: String, type: Kind)] = [
            ("boolean", .boolean), ("integer", .integer), ("double", .double), ("decimal", .decimal),
            ("string", .string), ("date", .date), ("data", .data), ("uuid", .uuid), ("url", .url),
            ("list", .list(of: .any)), ("any", .any),
        ]
    }

    /// The kind of a collection.
    public enum Shape: Sendable, Hashable {
        case list, set, dictionary
        /// A dictionary. An entity of the schema describes the types of its keys; other keys are nil.
        case record(String)
        /// The value of a to-many relationship, or of keys read through one: a list or a set.
        case toMany

        package var isDictionary: Bool {
            switch self {
            case .dictionary, .record: true
            case .list, .set, .toMany: false
            }
        }
    }

    public var kind: Kind
    /// Whether the value may be nil.
    public var isOptional: Bool

    package init(_ kind: Kind, isOptional: Bool = false) {
        self.kind = kind
        self.isOptional = isOptional || kind.isAny || kind.isNil
    }

    /// The type of a value about which nothing is known.
    public static let any = ExpressionType(.any)
    package static let null = ExpressionType(.null)

    /// The type with `isOptional` set if the condition is true.
    package func optional(_ condition: Bool = true) -> ExpressionType {
        ExpressionType(kind, isOptional: isOptional || condition)
    }

    /// The type of a constant.
    package init(of value: PredicateValue) {
        switch value {
        case .null, .nsNull: self = .null
        case .bool: self.init(.boolean)
        case .integer: self.init(.integer)
        case .float, .double: self.init(.double)
        case .decimal: self.init(.decimal)
        case .string: self.init(.string)
        case .date: self.init(.date)
        case .data: self.init(.data)
        case .uuid: self.init(.uuid)
        case .url: self.init(.url)
        // Only the direct elements are inspected, because a constant may be nested to any depth.
        case .array(let values): self.init(.collection(.list, of: Self.element(values)))
        case .set(let values): self.init(.collection(.set, of: Self.element(values)))
        case .dictionary(let dictionary): self.init(.collection(.dictionary, of: Self.element(dictionary.values)))
        case .type, .object: self = .any
        }
    }

    private static func element(_ values: [PredicateValue]) -> ExpressionType {
        var types: Set<ExpressionType> = []
        for value in values {
            switch value {
            case .array, .set, .dictionary: return .any
            default: types.insert(ExpressionType(of: value))
            }
        }
        return .common(of: types)
    }
}

extension ExpressionType {
    /// The element type of a collection; nil for other types.
    package var element: ExpressionType? {
        if case .collection(_, let element) = kind { element } else { nil }
    }

    package var shape: Shape? { if case .collection(let shape, _) = kind { shape } else { nil } }

    var isDictionary: Bool { shape?.isDictionary ?? false }

    package var isNumber: Bool {
        switch kind {
        case .boolean, .integer, .double, .decimal, .number: true
        default: false
        }
    }

    /// The entity of an object or of the objects in a collection.
    package var entity: String? {
        switch kind {
        case .entity(let name): name
        case .collection(_, let element): element.entity
        default: nil
        }
    }

    /// Whether the type is unknown or nil, so that nothing is checked.
    var isOpen: Bool { kind.isAny || kind.isNil }

    var isOrdered: Bool {
        switch kind {
        case .string, .date, .uuid, .any, .null: true
        default: isNumber
        }
    }

    /// The type of a value of any of the types; `any` for an empty list.
    static func common(of types: some Sequence<ExpressionType>) -> ExpressionType {
        types.reduce(nil as ExpressionType?) { $0?.joined($1) ?? $1 } ?? .any
    }

    /// The type of a value of either type.
    func joined(_ other: ExpressionType) -> ExpressionType {
        let isOptional = isOptional || other.isOptional
        if kind.isNil { return other.optional() }
        if other.kind.isNil || kind == other.kind { return optional(isOptional) }
        if isNumber, other.isNumber { return ExpressionType(.number, isOptional: isOptional) }
        if case .collection(let shape, let element) = kind, case .collection(shape, let otherElement) = other.kind {
            return ExpressionType(.collection(shape, of: element.joined(otherElement)), isOptional: isOptional)
        }
        return .any
    }

    /// The type of arithmetic with two numbers (LANGUAGE C 13).
    func arithmetic(_ other: ExpressionType) -> Kind {
        func whole(_ kind: Kind) -> Bool { kind == .integer || kind == .boolean }
        if whole(kind), whole(other.kind) { return .integer }
        if kind == .double || other.kind == .double { return .double }
        if kind == .decimal || other.kind == .decimal {
            return isNumber && kind != .number && other.isNumber && other.kind != .number ? .decimal : .number
        }
        return .number
    }

    // MARK: Names

    /// The type with its article, for messages: `a text`, `a list of integers`.
    package var inWords: String { words.one }

    /// One value of the type, with its article, and several values.
    private var words: (one: String, many: String) {
        switch kind {
        case .any: ("a value", "values")
        case .null: ("nil", "values")
        case .boolean: ("a Boolean", "Booleans")
        case .integer: ("an integer", "integers")
        case .double, .number: ("a number", "numbers")
        case .decimal: ("a decimal", "decimals")
        case .string: ("a text", "texts")
        case .date: ("a date", "dates")
        case .data: ("data", "data")
        case .uuid: ("a UUID", "UUIDs")
        case .url: ("a URL", "URLs")
        case .entity(let name):
            ((name.first.map { "AEIOaeio".contains($0) } ?? false ? "an " : "a ") + name, name + " objects")
        case .collection(.toMany, let element): ("many " + element.words.many, "lists")
        case .collection(.list, let element): ("a list of " + element.words.many, "lists")
        case .collection(.set, let element): ("a set of " + element.words.many, "sets")
        case .collection(.dictionary, _), .collection(.record, _): ("a dictionary", "dictionaries")
        }
    }
}
