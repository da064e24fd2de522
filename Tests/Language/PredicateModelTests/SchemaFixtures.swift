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
        attributes: [.init("note", .string, isOptional: true), .init("active", .boolean)])
    private static let company = PredicateSchema.Entity(
        "Company", primaryKey: ["id"],
        attributes: [.init("title", .string), .init("budget", .decimal), .init("founded", .date)],
        relationships: [
            PredicateSchema.Relationship(
                "staff", toMany: "Person", link: .foreignKey("employer_id"), inverse: "employer"),
            .init("boss", to: "Person", isOptional: false),
        ], parent: "Party")
    private static let pet = PredicateSchema.Entity(
        "Pet",
        attributes: [.init("name", .string), .init("weight", .double, isOptional: true), .init("born", .date)],
        relationships: [.init("owner", to: "Person"), .init("toys", toMany: "Toy")])
    private static let toy = PredicateSchema.Entity(
        "Toy", attributes: [.init("name", .string), .init("price", .integer)])
    private static let person = PredicateSchema.Entity(
        "Person", table: "person", primaryKey: ["id"],
        attributes: [
            .init("name", .string), .init("nickname", .string, isOptional: true),
            .init("age", .integer, column: "age_years"), .init("height", .double), .init("salary", .decimal),
            .init("bonus", .integer, isOptional: true), .init("createdAt", .date), .init("key", .uuid),
            .init("photo", .data, isOptional: true), .init("home", .url), .init("member", .boolean),
            .init("tags", .list(of: .string)), .init("scores", .list(of: .integer)), .init("labels", .set(of: .string)),
            .init("extra", .dictionary(of: .any)), .init("blob", .any), .init("in", .string),
        ],
        relationships: [
            .init("employer", to: "Company", link: .column("employer_id"), inverse: "staff"),
            .init("pets", toMany: "Pet", link: .foreignKey("owner_id"), inverse: "owner"),
            PredicateSchema.Relationship(
                "friends", toMany: "Person", link: .join(table: "friendship", from: "a", to: "b")),
        ], parent: "Party")

    static func checker(_ entity: String = "Person") throws -> TypeChecker {
        try TypeChecker(schema: schema.get(), entity: entity)
    }
}
