// The columns of `--keys`: keys, paths and expressions.

import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateRecords
import PredicateStores
import PredicateSyntax

/// A column of the output: `name`, `address.city`, `price * 2 AS total`.
struct OutputKey {
    /// The column as the user wrote it.
    let text: String
    /// The name of the column.
    let heading: String
    /// The text parsed as a key or key path.
    let path: FieldPath
    /// Whether the text is neither a key nor a key path.
    let isExpression: Bool
    /// The compiled expression; nil for a key or key path, and if there are `findings`.
    private let expression: CompiledExpression?
    /// The errors of the expression.
    let findings: [Diagnostic]
    /// The keys that the column reads from a record; nil means all.
    let reads: Set<String>?
    /// Whether the expression refers to all records: `@avg.age`.
    var isAboutAll = false

    /// Throws for an empty text or path.
    init(_ text: String, _ reader: TextReader, _ variables: PredicateVariables) throws {
        self.text = text
        var (text, heading) = (text, text)
        if let place = Self.headingPlace(text) {
            heading = text[place...].dropFirst(4).trimmingSpaces
            if heading.count > 1, let quote = heading.first, "\"'".contains(quote), heading.last == quote {
                heading = String(heading.dropFirst().dropLast())
            }
            text = text[..<place].trimmingSpaces
        }
        self.heading = heading
        path = FieldPath(text)
        let isPath = text != "SELF" && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        let read = isPath ? nil : Self.parsed(text, reader)
        isExpression = read != nil
        (expression, findings) = read.map { Self.compiled($0, variables) } ?? (nil, [])
        if let read, case .expression(let tree) = read.tree {
            reads = tree.root.keysOfRecord()
        } else {
            // A text that does not parse as an expression may still be a key, such as `first name`.
            reads = [isPath ? String(text.prefix { $0 != "." }) : text]
            if heading.isEmpty || FieldPath.list(text) == nil {
                throw CommandEnd.usage("'\(text)' is neither a key nor an expression")
            }
        }
    }

    /// A column of a compiled expression.
    init(heading: String, _ expression: CompiledExpression) {
        (text, self.heading, path, self.expression) = (heading, heading, FieldPath(heading), expression)
        (isExpression, findings, reads) = (true, [], nil)
    }

    private static func compiled(
        _ read: PredicateText, _ variables: PredicateVariables
    ) -> (CompiledExpression?, [Diagnostic]) {
        guard case .expression(let expression) = read.tree, !read.hasErrors else {
            return (nil, read.diagnostics.filter { $0.severity == .error })
        }
        do throws(PredicateFailure) {
            return (try CompiledExpression(expression, variables: variables, options: read.options), [])
        } catch {
            return (nil, error.diagnostics)
        }
    }

    private static func parsed(_ text: String, _ reader: TextReader) -> PredicateText? {
        var reader = reader
        reader.kind = .expression
        let read = reader.read(text)
        return read.code == .syntax ? nil : read
    }

    /// Whether the value must be computed: an expression, or a key path with another column name.
    var needsEvaluation: Bool { isExpression || heading != path.name }

    /// Returns the value in a record. If the record has the whole text as a key, that value is returned.
    func value(in record: PredicateValue) throws(PredicateFailure) -> PredicateValue {
        guard let expression else {
            guard case .object(let reference) = record, let object = reference.object as? StoredObject else {
                return path.value(in: record)
            }
            return object.value(at: path.name).withoutObjects
        }
        // A record with selected fields has nil for the other fields.
        if case .dictionary(let dictionary) = record, let value = dictionary[path.name], !value.isNil { return value }
        return try expression.value(of: record).withoutObjects
    }

    // MARK: Reading

    /// Splits at commas outside of quotation marks and brackets.
    static func list(_ text: String) -> [String] {
        var parts = [""]
        var quote: Character?
        var depth = 0
        for character in text {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if "([{".contains(character) {
                depth += 1
            } else if ")]}".contains(character) {
                depth -= 1
            } else if character == ",", depth <= 0 {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
        }
        let isWhole = quote == nil && depth == 0
        let names = isWhole ? parts[...].map { $0[...] } : text.split(separator: ",", omittingEmptySubsequences: false)
        return names.map(\.trimmingSpaces)
    }

    /// The index at which ` AS heading` begins, outside of quotation marks.
    private static func headingPlace(_ text: String) -> String.Index? {
        guard let range = text.range(of: " AS ", options: [.backwards, .caseInsensitive]) else { return nil }
        let before = text[..<range.lowerBound]
        let isOpen = "\"'".contains { quote in before.count { $0 == quote } % 2 == 1 }
        return isOpen ? nil : range.lowerBound
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension ExpressionNode {
    /// The keys that the expression reads from a record; nil for all.
    /// - Parameter isAggregate: whether a path that begins with a collection operator reads its key from all records.
    func keysOfRecord(isAggregate: Bool = false) -> Set<String>? {
        var keys: Set<String> = []
        var isLimited = true
        PredicateWalker(expression: { node in
            switch node.kind {
            case .keyPath(let path):
                guard let key = isAggregate ? path.first(where: { !$0.hasPrefix("@") }) : path.first else { return }
                if key == "self" || key.hasPrefix("@") { isLimited = false } else { keys.insert(key) }
            case .selfObject, .variable, .anyKey, .term: isLimited = false
            default: break
            }
        }).walk(self)
        return isLimited ? keys : nil
    }
}

extension Invocation {
    /// The columns of `--keys`; nil without the option.
    func outputKeys(_ reader: TextReader, _ variables: PredicateVariables) throws -> [OutputKey]? {
        guard let text = self[.keys] else { return nil }
        return try OutputKey.list(text).map { try OutputKey($0, reader, variables) }
    }
}
