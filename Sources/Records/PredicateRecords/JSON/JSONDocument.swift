// Reads JSON for its places: documents in which the texts keep their positions, and the offset of a value.

extension JSONCursor {
    /// See `JSON.document`.
    mutating func document(_ file: [UInt8]) throws(DocumentProblem) -> DocumentNode {
        var values: [DocumentNode] = []
        space()
        repeat {
            values.append(try node(file, depth: 0))
            space()
        } while at < file.count
        return values.count == 1 ? values[0] : .list(values)
    }

    private mutating func node(_ file: [UInt8], depth: Int) throws(DocumentProblem) -> DocumentNode {
        switch try start(depth: depth) {
        case .string:
            let string = try self.string()
            var text = SourcedText(at: string.range.lowerBound)
            decode(string) {
                text.append(verbatim: file, $0)
            } escape: {
                text.append($0.utf8, from: $1)
            }
            return .text(text)
        case .object:
            var members: [(key: String, value: DocumentNode)] = []
            while try item(isFirst: members.isEmpty, close: UInt8(ascii: "}")) {
                let key = try self.key()
                members.append((text(key), try node(file, depth: depth + 1)))
            }
            return .mapping(members)
        case .array:
            var values: [DocumentNode] = []
            while try item(isFirst: values.isEmpty, close: UInt8(ascii: "]")) {
                values.append(try node(file, depth: depth + 1))
            }
            return .list(values)
        case .number:
            try skip(depth: depth)
            return .other
        case .bool, .null: return .other
        }
    }

    /// Calls `body` with a cursor at an offset, or after a byte order mark there.
    static func read<Result>(_ bytes: [UInt8], from start: Int, _ body: (inout JSONCursor) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { buffer in
            var cursor = JSONCursor(file: buffer)
            cursor.at = max(cursor.at, start)
            return body(&cursor)
        }
    }

    /// See `JSON.offset`.
    mutating func offset(of path: String) -> Int {
        var rest = path[...]
        space()
        var found = at
        while !rest.isEmpty, take(UInt8(ascii: "{")), let value = try? value(of: &rest) { found = value }
        return found
    }

    /// The offsets of the elements of an array that begins here; empty for another value.
    mutating func offsetsOfElements() -> [Int] {
        space()
        var found: [Int] = []
        guard take(UInt8(ascii: "[")) else { return [] }
        while (try? item(isFirst: found.isEmpty, close: UInt8(ascii: "]"))) == true {
            found.append(at)
            guard (try? skip(depth: 0)) != nil else { return found }
        }
        return found
    }

    /// Moves to the value of the first key of a path in an object, from the byte after its bracket, and removes the key
    /// from the path. Returns nil if the object lacks the key.
    private mutating func value(of path: inout Substring) throws(DocumentProblem) -> Int? {
        var isFirst = true
        while try item(isFirst: isFirst, close: UInt8(ascii: "}")) {
            isFirst = false
            let name = text(try key())
            if path == name || path.hasPrefix(name + ".") {
                path = path.dropFirst(name.count + 1)
                return at
            }
            try skip(depth: 0)
        }
        return nil
    }
}
