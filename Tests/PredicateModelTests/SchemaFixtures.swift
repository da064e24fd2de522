// The schema for the tests of this target: people, companies, pets.
import PredicateSyntax
import Testing

@testable import PredicateModel

enum Fixtures {
    static let schema: Result<Schema, SchemaError> = Result { () throws(SchemaError) in
        try Schema([person, company, pet, toy, party])
    }

    private static let party = Entity(
        "Party", attributes: [Attribute("note", .string, isOptional: true), Attribute("active", .boolean)])
    private static let company = Entity(
        "Company", primaryKey: ["id"],
        attributes: [Attribute("title", .string), Attribute("budget", .decimal), Attribute("founded", .date)],
        relationships: [
            Relationship("staff", toMany: "Person", link: .foreignKey("employer_id"), inverse: "employer"),
            Relationship("boss", to: "Person", isOptional: false),
        ], parent: "Party")
    private static let pet = Entity(
        "Pet",
        attributes: [
            Attribute("name", .string), Attribute("weight", .double, isOptional: true), Attribute("born", .date),
        ],
        relationships: [Relationship("owner", to: "Person"), Relationship("toys", toMany: "Toy")])
    private static let toy = Entity("Toy", attributes: [Attribute("name", .string), Attribute("price", .integer)])
    private static let person = Entity(
        "Person", table: "person", primaryKey: ["id"],
        attributes: [
            Attribute("name", .string), Attribute("nickname", .string, isOptional: true),
            Attribute("age", .integer, column: "age_years"), Attribute("height", .double),
            Attribute("salary", .decimal),
            Attribute("bonus", .integer, isOptional: true), Attribute("createdAt", .date), Attribute("key", .uuid),
            Attribute("photo", .data, isOptional: true), Attribute("home", .url), Attribute("member", .boolean),
            Attribute("tags", .list(of: .string)), Attribute("scores", .list(of: .integer)),
            Attribute("labels", .set(of: .string)), Attribute("extra", .dictionary(of: .any)), Attribute("blob", .any),
            Attribute("in", .string),
        ],
        relationships: [
            Relationship("employer", to: "Company", link: .column("employer_id"), inverse: "staff"),
            Relationship("pets", toMany: "Pet", link: .foreignKey("owner_id"), inverse: "owner"),
            Relationship("friends", toMany: "Person", link: .join(table: "friendship", from: "a", to: "b")),
        ], parent: "Party")

    static func checker(_ entity: String = "Person") throws -> TypeChecker {
        try TypeChecker(schema: schema.get(), entity: entity)
    }
}
