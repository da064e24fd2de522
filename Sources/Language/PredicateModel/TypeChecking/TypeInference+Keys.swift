// Infers the types of key paths: looks keys up in the schema, maps them over collections, applies collection
// operators (LANGUAGE 5.3, 5.12).

extension TypeInference {
    /// The maximum nesting of collections, as in evaluation. Deeper types are unknown.
    private static let mappingDepth = 32

    func member(_ node: ExpressionNode) -> TypedNode {
        guard case .member(let base, let step) = node.kind else { return TypedNode(node, .any) }
        let type = infer(base).type
        switch step.kind {
        case .keyPath(let keys): return path(keys, from: type, node, at: step.span)
        case .value(.string(let key)): return path([key], from: type, node, at: step.span)
        case .selfObject: return TypedNode(node, type)
        // `a.d[0]` is refused (LANGUAGE C 6).
        case .index:
            refuse(below: step)
            return TypedNode(node, .any)
        // A text that contains a key path, whose content is unknown here.
        default:
            _ = infer(step)
            return TypedNode(node, .any)
        }
    }

    func path(_ keys: [String], from base: ExpressionType, _ node: ExpressionNode, at span: SourceSpan) -> TypedNode {
        let path = KeyPath(inference: self, keys: keys, whole: span)
        var operand = TypedNode(node, base)
        follow(path, from: 0, &operand, depth: 0)
        return operand
    }

    private func follow(_ path: KeyPath, from start: Int, _ operand: inout TypedNode, depth: Int) {
        var path = path
        var index = start
        while index < path.keys.count {
            if operand.type.isOpen { return }
            if let entity = operand.type.entity {
                path.keys = checker.schema.joining(path.keys, at: index, of: entity)
            }
            if path.keys[index].utf8.first == UInt8(ascii: "@"), !isOwnKey(path.keys[index], of: operand.type) {
                guard step(throughOperator: path, index, &operand, depth: depth) else { return }
            } else {
                step(path, index, &operand)
            }
            index += 1
        }
    }

    private struct KeyPath {
        let inference: TypeInference
        var keys: [String]
        let whole: SourceSpan

        /// The spans of the keys, if they are in the text. Computed only for errors.
        private var spans: [SourceSpan] { inference.places(of: keys, in: whole) }

        func span(_ index: Int) -> SourceSpan {
            let spans = spans
            return index < spans.count ? spans[index] : whole
        }

        /// The path with an index in place of the key `first` or `last`: `kids[FIRST].name`; nil for other keys.
        func indexed(at index: Int) -> String? {
            let symbol = keys[index].uppercased()
            guard index > 0, [Keyword.first, .last].contains(where: { $0.rawValue == symbol }),
                span(0).start == whole.start
            else { return nil }
            let list = keys[..<index].joined(separator: ".")
            return (index == 1 ? list : "(\(list))") + "[\(symbol)]" + keys[(index + 1)...].map { "." + $0 }.joined()
        }

        /// The fix-it that replaces a key; none if the key is not in the text.
        func replacing(_ index: Int, with key: String?) -> [PredicateDiagnostic.FixIt] {
            let spans = spans
            guard let key, index < spans.count else { return [] }
            return [PredicateDiagnostic.FixIt(spans[index], key)]
        }
    }

    /// The spans of the keys in the text of a path, which may contain spaces and `#`: `a . #in`. A key may have points.
    /// Empty for an argument of `%K`.
    private func places(of keys: [String], in span: SourceSpan) -> [SourceSpan] {
        let point = UInt8(ascii: ".")
        guard span.end <= source.count, !span.isEmpty else { return [] }
        var parts = source[span.range].split(separator: point, omittingEmptySubsequences: false)[...]
        var places: [SourceSpan] = []
        for key in keys {
            var place: SourceSpan?
            for name in key.utf8.split(separator: point, omittingEmptySubsequences: false) {
                guard let word = parts.popFirst()?.drop(while: { $0 <= 32 || $0 == UInt8(ascii: "#") }) else {
                    return []
                }
                let end = (word.lastIndex { $0 > 32 } ?? word.startIndex - 1) + 1
                guard source[word.startIndex..<end].elementsEqual(name) else { return [] }
                place = SourceSpan(place?.start ?? word.startIndex, end)
            }
            if let place { places.append(place) }
        }
        return parts.isEmpty ? places : []
    }

    // MARK: Keys

    /// Whether the key may be one of the dictionary's own keys, which can begin with `@`.
    private func isOwnKey(_ key: String, of type: ExpressionType) -> Bool {
        type.isDictionary && !CollectionOperator.isCount(key) && key != DictionaryKey.allKeys
            && key != DictionaryKey.allValues
    }

    /// Reads a key. For a list or a set it is read from each element.
    private func step(_ path: KeyPath, _ index: Int, _ operand: inout TypedNode) {
        if path.keys[index] == "self" { return }
        if operand.type.element == nil {
            let isOptional = operand.type.isOptional
            operand.role = .value
            operand.isCount = false
            operand.known = nil
            read(path, index, &operand)
            operand.type = operand.type.optional(isOptional)
            return
        }
        var element = operand.type
        var shapes: [ExpressionType.Shape] = []
        while case .collection(let shape, let inner) = element.kind, !shape.isDictionary {
            shapes.append(shape)
            element = inner
        }
        var value = TypedNode(operand.node, element)
        read(path, index, &value, isElement: !shapes.isEmpty)
        if shapes.count > Self.mappingDepth { value.type = .any }
        value.type = value.type.optional(element.isOptional)
        guard !shapes.isEmpty, !value.isFailure else {
            operand = value
            return
        }
        operand.role = value.role
        operand.known = value.known
        operand.type = shapes.reversed().reduce(value.type) { ExpressionType(.collection($1, of: $0)) }
            .optional(operand.type.isOptional)
    }

    /// Reads a key of a single value, or of each element of a collection.
    private func read(_ path: KeyPath, _ index: Int, _ value: inout TypedNode, isElement: Bool = false) {
        switch value.type.kind {
        case .any, .null: value.type = .any
        case .collection(.record(let name), _):
            value.role = .value
            value.type = checker.schema.type(of: path.keys[index], in: name)?.type ?? missing(path, index, name)
        case .collection(_, let element):
            value.role = .value
            value.type = element.optional()
        case .entity(let name):
            guard let key = checker.schema.type(of: path.keys[index], in: name) else {
                let (path, nearest) = nearest(path, index, in: name)
                return fail(path, index, &value, owner: name, isElement: isElement, nearest)
            }
            value.role = key.isRelationship ? .relationship : .attribute
            value.known = key.known
            value.type = key.type
        default: readProperty(path, index, &value, isElement: isElement)
        }
    }

    /// The nearest key of an entity, and the path, in which the keys that it replaces are one: `meta.thme`.
    @inline(never)
    private func nearest(_ path: KeyPath, _ index: Int, in entity: String) -> (KeyPath, String?) {
        guard let nearest = checker.schema.nearestKey(to: path.keys, at: index, of: entity) else { return (path, nil) }
        var path = path
        path.keys[index..<nearest.end] = [path.keys[index..<nearest.end].joined(separator: ".")]
        return (path, nearest.name)
    }

    /// The type of a key that no dictionary in the column has: it is nil (LANGUAGE C 5), which is probably a mistake.
    private func missing(_ path: KeyPath, _ index: Int, _ owner: String) -> ExpressionType {
        let key = path.keys[index]
        if key.hasPrefix("@") { return .any }
        let nearest = Suggestions.nearest(to: key, in: checker.schema.keys(of: owner))
        report(
            PredicateDiagnostic(
                checker.unknownKey, at: path.span(index), details: [owner, key], severity: .warning,
                suggestion: nearest, fixIts: path.replacing(index, with: nearest)))
        return .any
    }

    /// Reads `name.length`: a method without arguments, used as a key.
    private func readProperty(_ path: KeyPath, _ index: Int, _ value: inout TypedNode, isElement: Bool) {
        let key = path.keys[index]
        guard let method = checker.environment.functions.property(named: key) else {
            let nearest = checker.environment.functions.property(meantBy: key, of: value.type)
            return fail(path, index, &value, owner: value.type.inWords, isElement: isElement, nearest)
        }
        let signature = method.types
        if let finding = signature?.parameters.first?.refuses(value.type) {
            report(finding, at: path.span(index), key, value.type.inWords)
            value.isFailure = true
        }
        value.role = .value
        value.isCount = signature?.isCount ?? false
        value.type = value.isFailure ? .any : signature?.result([value.type]) ?? .any
    }

    /// Reports an unknown key. After a collection it may be an operator without its `@`: `tags.count`.
    private func fail(
        _ path: KeyPath, _ index: Int, _ value: inout TypedNode, owner: String, isElement: Bool, _ known: String?
    ) {
        let key = path.keys[index]
        if isElement, let meant = path.indexed(at: index) {
            report(
                checker.unknownKey, at: path.span(index), owner, key, suggestion: meant,
                fixIts: path.whole.isEmpty ? [] : [.init(path.whole, meant)])
            value.isFailure = true
            value.type = .any
            return
        }
        let nearest = isElement ? CollectionOperator.named(meantByKey: key)?.name ?? known : known
        let (meant, advice) = path.keys.count == 1 ? meaning(of: key) : (nil, [])
        report(
            PredicateDiagnostic(
                checker.unknownKey, at: path.span(index),
                details: [owner, key] + (value.type.kind == .date ? FunctionCatalog.advice(forKeyOfDate: key) : advice),
                suggestion: meant ?? nearest, fixIts: path.replacing(index, with: meant ?? nearest)))
        value.isFailure = true
        value.type = .any
    }

    /// What a word that is no key means beside the left side of its comparison, and advice: `status == lost`, `due > now`.
    private func meaning(of word: String) -> (text: String?, advice: [String]) {
        guard let key = compared, key.isPath, checker.unknownKey == .unknownKey else { return (nil, []) }
        let (name, kind) = (word.lowercased(), (key.type.element ?? key.type).kind)
        if kind == .date {
            let isCall = checker.environment.functions.function(named: name)?.arity == 0
            return (isCall ? name + "()" : nil, name == "today" ? [LanguageOptions.advice("dates")] : [])
        }
        let known = key.known?.cases.first { $0.stringValue?.lowercased() == name }
        return (known.map { "\(ExpressionNode(.value($0)))" }, kind == .string ? ["if \(word) is text, quote it"] : [])
    }

    // MARK: Collection operators

    /// Applies the collection operator at `index`, with the rest of the path as its operand if it has one.
    /// - Returns: whether the path continues after the operator.
    private func step(
        throughOperator path: KeyPath, _ index: Int, _ operand: inout TypedNode, depth: Int
    ) -> Bool {
        let name = path.keys[index]
        let receiver = operand.type
        operand = TypedNode(operand.node, .any)
        if receiver.isDictionary, !CollectionOperator.isCount(name) {
            let element = name == DictionaryKey.allKeys ? ExpressionType(.string) : receiver.element ?? .any
            operand.type = ExpressionType(.collection(.list, of: element), isOptional: receiver.isOptional)
            return true
        }
        guard let operation = CollectionOperator.named(name) else {
            let nearest = CollectionOperator.named(meantBy: name)
            report(
                .unknownCollectionOperator, at: path.span(index), name, CollectionOperator.advice(for: name),
                suggestion: nearest, fixIts: path.replacing(index, with: nearest))
            return false
        }
        guard let element = receiver.element else {
            report(.notACollection, at: path.span(index), name, receiver.inWords)
            return false
        }
        guard operation.takesKey else {
            operand.type = ExpressionType(.integer, isOptional: receiver.isOptional)
            operand.isCount = true
            return true
        }
        guard index + 1 < path.keys.count else {
            report(.functionArguments, at: path.span(index), name, "a key after it", "none")
            return false
        }
        guard depth < Self.mappingDepth else { return false }
        var values = TypedNode(operand.node, element)
        follow(path, from: index + 1, &values, depth: depth + 1)
        if operation.flattens {
            if values.type.element == nil, !values.type.isOpen {
                report(.notACollection, at: path.span(index), name + " of an element", values.type.inWords)
                return false
            }
            values.type = values.type.element ?? .any
        }
        operand.type = aggregate(operation, values.type, path, index).optional(receiver.isOptional)
        return false
    }

    private func aggregate(
        _ operation: CollectionOperator, _ values: ExpressionType, _ path: KeyPath, _ index: Int
    ) -> ExpressionType {
        let collected = ExpressionType(.collection(.list, of: values))
        if let finding = operation.types.parameters[0].refuses(collected) {
            let span = path.span(index + 1).joined(path.span(path.keys.count - 1))
            report(finding, at: span, operation.name, collected.inWords)
            return .any
        }
        return operation.types.result([collected])
    }
}
