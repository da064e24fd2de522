// The columns of `--keys` and the keys of `--sort`: keys, paths and expressions, which have one evaluator.

/// A column of the output or a sort key: `name`, `address.city`, `price * 2 AS total`.
package struct OutputKey: Sendable {
    /// The column as the user wrote it.
    package let text: String
    /// The name of the column.
    package let heading: String
    /// The text parsed as a key or key path.
    package let path: FieldPath
    /// Whether the text is neither a key nor a key path.
    package let isExpression: Bool
    /// The compiled key, path or expression; nil if there are `findings`.
    private let expression: CompiledExpression?
    /// The errors of the expression.
    package let findings: [PredicateDiagnostic]
    /// Why the text is no expression, if it may be meant as one; else empty. Then it is the name of a key.
    package let problems: [PredicateDiagnostic]
    /// The keys that the column reads from a record; nil means all.
    package let reads: Set<String>?
    /// The parsed expression; nil for a key or key path.
    package let root: ExpressionNode?
    /// Whether the expression refers to all records: `@avg.age`.
    package let isAboutAll: Bool
    package let environment: PredicateEnvironment

    /// Throws for an empty text or path.
    /// - Parameter isName: whether the text is known to be the name of a key.
    package init(_ text: String, _ reader: TextReader, _ variables: PredicateVariables, isName: Bool = false) throws {
        (self.text, environment) = (text, reader.environment)
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
        let isPath =
            isName
            || text != "SELF" && !text.hasPrefix("SELF.")
                && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        var reader = reader
        reader.kind = .expression
        reader.declared = reader.declared ?? reader.checker
        var parsed = isPath ? nil : reader.read(text)
        // The type checker knows the keys of one record.
        if reader.declared != nil, case .expression(let tree)? = parsed?.tree, tree.root.isAboutAll {
            (reader.checker, reader.declared) = (nil, reader.declared?.ofLists)
            parsed = reader.read(text)
        }
        let read = parsed.flatMap { $0.code == .syntax ? nil : $0 }
        let errors = read == nil ? parsed?.diagnostics ?? [] : []
        // Names such as `first name` are keys of some files.
        problems = errors.contains { $0.id == .expectedOperator } ? [] : errors
        isExpression = read != nil
        (expression, findings) =
            read.map { Self.compiled($0, variables) }
            ?? Self.compiled(
                FormatExpression(FormatExpression.key(text).root, source: text, in: environment), variables,
                PredicateRun())
        if let read, case .expression(let tree) = read.tree {
            root = tree.root
            isAboutAll = tree.root.isAboutAll
            reads = tree.root.keysOfRecord(isAggregate: isAboutAll)
        } else {
            (root, isAboutAll) = (nil, false)
            // A text that does not parse as an expression may still be a key, such as `first name`.
            reads = [isPath && !isName ? String(text.prefix { $0 != "." }) : text]
            if heading.isEmpty || FieldPath.list(text) == nil {
                throw CommandEnd.usage("'\(text)' is neither a key nor an expression")
            }
        }
    }

    /// A column of a compiled expression.
    package init(heading: String, _ expression: CompiledExpression) {
        (text, self.heading, path, self.expression) = (heading, heading, FieldPath(heading), expression)
        (isExpression, findings, problems, reads, root, isAboutAll) = (true, [], [], nil, nil, false)
        environment = .standard
    }

    private static func compiled(
        _ read: PredicateText, _ variables: PredicateVariables
    ) -> (CompiledExpression?, [PredicateDiagnostic]) {
        guard case .expression(let expression) = read.tree, !read.hasErrors else {
            return (nil, read.diagnostics.filter { $0.severity == .error })
        }
        return compiled(expression, variables, read.run)
    }

    private static func compiled(
        _ expression: FormatExpression, _ variables: PredicateVariables, _ run: PredicateRun
    ) -> (CompiledExpression?, [PredicateDiagnostic]) {
        do throws(PredicateFailure) {
            return (try CompiledExpression(expression, variables: variables, run: run), [])
        } catch {
            return (nil, error.diagnostics)
        }
    }

    /// Whether the value must be computed: an expression, a path, or a key with another column name.
    var needsEvaluation: Bool { isExpression || heading != path.name || path.name.contains(".") }

    /// Reads the column in many records.
    var reader: ColumnReader {
        let isField = !isExpression && !path.name.contains(".") && path.name != "self"
        return ColumnReader(path.name, isField: isField, expression, in: isExpression ? nil : environment)
    }

    /// Returns the value in a record. If the record has the whole text as a key, that value is returned.
    package func value(in record: PredicateValue) throws(PredicateFailure) -> PredicateValue {
        var reader = reader
        return try reader.value(in: record)
    }

    // MARK: Reading

    /// The index at which ` AS heading` begins, outside of quotation marks.
    private static func headingPlace(_ text: String) -> String.Index? {
        guard let place = text.indices.last(where: { text[$0...].prefix(4).lowercased() == " as " }) else { return nil }
        let before = text[..<place]
        let isOpen = "\"'".contains { quote in before.count { $0 == quote } % 2 == 1 }
        return isOpen ? nil : place
    }
}

/// Sort keys, with the readers of their values.
package struct RecordOrder: Sendable {
    package private(set) var keys: [PredicateSortKey] = []
    package private(set) var readers: [OutputKey] = []

    package init() {}

    package init(_ keys: [PredicateSortKey], _ reader: (_ text: String) throws -> OutputKey) rethrows {
        self.keys = keys
        readers = try keys.map { try reader($0.path) }
    }

    /// The values by which a record is sorted.
    package func values(in record: PredicateValue) throws(PredicateFailure) -> [PredicateValue] {
        try readers.map { (reader) throws(PredicateFailure) in try reader.value(in: record) }
    }
}

extension PredicateSortKey {
    /// The key with the values of variables, for a store.
    package func substituting(_ reader: TextReader) -> PredicateSortKey {
        guard !isKeyPath, !reader.substitutions.isEmpty else { return self }
        var reader = reader
        (reader.kind, reader.checker) = (.expression, nil)
        let read = reader.read(path)
        guard case .expression(let expression) = read.tree, !read.hasErrors else { return self }
        var key = self
        key.path = expression.exactDescription
        return key
    }
}

extension Invocation {
    /// The columns of `--keys`; nil without the option.
    package func outputKeys(_ reader: TextReader, _ variables: PredicateVariables) throws -> [OutputKey]? {
        guard let text = self[.keys] else { return nil }
        return try FormatExpression.list(text).map { try OutputKey($0, reader, variables) }
    }

    /// The keys of `--sort`; an empty order without the option. The heading of a column with AS is that column.
    func sortOrder(
        of columns: [OutputKey], _ reader: TextReader, _ variables: PredicateVariables
    ) throws -> RecordOrder {
        try RecordOrder(sortKeys() ?? []) { text in
            try columns.first { $0.heading == text && $0.text != text } ?? OutputKey(text, reader, variables)
        }
    }

    /// The keys of `--sort` for a store; nil without the option.
    package func sortKeys() throws -> [PredicateSortKey]? {
        guard let text = self[.sort] else { return nil }
        guard let keys = PredicateSortKey.list(text, in: try environment()), !keys.isEmpty else {
            throw CommandEnd.usage("--sort takes keys and expressions separated by commas, not '\(text)'")
        }
        return keys
    }
}

/// An object that is printed as a record of its attributes.
package protocol ObjectWithAttributes: AnyObject {
    var attributes: ValueDictionary { get }
}

extension PredicateValue {
    /// Converts objects to dictionaries of their attributes, without relationships, which may refer to each other in
    /// cycles.
    package var withoutObjects: PredicateValue {
        switch self {
        case .object(let reference):
            (reference.object as? any ObjectWithAttributes).map { .dictionary($0.attributes) } ?? .null
        case .array(let elements): .array(elements.map(\.withoutObjects))
        default: self
        }
    }
}
