// The schema for the tests of this target: people, companies, pets.
import PredicateSyntax
import Testing

@testable import PredicateModel

enum Fixtures {
    static let schema: Result<PredicateSchema, SchemaError> = Result { () throws(SchemaError) in
        try PredicateSchema([person, company, pet, toy, party])
    }

    private static let party = PredicateSchema.Entity(
        "Party",
        attributes: [
            PredicateSchema.Attribute("note", .string, isOptional: true), PredicateSchema.Attribute("active", .boolean),
        ])
    private static let company = PredicateSchema.Entity(
        "Company", primaryKey: ["id"],
        attributes: [
            PredicateSchema.Attribute("title", .string), PredicateSchema.Attribute("budget", .decimal),
            PredicateSchema.Attribute("founded", .date),
        ],
        relationships: [
            PredicateSchema.Relationship(
                "staff", toMany: "Person", link: .foreignKey("employer_id"), inverse: "employer"),
            PredicateSchema.Relationship("boss", to: "Person", isOptional: false),
        ], parent: "Party")
    private static let pet = PredicateSchema.Entity(
        "Pet",
        attributes: [
            PredicateSchema.Attribute("name", .string), PredicateSchema.Attribute("weight", .double, isOptional: true),
            PredicateSchema.Attribute("born", .date),
        ],
        relationships: [
            PredicateSchema.Relationship("owner", to: "Person"), PredicateSchema.Relationship("toys", toMany: "Toy"),
        ])
    private static let toy = PredicateSchema.Entity(
        "Toy", attributes: [PredicateSchema.Attribute("name", .string), PredicateSchema.Attribute("price", .integer)])
    private static let person = PredicateSchema.Entity(
        "Person", table: "person", primaryKey: ["id"],
        attributes: [
            PredicateSchema.Attribute("name", .string),
            PredicateSchema.Attribute("nickname", .string, isOptional: true),
            PredicateSchema.Attribute("age", .integer, column: "age_years"),
            PredicateSchema.Attribute("height", .double),
            PredicateSchema.Attribute("salary", .decimal),
            PredicateSchema.Attribute("bonus", .integer, isOptional: true),
            PredicateSchema.Attribute("createdAt", .date), PredicateSchema.Attribute("key", .uuid),
            PredicateSchema.Attribute("photo", .data, isOptional: true), PredicateSchema.Attribute("home", .url),
            PredicateSchema.Attribute("member", .boolean),
            PredicateSchema.Attribute("tags", .list(of: .string)),
            PredicateSchema.Attribute("scores", .list(of: .integer)),
            PredicateSchema.Attribute("labels", .set(of: .string)),
            PredicateSchema.Attribute("extra", .dictionary(of: .any)), PredicateSchema.Attribute("blob", .any),
            PredicateSchema.Attribute("in", .string),
        ],
        relationships: [
            PredicateSchema.Relationship("employer", to: "Company", link: .column("employer_id"), inverse: "staff"),
            PredicateSchema.Relationship("pets", toMany: "Pet", link: .foreignKey("owner_id"), inverse: "owner"),
            PredicateSchema.Relationship(
                "friends", toMany: "Person", link: .join(table: "friendship", from: "a", to: "b")),
        ], parent: "Party")

    static func checker(_ entity: String = "Person") throws -> TypeChecker {
        try TypeChecker(schema: schema.get(), entity: entity)
    }
}
