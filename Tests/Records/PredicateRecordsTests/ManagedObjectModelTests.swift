// Tests of reading Core Data models, and of their formats with placeholders.

import PredicateRecords
import PredicateTestSupport
import Testing

@Suite struct ManagedObjectModelTests {
    static let contents = """
        <?xml version="1.0" encoding="UTF-8"?>
        <model><entity name="Person"><attribute name="name" attributeType="String"/>
        <attribute name="age" optional="YES" attributeType="Integer 16"/><attribute name="cache" attributeType="Transformable" transient="YES"/>
        <relationship name="boss" optional="YES" destinationEntity="Person" inverseName="staff" inverseEntity="Person"/>
        <relationship name="staff" toMany="YES" destinationEntity="Person" inverseName="boss" inverseEntity="Person"/>
        <relationship name="tags" toMany="YES" destinationEntity="Tag" inverseName="people" inverseEntity="Tag"/>
        <fetchedProperty name="peers"><fetchRequest name="r" entity="Person" predicateString="age == $FETCH_SOURCE.age"/></fetchedProperty>
        </entity><entity name="Tag"><relationship name="people" toMany="YES" destinationEntity="Person"/></entity>
        <entity name="Manager" parentEntity="Person"><attribute name="since" attributeType="Date"/></entity>
        <fetchRequest name="old" entity="Person" predicateString="age &gt; 60"/><fetchRequest name="all" entity="Person"/></model>
        """

    @Test func entitiesAreRead() throws {
        let model = try ManagedObjectModel(contents: Array(Self.contents.utf8))
        let schema = try model.schema()
        #expect(schema.entityNames == ["Person", "Tag", "Manager"])
        #expect(
            schema.key("age", of: "Manager")
                == .attribute(PredicateSchema.Attribute("age", .integer, isOptional: true, column: "ZAGE"))
        )
        #expect(schema.entity("Manager")?.table == "ZPERSON")
        #expect(schema.entity("Person")?.primaryKey == ["Z_PK"])
        let links = schema.entity("Person")?.relationships.map(\.link)
        #expect(links == [.column("ZBOSS"), .foreignKey("ZBOSS"), nil, nil])
        #expect(schema.keys(of: "Person") == ["name", "age", "cache", "boss", "staff", "tags", "peers"])
        #expect(try model.schema(storedOnly: true).keys(of: "Person") == ["name", "age", "boss", "staff", "tags"])
        #expect(model.predicates.map(\.owner) == ["fetched property 'Person.peers'", "fetch request 'old'"])
        #expect(model.predicates.map(\.text.text) == ["age == $FETCH_SOURCE.age", "age > 60"])
    }

    /// The rule of a to-many relationship says what happens to the objects at its other end.
    @Test func deleteRulesAreRead() throws {
        let file = """
            <model><entity name="List">
            <relationship name="todos" toMany="YES" deletionRule="Cascade" destinationEntity="Todo" inverseName="list" inverseEntity="Todo"/>
            <relationship name="notes" toMany="YES" deletionRule="Deny" destinationEntity="Note" inverseName="list" inverseEntity="Note"/>
            <relationship name="tags" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" inverseName="lists" inverseEntity="Tag"/>
            </entity><entity name="Todo">
            <relationship name="list" optional="YES" deletionRule="Nullify" destinationEntity="List" inverseName="todos" inverseEntity="List"/>
            </entity><entity name="Note">
            <relationship name="list" optional="YES" deletionRule="Cascade" destinationEntity="List" inverseName="notes" inverseEntity="List"/>
            </entity><entity name="Tag">
            <relationship name="lists" toMany="YES" deletionRule="Cascade" destinationEntity="List" inverseName="tags" inverseEntity="List"/>
            </entity></model>
            """
        let schema = try ManagedObjectModel(contents: Array(file.utf8)).schema()
        let rules = schema.entities.flatMap { entity in
            entity.relationships.map { "\(entity.name).\($0.name) \($0.onDelete?.rawValue ?? "-")" }
        }
        #expect(
            rules == [
                "List.todos cascade", "List.notes deny", "List.tags nullify", "Todo.list -", "Note.list -",
                "Tag.lists -",
            ])
    }

    @Test(.cases) func types() {
        let cases: [(String, ExpressionType.Kind)] = [
            ("Integer 16", ExpressionType.Kind.integer), ("Integer 64", .integer), ("Float", .double),
            ("Double", .double), ("Decimal", .decimal), ("String", .string), ("Boolean", .boolean), ("Date", .date),
            ("Binary", .data), ("UUID", .uuid), ("URI", .url), ("Transformable", .any), ("Composite", .any),
        ]
        forEachCase(cases) { name, type in
            let file = "<model><entity name=\"A\"><attribute name=\"a\" attributeType=\"\(name)\"/></entity></model>"
            let model = try ManagedObjectModel(contents: Array(file.utf8))
            #expect(model.entities.first?.attributes.first?.type == type)
        }
    }

    @Test(.cases) func brokenModels() {
        forEachCase(
            ["", "<plist/>", "<model><entity/></model>", "<model>", "<model><entity name='a'></model>"] as [String]
        ) { (file) throws in
            #expect(throws: DocumentProblem.self) { try ManagedObjectModel(contents: Array(file.utf8)) }
        }
    }

    @Test func relationshipsNeedADestination() throws {
        let file = "<model><entity name=\"A\"><relationship name=\"b\" destinationEntity=\"B\"/></entity></model>"
        let model = try ManagedObjectModel(contents: Array(file.utf8))
        #expect(throws: SchemaError.self) { try model.schema() }
    }

    @Test func sourcedTextsHaveSpans() {
        let file = Array("0\\n23'45".utf8)
        var text = SourcedText(at: 0)
        text.append(verbatim: file, 0..<1)
        text.append([10], from: 1..<3)
        text.append(verbatim: file, 3..<5)
        text.append(verbatim: file, 6..<8)
        #expect(text.text == "0\n2345")
        #expect(text.span == SourceSpan(0, 8))
        let places = (0...6).map { text.source(SourceSpan($0, min($0 + 1, 6))) }
        #expect(places == [(0, 1), (1, 3), (3, 4), (4, 5), (6, 7), (7, 8), (8, 8)].map { SourceSpan($0, $1) })
        #expect(text.isContiguous(SourceSpan(0, 4)) && !text.isContiguous(SourceSpan(3, 5)))
        #expect(text.source(SourceSpan(0, 99)) == SourceSpan(0, 8))
        #expect(SourcedText(at: 5).source(SourceSpan(0, 0)) == SourceSpan(5, 5))
    }
}
