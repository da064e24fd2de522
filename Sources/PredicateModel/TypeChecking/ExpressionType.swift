// The types of values, as far as they are known before any object is seen. One enum serves attributes of schemas, keys of
// published types and the expressions of a predicate.
public import PredicateSyntax

/// What an attribute holds, apart from whether it may be nil.
public typealias AttributeType = ExpressionType.Kind

/// The type of a value: what it is, and whether it may be nil.
public struct ExpressionType: Sendable, Hashable {
    public indirect enum Kind: Sendable, Hashable {
        /// Any value: nothing is checked.
        case any
        /// nil and nothing else. It suits every operator, by the nil table.
        case null
        case boolean, integer, double, decimal
        /// A number whose class only the object shows.
        case number
        case string, date, data, uuid, url
        /// An object of an entity of the schema.
        case entity(String)
        case collection(Shape, of: ExpressionType)

        /// A list whose elements are not nil. In SQL an array of the engine, or JSON where it has none: SQLite, MariaDB.
        public static func list(of element: Kind) -> Kind { .collection(.list, of: ExpressionType(element)) }
        /// A set whose elements are not nil. A schema file has no word for sets and dictionaries.
        public static func set(of element: Kind) -> Kind { .collection(.set, of: ExpressionType(element)) }
        /// A dictionary whose keys are texts.
        public static func dictionary(of value: Kind) -> Kind { .collection(.dictionary, of: ExpressionType(value)) }

        /// The types that a schema file names; a `list` says what it is of beside the name.
        public static let named: [(name: String, type: Kind)] = [
            ("boolean", .boolean), ("integer", .integer), ("double", .double), ("decimal", .decimal),
            ("string", .string), ("date", .date), ("data", .data), ("uuid", .uuid), ("url", .url),
            ("list", .list(of: .any)), ("any", .any),
        ]
    }

    public enum Shape: Sendable, Hashable {
        case list, set, dictionary
        /// What a relationship leads to, or keys read through one: a list or a set, as the host has it.
        case toMany
    }

    public var kind: Kind
    /// Whether it may be nil.
    public var isOptional: Bool

    public init(_ kind: Kind, isOptional: Bool = false) {
        self.kind = kind
        self.isOptional = isOptional || kind == .any || kind == .null
    }

    public static let any = ExpressionType(.any)
    public static let null = ExpressionType(.null)

    /// The same, but it may be nil (if the condition holds).
    public func optional(_ condition: Bool = true) -> ExpressionType {
        ExpressionType(kind, isOptional: isOptional || condition)
    }

    /// The type of a constant.
    public init(of value: Value) {
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
        // Their elements are looked at one level deep: a constant is as deep as its host made it.
        case .array(let values): self.init(.collection(.list, of: Self.element(values)))
        case .set(let values): self.init(.collection(.set, of: Self.element(values)))
        case .dictionary(let dictionary): self.init(.collection(.dictionary, of: Self.element(dictionary.values)))
        case .type, .object: self = .any
        }
    }

    private static func element(_ values: [Value]) -> ExpressionType {
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
    /// Of a collection what it holds, else nil.
    public var element: ExpressionType? {
        if case .collection(_, let element) = kind { element } else { nil }
    }

    public var shape: Shape? {
        if case .collection(let shape, _) = kind { shape } else { nil }
    }

    public var isNumber: Bool {
        switch kind {
        case .boolean, .integer, .double, .decimal, .number: true
        default: false
        }
    }

    /// The entity of an object, or of the objects in a collection.
    package var entity: String? {
        switch kind {
        case .entity(let name): name
        case .collection(_, let element): element.entity
        default: nil
        }
    }

    /// Nothing to check against: unknown, or nil.
    var isOpen: Bool { kind == .any || kind == .null }

    /// Whether its values have an order among themselves.
    var isOrdered: Bool {
        switch kind {
        case .string, .date, .uuid, .any, .null: true
        default: isNumber
        }
    }

    /// The type of a value that is of one of some types; of none of them, any.
    static func common(of types: some Sequence<ExpressionType>) -> ExpressionType {
        types.reduce(nil as ExpressionType?) { $0?.joined($1) ?? $1 } ?? .any
    }

    /// The type of a value that is of either type.
    func joined(_ other: ExpressionType) -> ExpressionType {
        let isOptional = isOptional || other.isOptional
        if kind == .null { return other.optional() }
        if other.kind == .null || kind == other.kind { return optional(isOptional) }
        if isNumber, other.isNumber { return ExpressionType(.number, isOptional: isOptional) }
        if case .collection(let shape, let element) = kind, case .collection(shape, let otherElement) = other.kind {
            return ExpressionType(.collection(shape, of: element.joined(otherElement)), isOptional: isOptional)
        }
        return .any
    }

    /// The class of what arithmetic makes of two numbers (LANGUAGE C 13).
    func arithmetic(_ other: ExpressionType) -> Kind {
        func whole(_ kind: Kind) -> Bool { kind == .integer || kind == .boolean }
        if whole(kind), whole(other.kind) { return .integer }
        if kind == .double || other.kind == .double { return .double }
        if kind == .decimal || other.kind == .decimal {
            return isNumber && kind != .number && other.isNumber && other.kind != .number ? .decimal : .number
        }
        return .number
    }

    // MARK: In words

    /// `a text`, `a list of integers`: as a sentence names it.
    public var inWords: String {
        switch kind {
        case .any: "a value"
        case .null: "nil"
        case .boolean: "a Boolean"
        case .integer: "an integer"
        case .double, .number: "a number"
        case .decimal: "a decimal"
        case .string: "a text"
        case .date: "a date"
        case .data: "data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .entity(let name): (name.first.map { "AEIOaeio".contains($0) } ?? false ? "an " : "a ") + name
        case .collection(.toMany, let element): "many " + element.plural
        case .collection(.list, let element): "a list of " + element.plural
        case .collection(.set, let element): "a set of " + element.plural
        case .collection(.dictionary, _): "a dictionary"
        }
    }

    private var plural: String {
        switch kind {
        case .any, .null: "values"
        case .boolean: "Booleans"
        case .integer: "integers"
        case .double, .number: "numbers"
        case .decimal: "decimals"
        case .string: "texts"
        case .date: "dates"
        case .data: "data"
        case .uuid: "UUIDs"
        case .url: "URLs"
        case .entity(let name): name + " objects"
        case .collection(.set, _): "sets"
        case .collection(.dictionary, _): "dictionaries"
        case .collection: "lists"
        }
    }
}
