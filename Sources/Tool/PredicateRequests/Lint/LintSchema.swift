// The schema that lint checks predicates against. A caller reads it from a file.

/// A version of a Core Data model.
package struct ModelVersion {
    package let name: String
    package let model: ManagedObjectModel
    package let schema: PredicateSchema

    package init(name: String, model: ManagedObjectModel, schema: PredicateSchema) {
        (self.name, self.model, self.schema) = (name, model, schema)
    }
}

/// A schema, and what is known of it.
package struct LintSchema {
    package let schema: PredicateSchema
    /// The Core Data model of the schema; nil for other schemas.
    package let model: ManagedObjectModel?
    /// The other versions of the model to check.
    package let otherVersions: [ModelVersion]
    /// The entity of predicates whose source does not name one; nil chooses the entity that fits best.
    package let entity: String?

    package init(
        schema: PredicateSchema, model: ManagedObjectModel? = nil, otherVersions: [ModelVersion] = [],
        entity: String?
    ) {
        (self.schema, self.model, self.otherVersions, self.entity) = (schema, model, otherVersions, entity)
    }
}
