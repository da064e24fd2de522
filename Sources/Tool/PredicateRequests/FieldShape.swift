// Infers a schema from records, so that the type checker can check every key. Nested objects become entities,
// lists of objects become to-many relationships. A key is optional if some record lacks it.

// @unchecked Sendable: one thread at a time has a shape; a thread hands over those that it makes.
/// The types and values that occur at one key path of many records.
package final class FieldShape: @unchecked Sendable {
    /// The maximum number of distinct values kept for completion.
    private static let domainLimit = 64
    /// The maximum length of a text that is offered as a completion.
    private static let longestChoice = 40
    /// The maximum depth to inspect. Deeper values may be anything.
    private static let depthLimit = 16
    /// Objects with more keys than this are treated as dictionaries, not as records.
    private static let keyLimit = 500

    /// A set of kinds, because records may have different kinds of values at one path. `type` combines them.
    private struct Kinds: OptionSet {
        let rawValue: UInt16

        static let boolean = Kinds(rawValue: 1), integer = Kinds(rawValue: 2), double = Kinds(rawValue: 4)
        static let decimal = Kinds(rawValue: 8), string = Kinds(rawValue: 16), date = Kinds(rawValue: 32)
        static let data = Kinds(rawValue: 64), uuid = Kinds(rawValue: 128), url = Kinds(rawValue: 256)
        static let list = Kinds(rawValue: 512), set = Kinds(rawValue: 1024), object = Kinds(rawValue: 2048)
        static let other = Kinds(rawValue: 4096)
        /// Added to `string` for a text that is empty.
        static let emptyText = Kinds(rawValue: 8192)
    }

    private var kinds: Kinds = []
    /// The number of values other than nil.
    package private(set) var count = 0
    package private(set) var keys: [String] = []
    package private(set) var fields: [String: FieldShape] = [:]
    package private(set) var element: FieldShape?
    /// The format of the files whose records these are; in CSV an empty field is nil. nil for other values.
    package private(set) var format: RecordFormat?
    private var values: Set<PredicateValue>? = []
    private let depth: Int
    /// A cache: the fields in the order of the last object's keys.
    private var lastShape: ValueDictionary.Shape?
    private var lastFields: [FieldShape] = []

    package init(depth: Int = 0, of format: RecordFormat? = nil) {
        self.depth = depth
        self.format = format
    }

    /// The distinct values if there are only a few, else an empty list.
    package var domain: [PredicateValue] { values.map(Array.init) ?? [] }

    package func add(_ value: PredicateValue) {
        if value.isNil { return }
        count += 1
        switch value {
        case .bool: note(.boolean, value)
        case .integer: note(.integer, value)
        case .float, .double: note(.double, value)
        case .decimal: note(.decimal, value)
        case .string(let text):
            if values != nil, text.utf8.count > Self.longestChoice { values = nil }
            if text.isEmpty { kinds.insert(.emptyText) }
            note(.string, value)
        case .date: note(.date, value)
        case .data: kinds.insert(.data)
        case .uuid: kinds.insert(.uuid)
        case .url: kinds.insert(.url)
        case .array(let elements): add(elements, .list)
        case .set(let elements): add(elements, .set)
        case .dictionary(let dictionary): add(dictionary)
        default: kinds.insert(.other)
        }
    }

    private func note(_ kind: Kinds, _ value: PredicateValue) {
        kinds.insert(kind)
        guard values != nil, values?.insert(value).inserted == true else { return }
        if values?.count ?? 0 > Self.domainLimit { values = nil }
    }

    private func add(_ elements: [PredicateValue], _ kind: Kinds) {
        kinds.insert(kind)
        guard depth < Self.depthLimit else { return kinds.formUnion(.other) }
        let shape = element ?? FieldShape(depth: depth + 1)
        element = shape
        for value in elements { shape.add(value) }
    }

    private func add(_ dictionary: ValueDictionary) {
        kinds.insert(.object)
        guard depth < Self.depthLimit, keys.count <= Self.keyLimit else { return kinds.formUnion(.other) }
        if lastShape !== dictionary.shape {
            lastShape = dictionary.shape
            lastFields = dictionary.keys.map(field)
        }
        for (field, value) in zip(lastFields, dictionary.values) { field.add(value) }
    }

    private func field(_ key: String) -> FieldShape {
        if let known = fields[key] { return known }
        let field = FieldShape(depth: depth + 1)
        fields[key] = field
        keys.append(key)
        return field
    }

    /// Adds the values of another shape. Returns whether this added a kind or a key.
    @discardableResult
    package func merge(_ other: FieldShape) -> Bool {
        var isNew = !other.kinds.isSubset(of: kinds)
        format = format == nil || format == .csv ? other.format ?? format : format
        kinds.formUnion(other.kinds)
        count += other.count
        values = other.values.flatMap { values?.union($0) }
        if values?.count ?? 0 > Self.domainLimit { values = nil }
        for key in other.keys {
            guard let theirs = other.fields[key] else { continue }
            isNew = fields[key] == nil || isNew
            isNew = field(key).merge(theirs) || isNew
        }
        if let theirs = other.element {
            let shape = element ?? FieldShape(depth: depth + 1)
            element = shape
            isNew = shape.merge(theirs) || isNew
        }
        return isNew
    }

    /// The shape at the end of a path. A list on the path is replaced by its elements.
    package func field(at path: some Collection<String>) -> FieldShape? {
        var shape: FieldShape? = self
        for key in path {
            while let inner = shape?.element, shape?.kinds == .list || shape?.kinds == .set { shape = inner }
            shape = shape?.fields[key]
        }
        while let inner = shape?.element { shape = inner }
        return shape
    }

    // MARK: As a schema

    /// The attribute type, for values that are not objects.
    package var type: ExpressionType.Kind {
        switch kinds.subtracting(.emptyText) {
        case .boolean: .boolean
        case .integer: .integer
        case .double, [.integer, .double], [.decimal, .double], [.integer, .decimal, .double]: .double
        case .decimal, [.integer, .decimal]: .decimal
        case .string: .string
        case .date: .date
        case .data: .data
        case .uuid: .uuid
        case .url: .url
        case .list: .list(of: element?.type ?? .any)
        case .set: .set(of: element?.type ?? .any)
        default: .any
        }
    }

    /// Whether all values are objects. Only then is an unknown key an error.
    package var isOfObjects: Bool { kinds == .object }
    private var isListOfObjects: Bool { (kinds == .list || kinds == .set) && element?.isOfObjects == true }

    /// The type, if other records may have other values: their numbers may have a fraction.
    private var sampleType: ExpressionType.Kind { ExpressionType(type).isNumber && type != .boolean ? .number : type }

    /// The entity of the records for a checker.
    package static let entity = "record"

    /// A checker of predicates by the types of these records; nil if there are none. Every key may be nil, because other
    /// records may differ.
    package func checker(_ environment: PredicateEnvironment) -> TypeChecker? {
        guard count > 0 else { return nil }
        var checker: TypeChecker?
        if !isOfObjects {
            let type = ExpressionType(sampleType, isOptional: true)
            checker = TypeChecker(rows: type, in: environment, reportsTypes: true)
        } else if let schema = try? PredicateSchema(entities(named: Self.entity, isSample: true)) {
            checker = try? TypeChecker(schema: schema, entity: Self.entity, in: environment)
        }
        // No type is declared, so evaluation reads no texts.
        checker?.readsTexts = false
        return checker
    }

    /// The entity of these objects, and the entities of nested objects.
    /// - Parameter isSample: whether other records may differ.
    package func entities(named name: String, isSample: Bool = false) -> [PredicateSchema.Entity] {
        var entity = PredicateSchema.Entity(name, primaryKey: isSample && fields["id"] != nil ? ["id"] : [])
        var below: [PredicateSchema.Entity] = []
        for key in keys where !key.isEmpty && !key.contains(".") && !key.hasPrefix("@") {
            guard let field = fields[key] else { continue }
            // A file is read with selected keys, which are nil if no record has them.
            if isSample, format != nil, field.count == 0 { continue }
            let isOptional = isSample || field.count < count
            let target = name + "." + key
            if field.isOfObjects {
                entity.relationships.append(PredicateSchema.Relationship(key, to: target, isOptional: isOptional))
                below += field.entities(named: target, isSample: isSample)
            } else if field.isListOfObjects, let element = field.element {
                entity.relationships.append(PredicateSchema.Relationship(key, toMany: target, isOptional: isOptional))
                below += element.entities(named: target, isSample: isSample)
            } else {
                var attribute = PredicateSchema.Attribute(
                    key, isSample ? field.sampleType : field.type, isOptional: isOptional || field.kinds.isEmpty)
                attribute.isNeverEmpty = format == .csv && !field.kinds.contains(.emptyText) && field.count < count
                entity.attributes.append(attribute)
            }
        }
        return [entity] + below
    }
}
