// Schema files and data models: a schema that can be read must have a hash, and requests for all its entities must
// translate to every dialect.

import PredicateModel
import PredicateRecords
import PredicateSQL
import PredicateStores
import PredicateSyntax

enum SchemaFuzzing {
    /// - Parameter input: a byte 0 and a schema file, or another byte and a data model.
    static func complaint(_ input: [UInt8]) -> String? {
        guard let choice = input.first, let schema = schema(choice, Array(input.dropFirst())) else { return nil }
        if schema.hash != schema.hash { return "the hash changes" }
        for entity in schema.entityNames.prefix(4) {
            let keys = schema.keys(of: entity).prefix(6)
            let format = keys.map { _ in "%K != nil" }.joined(separator: " OR ")
            let arguments = FormatArguments.bound(keys.map { .value(.string($0)) })
            let parsed = FormatPredicate.parse(format.isEmpty ? "TRUEPREDICATE" : format, arguments: arguments)
            guard !parsed.hasErrors else { continue }
            let predicate = FormatPredicate(parsed.tree)
            for dialect in SQLDialect.all { _ = try? predicate.sql(dialect, entity: entity, in: schema) }
        }
        return nil
    }

    private static func schema(_ choice: UInt8, _ bytes: [UInt8]) -> PredicateSchema? {
        if choice == 0 {
            guard let value = try? JSON.parse(bytes) else { return nil }
            return try? PredicateSchema(value: value)
        }
        guard let model = try? ManagedObjectModel(contents: bytes) else { return nil }
        return try? model.schema(storedOnly: choice == 2)
    }
}
