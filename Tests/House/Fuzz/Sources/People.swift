// The schema and the objects that several targets use.

import PredicateModel
import PredicateSyntax

enum People {
    static let schema: PredicateSchema = {
        typealias Attribute = PredicateSchema.Attribute
        typealias Relationship = PredicateSchema.Relationship
        let person = PredicateSchema.Entity(
            "Person", table: "person", primaryKey: ["id"],
            attributes: [
                .init("id", .integer), .init("name", .string), .init("nick", .string, isOptional: true),
                .init("age", .integer, isOptional: true), .init("price", .double, isOptional: true),
                .init("vip", .boolean), .init("tags", .list(of: .string), isOptional: true),
            ],
            relationships: [
                .init("boss", to: "Person", link: .column("boss_id")),
                .init("orders", toMany: "Order", link: .foreignKey("person_id")),
            ])
        let order = PredicateSchema.Entity(
            "Order", table: "orders", primaryKey: ["id"], attributes: [.init("id", .integer), .init("total", .double)],
            relationships: [.init("owner", to: "Person", isOptional: false, link: .column("person_id"))])
        do { return try PredicateSchema([person, order]) } catch { fatalError("\(error)") }
    }()

    private static let names = ["Ada", "ada", "Élodie", "", "ss", "a_c%", "ß", "7"]

    /// One of the objects, with its keys.
    static func person(_ id: Int64) -> PredicateValue {
        let index = Int(id)
        return .dictionary(
            ValueDictionary([
                ("id", .integer(id)), ("name", .string(names[index % 8])),
                ("nick", index % 3 == 0 ? .null : .string(names[index * 3 % 8])),
                ("age", index % 5 == 0 ? .null : .integer(id * 31 % 90)),
                ("price", index % 4 == 0 ? .null : .double(Double(index) * 1.5 - 7)), ("vip", .bool(index % 2 == 0)),
                ("tags", index % 6 == 0 ? .null : .array([.string("t\(index % 3)"), .string(names[index % 8])])),
            ]))
    }
}
