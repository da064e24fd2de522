// The people as records, in columns.
import Foundation
import PredicateEvaluation
import PredicateSyntax

enum PeopleTable {
    private static let shape = ValueDictionary.Shape(Person.keys.names)

    /// A person as a record reader returns it.
    static func value(_ person: Person) -> PredicateValue {
        .dictionary(
            ValueDictionary(
                shape: shape,
                values: [
                    .integer(Int64(person.id)), .string(person.firstName), .string(person.lastName),
                    .string(person.email), .string(person.city), .integer(Int64(person.age)), .double(person.salary),
                    .bool(person.active), .date(person.createdAt.timeIntervalSinceReferenceDate),
                    .array(person.tags.map(PredicateValue.string)), person.nickname.map(PredicateValue.string) ?? .null,
                    .string(person.bio),
                ]))
    }

    static func make(_ people: [Person]) -> PredicateTable {
        var builder = PredicateTableBuilder()
        for person in people { builder.append(value(person)) }
        return builder.finish()
    }
}
