// The fields of a type or of an entity: what a filter editor offers, and what it reads rows with.

/// The fields that rows can have.
///
///     var fields = try EditorFields(of: Book.self)
///     fields["price"]?.title = "Price in euros"
///
/// Make it once for a screen and keep it: rows are checked, written as predicates and read from predicates with it.
public struct EditorFields: Sendable {
    /// The fields in the order of menus.
    public var all: [EditorField] { didSet { positions = Self.positions(all) } }
    private var positions: [String: Int]
    /// What the predicates are made with: the given environment with relative dates and typed texts.
    public let environment: PredicateEnvironment

    /// Creates fields from a list, such as for dictionaries. Of two fields with one key path, the first counts.
    public init(_ fields: [EditorField], in environment: PredicateEnvironment = .standard) {
        all = fields
        positions = Self.positions(fields)
        self.environment = environment.adding(Self.language)
    }

    /// The extensions of the language that rows need.
    static let language: LanguageOptions = [.dates, .typedTexts]

    /// The fields of a published type.
    ///
    /// By default these are its keys with single values, with lists of them, and the number of elements of each list
    /// and to-many relationship. Key paths lead further: `["title", "artist.name", "tags.name"]`. An enum with raw
    /// values that is CaseIterable gives the allowed values of its keys. The cases of a schema are allowed values, too.
    /// - Throws: `PredicateFailure` for a key path that the type does not have, with the nearest key, and for a key
    ///   table with an error.
    /// - Complexity: linear in the keys.
    public init(
        of type: (some Queryable).Type, keyPaths: [String]? = nil, in environment: PredicateEnvironment = .standard
    ) throws(PredicateFailure) {
        try self.init(PredicateSchema.published(by: type), keyPaths: keyPaths, in: environment)
        for (keyPath, choices) in type.choicesOfKeys { self[keyPath]?.choose(from: choices) }
    }

    /// The fields of an entity, in the same way.
    ///
    ///     let fields = try EditorFields(schema, entity: "Book", keyPaths: ["title", "price", "maker.name"])
    ///
    /// Without an entity it is the schema's only or default entity.
    ///
    /// - Throws: `unknown-entity`, and `PredicateFailure` for a key path that the entity does not have.
    public init(
        _ schema: PredicateSchema, entity: String? = nil, keyPaths: [String]? = nil,
        in environment: PredicateEnvironment = .standard
    ) throws(PredicateFailure) {
        let entity = entity ?? schema.defaultEntity ?? ""
        let checker = try TypeChecker(schema: schema, entity: entity, in: environment.adding(Self.language))
        var fields: [EditorField] = []
        let keyPaths = keyPaths ?? Self.usualKeyPaths(schema, entity, checker)
        for keyPath in keyPaths where !fields.contains(where: { $0.keyPath == keyPath }) {
            guard var field = try EditorField(keyPath, checker) else { continue }
            let cases = schema.attribute(at: keyPath.keyPathKeys, of: entity)?.attribute.cases ?? []
            if !cases.isEmpty { field.choose(from: cases.map { EditorField.Choice($0) }) }
            fields.append(field)
        }
        self.init(fields, in: environment)
    }

    /// The field with a key path; nil if there is none. Setting nil removes it, setting another key path adds it.
    public subscript(keyPath: String) -> EditorField? {
        get { positions[keyPath].map { all[$0] } }
        set {
            switch (positions[keyPath], newValue) {
            case (let index?, let field?): all[index] = field
            case (let index?, nil): all.remove(at: index)
            case (nil, let field?): all.append(field)
            case (nil, nil): break
            }
        }
    }

    /// A row of the first field with its first operator, without a value; nil if there are no fields.
    public func newRow() -> EditorRow? {
        all.first.map { field in
            EditorRow(field.keyPath, field.operators.first ?? .equal, quantifier: field.quantifiers.first)
        }
    }

    private static func positions(_ fields: [EditorField]) -> [String: Int] {
        Dictionary(fields.enumerated().map { ($1.keyPath, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static func usualKeyPaths(
        _ schema: PredicateSchema, _ entity: String, _ checker: TypeChecker
    ) -> [String] {
        schema.keys(of: entity).flatMap { key in
            let type = checker.type(of: key)
            let values = (type.element ?? type).entity == nil ? [key] : []
            return EditorField.isList(type) ? values + [key + ".@count"] : values
        }
    }
}

extension EditorField {
    /// nil for a key path whose values no row can test.
    /// - Throws: the errors of the key path.
    init?(_ keyPath: String, _ checker: TypeChecker) throws(PredicateFailure) {
        let (type, findings) = checker.check(ExpressionNode(.keyPath(keyPath.keyPathKeys)))
        if findings.contains(where: { $0.severity == .error }) { throw PredicateFailure(findings, source: keyPath) }
        let isList = Self.isList(type)
        guard let kind = Kind(isList ? type.element?.kind ?? .any : type.kind) else { return nil }
        var list: String?
        if isList {
            let keys = keyPath.keyPathKeys
            list = (1...keys.count).lazy.map { keys[..<$0].joined(separator: ".") }
                .first { Self.isList(checker.type(of: $0)) }
        }
        self.init(keyPath, kind, list: list, isOptional: type.isOptional)
    }

    static func isList(_ type: ExpressionType) -> Bool { type.shape.map { !$0.isDictionary } ?? false }

    fileprivate mutating func choose(from choices: [Choice]) {
        self = EditorField(keyPath, kind, title: title, choices: choices, list: list, isOptional: isOptional)
    }
}

extension EditorField.Kind {
    /// nil for values of unknown type, lists and dictionaries.
    init?(_ type: ExpressionType.Kind) {
        switch type {
        case .string: self = .text
        case .integer: self = .integer
        case .double, .number: self = .number
        case .decimal: self = .decimal
        case .boolean: self = .boolean
        case .date: self = .date
        case .uuid: self = .uuid
        case .url: self = .url
        case .data, .entity: self = .other
        case .any, .null, .collection: return nil
        }
    }
}

extension TypeChecker {
    fileprivate func type(of keyPath: String) -> ExpressionType {
        check(ExpressionNode(.keyPath(keyPath.keyPathKeys))).type
    }
}

// MARK: - Enums

/// A type with another one inside, for enums in optionals and lists.
private protocol Wrapping {
    static var wrapped: Any.Type { get }
}
extension Optional: Wrapping { fileprivate static var wrapped: Any.Type { Wrapped.self } }
extension Array: Wrapping { fileprivate static var wrapped: Any.Type { Element.self } }
extension Set: Wrapping { fileprivate static var wrapped: Any.Type { Element.self } }

extension Queryable {
    /// The allowed values of the keys whose type is an enum with raw values. Their titles are the names of the cases.
    fileprivate static var choicesOfKeys: [(keyPath: String, choices: [EditorField.Choice])] {
        keys.keys.compactMap { key in
            var type = key.valueType
            while let outer = type as? any Wrapping.Type { type = outer.wrapped }
            guard let cases = type as? any (CaseIterable & RawRepresentable & QueryableValue).Type else { return nil }
            return (key.name, cases.choices)
        }
    }
}

extension CaseIterable where Self: QueryableValue {
    fileprivate static var choices: [EditorField.Choice] {
        allCases.map { EditorField.Choice($0.queryValue, EditorField.title(for: "\($0)")) }
    }
}
