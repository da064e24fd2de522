// Converts any Encodable object to a value, so that it can be tested without a key table. Types that the language has
// are not converted, so nothing is rounded on the way through a format such as JSON.

extension PredicateValue {
    /// Returns the value of an Encodable object: a dictionary of the fields that it encodes.
    ///
    ///     let value = try PredicateValue.encoding(person)
    ///     try FormatPredicate("total > 10 AND state.paid.on != nil").evaluate(value)
    ///
    /// Dates, UUIDs, URLs, data and decimals keep their types. An enum with associated values is a dictionary with the
    /// name of its case, `state.paid`, which contains the labels, `state.paid.on`; a value without a label is `_0`.
    /// - Throws: what the object's `encode(to:)` throws; `EncodingError` for objects nested more than 200 deep, such as
    ///   an object that contains itself.
    /// - Complexity: about the cost of JSONEncoder. For many objects of one type a key table (`Queryable`) is faster.
    public static func encoding(_ object: some Encodable) throws -> PredicateValue {
        try EncodedNode.of(object, [], [:], depth: 0).value
    }
}

/// The content of one encoded container. A class, because containers still write to it after they were returned.
private final class EncodedNode {
    private enum Content {
        case none
        case value(PredicateValue)
        case list([EncodedNode])
        case record([(String, EncodedNode)])
    }

    private var content = Content.none

    static func of(
        _ object: some Encodable, _ path: [any CodingKey], _ info: [CodingUserInfoKey: Any], depth: Int
    ) throws -> EncodedNode {
        guard depth < 200 else {
            throw EncodingError.invalidValue(
                object, .init(codingPath: path, debugDescription: "the object nests other objects too deep"))
        }
        let node = EncodedNode()
        if let scalar = object as? any StandardValue {
            node.content = .value(scalar.predicateValue)
        } else {
            try object.encode(to: NodeEncoder(node: node, codingPath: path, userInfo: info, depth: depth + 1))
        }
        return node
    }

    var value: PredicateValue {
        switch content {
        case .none: .null
        case .value(let value): value
        case .list(let nodes): .array(nodes.map(\.value))
        case .record(let nodes): .dictionary(ValueDictionary(nodes.map { ($0.0, $0.1.value) }))
        }
    }

    var count: Int { if case .list(let nodes) = content { nodes.count } else { 0 } }

    func set(_ value: PredicateValue) { content = .value(value) }
    func take(_ other: EncodedNode) { content = other.content }

    func beginRecord() { if case .record = content {} else { content = .record([]) } }
    func beginList() { if case .list = content {} else { content = .list([]) } }

    func add(_ node: EncodedNode, forKey key: String? = nil) {
        switch content {
        case .record(var nodes):
            content = .none  // one owner, so that the array grows in place
            nodes.removeAll { $0.0 == key }
            nodes.append((key ?? "", node))
            content = .record(nodes)
        case .list(var nodes):
            content = .none
            nodes.append(node)
            content = .list(nodes)
        default: content = node.content
        }
    }
}

private struct NodeEncoder: Encoder, SingleValueEncodingContainer {
    let node: EncodedNode
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]
    let depth: Int

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.beginRecord()
        return KeyedEncodingContainer(RecordContainer<Key>(encoder: self))
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.beginList()
        return ListContainer(encoder: self)
    }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { node.set(.null) }
    func encode(_ value: some Encodable) throws { node.take(try .of(value, codingPath, userInfo, depth: depth)) }

    func part(_ key: (any CodingKey)?) -> NodeEncoder {
        let part = EncodedNode()
        node.add(part, forKey: key?.stringValue)
        return NodeEncoder(
            node: part, codingPath: codingPath + (key.map { [$0] } ?? []), userInfo: userInfo, depth: depth)
    }
}

private struct RecordContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: NodeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.part(key).encodeNil() }
    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder.part(key).encode(value) }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { encoder.part(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.part(key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { encoder.part(SuperKey()) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.part(key) }
}

private struct ListContainer: UnkeyedEncodingContainer {
    let encoder: NodeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.node.count }

    func encodeNil() { encoder.part(nil).encodeNil() }
    func encode(_ value: some Encodable) throws { try encoder.part(nil).encode(value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.part(nil).container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.part(nil).unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder.part(nil) }
}

/// The key of a superclass that encodes into its own container.
private struct SuperKey: CodingKey {
    let stringValue = "super"
    let intValue: Int? = nil
    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}
