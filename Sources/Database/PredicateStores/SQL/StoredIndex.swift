// The indexes of a database as its catalogue describes them. IndexConditionReader.swift reads the conditions of partial
// indexes, IndexUse.swift finds which indexes serve a request.
package import PredicateModel
import PredicateSQL
import PredicateSyntax

/// An index of a table.
package struct StoredIndex: Sendable {
    struct Column: Sendable {
        /// nil for an expression.
        let name: String?
        /// Whether it compares texts as they are, without folding.
        let isExact: Bool
    }

    /// The name in plans.
    package let name: String
    package let isUnique: Bool
    fileprivate(set) var columns: [Column] = []
    /// Whether it has only the rows that fulfil a condition.
    package let isPartial: Bool
    /// True for an object if a partial index has its row; nil if the condition is not a predicate of the entity's keys.
    package let condition: FormatPredicate?

    /// nil for an expression.
    package var columnNames: [String?] { columns.map(\.name) }
}

extension SQLStore {
    /// Selects a row for each column of an index, in order: table, index, whether it is unique, a text with WHERE and
    /// the condition, column, whether it is exact. False is NULL, as are a missing condition and the name of an
    /// expression.
    private static var catalogs: [String: String] {
        [
            // Plans name the primary key of a table without row numbers, and the row number, by their declarations.
            SQLDialect.sqlite.name: """
            SELECT m.name, CASE WHEN i.name IS NULL THEN 'PRIMARY KEY' ELSE l.name END, CASE WHEN l."unique" THEN 1 END,
                CASE WHEN l.partial THEN i.sql END, x.name, CASE WHEN x.coll = 'BINARY' THEN 1 END, x.seqno
            FROM sqlite_master AS m JOIN pragma_index_list(m.name) AS l JOIN pragma_index_xinfo(l.name) AS x
            LEFT JOIN sqlite_master AS i ON i.type = 'index' AND i.name = l.name
            WHERE m.type = 'table' AND x.key
            UNION ALL SELECT m.name, 'INTEGER PRIMARY KEY', 1, NULL, c.name, 1, 0
            FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
            WHERE m.type = 'table' AND c.pk = 1 AND c.type = 'INTEGER' COLLATE NOCASE
                AND NOT EXISTS (SELECT 1 FROM pragma_index_list(m.name) AS l WHERE l.origin = 'pk')
            ORDER BY 2, 7
            """,
            SQLDialect.postgreSQL.name: """
            SELECT t.relname::text, i.relname::text, CASE WHEN x.indisunique THEN 1 END,
                'WHERE ' || pg_get_expr(x.indpred, x.indrelid), a.attname::text,
                CASE WHEN o.collisdeterministic IS NOT FALSE THEN 1 END
            FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS t ON t.oid = x.indrelid
            CROSS JOIN LATERAL unnest(x.indkey::int2[], x.indcollation::oid[]) WITH ORDINALITY AS k(col, coll, place)
            LEFT JOIN pg_attribute AS a ON a.attrelid = x.indrelid AND a.attnum = k.col
            LEFT JOIN pg_collation AS o ON o.oid = k.coll
            WHERE x.indisvalid AND k.place <= x.indnkeyatts AND t.relnamespace = current_schema()::regnamespace
            ORDER BY i.relname, k.place
            """,
        ]
    }

    /// The indexes of an entity's table by name; nil for engines without such a catalogue.
    package func indexes(of entity: String) throws(StoreFailure) -> [StoredIndex]? {
        guard let catalog = Self.catalogs[dialect.name] else { return nil }
        let table = PredicateValue.string(schema.table(of: entity))
        let attributes = schema.lineage(of: entity).flatMap { $0.attributes }
        var found: [StoredIndex] = []
        for row in try rows(catalog) where row.count >= 6 && row[0] == table {
            guard case .string(let name) = row[1] else { continue }
            if found.last?.name != name {
                let definition = row[3].stringValue
                found.append(
                    StoredIndex(
                        name: name, isUnique: !row[2].isNil, isPartial: definition != nil,
                        condition: definition.flatMap { IndexConditionReader.condition($0, attributes) }))
            }
            found[found.count - 1].columns.append(
                StoredIndex.Column(name: row[4].stringValue, isExact: !row[5].isNil))
        }
        return found.sorted { $0.name < $1.name }
    }
}
