// Reads NSKeyedArchiver archives as data: classes are never looked up, created or run. An archive is a property list
// with a flat list of objects that refer to each other by UID; `$top` names the roots. Known Foundation classes become
// values. Objects of other classes become dictionaries of their fields.

package struct KeyedArchive {
    /// Twice the limit for JSON, because each level of an archive takes two steps: a UID and the fields.
    private static let maximumDepth = 2 * JSON.maximumDepth

    fileprivate let objects: [PredicateValue]
    /// Whether dictionaries and objects of the app's classes are left as references.
    private let keepsObjects: Bool
    private var resolved: [PredicateValue?]
    private var weights: [Int]

    /// Whether a property list is a keyed archive.
    static func isArchive(_ list: PredicateValue) -> Bool {
        guard case .dictionary(let dictionary) = list, case .string(let name)? = dictionary["$archiver"] else {
            return false
        }
        return name.hasSuffix("KeyedArchiver") && dictionary["$objects"] != nil
    }

    /// Returns the root object, or a dictionary of the roots if there are several.
    static func root(_ list: PredicateValue) throws(DocumentProblem) -> PredicateValue {
        guard case .dictionary(let dictionary) = list, case .array(let objects)? = dictionary["$objects"],
            case .dictionary(let top)? = dictionary["$top"]
        else { throw Self.fault("has no $objects or no $top") }
        var archive = KeyedArchive(objects: objects)
        var weight = 0
        if let root = top["root"] ?? (top.count == 1 ? top.values[0] : nil) {
            return try archive.resolve(root, depth: 0, &weight)
        }
        return .dictionary(try archive.fields(top, depth: 0, &weight))
    }

    /// Converts a part of an archive to a value.
    package static func value(
        _ part: PredicateValue, in list: ValueDictionary
    ) throws(DocumentProblem) -> PredicateValue {
        guard case .array(let objects)? = list["$objects"] else { throw Self.fault("has no $objects") }
        var archive = KeyedArchive(objects: objects)
        var weight = 0
        return try archive.resolve(part, depth: 0, &weight)
    }

    fileprivate init(objects: [PredicateValue], keepsObjects: Bool = false) {
        self.keepsObjects = keepsObjects
        self.objects = objects
        resolved = Array(repeating: nil, count: objects.count)
        weights = Array(repeating: -1, count: objects.count)
    }

    fileprivate static func fault(_ message: String) -> DocumentProblem {
        DocumentProblem(offset: 0, message: "the keyed archive \(message)")
    }

    /// The number of the object that a value refers to.
    package static func uid(_ value: PredicateValue) -> Int64? {
        guard case .dictionary(let dictionary) = value, dictionary.count == 1,
            case .integer(let number)? = dictionary[PropertyList.uidKey]
        else { return nil }
        return number
    }

    /// Replaces every UID in a value by the object it refers to.
    fileprivate mutating func resolve(_ value: PredicateValue, depth: Int, _ weight: inout Int) throws(DocumentProblem)
        -> PredicateValue
    {
        guard depth < Self.maximumDepth else { throw Self.fault("is nested too deep") }
        weight += value.ownSize
        // A value that could not be read; property lists have no such value.
        if case .nsNull = value { throw Self.fault("has a damaged value") }
        if let uid = Self.uid(value) { return try object(uid, depth, &weight) }
        switch value {
        case .array(let elements): return .array(try resolve(elements, depth, &weight))
        case .set(let elements): return .set(try resolve(elements, depth, &weight))
        case .dictionary(let dictionary): return .dictionary(try fields(dictionary, depth: depth, &weight))
        default: return value
        }
    }

    private mutating func resolve(_ values: [PredicateValue], _ depth: Int, _ weight: inout Int) throws(DocumentProblem)
        -> [PredicateValue]
    {
        try values.map { (value) throws(DocumentProblem) in try resolve(value, depth: depth + 1, &weight) }
    }

    private mutating func object(_ uid: Int64, _ depth: Int, _ weight: inout Int) throws(DocumentProblem)
        -> PredicateValue
    {
        guard let number = Int(exactly: uid), objects.indices.contains(number) else {
            throw Self.fault("refers to an object that does not exist")
        }
        if keepsObjects, isObject(number) {
            return .dictionary(ValueDictionary([(PropertyList.uidKey, .integer(uid))]))
        }
        if resolved[number] == nil {
            let object = objects[number]
            let name = classNames(object).first
            guard weights[number] != 0 else {
                throw Self.fault("has an object\(name.map { " of class \($0)" } ?? "") that contains itself")
            }
            weights[number] = 0
            var own = 0
            resolved[number] = try decode(object, depth + 1, &own)
            weights[number] = own
        }
        weight += weights[number]
        // Shared objects count once per reference; see `BinaryPropertyList.maximumSize`.
        guard weight <= BinaryPropertyList.maximumSize else {
            throw Self.fault("expands to more than \(BinaryPropertyList.maximumSize >> 20) MB")
        }
        return resolved[number] ?? .null
    }

    /// The object's class and its superclasses; empty for a plain value.
    fileprivate func classNames(_ object: PredicateValue) -> [String] {
        guard case .dictionary(let fields) = object, let reference = fields["$class"], let uid = Self.uid(reference),
            let number = Int(exactly: uid), objects.indices.contains(number),
            case .dictionary(let description) = objects[number]
        else { return [] }
        if case .array(let names)? = description["$classes"] {
            return names.compactMap { if case .string(let name) = $0 { name } else { nil } }
        }
        if case .string(let name)? = description["$classname"] { return [name] }
        return []
    }

    private mutating func decode(_ object: PredicateValue, _ depth: Int, _ weight: inout Int) throws(DocumentProblem)
        -> PredicateValue
    {
        guard case .dictionary(let dictionary) = object else {
            if case .string("$null") = object { return .null }
            return try resolve(object, depth: depth, &weight)
        }
        let classes = classNames(object)
        var fields = try self.fields(dictionary, depth: depth, &weight)
        for name in classes {
            if let value = Self.foundationValue(name, fields) { return value }
        }
        if !classes.isEmpty { fields = ValueDictionary(zip(fields.keys, fields.values).filter { $0.0 != "$class" }) }
        return .dictionary(fields)
    }

    /// The resolved fields. The archiver doubles a leading `$` of a key; this removes it again.
    private mutating func fields(
        _ dictionary: ValueDictionary, depth: Int, _ weight: inout Int
    ) throws(DocumentProblem) -> ValueDictionary {
        var pairs: [(String, PredicateValue)] = []
        for (key, value) in zip(dictionary.keys, dictionary.values) where key != "$class" {
            let name = key.hasPrefix("$$") ? String(key.dropFirst()) : key
            pairs.append((name, try resolve(value, depth: depth + 1, &weight)))
        }
        return ValueDictionary(pairs)
    }

    /// Whether an object is a dictionary or of a class of the app.
    fileprivate func isObject(_ number: Int) -> Bool {
        let classes = classNames(objects[number])
        return classes.contains("NSDictionary") || !classes.isEmpty && Self.valueClasses.isDisjoint(with: classes)
    }

    // MARK: Foundation's classes

    /// Foundation classes whose objects become values.
    private static let valueClasses: Set = [
        "NSArray", "NSOrderedSet", "NSSet", "NSDictionary", "NSString", "NSDate", "NSNull", "NSData", "NSUUID", "NSURL",
        "NSDecimalNumber", "NSNumber",
    ]

    /// The value for an object of a Foundation class; nil for any other class and for unexpected fields.
    private static func foundationValue(_ name: String, _ fields: ValueDictionary) -> PredicateValue? {
        switch name {
        case "NSArray", "NSOrderedSet": elements(fields).map(PredicateValue.array)
        case "NSSet": elements(fields).map { .set($0.distinct()) }
        case "NSDictionary": dictionary(fields)
        case "NSString": text(fields).map(PredicateValue.string)
        case "NSDate": seconds(fields["NS.time"]).map(PredicateValue.date)
        case "NSNull": .nsNull
        case "NSData": data(fields["NS.data"] ?? fields["NS.bytes"]).map(PredicateValue.data)
        case "NSUUID": data(fields["NS.uuidbytes"]).flatMap(uuid)
        case "NSURL": url(fields).map(PredicateValue.url)
        case "NSDecimalNumber": decimal(fields)
        case "NSNumber": fields["NS.intval"] ?? fields["NS.dblval"] ?? fields["NS.boolval"]
        default: nil
        }
    }

    private static func elements(_ fields: ValueDictionary) -> [PredicateValue]? {
        if case .array(let elements)? = fields["NS.objects"] { return elements }
        var elements: [PredicateValue] = []
        while let element = fields["NS.object.\(elements.count)"] { elements.append(element) }
        return elements.isEmpty && !fields.isEmpty ? nil : elements
    }

    private static func dictionary(_ fields: ValueDictionary) -> PredicateValue? {
        guard case .array(let keys)? = fields["NS.keys"], case .array(let values)? = fields["NS.objects"],
            keys.count == values.count
        else { return nil }
        // Archives allow keys that are not strings. Such a key is replaced by its JSON text.
        let names = keys.map { if case .string(let name) = $0 { name } else { JSON.text($0) } }
        return .dictionary(ValueDictionary(zip(names, values)))
    }

    private static func text(_ fields: ValueDictionary) -> String? {
        if case .string(let text)? = fields["NS.string"] { return text }
        return data(fields["NS.bytes"]).flatMap { String(validUTF8: $0) }
    }

    private static func seconds(_ value: PredicateValue?) -> Double? {
        switch value {
        case .double(let seconds)?: seconds
        case .float(let seconds)?: Double(seconds)
        case .integer(let seconds)?: Double(seconds)
        default: nil
        }
    }

    private static func data(_ value: PredicateValue?) -> [UInt8]? {
        if case .data(let bytes)? = value { bytes } else { nil }
    }

    private static func uuid(_ bytes: [UInt8]) -> PredicateValue? {
        guard bytes.count == 16 else { return nil }
        return .uuid(
            UniversalID(
                high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
                low: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }))
    }

    private static func url(_ fields: ValueDictionary) -> String? {
        guard case .string(let relative)? = fields["NS.relative"] else { return nil }
        let base: String
        switch fields["NS.base"] {
        case .url(let text)?, .string(let text)?: base = text
        default: return relative
        }
        // An absolute URL replaces the base; a relative one replaces the text after the base's last slash.
        if relative.contains("://") { return relative }
        guard let slash = base.lastIndex(of: "/"), !relative.hasPrefix("/") else { return base + relative }
        return base[...slash] + relative
    }

    /// Returns `mantissa × 10^exponent`. The mantissa consists of 16-bit words in the given byte order.
    private static func decimal(_ fields: ValueDictionary) -> PredicateValue? {
        guard case .integer(let exponent)? = fields["NS.exponent"], exponent.magnitude < 10_000,
            let mantissa = data(fields["NS.mantissa"]), mantissa.count <= 16, mantissa.count % 2 == 0
        else { return nil }
        let isLittleEndian = if case .integer(1)? = fields["NS.mantissa.bo"] { true } else { false }
        let isNegative = if case .bool(true)? = fields["NS.negative"] { true } else { false }
        let words = stride(from: 0, to: mantissa.count, by: 2).map { word in
            let (high, low) =
                isLittleEndian ? (mantissa[word + 1], mantissa[word]) : (mantissa[word], mantissa[word + 1])
            return UInt16(high) << 8 | UInt16(low)
        }
        let coefficient = WideMagnitude(words: words)
        guard coefficient < DecimalNumber.bound.magnitude else { return nil }
        return .decimal(
            DecimalNumber(coefficient: WideInteger(coefficient, isNegative: isNegative), exponent: Int(exponent))
        )
    }
}

/// The objects of an archive one by one, with the references between them: `{CF$UID: 7}` refers to object 7. Cycles are
/// allowed. In a damaged archive, objects that can be read are still returned.
package struct ArchivedObjects {
    private var archive: KeyedArchive
    private let top: ValueDictionary

    /// nil if the property list is not a keyed archive.
    package init?(_ list: PredicateValue) {
        guard KeyedArchive.isArchive(list), case .dictionary(let fields) = list,
            case .array(let objects)? = fields["$objects"], case .dictionary(let top)? = fields["$top"]
        else { return nil }
        archive = KeyedArchive(objects: objects, keepsObjects: true)
        self.top = top
    }

    package mutating func roots() -> [Result<PredicateValue, DocumentProblem>] { top.values.map { value($0) } }

    /// The name of an object's class without its module; nil for a dictionary.
    package func className(_ uid: Int64) -> String? {
        guard let number = Int(exactly: uid), archive.objects.indices.contains(number) else { return nil }
        let classes = archive.classNames(archive.objects[number])
        return classes.contains("NSDictionary") ? nil : classes.first?.split(separator: ".").last.map(String.init)
    }

    /// The fields of an object. Each field may be damaged.
    ///
    /// - Throws: if no part of the object can be read.
    package mutating func fields(
        _ uid: Int64
    ) throws(DocumentProblem) -> [(name: String, value: Result<PredicateValue, DocumentProblem>)] {
        guard let number = Int(exactly: uid), archive.objects.indices.contains(number),
            case .dictionary(let object) = archive.objects[number]
        else { throw KeyedArchive.fault("has no object \(uid), or it is damaged") }
        guard className(uid) == nil else {
            return zip(object.keys, object.values).filter { $0.0 != "$class" }.map { key, part in
                (key.hasPrefix("$$") ? String(key.dropFirst()) : key, value(part))
            }
        }
        guard case .array(let keys)? = object["NS.keys"], case .array(let values)? = object["NS.objects"],
            keys.count == values.count
        else { throw KeyedArchive.fault("has a damaged dictionary, \(uid)") }
        var fields: [(name: String, value: Result<PredicateValue, DocumentProblem>)] = []
        for (key, part) in zip(keys, values) {
            switch value(key) {
            case .success(.string(let name)): fields.append((name, value(part)))
            case .success(let key): fields.append((JSON.text(key), value(part)))
            case .failure(let problem): fields.append(("a key of dictionary \(uid)", .failure(problem)))
            }
        }
        return fields
    }

    private mutating func value(_ part: PredicateValue) -> Result<PredicateValue, DocumentProblem> {
        var weight = 0
        do throws(DocumentProblem) {
            return .success(try archive.resolve(part, depth: 0, &weight))
        } catch {
            return .failure(error)
        }
    }

    /// The objects that cannot be read.
    package var damaged: [Int] {
        archive.objects.indices.filter { if case .nsNull = archive.objects[$0] { true } else { false } }
    }
}
