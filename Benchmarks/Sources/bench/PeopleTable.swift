// People as records: in columns, and as JSON Lines for other engines.
import Foundation
import PredicateEvaluation
import PredicateSyntax

enum PeopleTable {
    private static let shape = ValueDictionary.Shape(Person.keys.names)

    /// A person as a reader of records gives it.
    static func value(_ person: Person) -> Value {
        .dictionary(
            ValueDictionary(
                shape: shape,
                values: [
                    .integer(Int64(person.id)), .string(person.firstName), .string(person.lastName),
                    .string(person.email), .string(person.city), .integer(Int64(person.age)), .double(person.salary),
                    .bool(person.active), .date(person.createdAt.timeIntervalSinceReferenceDate),
                    .array(person.tags.map(Value.string)), person.nickname.map(Value.string) ?? .null,
                    .string(person.bio),
                ]))
    }

    static func make(_ people: [Person]) -> Table {
        var builder = TableBuilder()
        for person in people { builder.append(value(person)) }
        return builder.finish()
    }

    /// Writes JSON Lines. No text here needs an escape.
    static func write(_ people: [Person], to path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileWriteUnknown) }
        var text = ""
        for person in people {
            let nickname = person.nickname.map { "\"\($0)\"" } ?? "null"
            text += """
                {"id":\(person.id),"firstName":"\(person.firstName)","lastName":"\(person.lastName)",\
                "email":"\(person.email)","city":"\(person.city)","age":\(person.age),"salary":\(person.salary),\
                "active":\(person.active),"createdAt":\(person.createdAt.timeIntervalSinceReferenceDate),\
                "tags":[\(person.tags.map { "\"\($0)\"" }.joined(separator: ","))],"nickname":\(nickname),\
                "bio":"\(person.bio)"}

                """
            if text.utf8.count > 1 << 20 {
                try file.write(contentsOf: Data(text.utf8))
                text = ""
            }
        }
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }
}
