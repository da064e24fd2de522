// The schema file: the resulting schema of a valid file, and all errors of an invalid one.
import Foundation
import PredicateSQL
import PredicateTestSupport
import Testing

@testable import PredicateModel

struct SchemaTests {
    /// Parses JSON to values. Dictionaries are sorted by key, so that errors have a fixed order.
    static func value(_ json: String) throws -> PredicateValue {
        func convert(_ any: Any) -> PredicateValue {
            switch any {
            case let text as String: .string(text)
            case let number as NSNumber:
                String(cString: number.objCType) == "c" ? .bool(number.boolValue) : .integer(number.int64Value)
            case let list as [Any]: .array(list.map(convert))
            case let object as [String: Any]:
                .dictionary(ValueDictionary(object.sorted { $0.key < $1.key }.map { ($0.key, convert($0.value)) }))
            default: .null
            }
        }
        return convert(try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed))
    }

    static let file = """
        { "entities": {
            "Person": { "table": "person", "primaryKey": "id",
                "attributes": { "name": "string", "nickname": {"type": "string", "optional": true},
                                "age": {"type": "integer", "column": "age_years"}, "createdAt": "date",
                                "tags": {"type": "list", "of": "string"}, "rest": "list" },
                "relationships": { "employer": {"to": "Company", "column": ["land", "employer_id"], "inverse": "staff"},
                                   "home": {"to": "Company", "optional": false},
                                   "pets": {"to": "Pet", "many": true, "foreignKey": "owner_id"},
                                   "friends": {"to": "Person", "many": true,
                                               "join": {"table": "friendship", "from": "a", "to": "b"}} } },
            "Company": { "primaryKey": ["country", "number"], "attributes": {"title": "string"},
                "relationships": {"staff": {"to": "Person", "many": true}} },
            "Pet": { "parent": "Animal" },
            "Animal": { "attributes": {"legs": "integer"} } } }
        """

    @Test func schemaFilesAreRead() throws {
        let schema = try PredicateSchema(value: Self.value(Self.file))
        #expect(schema.entityNames == ["Animal", "Company", "Person", "Pet"])
        let person = try #require(schema.entity("Person"))
        #expect(person.table == "person" && person.primaryKey == ["id"] && person.parent == nil)
        #expect(
            person.attributes == [
                PredicateSchema.Attribute("age", .integer, column: "age_years"),
                PredicateSchema.Attribute("createdAt", .date),
                PredicateSchema.Attribute("name", .string),
                PredicateSchema.Attribute("nickname", .string, isOptional: true),
                PredicateSchema.Attribute("rest", .list(of: .any)),
                PredicateSchema.Attribute("tags", .list(of: .string)),
            ])
        #expect(
            person.relationships == [
                PredicateSchema.Relationship(
                    "employer", to: "Company", link: .column(["land", "employer_id"]), inverse: "staff"),
                PredicateSchema.Relationship(
                    "friends", toMany: "Person", link: .join(table: "friendship", from: "a", to: "b")),
                PredicateSchema.Relationship("home", to: "Company", isOptional: false),
                PredicateSchema.Relationship("pets", toMany: "Pet", link: .foreignKey("owner_id")),
            ])
        #expect(schema.entity("Company")?.primaryKey == ["country", "number"])
        #expect(schema.entity("Company")?.table == "Company")
        #expect(schema.keys(of: "Pet") == ["legs"])
        #expect(schema.key("legs", of: "Pet") == .attribute(PredicateSchema.Attribute("legs", .integer)))
        #expect(schema.key("title", of: "Pet") == nil)
        #expect(schema.related("Pet", "Animal") && schema.related("Animal", "Pet") && !schema.related("Pet", "Person"))
        #expect(try schema == PredicateSchema(value: Self.value(Self.file)))
    }

    @Test func schemaFilesAreUsedByTheTypeChecker() throws {
        let schema = try PredicateSchema(value: Self.value(Self.file))
        let checker = try TypeChecker(schema: schema, entity: "Person")
        #expect(checker.check(FormatPredicate.parse("ANY pets.leg > 3 AND age > %@")).map(\.suggestion) == ["legs"])
    }

    @Test func everyNamedTypeIsRead() throws {
        let types = ExpressionType.Kind.named.map { "\"\($0.name)\": \"\($0.name)\"" }.joined(separator: ",")
        let schema = try PredicateSchema(value: Self.value("{\"entities\": {\"E\": {\"attributes\": {\(types)}}}}"))
        #expect(
            schema.keys(of: "E")
                == ["any", "boolean", "data", "date", "decimal", "double", "integer", "list", "string", "url", "uuid"])
        #expect(schema.key("uuid", of: "E") == .attribute(PredicateSchema.Attribute("uuid", .uuid)))
    }

    /// The content of `{"entities": {"Person": {…}}}`, and all errors.
    @Test(.cases) func problems() {
        forEachCase(
            [
                (
                    #""attributes": {"age": "int"}"#,
                    "entities.Person.attributes.age: unknown type 'int', did you mean integer?"
                ),
                (
                    #""attributes": {"age": "strng"}"#,
                    "entities.Person.attributes.age: unknown type 'strng', did you mean string?"
                ),
                (#""attributes": {"age": "money"}"#, "entities.Person.attributes.age: unknown type 'money'"),
                (
                    #""attributes": {"age": {"type": "bool"}}"#,
                    "entities.Person.attributes.age.type: unknown type 'bool', did you mean boolean?"
                ),
                (
                    #""attributes": {"age": {"type": "date", "optonal": true}}"#,
                    "entities.Person.attributes.age: unknown field 'optonal', did you mean optional?"
                ),
                (
                    #""attributes": {"age": {"type": "date", "optional": 1}}"#,
                    "entities.Person.attributes.age.optional: expected true or false, not an integer"
                ),
                (#""attributes": {"age": {}}"#, "entities.Person.attributes.age: the attribute has no \"type\""),
                (
                    #""attributes": {"age": {"type": 5}}"#,
                    "entities.Person.attributes.age.type: expected a text, not an integer"
                ),
                (
                    #""attributes": {"age": 5}"#,
                    "entities.Person.attributes.age: expected a type or an object, not an integer"
                ),
                (
                    #""attributes": {"age": {"type": "date", "of": "string"}}"#,
                    "entities.Person.attributes.age.of: only a list has \"of\""
                ),
                (
                    #""attributes": {"tags": {"type": "list", "of": "text"}}"#,
                    "entities.Person.attributes.tags.of: unknown type 'text', did you mean string?"
                ),
                (
                    #""attributes": {"age": {"type": "date", "column": ""}}"#,
                    "entities.Person.attributes.age.column: expected a text, not an empty one"
                ),
                (#""attributes": ["age"]"#, "entities.Person.attributes: expected an object, not an array"),
                (#""atributes": {}"#, "entities.Person: unknown field 'atributes', did you mean attributes?"),
                (#""primaryKey": 5"#, "entities.Person.primaryKey: expected a column or a list of columns"),
                (#""primaryKey": ["a", 5]"#, "entities.Person.primaryKey: expected a column or a list of columns"),
                (#""table": true"#, "entities.Person.table: expected a text, not a Boolean"),
                (#""parent": "Persn""#, "entities.Person.parent: there is no entity 'Persn', did you mean Person?"),
                (#""parent": "Person""#, "entities.Person.parent: the entity is its own ancestor"),
                (
                    #""relationships": {"boss": {"to": "Persn"}}"#,
                    "entities.Person.relationships.boss: there is no entity 'Persn', did you mean Person?"
                ),
                (
                    #""relationships": {"boss": {"many": true}}"#,
                    "entities.Person.relationships.boss: the relationship has no \"to\""
                ),
                (
                    #""relationships": {"boss": "Person"}"#,
                    "entities.Person.relationships.boss: expected an object, not a text"
                ),
                (
                    #""relationships": {"boss": {"to": "Person", "many": true, "column": "x"}}"#,
                    "entities.Person.relationships.boss: a to-many relationship has a foreignKey or a join, not a column"
                ),
                (
                    #""relationships": {"boss": {"to": "Person", "foreignKey": "x"}}"#,
                    "entities.Person.relationships.boss: a to-one relationship has a column; add \"many\": true if it is to-many"
                ),
                (
                    #""relationships": {"boss": {"to": "Person", "many": true, "foreignKey": "x", "join": {"table": "t", "from": "a", "to": "b"}}}"#,
                    "entities.Person.relationships.boss: a relationship has only one of foreignKey, join"
                ),
                (
                    #""relationships": {"boss": {"to": "Person", "many": true, "join": {"table": "t", "form": "a"}}}"#,
                    """
                    entities.Person.relationships.boss.join: unknown field 'form', did you mean from?
                    entities.Person.relationships.boss.join: the join has no "from"
                    entities.Person.relationships.boss.join: the join has no "to"
                    """
                ),
                (
                    #""relationships": {"boss": {"to": "Person", "inverse": "staf"}, "staff": {"to": "Person"}}"#,
                    "entities.Person.relationships.boss.inverse: Person has no relationship 'staf', did you mean staff?"
                ),
                (
                    #""attributes": {"a": {"type": "string", "scale": 2}, "b": {"type": "integer", "minimum": 3, "maximum": 2}}"#,
                    """
                    entities.Person.attributes.b: the minimum is greater than the maximum
                    entities.Person.attributes.a: only decimals have a "scale"
                    """
                ),
                (
                    #""attributes": {"a": {"type": "string", "cases": []}, "b": {"type": "list", "of": "integer", "cases": [1, "x"]}}"#,
                    """
                    entities.Person.attributes.a.cases: expected a list of values
                    entities.Person.attributes.b.cases: "x" is no value of the type integer
                    """
                ),
                (
                    #""attributes": {"a": {"type": "date", "stored": "seconds-1971"}, "b": {"type": "decimal", "scale": "x"}}"#,
                    """
                    entities.Person.attributes.a.stored: unknown storage of dates 'seconds-1971' (seconds-2001, seconds-1970, milliseconds-1970, microseconds-1970, timestamp, YYYY-MM-DD, YYYY-MM-DD hh:mm:ss, YYYY-MM-DDThh:mm:ssZ, YYYY-MM-DDThh:mm:ss.sssZ, julian, timestamptz, unix, unix-ms), did you mean seconds-1970?
                    entities.Person.attributes.b.scale: expected an integer, not a text
                    """
                ),
                (
                    #""attributes": {"a": {"type": "string", "collation": "bin"}, "b": {"type": "data", "collation": "other"}}"#,
                    """
                    entities.Person.attributes.a.collation: a collation is 'binary' or 'other', not 'bin'
                    entities.Person.attributes.b: only strings have a "collation"
                    """
                ),
                (
                    #""attributes": {"a": {"type": "string", "folded": {"dc": "x"}}, "b": {"type": "date", "nan": true}}"#,
                    """
                    entities.Person.attributes.a.folded: unknown field 'dc', did you mean c?
                    entities.Person.attributes.b: only doubles have a "nan"
                    """
                ),
                (
                    #""code": 5, "attributes": {"a": {"type": "decimal", "scale": 39}}"#,
                    """
                    entities.Person.code: neither the entity nor an ancestor has a "discriminator"
                    entities.Person.attributes.a.scale: a scale is 0 to 38
                    """
                ),
                (
                    #""attributes": {"boss": "string"}, "relationships": {"boss": {"to": "Person"}}"#,
                    "entities.Person.relationships.boss: the entity has another key of this name"
                ),
                (
                    #""attributes": {"a.b": "string", "@c": "string", "": "string"}"#,
                    """
                    entities.Person.attributes: a key has no name
                    entities.Person.attributes.@c: a key cannot begin with @, as collection operators do
                    entities.Person.attributes.a.b: a key cannot have a dot, which separates keys
                    """
                ),
                (
                    #""attributes": {"a": "int", "b": "text"}, "tabel": "x", "relationships": {"c": {"to": "D"}}"#,
                    """
                    entities.Person: unknown field 'tabel', did you mean table?
                    entities.Person.attributes.a: unknown type 'int', did you mean integer?
                    entities.Person.attributes.b: unknown type 'text', did you mean string?
                    entities.Person.relationships.c: there is no entity 'D'
                    """
                ),
            ] as [(String, String)]
        ) { try problems($0.0, $0.1) }
    }

    private func problems(_ person: String, _ expected: String) throws {
        let value = try Self.value("{\"entities\": {\"Person\": {\(person)}}}")
        let error = try #require(throws: SchemaError.self) { try PredicateSchema(value: value) }
        #expect(error.description == expected)
    }

    @Test func columnOptionsAreRead() throws {
        let value = try Self.value(
            """
            {"entities": {"A": {"discriminator": "kind", "attributes": {
                "price": {"type": "decimal", "scale": 2}, "x": {"type": "double", "nan": true},
                "age": {"type": "integer", "minimum": 0, "maximum": 150}, "made": {"type": "date", "stored": "seconds-1970"},
                "name": {"type": "string", "collation": "other", "folded": {"cd": "name_cd", "c": "name_c"}}}},
              "B": {"parent": "A", "code": 2}, "C": {"parent": "B", "code": "c"}}}
            """)
        let schema = try PredicateSchema(value: value)
        let attributes = try #require(schema.entity("A")).attributes
        let both: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
        #expect(attributes.map(\.name) == ["age", "made", "name", "price", "x"])
        #expect(attributes[0].range == 0...150)
        #expect(attributes[1].dateStorage == .seconds)
        #expect(attributes[2].folds == [both: "name_cd", .caseInsensitive: "name_c"])
        #expect(attributes[2].collation == .other)
        #expect(attributes[3].scale == 2)
        #expect(attributes[4].allowsNaN)
        #expect(schema.table(of: "C") == "A")
        #expect(schema.codes(of: "A") == nil)
        #expect(schema.codes(of: "B")?.column == "kind")
        #expect(schema.codes(of: "B")?.codes == [.integer(2), .string("c")])
        #expect(schema.codes(of: "C")?.codes == [.string("c")])
    }

    @Test(.cases) func files() {
        let cases: [(String, String)] = [
            ("{}", "the schema has no \"entities\""), ("[]", "expected an object, not an array"),
            (#"{"entities": []}"#, "entities: expected an object, not an array"),
            (#"{"entities": {"": {}}}"#, "entities: an entity has no name"),
            (#"{"entities": {"A": 5}}"#, "entities.A: expected an object, not an integer"),
            (#"{"entites": {}, "entities": {}}"#, "unknown field 'entites', did you mean entities?"),
        ]
        forEachCase(cases) { json, expected in
            let value = try Self.value(json)
            let error = try #require(throws: SchemaError.self) { try PredicateSchema(value: value) }
            #expect(error.description == expected)
        }
    }

    @Test(.cases) func unknownKeysHaveSuggestions() throws {
        let schema = try PredicateSchema(
            value: Self.value(
                #"""
                { "entities": { "Book": {
                    "attributes": { "title": "string",
                                    "meta.theme": {"type": "string", "column": "meta", "json": "$.theme"} },
                    "relationships": { "sequel": {"to": "Book", "column": "sequel_id"} } } } }
                """#))
        let cases: [(String, String, String?)] = [
            ("titel", "titel", "title"), ("meta.thme", "meta.thme", "meta.theme"),
            ("sequel.meta.thme", "meta.thme", "meta.theme"), ("unheard.of", "unheard", nil),
        ]
        forEachCase(cases) { path, key, nearest in
            let finding = schema.finding(path: path, of: "Book")
            #expect(finding?.details == ["Book", key])
            #expect(finding?.suggestion == nearest)
            #expect((try? schema.finding(key: PredicateSortKey(path), of: "Book")) == finding)
        }
    }

    @Test func schemasBuiltInCodeAreChecked() throws {
        #expect(try PredicateSchema([]).entities.isEmpty)
        let twice = try #require(throws: SchemaError.self) {
            try PredicateSchema([.init("A"), .init("A")])
        }
        #expect(twice.description == "entities.A: two entities have this name")
        let cycle = try #require(throws: SchemaError.self) {
            try PredicateSchema([.init("A", parent: "B"), .init("B", parent: "C"), .init("C", parent: "A")])
        }
        #expect(cycle.problems.map(\.path) == ["entities.A.parent", "entities.B.parent", "entities.C.parent"])
    }
}
