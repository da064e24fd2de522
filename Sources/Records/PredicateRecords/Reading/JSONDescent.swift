// Finds the records inside a document, such as `{"total": 2, "results": [{…}, {…}]}`. The text before them is skipped
// in bounded memory.

/// Moves through the objects of a JSON document.
struct JSONDescent {
    /// The maximum length of a key in bytes.
    private static let keyLimit = 64 << 10
    /// The maximum number of an object's keys that a message names.
    private static let namedKeys = 8

    let input: InputBuffer
    private(set) var position: TextPosition

    /// Moves to the first byte of the value at a path. The value must be an array or an object.
    mutating func move(to path: [String]) throws(FrameFault) {
        for (index, key) in path.enumerated() {
            guard try input.skipSpace(&position) == UInt8(ascii: "{") else {
                throw fault(Self.notAnObject(path[..<index]))
            }
            take(1)
            try moveToValue(of: key, in: path[..<index])
        }
        switch try input.skipSpace(&position) {
        case UInt8(ascii: "["), UInt8(ascii: "{"): return
        default: throw fault(Self.noRecords(at: path))
        }
    }

    private mutating func moveToValue(of wanted: String, in path: ArraySlice<String>) throws(FrameFault) {
        var others: [String] = []
        while true {
            switch try input.skipSpace(&position) {
            case UInt8(ascii: "}"): throw fault(Self.noKey(wanted, in: path, among: others))
            case UInt8(ascii: ","): take(1)
            case UInt8(ascii: "\""):
                let key = try self.key()
                guard try input.skipSpace(&position) == UInt8(ascii: ":") else { throw fault("':' is missing") }
                take(1)
                if key == wanted { return }
                if others.count < Self.namedKeys * 8 { others.append(key) }
                try skipValue()
            case nil: throw fault("the object is not closed")
            default: throw fault("a key in quotation marks is expected")
            }
        }
    }

    private mutating func key() throws(FrameFault) -> String {
        var scanner = JSONScanner(endsAfterValue: true)
        var scanned = 0
        while true {
            if let end = scanner.scan(input.bytes, from: scanned) {
                var parser = JSONParser()
                let value = try? parser.parse(input.slice(0..<end))
                guard case .string(let text)? = value else { throw fault("this key is not a JSON text") }
                take(end)
                return text
            }
            scanned = input.count
            guard scanned <= Self.keyLimit, try input.fill(at: position) else { throw fault("this key does not end") }
        }
    }

    private mutating func skipValue() throws(FrameFault) {
        var scanner = JSONScanner(endsAfterValue: false)
        while true {
            if let end = scanner.scan(input.bytes, from: 0) { return take(end) }
            take(input.count)
            if try !input.fill(at: position) { throw fault("the object is not closed") }
        }
    }

    private mutating func take(_ count: Int) { input.consume(count, &position) }

    // MARK: Messages

    private func fault(_ message: String) -> FrameFault { FrameFault(message, endsAt: position) }

    static func notAnObject(_ path: ArraySlice<String>) -> String {
        path.isEmpty
            ? "the document is not an object, which --at needs" : "'\(path.joined(separator: "."))' is not an object"
    }

    static func noRecords(at path: [String]) -> String {
        "'\(path.joined(separator: "."))' is neither a list nor an object"
    }

    static func noKey(_ key: String, in path: ArraySlice<String>, among others: [String]) -> String {
        let place = path.isEmpty ? "the document" : "'\(path.joined(separator: "."))'"
        if let nearest = Suggestions.nearest(to: key, in: others) {
            return "\(place) has no key '\(key)'; did you mean \(nearest)?"
        }
        let named = others.prefix(namedKeys).map { "'\($0)'" }.joined(separator: ", ")
        return "\(place) has no key '\(key)'" + (named.isEmpty ? "" : "; it has \(named)")
    }
}

extension PredicateValue {
    /// The value at a path of keys in a document that is in memory.
    func descended(to path: [String], keyField: String?) throws(DocumentProblem) -> PredicateValue {
        if path.last == "*" {
            let parent = path.count == 1 ? self : try descended(to: path.dropLast(), keyField: nil)
            guard case .dictionary(let fields) = parent else {
                throw DocumentProblem(offset: 0, message: JSONDescent.notAnObject(path.dropLast()[...]))
            }
            return .array(
                zip(fields.keys, fields.values).map { key, value in
                    guard let keyField, case .dictionary(let record) = value, record[keyField] == nil
                    else { return value }
                    return .dictionary(ValueDictionary([(keyField, .string(key))] + zip(record.keys, record.values)))
                })
        }
        var value = self
        for (index, key) in path.enumerated() {
            guard case .dictionary(let fields) = value else {
                throw DocumentProblem(offset: 0, message: JSONDescent.notAnObject(path[..<index]))
            }
            guard let next = fields[key] else {
                throw DocumentProblem(
                    offset: 0, message: JSONDescent.noKey(key, in: path[..<index], among: Array(fields.keys)))
            }
            value = next
        }
        switch value {
        case .array, .set, .dictionary: return value
        default: throw DocumentProblem(offset: 0, message: JSONDescent.noRecords(at: path))
        }
    }
}
