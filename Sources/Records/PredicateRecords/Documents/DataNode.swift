// A JSON or YAML file as values that know their places, for files whose contents are checked: the messages have lines.

/// A value of a file, and where it begins.
///
///     let file = try DataNode.yaml(Array("cases:\n- expect: true".utf8))
///     file["cases"]?.elements[0].place().line         // 2
package struct DataNode {
    package let value: PredicateValue
    private let lines: SourceLines
    private let start: Int
    /// nil in JSON.
    private let node: DocumentNode?

    /// Reads JSON, as `JSON.parse` does.
    package static func json(_ bytes: [UInt8]) throws(DocumentProblem) -> DataNode {
        do throws(JSONProblem) {
            return DataNode(value: try JSON.parse(bytes), lines: SourceLines(bytes), start: 0, node: nil)
        } catch {
            throw DocumentProblem(offset: error.offset, message: error.message)
        }
    }

    /// Reads one document of YAML. Plain scalars are numbers, Booleans and null where they are in YAML 1.2.
    package static func yaml(_ bytes: [UInt8]) throws(DocumentProblem) -> DataNode {
        let node = try YAMLDocument.parse(bytes, isStrict: true)
        return DataNode(value: try node.value(bytes), lines: SourceLines(bytes), start: 0, node: node)
    }

    /// The elements of an array; empty for another value. Cost: linear in their bytes.
    package var elements: [DataNode] {
        guard case .array(let values) = value else { return [] }
        if case .list(let nodes)? = node {
            return zip(values, nodes).map { DataNode(value: $0, lines: lines, start: $1.offset ?? start, node: $1) }
        }
        let offsets = JSONCursor.read(lines.bytes, from: start) { $0.offsetsOfElements() }
        return zip(values, offsets).map { DataNode(value: $0, lines: lines, start: $1, node: nil) }
    }

    /// The value of a key; nil without it.
    package subscript(key: String) -> DataNode? {
        guard case .dictionary(let fields) = value, let value = fields[key] else { return nil }
        return DataNode(value: value, lines: lines, start: offset(of: key), node: node?[key])
    }

    /// The line and column of the value at a path of keys; of the innermost known value if there is none. In YAML, of its
    /// first text.
    package func place(of path: String = "") -> (line: Int, column: Int) {
        lines.position(of: offset(of: path))
    }

    private func offset(of path: String) -> Int {
        if let node { return node[String(path.prefix { $0 != "." })]?.offset ?? start }
        return JSONCursor.read(lines.bytes, from: start) { $0.offset(of: path) }
    }
}

extension DocumentNode {
    /// The offset of the first text. Recursive; the document's parser limits the depth.
    fileprivate var offset: Int? {
        switch self {
        case .text(let text): text.span.start
        case .mapping(let members): members.lazy.compactMap { $0.value.offset }.first
        case .list(let values): values.lazy.compactMap { $0.offset }.first
        case .other: nil
        }
    }

    /// The value of a YAML document. Recursive; the document's parser limits the depth.
    fileprivate func value(_ bytes: [UInt8]) throws(DocumentProblem) -> PredicateValue {
        switch self {
        case .other: return .null
        case .text(let text): return text.isPlain ? Self.scalar(text.text) : .string(text.text)
        case .list(let nodes):
            return .array(try nodes.map { (node) throws(DocumentProblem) in try node.value(bytes) })
        case .mapping(let members):
            var pairs: [(String, PredicateValue)] = []
            var names: Set<String> = []
            for (key, node) in members {
                guard !key.isEmpty, names.insert(key).inserted else {
                    let reason = key.isEmpty ? "a value without a key" : "the key '\(key)' occurs twice"
                    throw DocumentProblem(offset: node.offset ?? offset ?? 0, message: reason)
                }
                pairs.append((key, try node.value(bytes)))
            }
            return .dictionary(ValueDictionary(pairs))
        }
    }

    /// A plain scalar by the core schema, https://yaml.org/spec/1.2.2/#103-core-schema.
    private static func scalar(_ text: String) -> PredicateValue {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        case ".nan", ".NaN", ".NAN": return .double(.nan)
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .double(.infinity)
        case "-.inf", "-.Inf", "-.INF": return .double(-.infinity)
        default: break
        }
        for (prefix, radix) in [("0x", 16), ("0o", 8)] where text.hasPrefix(prefix) {
            let digits = text.dropFirst(2)
            if digits.first?.isHexDigit == true, let number = Int64(digits, radix: radix) { return .integer(number) }
        }
        if let number = Int64(text) { return .integer(number) }
        let digits = text.utf8.first.map { "+-".utf8.contains($0) } == true ? text.dropFirst() : text[...]
        guard digits.utf8.contains(where: { 48...57 ~= $0 }), let first = digits.utf8.first,
            48...57 ~= first || first == UInt8(ascii: "."),
            digits.utf8.allSatisfy({ 48...57 ~= $0 || ".eE+-".utf8.contains($0) }),
            let number = Double(text)
        else { return .string(text) }
        return .double(number)
    }
}
