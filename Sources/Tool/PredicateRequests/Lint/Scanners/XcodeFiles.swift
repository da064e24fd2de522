// Reads the predicates of data models.

enum XcodeFiles {
    /// The predicates of a data model, and the model.
    static func dataModel(_ bytes: [UInt8]) throws(DocumentProblem) -> ([FoundPredicate], ModelVersion?) {
        let model = try ManagedObjectModel(contents: bytes)
        let predicates = model.predicates.map { stored in
            FoundPredicate(
                text: stored.text, owner: stored.owner,
                site: CallSite(profile: "coredata-sqlite", entity: stored.entity), spelling: .markup)
        }
        // An inconsistent data model gives no schema, but its predicates are still checked.
        let schema = try? model.schema(storedOnly: true)
        return (predicates, schema.map { ModelVersion(name: "", model: model, schema: $0) })
    }
}
