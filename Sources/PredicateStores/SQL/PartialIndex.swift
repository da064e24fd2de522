// Advice about partial indexes, whose conditions are predicates (IndexConditionReader.swift). An engine uses such an
// index only if it finds the condition in the statement; SQLite looks for its text.
package import PredicateModel
import PredicateRules
import PredicateSQL
import PredicateSyntax

/// An index of the rows for which a condition is true.
package struct PartialIndex: Sendable {
    package let name: String
    /// True for an object if the index has its row.
    package let condition: FormatPredicate
}

extension SQLStore {
    /// Selects rows of: table, index, and a text with WHERE and the condition.
    private static var catalogs: [String: String] {
        [
            SQLDialect.sqlite.name: """
            SELECT m.tbl_name, m.name, m.sql FROM sqlite_master AS m JOIN pragma_index_list(m.tbl_name) AS l
            ON l.name = m.name WHERE m.type = 'index' AND l.partial ORDER BY m.name
            """,
            SQLDialect.postgreSQL.name: """
            SELECT t.relname::text, i.relname::text, 'WHERE ' || pg_get_expr(x.indpred, x.indrelid)
            FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS t ON t.oid = x.indrelid
            WHERE x.indpred IS NOT NULL AND x.indisvalid AND t.relnamespace = current_schema()::regnamespace
            ORDER BY i.relname
            """,
        ]
    }

    /// The partial indexes of an entity's table whose conditions are predicates of its keys; empty for engines without such
    /// a catalogue.
    package func partialIndexes(of entity: String) -> [PartialIndex] {
        guard let catalog = Self.catalogs[dialect.name], let found = try? rows(catalog) else { return [] }
        let table = PredicateValue.string(schema.table(of: entity))
        let attributes = schema.lineage(of: entity).flatMap { $0.attributes }
        return found.compactMap { row in
            guard row.count == 3, row[0] == table, case .string(let name) = row[1], case .string(let text) = row[2]
            else {
                return nil
            }
            return IndexConditionReader.condition(text, attributes).map { PartialIndex(name: name, condition: $0) }
        }
    }

    /// The partial indexes that the engine's plan of a request does not use, and uses if the predicate has the condition
    /// of the index, which follows from it.
    ///
    /// - Parameter steps: returns the plan of a request.
    package func indexAdvice(
        for request: FetchRequest, steps: (FetchRequest) throws(StoreFailure) -> [String]
    ) throws(StoreFailure) -> [String] {
        let indexes = partialIndexes(of: request.entity).filter { index in
            request.predicate.implies(index.condition, for: schema, entity: request.entity) == .proven
        }
        if indexes.isEmpty { return [] }
        func uses(_ index: PartialIndex, _ steps: [String]) -> Bool {
            steps.contains { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == index.name } }
        }
        let present = try steps(request)
        var advice: [String] = []
        for index in indexes where !uses(index, present) {
            var other = request
            other.predicate = request.predicate && index.condition
            guard uses(index, try steps(other)) else { continue }
            advice.append(
                "the index \(index.name) serves the predicate with its condition, which follows from it\n"
                    + "AND \(index.condition)")
        }
        return advice
    }
}
